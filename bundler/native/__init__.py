"""Kernels compiled when the bundle is made, and inserted into it as machine code.

machine_code.py     the machine code as a literal
cache.py            files named by a hash of all that determines the machine code
subprocesses.py     the compile subprocesses and their answers
compile.py          such a process: runs the bundle's text under numba, gives one object file
recording.py        the kernels that the text makes
captures.py         the variables of modules and closures that they read, as compiled-in constants
mutations.py        changes of captured variables
typing_errors.py    numba's errors, with the place to change
unsupported.py      features that need numba's runtime: the statement that needs it
exceptions.py       the exceptions of kernels, as texts
entry_points.py     the functions that Python calls: they check the arguments (checks.ll) and call
                    numba's code
allocator.ll        arrays allocated within a kernel
linker.py           the object file as one flat block of code
loader.py           goes along with the code and maps it, on the site
tunable_symbols.py  numbers that stay in memory, in a bundle that is open for tuning
tunable_code.py     goes along with these and sets them
The counterpart, which unpacks both there, is shared/core/backend_native.py.
"""
