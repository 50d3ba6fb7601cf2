"""What from outside of the bot has no effect when it is called, or when a class is made from it.

PLAIN: their results are plain as well, in the sense of `bundler/purity.py`; the others' are not.
"""

PLAIN_BUILTINS = set("""
    abs all any bool bytes bytearray complex dict divmod enumerate float frozenset hash int len list
    max min ord chr pow range repr reversed round set slice sorted str sum tuple zip bin hex oct
    isinstance issubclass callable
    """.split())
PLAIN_MODULES = {"math", "cmath", "itertools", "operator", "string"}
PLAIN_NUMPY = set("""
    array zeros ones empty full arange linspace eye identity asarray int64 int32 int16 int8 uint64
    uint32 uint16 uint8 float64 float32 bool_ dtype sqrt sin cos exp log
    """.split())
HARMLESS = {
    "collections.namedtuple",
    "collections.deque",
    "collections.defaultdict",
    "collections.Counter",
    "collections.OrderedDict",
    "dataclasses.dataclass",
    "dataclasses.field",
    "enum.auto",
    "enum.unique",
    "functools.cache",
    "functools.lru_cache",
    "functools.wraps",
    "functools.total_ordering",
    "functools.cached_property",
    "numba.njit",
    "numba.jit",
    "abc.abstractmethod",
    "contextlib.contextmanager",
    "re.compile",
    "struct.Struct",
    "typing.TypeVar",
    "typing.NewType",
    "typing.cast",
    "typing.overload",
    "typing.runtime_checkable",
    "time.perf_counter",
}
HARMLESS_BUILTINS = {"property", "staticmethod", "classmethod", "object", "type"}
HARMLESS_BASES = {
    "typing.NamedTuple",
    "typing.TypedDict",
    "typing.Protocol",
    "typing.Generic",
    "enum.Enum",
    "enum.IntEnum",
    "enum.Flag",
    "enum.IntFlag",
    "enum.StrEnum",
    "abc.ABC",
}
