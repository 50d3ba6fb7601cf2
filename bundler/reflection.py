"""The words by which a program looks into itself: at namespaces, modules, frames or sources.

A program that uses them is carried whole: nothing of it is flattened or pruned, and its docstrings
stay.
"""

import ast
import re
from collections.abc import Iterable, Iterator

from bundler.modules.source import imported_names
from bundler.program import Module

# Builtins, where nothing else has the name
BUILTINS = set("__import__ breakpoint compile dir eval exec globals help locals vars".split())
# Modules from outside that find modules, evaluate texts or read docstrings
MODULES = set("""
    bdb cProfile cmd code codeop copyreg ctypes dill gc importlib marshal pdb pickle pkgutil profile
    runpy shelve timeit trace unittest xmlrpc
    """.split())
# Names of them and attributes by which modules and namespaces are reached
ATTRIBUTES = set("""
    _getframe currentframe get_type_hints getclosurevars getmembers global_enum import_module
    meta_path modules setprofile settrace singledispatch
    """.split())
# They read the texts of modules.
SOURCES = set("""
    doctest findsource getcomments getsource getsourcelines inspect linecache pydoc tokenize
    """.split())
# Attributes of tracebacks, frames and generators, from which code and namespaces are reached
FRAMES = r"tb_(?:frame|next)|f_(?:back|builtins|code|globals|locals)|(?:ag|cr|gi)_(?:code|frame)"
# Special names that lead nowhere; the other ones are suspected.
DUNDERS = set("""
    __all__ __author__ __call__ __class__ __class_getitem__ __constraints__ __contains__
    __copyright__ __credits__ __date__ __debug__ __delitem__ __doc__ __email__ __enter__ __exit__
    __getitem__ __init__ __init_subclass__ __iter__ __len__ __license__ __main__ __maintainer__
    __name__ __new__ __next__ __post_init__ __qualname__ __repr__ __setitem__ __slots__ __status__
    __str__ __version__
    """.split())
_SUSPECTED = re.compile(rf"\b(?:__\w*[a-z]__|{FRAMES})\b")
# In a native bundle it runs its loader, which looks into no module of the bot.
LOADER = "shared.core.backends.native"


def reflections(module: Module, others: Iterable[str] = ()) -> Iterator[tuple[int, str]]:
    """Yields (line, word) of each use of a word that looks into the program, or of a word of
    `others`.
    """
    words = ATTRIBUTES | SOURCES | {*others}
    builtins = set() if module.name == LOADER else BUILTINS & module.names.read - module.names.bound
    for node in module.source.nodes:
        found: Iterable[str] = ()
        match node:
            case ast.Name(word) if word in builtins:
                found = [word]
            case ast.Attribute(ast.Name("self"), "__dict__"):
                continue  # an object's attributes
            case ast.Name(word) | ast.Attribute(_, word):
                is_reached = word in words and (word in others or isinstance(node, ast.Attribute))
                found = [word] if is_reached else _suspected(word)
            case ast.MatchClass(kwd_attrs=names):
                found = _suspected(" ".join(names))
            case ast.Constant(str(text)):
                named = [word for word in others if word in text]
                found = [text] if text in words else named or _suspected(text)
            case ast.Import() | ast.ImportFrom():
                site = module.site_of(node)
                own = {target.name for target in site.runs} if site else set()
                fulls = [
                    full
                    for full in imported_names(node)
                    if not {full, full.rpartition(".")[0]} & own
                ]
                imported = {word for full in fulls for word in full.split(".")}
                found = sorted(imported & (MODULES | words))
        for word in found:
            yield getattr(node, "lineno", 1), word


def _suspected(text: str) -> list[str]:
    return [word for word in _SUSPECTED.findall(text) if word not in DUNDERS]
