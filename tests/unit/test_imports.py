"""The import rules: searches depend on no contest, bundles contain no referee-only modules, and the
referee's packages import downwards.
"""

import ast
import re
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PACKAGES = ("bots", "shared", "bundler", "referee")

# Folder (of a file) -> modules of the project that it may import; \1 is the text matched by the
# folder's brackets.
ALLOWED = {
    r"shared/core(?:/\w+)?": [r"shared\.core"],
    r"shared/(search|path)(?:/\w+)?": [r"shared\.core", r"shared\.\1"],
    # Networks learn from the results of searches.
    r"shared/learn": [r"shared\.core", r"shared\.search", r"shared\.learn"],
    r"shared/mesh": [r"shared\.core", r"shared\.path", r"shared\.mesh"],
    r"shared/games/(\w+)": [
        r"shared\.core",
        r"shared\.path",
        r"shared\.mesh",
        r"shared\.games\.\1",
    ],
    # The probe
    "bots": [r"shared\.core", r"bots\.probe_kernel"],
    # Kaggle's name of connect four
    r"bots/connectx": [r"shared\.(core|search)", r"shared\.games\.connect_four"],
    r"bots/(\w+)": [
        r"shared\.core",
        r"shared\.search",
        r"shared\.path",
        r"shared\.mesh",
        r"shared\.learn",
        r"shared\.games\.\1",
        r"bots\.\1",
    ],
    r"bundler(?:/\w+)*": [r"bundler"],
    # The package that is installed, and the command in it
    r"referee/launcher/onefile_bots": [r"referee\.onefile", r"bundler\.modules\.workspace"],
    r"referee/onefile": [r"referee\.(__main__|onefile|project)", r"bundler\.__main__"],
    r"referee/explore(?:/\w+)*": [
        r"referee",
        r"shared\.core\.(contest|drawing|game|jit)",
        r"shared\.search",
        r"bundler\.modules\.workspace",
    ],
    # Its workers play games by searches, and it fits networks to them.
    r"referee/train": [r"referee", r"shared\.(learn|search)"],
    r"referee(?:/\w+)*": [
        r"referee",
        r"shared\.core\.(checks|clock|contest|drawing|protocol)",
        r"shared\.games\.\w+\.contest",
        # The bundler and the referee share the lookup of modules, and the library's full names.
        r"bundler\.modules\.(library|packages|source|workspace)",
        # A bundle is checked with the Python of a site, and plays with it.
        r"bundler\.sites",
        # The help of all commands looks alike.
        r"bundler\.help",
    ],
}
# The referee's packages, from the top down: each imports from itself and from the layers below its
# own. scaffold stands apart: only commands write contests and bots for a user. `log` is the lowest
# package, since its records are the values passed between all others.
LAYERS = [
    ["commands"],
    ["train", "tuning", "league"],
    ["arena"],
    # It looks into searches, in the process of a bot.
    ["explore"],
    ["page", "replay", "scaffold"],
    ["play"],
    ["official"],
    ["process", "sources"],
    ["log"],
    ["status_line"],
    ["deferred_signals", "errors", "option_groups", "parent_death", "project", "terminal"],
]
# Allowed to import all layers: the command `onefile` joins the referee's and the bundler's.
ABOVE = ("launcher", "onefile")
# Drawing and generation from seeds stay out of bots.
REFEREE_ONLY = re.compile(
    r"^shared\.core\.(checks|drawing)|\.(contest|generator|maps|truth|render)$"
)

SOURCES = sorted(
    path.relative_to(PROJECT) for package in PACKAGES for path in (PROJECT / package).rglob("*.py")
)


@cache
def imported_modules(path):
    """Returns every module of the project that a file imports, by its full name, with the line."""
    found = []
    for node in ast.walk(ast.parse((PROJECT / path).read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*path.parts[: -node.level], *base.split(".")]).rstrip(".")
            names = [base]
            # `from package import module` imports the module.
            for alias in node.names:
                file = PROJECT / base.replace(".", "/") / alias.name
                if file.with_suffix(".py").exists() or file.is_dir():
                    names.append(f"{base}.{alias.name}")
        for name in names:
            if name.split(".")[0] in PACKAGES:
                found.append((node.lineno, name))
    return found


def rule_of(path):
    """Returns the modules that a file may import."""
    for pattern, allowed in ALLOWED.items():
        if match := re.fullmatch(pattern, str(path.parent)):
            return [rule.replace(r"\1", match[match.lastindex or 0]) for rule in allowed]
    assert path.parent in {Path("shared"), Path("shared/games")}, f"{path}: no rule"
    return []


def test_a_file_imports_only_allowed_modules():
    wrong = []
    for path in SOURCES:
        rules = rule_of(path)
        for line, name in imported_modules(path):
            is_package = (PROJECT / name.replace(".", "/")).is_dir()
            fits = any(re.match(rule + r"(\.|$)", name) for rule in rules) or (
                # `from package import module` also names the package.
                is_package
                and any(rule.replace("\\", "").startswith(name) for rule in rules)
            )
            wrong += [] if fits else [f"{path}:{line} imports {name}"]
    assert not wrong


def layer_of(room):
    return next(number for number, rooms in enumerate(LAYERS) if room in rooms)


ROOMS = [path for path in SOURCES if path.parts[0] == "referee" and path.parts[1] not in ABOVE]


def test_a_room_of_the_referee_imports_downwards():
    wrong = []
    for path in ROOMS:
        room = path.parts[1].removesuffix(".py")
        # Not the package and its command line
        for line, name in [] if room.startswith("__") else imported_modules(path):
            parts = name.split(".")
            if parts[0] == "referee" and len(parts) > 1 and parts[1] != room:
                is_below = layer_of(room) < layer_of(parts[1])
                wrong += [] if is_below else [f"{path}:{line} imports {name}"]
    assert not wrong


# Modules for `onefile explore` alone: words and boards of the searches of bots.
EXPLAIN = "explain.py"
BOTS = [path for path in SOURCES if path.parts[0] == "bots" and path.name != EXPLAIN]


def test_a_bot_reaches_nothing_that_only_the_referee_needs():
    for path in BOTS:
        seen, todo = set(), [path]
        while todo:
            for _, name in imported_modules(todo.pop()):
                assert not REFEREE_ONLY.search(name), f"{path} reaches {name}"
                assert not name.endswith(".explain"), f"{path} reaches {name}"
                file = Path(name.replace(".", "/") + ".py")
                if name not in seen and (PROJECT / file).exists():
                    todo.append(file)
                seen.add(name)
