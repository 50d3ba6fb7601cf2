"""A cache folder of each test's own for bundles and checks, which are not made twice."""

import pytest

import bundler.check
import bundler.inputs


@pytest.fixture(autouse=True)
def kept(tmp_path_factory, monkeypatch):
    """Returns the folder."""
    folder = tmp_path_factory.mktemp("kept")
    monkeypatch.setattr(bundler.inputs, "MADE", folder / "made")
    monkeypatch.setattr(bundler.check, "PASSED", folder / "checked")
    return folder
