"""Star imports, a metaclass that registers, a C extension behind try/except ImportError."""

import sys

import yaml
from yaml import YAMLObject, dump, safe_load


class Pod(YAMLObject):
    yaml_tag = "!pod"

    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Pod({self.x})"


class Point(tuple):
    pass


yaml.add_representer(Point, lambda dumper, p: dumper.represent_scalar("!p", f"{p[0]},{p[1]}"))
yaml.add_constructor(
    "!p", lambda loader, node: Point(node.value.split(",")), Loader=yaml.FullLoader
)
data = yaml.load(sys.stdin, Loader=yaml.FullLoader)
print(data, type(data["when"]))
print(dump({"pod": Pod(3), "at": Point((1, 2)), "list": [1.5, None, "yes", "a: b"]}), end="")
print(dump(data["base"], default_flow_style=True), list(yaml.safe_load_all("--- 1\n--- [a]\n")))
print([type(event).__name__ for event in yaml.parse("a: *b")], yaml.SafeLoader.__mro__[1])
print(yaml.load("!!python/tuple [1, !pod {x: 2}]", Loader=yaml.UnsafeLoader), yaml.Loader)
safe_load("a: [1, 2")
