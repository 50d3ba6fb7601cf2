"""The exceptions that kernels raise, as texts that loader.py reads.

numba pickles an exception's class, which could not be found again on the site. A text is the
literal of (module, name of the class in the module, arguments).
"""

import ast
import hashlib
import re
import sys
from types import ModuleType
from typing import Any

from numba.core import serialize

from bundler.native.captures import is_foreign
from bundler.native.entry_points import text_constant
from bundler.native.recording import KernelError

# numba's exceptions in LLVM's language: the name and the hash of the pickle
EXCEPTION = re.compile(
    r"^@(\.const\.picklebuf\.\S+) = .*?\{ ptr @\.const\.pickledata\.([0-9a-f]+)[^,]*,.*$",
    re.MULTILINE,
)

# numba says so of code that needs Python's objects, and could not run on the site.
NO_ENVIRONMENT = "missing Environment: "

# Numba's pickles, by the hash of the pickle: a class unpickled may be another one
pickled: dict[str, Any] = {}
numba_dumps: Any = serialize.dumps


def recording_dumps(thing: object) -> bytes:
    data: bytes = numba_dumps(thing)
    pickled[hashlib.sha1(data).hexdigest()] = thing
    return data


serialize.dumps = recording_dumps


def exceptions_as_text(source: str, main: ModuleType) -> str:
    """Returns LLVM's text of a module, in which each pickled exception is replaced by the text that
    an entry hands to Python.

    main: the bundle's `__main__`. Raises KernelError for an exception of the bundle that cannot be
    a text.
    """

    def rewrite(match: re.Match[str]) -> str:
        known: Any = pickled.get(match[2]) or (None, (), None)
        exception, arguments, place = known
        text = repr((*class_place(exception, main), tuple(arguments or ())))
        try:
            is_found = ast.literal_eval(text)[1]
            wrong = None if is_found else "its class cannot be found by its name"
            advice = "raise a built-in exception, or one defined at the top of a module"
        except (SyntaxError, ValueError):
            wrong = "its arguments are computed"
            advice = "raise it with numbers and strings, which are known beforehand"
        if not wrong and NO_ENVIRONMENT not in text:
            return text_constant(match[1], text)
        if place is None or is_foreign(place[1]):  # numba's own is only declared
            return f"@{match[1]} = external global i8"
        function, *line = place
        construct = f"{function} raises {exception.__qualname__}: {wrong}"
        raise KernelError(tuple(line), construct, advice)

    return EXCEPTION.sub(rewrite, source)


def class_place(exception: type | None, main: ModuleType) -> tuple[str, str] | tuple[None, None]:
    """Returns (module, name) by which a class is found on the site, (None, None) if it cannot be
    found.
    """
    name = getattr(exception, "__qualname__", "")
    for module in (main, sys.modules.get(getattr(exception, "__module__", ""), main)):
        if getattr(module, name, None) is exception and not module.__name__.startswith("numba"):
            return "__main__" if module is main else module.__name__, name
    return None, None
