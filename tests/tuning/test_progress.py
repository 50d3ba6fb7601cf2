"""The progress display of a tuning."""

from pathlib import Path
from types import SimpleNamespace

from referee.arena import progress
from referee.status_line import StatusLine
from referee.tuning import progress as tuning_progress


def test_the_time_of_the_test_counts_from_its_beginning(monkeypatch, capsys):
    """It does not start at the first game's end, which may come late."""
    now = [100.0]
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(
        tuning_progress, "progress_line", lambda names, arena, elapsed_s: f"after {elapsed_s:g} s"
    )
    shown = tuning_progress.TuningProgress(StatusLine(None), Path("page.html"), "a bot")
    plan = SimpleNamespace(n_games=8)
    for n_played in (0, 0, 1):
        shown.show_test(SimpleNamespace(n_played=n_played, n_found=0, plan=plan))
        now[0] += 20.0
    assert capsys.readouterr().err == "testing what was found: after 40 s\n"
