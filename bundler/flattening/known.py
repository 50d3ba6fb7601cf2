"""The forms that are known to be safe in a flattened module: syntax, builtins, names of standard
modules, special names. Whatever stands in none of these tables carries its module whole.

A form is safe if it behaves the same in one namespace as in several: it looks into no frame, no
module and no source, and finds nothing by the name of its module.
"""

import ast
import builtins
import sys
import sysconfig
from pathlib import Path
from types import (
    AsyncGeneratorType,
    CodeType,
    CoroutineType,
    FrameType,
    GeneratorType,
    TracebackType,
)

SYNTAX = set("""
    Module FunctionDef AsyncFunctionDef ClassDef Return Delete Assign TypeAlias AugAssign AnnAssign
    For AsyncFor While If With AsyncWith Match Raise Try Assert Import ImportFrom Global Nonlocal
    Expr Pass Break Continue BoolOp NamedExpr BinOp UnaryOp Lambda IfExp Dict Set ListComp SetComp
    DictComp GeneratorExp Await Yield YieldFrom Compare Call FormattedValue JoinedStr Constant
    Attribute Subscript Starred Name List Tuple Slice Load Store Del And Or comprehension
    ExceptHandler arguments arg keyword alias withitem match_case MatchValue MatchSingleton
    MatchSequence MatchMapping MatchClass MatchStar MatchAs MatchOr TypeVar ParamSpec TypeVarTuple
    """.split())
UNKNOWN_SYNTAX = tuple(
    kind
    for name, kind in vars(ast).items()
    if isinstance(kind, type)
    and issubclass(kind, ast.AST)
    and name not in SYNTAX
    and not issubclass(kind, (ast.operator, ast.unaryop, ast.cmpop))
)

# Rules ask further of `getattr`, and of those that list names.
BUILTINS = set("""
    Ellipsis False None NotImplemented True abs aiter all anext any ascii bin bool bytearray bytes
    callable chr classmethod compile complex delattr dict dir divmod enumerate exit filter
    float format frozenset getattr globals hasattr hash hex input int isinstance issubclass
    iter len list locals map max memoryview min next object oct open ord pow print property quit
    range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars
    zip breakpoint __debug__ __name__ __doc__
    """.split())
_ALL = vars(builtins).items()
BUILTINS |= {
    name for name, value in _ALL if isinstance(value, type) and issubclass(value, BaseException)
}
UNKNOWN_BUILTINS = {*dir(builtins)} - BUILTINS
# The statement by which a native bundle runs its loader: the bundler wrote that text, and it looks
# into no module of the bot. Before Python 3.10 only `exec` gives a new namespace its builtins.
RUNS_LOADER = "exec(compile(loader, 'loader.py', 'exec'), names)"

# Standard modules and numpy: all their public names, those named behind `*` as well, which look
# like modules; or only some names. A program with any other one is carried whole.
MODULES = {name: {"*"} for name in """
    __future__ abc argparse array ast asyncio atexit base64 binascii bisect bz2 calendar cmath
    codecs collections collections.abc colorsys configparser contextlib contextvars copy csv decimal
    difflib errno fcntl fractions glob graphlib gzip hashlib heapq hmac html html.entities
    html.parser io itertools json json.decoder keyword locale logging lzma math mmap numbers numpy
    numpy.fft numpy.linalg numpy.random numpy.typing operator os.path pathlib platform pprint queue
    random re reprlib resource sched secrets select selectors shlex signal socket stat statistics
    struct subprocess tarfile tempfile textwrap time unicodedata urllib.parse urllib.request uuid
    weakref xml.dom xml.dom.minidom xml.etree.ElementTree xml.sax zipfile zlib zoneinfo
    """.split()}
