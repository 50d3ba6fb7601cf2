"""Makes a new workspace: the folders, settings for editors, and a pytest that runs the tests.

`workspace_templates/` holds the files by their paths in the workspace. In these files
`$installation` stands for the folder of `shared/`, `$python` for the Python that runs the command.
"""

import json
import sys
from pathlib import Path
from string import Template

from bundler.modules.workspace import INSTALLED, MARKER
from referee.errors import UsageError

TEMPLATES = Path(__file__).parent / "workspace_templates"
SUFFIX = ".template"
# Files whose names begin with a dot are kept under another name: archives may leave them out.
DOT = "dot_"


def make_workspace(folder: Path) -> list[Path]:
    """Make a folder a workspace. Returns the paths of the files written; existing files stay, so
    that a second call writes the files that have been removed.

    Raises OSError, and UsageError for a folder of the installation.
    """
    folder = folder.absolute()
    if folder.resolve().is_relative_to(INSTALLED):
        raise UsageError(f"{folder} lies in onefile's own folder: choose one elsewhere")
    written = []
    # The marker is written last: without it a folder is no workspace.
    for path, text in sorted(render_templates().items(), key=lambda entry: entry[0].name == MARKER):
        file = folder / path
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            written.append(file)
    return written


def render_templates() -> dict[Path, str]:
    """Returns the files of a workspace: their texts by their paths in the workspace."""
    values = {
        # As within quotes of JSON
        "installation": json.dumps(str(INSTALLED))[1:-1],
        "python": json.dumps(sys.executable)[1:-1],
    }
    texts = {}
    for template in sorted(TEMPLATES.rglob(f"*{SUFFIX}")):
        path = str(template.relative_to(TEMPLATES)).removesuffix(SUFFIX).replace(DOT, ".")
        texts[Path(path)] = Template(template.read_text(encoding="utf-8")).substitute(values)
    return texts
