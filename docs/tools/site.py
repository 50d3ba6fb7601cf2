"""Builds the site: `python -m docs.tools.site`, or `make docs`.

The pages come from three places: `docs/`; the Markdown files of other folders that `FOREIGN` names;
and generated sections, which take the place of a line `<!-- generated: NAME -->`. All are put
together in build/docs-source/, with the links between them changed to fit, and Zensical makes
build/docs/ of them. A broken link, an undocumented command and a warning are errors.
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from posixpath import normpath, relpath

from docs.tools.api import module_section
from docs.tools.commands import UndocumentedError, application, commands_page

PROJECT = Path(__file__).resolve().parents[2]
DOCS = PROJECT / "docs"
CONFIG = DOCS / "zensical.toml"
# Markdown files outside of docs/ that are pages, as patterns.
FOREIGN = (
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "tests/README.md",
    "shared/*/README.md",
    "shared/games/*/RULES.md",
    "bots/*/NOTES.md",
)
PICTURES = (".webp", ".png", ".svg", ".gif")
GENERATED = re.compile(r"^<!-- generated: (\w+)(?: ([^>]*?))? -->$", re.MULTILINE)
# A link of Markdown, [text](target), a picture, ![text](target), or a span of code, without groups.
LINK = re.compile(r"(?<!\[)`[^`\n]*`|(!?)\[((?:[^\[\]`]|`[^`]*`|\[[^\]]*\])*)\]\(([^()\s]+)\)")
# Zensical's way to search without a server, which offline-search.js replaces
NETWORK_SHIM = "https://unpkg.com/iframe-worker/shim"
FROM_ELSEWHERE = re.compile(
    r"<(?:script|img|iframe)[^>]* src=\"?https?:[^>]*>"
    r"|<link[^>]* href=\"?https?:[^>]*(?:css|icon)[^>]*>"
)
FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$", re.MULTILINE | re.DOTALL)


class DocsError(Exception):
    """The pages cannot be made; the text names the page and says what is wrong."""


def foreign_pages() -> list[str]:
    """Returns the paths of the pages outside of docs/, in the project."""
    found = (path for pattern in FOREIGN for path in PROJECT.glob(pattern))
    return sorted(path.relative_to(PROJECT).as_posix() for path in found)


def pages() -> dict[str, str]:
    """Returns the page of each Markdown file: {path in the project: path in the site}."""
    own = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    return {f"docs/{page}": page for page in own} | {path: path for path in foreign_pages()}


def documented_modules(found: dict[str, str]) -> dict[str, str]:
    """Returns the section of each module that a page generates: {path of the source: link}."""
    sections = {}
    for source, page in found.items():
        for kind, words in GENERATED.findall((PROJECT / source).read_text(encoding="utf-8")):
            if kind == "modules":
                for path in modules(words):
                    sections[path] = f"{page}#{anchor(module_name(path))}"
    return sections


def modules(words: str) -> list[str]:
    """Returns the sources that a marker names: files, or all of a folder."""
    paths: list[str] = []
    for word in words.split():
        path = PROJECT / word
        own = [path] if path.is_file() else sorted(path.glob("*.py"))
        paths += [one.relative_to(PROJECT).as_posix() for one in own if one.stem != "__init__"]
    if not paths:
        raise DocsError(f"<!-- generated: modules {words} -->: no such source")
    return paths


def module_name(path: str) -> str:
    """Returns a source's name as it is imported."""
    return path.removesuffix(".py").replace("/", ".")


def anchor(heading: str) -> str:
    """Returns the name by which a link finds a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    text = re.sub(r"[^\w\s-]", "", text.lower()).strip()
    return re.sub(r"[-\s]+", "-", text)


def source_block(folder: str, path: str) -> str:
    """Returns a Python file of a folder as a block of code, which has its path for a title."""
    text = (PROJECT / folder / path).read_text(encoding="utf-8").strip()
    return f'```python title="{path}"\n{text}\n```'


GENERATORS: dict[str, Callable[[str], str]] = {
    "commands": lambda words: commands_page(application()),
    "modules": lambda words: "\n".join(
        module_section(PROJECT / path, module_name(path)) for path in modules(words)
    ),
    "source": lambda words: source_block(*words.split()),
}


def generate(text: str) -> str:
    """Returns a page with its generated sections."""

    def section(match: re.Match[str]) -> str:
        if match[1] not in GENERATORS:
            raise DocsError(f"{match[0]}: nothing generates that")
        return GENERATORS[match[1]](match[2] or "")

    return GENERATED.sub(section, text)


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Returns a text whose parts outside of code blocks are changed."""
    parts, at = [], 0
    for block in FENCE.finditer(text):
        parts += [change(text[at : block.start()]), block[0]]
        at = block.end()
    return "".join([*parts, change(text[at:])])


