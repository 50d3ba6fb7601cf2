"""A checkout that cannot be written: mounted read-only, in a namespace of mounts."""

import shlex
import subprocess
import sys

import pytest

from tests.conftest import PROJECT

BOTS = "bots/infexion/greedy.py bots/infexion/random_player.py"


@pytest.mark.slow("bundles in an empty cache")
def test_a_read_only_checkout_plays_with_another_cache(tmp_path):
    """Bundles go to the named cache, logs and pages to the folders that options name; without
    another cache the error is a line that names the variable.
    """
    project, log = shlex.quote(str(PROJECT)), tmp_path / "m.jsonl"
    # The bundles that other tests have made are hidden.
    mount = (
        f"{{ {{ [ ! -d {project}/.cache ] || mount -t tmpfs none {project}/.cache; }} &&"
        f" mount --rbind {project} {project} && mount -o remount,bind,ro {project} &&"
        f" {{ [ ! -d {project}/.cache ] || mount -o remount,ro {project}/.cache; }}; }} || exit 99"
    )
    onefile = f"PYTHONPATH={project} {shlex.quote(sys.executable)} -m referee.onefile"
    play = f"{onefile} match infexion {BOTS} --limits off --turns 2 --log {log}"
    lines = [mount, f"cd {project}", "unset ONEFILE_CACHE", f"{play} && exit 98"]
    lines += ["set -e", f"export ONEFILE_CACHE={tmp_path}/cache", play]
    lines += [f"{onefile} view {log} -o {tmp_path}/m.html", f"{onefile} replay {log} --player 0"]
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", "\n".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip(f"no mounts here: {done.stderr.strip()}")
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert "set ONEFILE_CACHE to a folder that you can write\n" in done.stderr
    assert (tmp_path / "m.html").exists() and list((tmp_path / "cache" / "bundles").iterdir())
