"""Puts the launcher and the version into the wheel, and makes the long description.

Settings of pyproject.toml would not do: an editable install takes the launcher from its own folder,
around which it finds the checkout, and links of README.md are relative to the repository.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

# Stands in the address of the repository until its owner has chosen it.
PLACEHOLDER = "/OWNER/"
# A link of Markdown to a file: not to an address, and not to a heading of the same page.
LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!https?:|#)([^)\s]+)\)")


class LauncherHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds files to the standard wheel, but not to an editable one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Set the paths in the wheel of the added files. version: "standard" or "editable"."""
        if version == "standard":
            build_data["force_include"] |= {
                "referee/launcher/onefile_bots": "onefile_bots",
                # The version, and the mark of the project's root for the bundler
                "pyproject.toml": "onefile_bots/pyproject.toml",
            }


class DescriptionHook(MetadataHookInterface):
    """Adds the long description, and the project's addresses if the repository's owner is known."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme`, and `urls` if the repository's owner is known."""
        repository, tag = self.config["repository"], f"v{metadata['version']}"
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if PLACEHOLDER not in repository:
            text = with_absolute_links(text, repository, tag)
            pages = f"{repository}/blob/{tag}"
            metadata["urls"] = {
                "Source": repository,
                "Documentation": f"{pages}/docs/index.md",
                "Changelog": f"{pages}/CHANGELOG.md",
                "Issues": f"{repository}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_absolute_links(text: str, repository: str, tag: str) -> str:
    """Returns a Markdown page whose links to files and pictures lead to the repository at a tag."""

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link[1] else "blob"
        return f"{link[1]}{link[2]}({repository}/{kind}/{tag}/{link[3]})"

    return LINK.sub(absolute, text)
