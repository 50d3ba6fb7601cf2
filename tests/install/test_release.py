"""A release: its check, and the links of its long description."""

import importlib.util
import shutil

from referee.commands.doctor import EXTRAS
from referee.launcher.build_hook import with_absolute_links
from referee.project import PROJECT, metadata, version


def test_it_is_refused_with_a_placeholder_and_with_another_tag(tmp_path):
    check = PROJECT / ".github" / "release_check.py"
    spec = importlib.util.spec_from_file_location("release_check", check)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / ".github").mkdir()
    for name in ("pyproject.toml", "CHANGELOG.md", ".github/CITATION.cff"):
        shutil.copy(PROJECT / name, tmp_path / name)
    settings, changes = tmp_path / "pyproject.toml", tmp_path / "CHANGELOG.md"
    changes.write_text(f"# Changelog\n\n## {version()} (2030-01-01)\n")
    [placeholder, tag] = module.problems(tmp_path, "v0.0.1")
    assert "OWNER" in placeholder and "v0.0.1" in tag
    settings.write_text(settings.read_text().replace("/OWNER/", "/someone/"))
    assert module.problems(tmp_path, f"v{version()}") == []
    changes.write_text("# Changelog\n\n## Unreleased\n\n### Added\n")
    assert len(module.problems(tmp_path, "")) == 2


def test_links_of_the_long_description_are_absolute():
    text = "[a](docs/a.md#b) ![p](docs/p.webp) [c](https://d.org) [e](#f)"
    assert with_absolute_links(text, "https://h.org/o/n", "v1") == (
        "[a](https://h.org/o/n/blob/v1/docs/a.md#b) ![p](https://h.org/o/n/raw/v1/docs/p.webp)"
        " [c](https://d.org) [e](#f)"
    )


def test_doctor_names_every_extra():
    assert EXTRAS.keys() == metadata()["optional-dependencies"].keys()
