"""The distribution: its content, and a newcomer's commands in clean environments."""

import email
import os
import subprocess
import zipfile
from itertools import product
from pathlib import PurePosixPath

import pytest

from tests.install import wheel as distribution
from tests.support.pythons import interpreter_of, newest

LARGEST_MB = 2.0


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    return distribution.build_wheel(folder)


def test_all_lies_in_one_package(wheel):
    """In site-packages the wheel adds only its own package and its metadata."""
    assert wheel.stat().st_size < LARGEST_MB * distribution.MEGABYTE
    with zipfile.ZipFile(wheel) as archive:
        names = [PurePosixPath(name) for name in archive.namelist()]
    tops = {name.parts[0] for name in names}
    assert tops == {"onefile_bots", next(top for top in tops if top.endswith(".dist-info"))}
    assert not [name for name in names if "__pycache__" in name.parts or "launcher" in name.parts]


def test_every_file_that_git_tracks_is_in_it(wheel):
    asked = subprocess.run(
        ["git", "ls-files", "bots", "bundler", "referee", "shared"],
        cwd=distribution.PROJECT,
        capture_output=True,
        text=True,
    )
    if asked.returncode:
        pytest.skip("git does not list the project's files here")
    with zipfile.ZipFile(wheel) as archive:
        inside = {name.removeprefix("onefile_bots/") for name in archive.namelist()}
    there = {
        name
        for name in asked.stdout.splitlines()
        if "/launcher/" not in name and (distribution.PROJECT / name).exists()
    }
    assert there - inside == set()


def test_its_metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        [name] = [one for one in archive.namelist() if one.endswith("METADATA")]
        found = email.message_from_bytes(archive.read(name))
    assert (found["Name"], found["License-Expression"]) == ("onefile-bots", "MIT")
    assert found.get_payload().startswith("# onefile")
    extras = found.get_all("Provides-Extra")
    assert {"cluster", "learn", "test", "tune"} <= set(extras)
    # Dependencies of a checkout's tools are no extras.
    assert not {"dev", "install"} & set(extras)


# The first one is that of the slow tests: all others have newer dependencies.
WALKS = [
    ("oldest", "lowest"),
    ("newest", "newest"),
    *product(distribution.promised(), ("lowest", "newest")),
]


@pytest.mark.slow("installs the dependencies from the package index")
@pytest.mark.exhaustive("installs them for each Python", keep=1)
@pytest.mark.parametrize(("version", "dependencies"), WALKS)
def test_a_newcomer_with_each_python(wheel, tmp_path_factory, version, dependencies):
    """In a clean environment that cannot be written, without a checkout and without a compiler."""
    ends = {"oldest": distribution.promised()[0], "newest": newest().version}
    python = interpreter_of(ends.get(version, version))
    system = f"/usr/bin/python{ends.get(version, version)}"
    if os.geteuid() == 0 and os.access(system, os.X_OK):
        # Another user may not be allowed to read root's own interpreter.
        python = system
    folder = tmp_path_factory.mktemp("newcomer")
    for path in (folder, *folder.parents):
        if path.stat().st_uid == os.geteuid() and path.name.startswith(("pytest-", "newcomer")):
            path.chmod(0o755)
    home = folder / "home"
    home.mkdir()
    binaries = distribution.install(wheel, folder / "environment", python, dependencies == "lowest")
    newcomer = distribution.Newcomer(binaries, home)
    if not newcomer.can_start():
        newcomer.user = {}
    before = files_of(binaries.parent)
    distribution.walk(newcomer)
    if newcomer.user:
        assert files_of(binaries.parent) == before


def files_of(folder):
    """Every file of an environment with the time of its last change."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
