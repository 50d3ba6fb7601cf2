"""Modules that exist only in an importer of the package's own on sys.meta_path."""

import six
import six.moves.urllib.parse as parse
from six import add_metaclass, iteritems, moves, text_type, with_metaclass
from six.moves import range, reduce, urllib, zip_longest
from six.moves.urllib.parse import urlencode


class Meta(type):
    def __new__(cls, name, bases, values):
        made = super().__new__(cls, name, bases, values)
        made.made_by = f"{cls.__name__} {values['__module__']}"
        return made


@add_metaclass(Meta)
class One(object):
    """One."""

    __slots__ = ("x",)


class Two(with_metaclass(Meta, dict)):
    pass


print(One.made_by, One.__doc__, Two.made_by, Two.__mro__, sorted(iteritems({"a": 1})))
print(urlencode({"a": "b c"}), parse.quote("a/b?"), urllib.error.URLError.__name__, moves.__name__)
print(reduce(lambda a, b: a * b, range(1, 5)), list(zip_longest("a", "bc")), text_type, six.PY3)
print(
    six.ensure_binary("é"), six.int2byte(65), moves.builtins.len("abc"), moves.configparser.__name__
)
out = moves.StringIO()
six.print_("to a string", file=out)
print(
    out.getvalue(),
    six.get_function_code(Meta.__new__).co_name,
    "winreg" in dir(moves),
)
try:
    six.raise_from(ValueError("outer"), KeyError("inner"))
except ValueError as error:
    print(repr(error.__cause__))
six.reraise(RuntimeError, RuntimeError("the end"))
