"""Programs that use real packages behave the same in a bundle, or are refused for a stated
reason.
"""

import re

import pytest

from tests.bundler.corpus import PACKAGES, REFUSED, Sources, installed

# Every second one is stripped.
CHOSEN = [(name, n % 2 == 1) for n, name in enumerate(PACKAGES)]
pytestmark = pytest.mark.slow("installs the packages")


@pytest.fixture(scope="session", autouse=True)
def _installed():
    """Fails once, not in each test, where the packages cannot be installed."""
    installed()


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
