"""The leaders of matches, by the texts that name them in a log."""

import shutil

import pytest

from referee.arena.cluster.packaging import Packer
from referee.arena.play import Setting
from referee.log.records import Conditions
from referee.play.leader import (
    ForeignReferee,
    OfficialEngine,
    Rules,
    Scorer,
    leader_of,
    read_leader,
)
from tests.referee.conftest import TOY

SH = shutil.which("sh")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (None, Rules),
        ("official:/build", OfficialEngine),
        ("scorer:sh score.sh", Scorer),
        ("sh referee.sh", ForeignReferee),
        ("unseeded:sh referee.sh", ForeignReferee),
    ],
)
def test_a_leader_is_named_by_its_text(text, kind):
    leader = leader_of(Conditions.for_all(2, seed=1, limits=None, referee=text))
    assert type(leader) is kind and leader.text == text
    assert leader.takes_seeds == (text != "unseeded:sh referee.sh")


@pytest.mark.parametrize("kind", ["", "unseeded:", "scorer:"])
def test_a_command_is_fingerprinted_and_sent_without_the_kind_of_its_leader(kind, tmp_path):
    """The prefix is no part of a program's name: the files of the command are found."""
    script = tmp_path / "script.sh"
    script.write_text("echo 1")
    leader = read_leader(f"{kind}sh {script}")
    assert leader.command() == [SH, str(script)]
    before = leader.fingerprint(str(TOY), {}).digest
    conditions = Conditions.for_all(2, seed=1, limits=None, referee=leader.text)
    package = Packer().pack(Setting(str(TOY), (), conditions))
    words = [word.text for word in package.referee if word]
    assert words == ["sh", "{0}"] and package.programs == {"sh"}
    assert leader.with_command([SH, "/there/script.sh"]).text == f"{kind}{SH} /there/script.sh"
    script.write_text("echo 2")
    assert leader.fingerprint(str(TOY), {}).digest != before


def test_a_match_without_a_seed():
    """A referee from elsewhere is sent none, as many know none; a scorer begins with the first
    input.
    """
    leader, seed = read_leader("sh referee.sh").choose_seed()
    assert leader.text == "unseeded:sh referee.sh" and seed >= 0
    assert read_leader("scorer:sh score.sh").choose_seed()[1] == 0
    assert read_leader(None).choose_seed()[0] == Rules()
