"""A real contest's referee, named by ONEFILE_OFFICIAL: a first bot from its grammar plays it."""

import os

import pytest

from referee.official.build import find_build
from referee.scaffold.bot_writer import write_bot
from referee.scaffold.stub_grammar import parse_stub, read_stub


@pytest.fixture
def first_bot(real_build, tmp_path):
    """The bot written from the contest's own grammar."""
    folder = find_build(real_build).folder
    if not folder or not (folder / "config" / "stub.txt").is_file():
        pytest.skip("ONEFILE_OFFICIAL names no contest's folder with config/stub.txt")
    path = tmp_path / "first.py"
    path.write_text(write_bot(parse_stub(read_stub(folder / "config" / "stub.txt")), "First"))
    return f"source:{path}"


def test_a_game(run, real_build, first_bot, tmp_path, processes_naming):
    """It plays to its end, can be replayed and drawn, and leaves no Java process."""
    log = tmp_path / "match.jsonl"
    league = os.environ.get("ONEFILE_OFFICIAL_LEAGUE")
    words = ["--league", league] if league else []
    status, _, err = run(
        "match",
        "--official",
        real_build,
        first_bot,
        *words,
        "--limits",
        "off",
        "--seed",
        3,
        "--log",
        log,
    )
    assert status == 0, err
    assert run("replay", log)[0] == 0
    assert run("view", log)[0] == 0
    assert processes_naming(find_build(real_build).name) == []
