"""Puts the launcher and the version into the wheel, beside the tree.

A hook and not a setting of pyproject.toml, since an editable install takes the launcher from its
own folder, around which it finds the checkout.
"""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LauncherHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds files to the standard wheel alone."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files by their paths in the wheel; version: "standard" or "editable"."""
        if version == "standard":
            build_data["force_include"] |= {
                "referee/launcher/onefile_bots": "onefile_bots",
                # The version, and the mark of the project's root for the bundler
                "pyproject.toml": "onefile_bots/pyproject.toml",
            }
