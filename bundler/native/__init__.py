"""Kernels compiled when the bundle is made and carried in it as machine code.

embedding.py  fills a flattened bot with its machine code; remembers what it compiled
compile.py    a process of its own: runs the flattened bot under numba, gives one object file
entries.py    the functions that Python calls: they check the arguments and call what numba compiled
allocator.ll  arrays allocated within a kernel
link.py       the object file as one flat block of code
loader.py     goes along with the code and maps it, on the site
The counterpart, which unpacks both there, is shared/core/machine_code.py.
"""

from bundler.native.embedding import embed, machine_code_literal

__all__ = ["embed", "machine_code_literal"]
