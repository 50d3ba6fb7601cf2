"""The official referee as an oracle for a simulator."""

from pathlib import Path

ADDING = Path(__file__).with_name("adding.py")


def test_games_of_random_players(run, build):
    status, out, err = run("verify", ADDING, "--official", build(), "--games", 3)
    assert (status, err) == (0, "") and out.split()[-3:] == ["3", "12", "0"]


def test_games_of_bots(run, build, adder):
    """Including games in which a bot fails, or writes an illegal line."""
    bots = [adder(1), adder("1 if turn < 2 else sys.exit(1)", "dies")]
    status, out, _ = run("verify", ADDING, *bots, "--official", build(), "--games", 2)
    assert status == 0 and out.split()[-3:] == ["2", "8", "0"]


def test_the_first_difference_is_named(run, build, adder):
    """Of the input, with both texts; of the scores; the other games are compared as well."""
    folder = build()
    status, out, _ = run("verify", ADDING, "--official", folder, "--games", 2, "--league", 2)
    assert status == 1
    assert "first difference:" in out and "seed 1, turn 0: player 0, line 1 is '0 " in out
    status, out, _ = run(
        "verify", ADDING, adder(1), "--official", folder, "--games", 2, "--league", 3, "--seed", 9
    )
    assert status == 1
    assert "seed 9, turn 4: our scores are [5.0, 5.0], the official ones [4.0, 4.0]" in out


def test_bad_input(run, build):
    """Each bad input gives an error of one line."""
    for words, message in [
        (["infexion"], "nothing to compare with: name truth files"),
        (["infexion", "--official", build()], "does not say how an official game is rebuilt"),
        (["nowhere", "--official", build()], "no contest 'nowhere'"),
    ]:
        status, _, err = run("verify", *words)
        assert status == 2 and message in err and err.count("\n") == 1
