"""A checkout that cannot be written: mounted read-only, in a namespace of mounts."""

import shlex
import subprocess
import sys

import pytest

from tests.conftest import PROJECT

BOTS = "bots/infexion/greedy.py bots/infexion/random_player.py"
PLAY = f"match infexion {BOTS} --limits off --turns 2"


@pytest.fixture
def onefile(tmp_path):
    """onefile(words, ...) runs commands beside a project mounted read-only; its CompletedProcess.

    cache: the folder that ONEFILE_CACHE names.
    """
    project = shlex.quote(str(PROJECT))
    # The bundles that other tests have made are hidden.
    mounts = (
        f"[ ! -d {project}/.cache ] || mount -t tmpfs none {project}/.cache",
        f"mount --rbind {project} {project} && mount -o remount,bind,ro {project}",
        f"[ ! -d {project}/.cache ] || mount -o remount,ro {project}/.cache",
    )
    mount = f"{{ {' && '.join(mounts)}; }} || exit 99"

    def run(*commands, cache=""):
        python = f"PYTHONPATH={project} {shlex.quote(sys.executable)} -m referee.onefile"
        named = f"export ONEFILE_CACHE={shlex.quote(str(cache))}"
        lines = [mount, named, f"cd {project}", "set -e"]
        lines += [f"{python} {command}" for command in commands]
        done = subprocess.run(
            ["unshare", "--map-root-user", "--mount", "sh", "-c", "\n".join(lines)],
            capture_output=True,
            text=True,
        )
        if done.returncode == 99 or "unshare" in done.stderr:
            pytest.skip(f"no mounts here: {done.stderr.strip()}")
        assert "Traceback" not in done.stderr
        return done

    return run


@pytest.mark.slow("bundles in an empty cache")
def test_a_read_only_checkout_plays_with_another_cache(onefile, tmp_path):
    """Bundles go to the named cache, logs and pages to the folders that options name."""
    log, page, paste = tmp_path / "m.jsonl", tmp_path / "m.html", tmp_path / "paste.py"
    done = onefile(
        f"{PLAY} --log {log}",
        f"view {log} -o {page}",
        f"replay {log} --player 0",
        f"bundle bots/infexion/random_player.py -o {paste} --mode python",
        cache=tmp_path / "cache",
    )
    assert done.returncode == 0, done.stderr
    assert page.exists() and paste.exists() and list((tmp_path / "cache" / "bundles").iterdir())


def test_a_read_only_checkout_names_the_variable(onefile):
    """Without another cache the error is a line that names it."""
    done = onefile(PLAY)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("set ONEFILE_CACHE to a folder that you can write")
