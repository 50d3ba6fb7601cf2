"""Each search from a root whose game is over, or ends within three plies, and in slices."""

from tests.conftest import run_plain


def test_each_search_ends_and_answers_a_legal_action_or_none():
    *refusals, lines = run_plain("tests.support.short_games").split("\n", 3)
    assert [" met scores or priors that are NaN or infinite" in line for line in refusals] == [
        True
    ] * 3
    lines = lines.splitlines()
    assert len(lines) == 4 * 18 + 17
    # The result does not depend on the division into calls: equal buffers after equal numbers.
    assert [line for line in lines[-17:] if not line.endswith(" True")] == []
    for line in lines[:-17]:
        n_left, action, is_finished = line.split()[1:]
        if n_left == "0":
            assert action in ("-1", "None") and is_finished != "False", line
        else:
            assert action in ("0", "1"), line
