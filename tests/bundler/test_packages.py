"""Programs that use real packages behave the same in a bundle, or are refused for a stated
reason.
"""

import re

import pytest

from tests.bundler.corpus import PACKAGES, REFUSED, Sources

# They take as long as all others together.
LARGEST = {"networkx", "mpmath", "rich"}


# One of each kind: refused, of one module and of many, several packages, with an input, with numpy.
QUICK = set(
    "attrs certifi chess construct decorator easyai glom lark pluggy semver six tinydb".split()
)
# Every second one is stripped; the command above tests both for each.
CHOSEN = [
    pytest.param(
        name,
        at % 2 == 1,
        marks=[] if name in QUICK else pytest.mark.slow("a package like those of QUICK"),
    )
    for at, name in enumerate(name for name in PACKAGES if name not in LARGEST)
]


@pytest.mark.slow("bundles more packages", keep=4)
@pytest.mark.parametrize(("name", "strip"), CHOSEN)
def test_package(name, strip, tmp_path):
    verdict = Sources(name, tmp_path).judge(strip=strip)
    if name in REFUSED:
        assert verdict.kind == "refused", verdict.text
        assert re.fullmatch(r"[\w/]+\.py:\d+: .+?: .+", verdict.text)  # construct, advice
        assert verdict.text.startswith(REFUSED[name])
    else:
        assert verdict.kind == "same", f"{verdict.kind}: {verdict.text}"


def test_a_package_missing_from_the_bundle_is_noticed(tmp_path):
    sources = Sources("semver", tmp_path)
    kind, text = sources.compare(sources.program.read_text(), "alone")
    assert kind == "different" and "ModuleNotFoundError: No module named 'semver'" in text
