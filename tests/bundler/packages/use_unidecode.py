"""Tables of letters, a module for every 256 of them, imported by a computed name when needed."""

import unidecode.x000
import unidecode.x004
import unidecode.x030
from unidecode import UnidecodeError, unidecode, unidecode_expect_nonascii

for line in iter(input, ""):
    print(unidecode(line), unidecode_expect_nonascii(line) == unidecode(line))
print(unidecode.__module__, UnidecodeError.__mro__[1], repr(unidecode("\ue000x")))
unidecode("a\ue000", errors="strict")
