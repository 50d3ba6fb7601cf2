"""Every search of shared/search has the functions listed in its README, with the same arguments."""

import inspect
import re
from importlib import import_module

import pytest

from tests.conftest import PROJECT

FOLDER = PROJECT / "shared" / "search"
GUIDE = (FOLDER / "README.md").read_text(encoding="utf-8")
BUFFERS = ("new_tree", "new_trees", "new_population")
VERBS = ("Options", *BUFFERS, "reset", "make_search", "is_finished", "best_action", "summary")
ALWAYS = {"Options", "reset", "make_search", "summary"}

# module -> the verbs in the README's table
SEARCHES = {
    module: set(re.findall(r"`(\w+)`", verbs))
    for module, verbs in re.findall(r"^\| `(\w+)` \| (`Options`.*) \|$", GUIDE, re.MULTILINE)
}
MODULES = {
    path.stem: ".".join(path.relative_to(PROJECT).with_suffix("").parts)
    for path in FOLDER.rglob("*.py")
    if path.stem != "__init__"
}
PARTS = set(re.findall(r"^- `(\w+)`:", GUIDE, re.MULTILINE))


def test_every_module_is_a_search_or_a_part():
    assert SEARCHES.keys() | PARTS == MODULES.keys()
    assert not SEARCHES.keys() & PARTS


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_has_the_verbs_of_the_guide_and_no_others(name):
    module = import_module(MODULES[name])
    assert {verb for verb in VERBS if hasattr(module, verb)} == SEARCHES[name]
    assert SEARCHES[name] >= ALWAYS
    assert len(SEARCHES[name].intersection(BUFFERS)) == 1
    assert not hasattr(module, "make_sample")


@pytest.mark.parametrize("name", SEARCHES)
def test_the_verbs_take_the_same_arguments(name):
    """A game and options make buffers and a search; the other functions take the buffers, or the
    buffers after the game and options they need.
    """
    module = import_module(MODULES[name])
    for verb in {"make_search", *BUFFERS} & SEARCHES[name]:
        assert list(inspect.signature(getattr(module, verb)).parameters)[:2] == ["game", "options"]
    buffers = set()
    for verb in SEARCHES[name] & {"reset", "is_finished", "best_action", "summary"}:
        arguments = list(inspect.signature(getattr(module, verb)).parameters)
        buffers.add(arguments[2] if arguments[:2] == ["game", "options"] else arguments[0])
    assert buffers in ({"tree"}, {"trees"}, {"population"})
    assert inspect.signature(module.summary).return_annotation.__name__ == "Summary"


@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_part_is_no_search(name):
    assert not hasattr(import_module(MODULES[name]), "make_search")
