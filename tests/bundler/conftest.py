"""A cache folder of each test's own for bundles and checks, which are not made twice."""

import pytest

import bundler.inputs


@pytest.fixture(autouse=True)
def kept(tmp_path_factory, monkeypatch):
    monkeypatch.setattr(bundler.inputs, "MADE", tmp_path_factory.mktemp("made"))
