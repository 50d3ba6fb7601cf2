"""Building a contest's repository, by a double of Maven."""

import pytest

from referee.errors import UsageError
from referee.official.build import ENGINE, REFEREE, find_build
from referee.official.java import find_java, find_jdk

CONTEST = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <properties><maven.compiler.target>1.8</maven.compiler.target></properties>
</project>
"""


def write(folder, **texts):
    """Write texts to files of a folder, by their paths."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


@pytest.fixture
def contest(tmp_path, java_home, monkeypatch):
    """A contest's repository; the path has no program, and the Java is a double."""
    write(java_home / "bin", javac="")
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/nowhere")
    folder = tmp_path / "Sea2030"
    write(folder, **{"pom.xml": CONTEST, "config/level2/x": ""})
    return folder


def test_what_is_missing_is_named(run, contest):
    """Maven, and the contest."""
    assert "no Maven on this machine: apt install maven, or build it" in run("build", contest)[2]
    (contest / "pom.xml").unlink()
    assert "no contest's repository: it has no pom.xml" in run("build", contest)[2]


def test_maven_fails(run, contest, tmp_path):
    mvn = tmp_path / "bin" / "mvn"
    said = "Referee.java:[3,1] ';' expected"
    mvn.write_text(f'#!/bin/sh\necho "[ERROR] {said}"\nexit 1\n')
    mvn.chmod(0o755)
    status, _, err = run("build", contest)
    assert status == 2 and f"Maven failed: {said}" in err and err.count("\n") == 1


def test_a_java_that_fits(contest):
    """The version of a build's classes decides, and is named."""
    assert find_jdk(8).version == 11
    with pytest.raises(UsageError, match=r"no JDK for Java 21 \(installed: 11\)"):
        find_jdk(21)
    folder = contest / "target" / "classes"
    write(folder, **{ENGINE: "", REFEREE: "\0" * 7 + chr(65)})
    with pytest.raises(UsageError, match="the build is for Java 21, the installed one is 11"):
        find_java(find_build(str(contest)))