MODULES |= {
    name: set(names.split())
    for name, names in {
        "dataclasses": """
            FrozenInstanceError InitVar KW_ONLY MISSING asdict astuple dataclass field fields
            is_dataclass make_dataclass replace
            """,
        "datetime": "* time",
        "enum": """
            CONFORM CONTINUOUS EJECT Enum EnumMeta EnumType Flag FlagBoundary IntEnum IntFlag KEEP
            NAMED_FLAGS STRICT StrEnum UNIQUE auto member nonmember property unique verify
            """,
        "functools": """
            cache cached_property cmp_to_key lru_cache partial partialmethod reduce total_ordering
            update_wrapper wraps
            """,
        "os": "* stat",
        "shutil": "* copy",
        "string": """
            Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits
            octdigits printable punctuation whitespace
            """,
        "sys": """
            argv byteorder exit flags float_info getrecursionlimit getsizeof hexversion int_info
            intern maxsize maxunicode path platform setrecursionlimit stderr stdin stdout version
            version_info
            """,
        "threading": """
            Barrier BoundedSemaphore BrokenBarrierError Condition Event Lock RLock Semaphore
            TIMEOUT_MAX Thread ThreadError Timer active_count current_thread get_ident local
            main_thread stack_size
            """,
        "traceback": """
            format_exc format_exception format_exception_only print_exc print_exception print_last
            """,
        "types": """
            AsyncGeneratorType BuiltinFunctionType CoroutineType EllipsisType FunctionType
            GeneratorType GenericAlias LambdaType MappingProxyType MethodType NoneType
            NotImplementedType SimpleNamespace TracebackType UnionType new_class
            """,
        "typing": """
            AbstractSet Annotated Any AnyStr AsyncGenerator AsyncIterable AsyncIterator Awaitable
            BinaryIO ByteString Callable ClassVar Collection Concatenate Container ContextManager
            Coroutine Counter DefaultDict Deque Dict Final FrozenSet Generator Generic Hashable IO
            ItemsView Iterable Iterator KeysView List Literal LiteralString Mapping MappingView
            Match MutableMapping MutableSequence MutableSet NamedTuple Never NewType NoReturn
            NotRequired Optional OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern
            Protocol Required Reversible Self Sequence Set Sized SupportsAbs SupportsBytes
            SupportsComplex SupportsFloat SupportsIndex SupportsInt SupportsRound TYPE_CHECKING Text
            TextIO Tuple Type TypeAlias TypeGuard TypeVar TypeVarTuple TypedDict Union Unpack
            ValuesView assert_never cast final get_args get_origin no_type_check overload override
            runtime_checkable
            """,
        "warnings": "resetwarnings simplefilter warn",
    }.items()
}
_SUBMODULES = set("core ctypeslib distutils f2py lib os sys testing warnings".split())  # of numpy
_LIBRARY = Path(sysconfig.get_path("stdlib"))
FRAME_READERS = {"logging", "traceback", "warnings"}


# Special names, as attributes or texts, that show nothing of a module: those of numbers, texts and
# containers, and these
_DATA_TYPES = (bytes, dict, float, int, list, str, tuple)
DUNDERS = (
    {name for kind in _DATA_TYPES for name in dir(kind) if name[:2] == "__"} - set("""
    __dir__ __getattribute__ __getstate__ __init_subclass__ __reduce__ __reduce_ex__
    __subclasshook__
    """.split())
    | set("""
    __bases__ __call__ __class_getitem__ __closure__ __constraints__ __debug__ __defaults__
    __delete__ __dict__ __enter__ __exit__ __get__ __kwdefaults__ __main__ __match_args__
    __missing__ __mro__ __name__ __next__ __post_init__ __qualname__ __set__ __set_name__ __slots__
    __wrapped__ __cause__ __context__ __notes__ __suppress_context__ __traceback__ __await__
    __aenter__ __aexit__ __aiter__ __anext__ __abs__ __matmul__
    """.split())
)
# A module may bind these, if nobody reads them.
HARMLESS_DUNDERS = set("""
    __all__ __author__ __copyright__ __credits__ __date__ __email__ __license__ __maintainer__
    __status__ __version__
    """.split())
# Attributes that show frames and lines; arguments and functions that need modules by name, or go by
# identity
_FRAMES = (FrameType, TracebackType, CodeType, GeneratorType, CoroutineType, AsyncGeneratorType)
UNSAFE_WORDS = {
    name for kind in _FRAMES for name in dir(kind) if name[0] != "_" and "_" in name
} | set(
    """
    __builtins__ __import__ allow_pickle get_type_hints import_module is_ is_not object.__eq__
    object.__hash__ object.__ne__ singledispatch singledispatchmethod
    """.split()
)


def is_known(full: str) -> bool:
    """Returns True for a name, as in `os.path.join`, of a module that is known, and for the module;
    also for names behind: attributes of an object are no names of a module.
    """
    parts = full.split(".")
    ends = (end for end in range(len(parts), 0, -1) if ".".join(parts[:end]) in MODULES)
    end = next(ends, 0)
    if end == len(parts) or any(n.startswith(f"{full}.") for n in MODULES):
        return True
    if not end:
        return False
    name, names = parts[end], MODULES[".".join(parts[:end])]
    if name in names | HARMLESS_DUNDERS | {"__name__"} or "*" not in names:
        return name in names or "*" in names
    is_module = name in (
        _SUBMODULES if parts[0] == "numpy" else sys.stdlib_module_names - {parts[0]}
    )
    return not is_module and not name.startswith("_")


def is_module(full: str) -> bool:
    """Returns True for a known name that is a module."""
    place = _LIBRARY.joinpath(*full.split("."))
    is_found = place.is_dir() or place.with_name(f"{place.name}.py").is_file()
    return "." not in full or full in MODULES or is_found
