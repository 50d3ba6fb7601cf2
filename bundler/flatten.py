"""From a bot's source to the text of its bundle."""

from dataclasses import dataclass, replace
from pathlib import Path

from bundler.constructs import check_constructs
from bundler.emit import Emitter
from bundler.formatting import formatted
from bundler.graph import Graph
from bundler.link import Linker
from bundler.project import Project
from bundler.prune import Liveness


@dataclass(frozen=True)
class Bundle:
    """A flattened bot: its text, the files it is made of with the times (ns) of their last change,
    and what the things at its top level are called.
    """

    text: str
    files: dict[Path, int]
    names: dict[tuple, str]


def flatten(entry, *, formatter=formatted, **options):
    """The Bundle of a bot, formatted by black; the other arguments are those of `assemble`."""
    bundle = assemble(entry, **options)
    return replace(bundle, text=formatter(bundle.text))


def assemble(entry, *, root=None, mode="numba", keep_all=False, strip=False, names=None):
    """The Bundle of a bot, given by path or module name, not yet formatted. Raises BundleError.

    mode: written into every top-level assignment to `BUNDLE_MODE`; what it makes unreachable is
    left out. keep_all: keep what is unused. strip: drop comments and docstrings. names: those of a
    bundle of the bot in another mode, to call the same things the same.
    """
    graph = Graph(Project(entry, root), {"BUNDLE_MODE": mode})
    linker = Linker(graph)
    liveness = Liveness(graph, linker, keep_all)
    check_constructs(graph, linker, liveness)
    text = Emitter(graph, linker, liveness, names or {}, strip).text()
    sources = [module.source for module in graph.modules.values() if module.source]
    files = {source.path: source.modified_ns for source in sources}
    return Bundle(text, files, {entity.identity: entity.flat for entity in liveness.entities})
