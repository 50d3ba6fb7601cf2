"""Refuses a release whose address, version, tag or changelog is not ready: `make release-check`."""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PLACEHOLDER = "/OWNER/"


def problems(project: Path, tag: str) -> list[str]:
    """Returns a text for each reason against a release; tag: as in v0.4.0, "" without one yet."""
    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    version = settings["project"]["version"]
    hook = settings["tool"]["hatch"]["metadata"]["hooks"]["custom"]
    changelog = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (project / ".github" / "CITATION.cff").read_text(encoding="utf-8")
    texts = []
    if PLACEHOLDER in hook["repository"]:
        texts.append("pyproject.toml: write the repository's address in place of OWNER")
    if tag and tag != f"v{version}":
        texts.append(f"the tag {tag} is not that of version {version}, v{version}")
    if not re.search(rf"^## {re.escape(version)} \(", changelog, re.MULTILINE):
        texts.append(f"CHANGELOG.md has no section {version}")
    if re.search(r"^## Unreleased\n+#", changelog, re.MULTILINE):
        texts.append(
            "CHANGELOG.md has unreleased changes: give them the version, in pyproject.toml too"
        )
    if f"\nversion: {version}\n" not in citation:
        texts.append(f".github/CITATION.cff is not of version {version}")
    return texts


if __name__ == "__main__":
    sys.exit("\n".join(problems(PROJECT, *sys.argv[1:2] or [""])))
