"""Versions as a class with comparisons; the command line of the package on top."""

import semver
from semver import Version, cli
from semver.version import Version as SameVersion

v = Version.parse("3.4.5-pre.2+build.4")
print(v, repr(v), v.to_dict(), v.bump_minor(), v.next_version("prerelease"), SameVersion is Version)
print(
    sorted(map(Version.parse, ["1.0.0", "1.0.0-rc.1", "0.9.9", "1.0.0-rc.1.1"])), v.match(">=3.4.4")
)
print(Version.is_valid("1.2"), v.compare("3.4.5"), v[:2], hash(v) == hash(v.replace()), list(v))
print(
    cli.main(["bump", "major", "1.2.3"]),
    cli.main(["compare", "1.2.3", "2.0.0"]),
    semver.VersionInfo,
)
parser = cli.createparser()
print(parser.parse_args(["check", "1.0.0"]).func.__qualname__, cli.cmd_check.__module__)
Version.parse(input())