def resolve(source: str, target: str) -> tuple[str, str]:
    """Returns the file in the project that a relative link names, and the heading in it.

    source: the path of the linking file. Raises DocsError where there is no such file.
    """
    path, _, heading = target.partition("#")
    file = normpath((Path(source).parent / path).as_posix()) if path else source
    if not (PROJECT / file).exists():
        raise DocsError(f"{source}: the link {target} leads nowhere")
    return file, heading


def relink(text: str, source: str, found: dict[str, str], sections: dict[str, str]) -> str:
    """Returns a page whose links lead to other pages of the site.

    A link to a module leads to its section, a link to any other file of the project is left as
    its text.
    """
    page = found[source]

    def link(match: re.Match[str]) -> str:
        is_picture, shown, target = match.groups()
        if target is None or re.match(r"[a-z]+:", target):
            return match[0]
        file, heading = resolve(source, target)
        if is_picture or file.endswith((*PICTURES, ".html")):
            new = file.removeprefix("docs/")
        elif file in found:
            new = found[file] + (f"#{heading}" if heading else "")
        elif file in sections:
            new = sections[file]
        else:
            return shown
        to, _, at = new.partition("#")
        to = "" if to == page and at else relpath(to, Path(page).parent.as_posix())
        return f"{is_picture}[{shown}]({to}{'#' + at if at else ''})"

    return outside_code(text, lambda part: LINK.sub(link, part))


def contest_entries() -> str:
    """Returns the lines of the navigation for the rules and notes of each contest."""
    lines = []
    for path in sorted((PROJECT / "shared/games").glob("*/RULES.md")):
        name = path.parent.name
        title = path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ").partition(":")[0]
        own = [f'{{ "Rules" = "shared/games/{name}/RULES.md" }}']
        if (PROJECT / "bots" / name / "NOTES.md").exists():
            own.append(f'{{ "Notes" = "bots/{name}/NOTES.md" }}')
        lines.append(f'        {{ "{title}" = [{", ".join(own)}] }},')
    return "\n".join(lines)


def stage(folder: Path) -> list[Path]:
    """Write the pages and the configuration into an empty folder; Returns the pages.

    Raises DocsError for a link that leads nowhere, UndocumentedError for a command without help.
    """
    found = pages()
    sections = documented_modules(found)
    written = []
    for source, page in found.items():
        text = (PROJECT / source).read_text(encoding="utf-8")
        path = folder / "pages" / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(relink(generate(text), source, found, sections), encoding="utf-8")
        written.append(path)
    for picture in DOCS.rglob("*"):
        if picture.suffix in (*PICTURES, ".html", ".css", ".js") and picture.is_file():
            path = folder / "pages" / picture.relative_to(DOCS)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(picture, path)
    config = CONFIG.read_text(encoding="utf-8")
    entries = contest_entries()
    (folder / CONFIG.name).write_text(config.replace("        # CONTESTS", entries))
    return written


def build(folder: Path) -> Path:
    """Returns the folder of the site made of a staged folder.

    Raises DocsError where Zensical warns or fails.
    """
    if find_spec("zensical") is None:
        raise DocsError("Zensical is not installed: run `make docs`, or pip install -e '.[docs]'")
    # It is meant to warn of a page that the navigation lacks as well, but does not.
    config = (folder / CONFIG.name).read_text(encoding="utf-8")
    for path in sorted((folder / "pages").rglob("*.md")):
        page = path.relative_to(folder / "pages").as_posix()
        if f'"{page}"' not in config:
            raise DocsError(f"docs/zensical.toml: the navigation lacks {page}")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise DocsError(done.stdout + done.stderr)
    for path in (folder / "site").rglob("*.html"):
        path.write_text(without_network(path, folder / "site"), encoding="utf-8")
    return folder / "site"


def without_network(page: Path, site: Path) -> str:
    """Returns the text of a page of the site that loads nothing from elsewhere.

    Raises DocsError for a script or a style that no file of the site replaces.
    """
    text = page.read_text(encoding="utf-8")
    shim = relpath((site / "offline-search.js").as_posix(), page.parent.as_posix())
    text = text.replace(NETWORK_SHIM, shim)
    if found := FROM_ELSEWHERE.search(text):
        raise DocsError(f"{page}: {found[0]} is loaded from elsewhere")
    return text


def main() -> None:
    """Build the site in build/docs/."""
    argparse.ArgumentParser(prog="make docs", description=__doc__).parse_args()
    folder, site = PROJECT / "build/docs-source", PROJECT / "build/docs"
    for path in (folder, site):
        shutil.rmtree(path, ignore_errors=True)
    try:
        written = stage(folder)
        shutil.move(build(folder), site)
    except (DocsError, UndocumentedError) as error:
        sys.exit(f"docs: {error}")
    print(f"{len(written)} pages: {site / 'index.html'}")


if __name__ == "__main__":
    main()
