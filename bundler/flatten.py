"""From a bot's source to the text of its bundle."""

from dataclasses import dataclass

import black

from bundler.emit import Emitter
from bundler.graph import Graph
from bundler.link import Linker
from bundler.project import Project
from bundler.prune import Liveness

LINE_LENGTH = 100


@dataclass(frozen=True)
class Bundle:
    """A flattened bot: its text, and the modules it is made of in order of execution."""

    text: str
    modules: list


def flatten(entry, *, root=None, mode="numba", keep_all=False, strip=False):
    """The Bundle of a bot, given by path or module name. Raises BundleError.

    mode: written into every top-level assignment to `BUNDLE_MODE`; what it makes unreachable is left out.
    """
    graph = Graph(Project(entry, root), {"BUNDLE_MODE": mode})
    linker = Linker(graph)
    liveness = Liveness(graph, linker, keep_all)
    text = Emitter(graph, linker, liveness, strip).text()
    text = black.format_str(text, mode=black.Mode(line_length=LINE_LENGTH))
    return Bundle(text, [module.shown for module in graph.modules.values() if module.source])


def utf16_units(text):
    """The length of a text as the site counts it."""
    return len(text.encode("utf-16-le")) // 2
