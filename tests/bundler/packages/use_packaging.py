"""Versions, specifiers, markers with a parser of their own."""

from packaging import markers, version
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import Tag, parse_tag
from packaging.utils import canonicalize_name
from packaging.version import Version, parse

versions = [Version(text) for text in ("1.10", "1.9.post1", "1.10rc2", "2!0.1", "1.10+local.3")]
print([str(v) for v in sorted(versions)], repr(max(versions)), parse("1.0") == version.Version("1"))
print(list(SpecifierSet(">=1.9,!=1.10").filter(["1.8", "1.9", "1.10", "1.11a1", "1.11"])))
requirement = Requirement('Some_Name[a,b]>=2,<3; python_version >= "3" and os_name != "x"')
print(requirement, requirement.extras == {"a", "b"}, requirement.marker.evaluate())
print(markers.Marker("extra == 'x'").evaluate({"extra": "x"}), canonicalize_name("A._-b"))
print(sorted(map(str, parse_tag("py2.py3-none-any"))), Tag("py3", "none", "any"))
try:
    Requirement("name @@ 3")
except InvalidRequirement as error:
    print(type(error).__module__, error)
Version("one")
