"""Kernels compiled when the bundle is made and carried in it as machine code.

embedding.py   the machine code as a literal; remembers what it compiled
apart.py       the processes that import a bundle, and what they say
compile.py     such a process: runs the bundle's text under numba, gives one object file
recording.py   the kernels that the text makes
frozen.py      the variables that they keep
changes.py     what changes those later
reasons.py     what numba refuses, said with the place to change
features.py    what only numba's runtime can do: the statement that needs it
exceptions.py  the exceptions of kernels, as texts
entries.py     the functions that Python calls: they check the arguments (checks.ll) and call what
               numba compiled
allocator.ll   arrays allocated within a kernel
link.py        the object file as one flat block of code
loader.py      goes along with the code and maps it, on the site
The counterpart, which unpacks both there, is shared/core/backend_native.py.
"""

from bundler.native.embedding import embed, machine_code_literal

__all__ = ["embed", "machine_code_literal"]
