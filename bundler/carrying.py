"""Carried modules: they stand in the bundle as texts that Python's import runs."""

import ast
import inspect
import json
from collections.abc import Mapping

from bundler.modules.source import Edit
from bundler.program import Module, Program, Reason
from bundler.pruning import Kept
from bundler.source_map import BUNDLER_MARK
from bundler.stages.strip import Stage

HEAD = "# These modules stand here whole, as texts that `import` runs as it runs files:"


def carried_text(
    texts: Mapping[Module, str], reasons: Mapping[Module, Reason], left_out: list[str], stage: Stage
) -> str:
    """Returns the part of a bundle that carries modules. texts: {module: its text}. reasons: the
    Reasons against flattening the program. left_out: the names of modules that the bundle lacks.
    stage: applied to each text.
    """
    width = max((len(module.name) for module in reasons), default=0)
    lines = [HEAD] if reasons else []
    lines += [f"#   {module.name:{width}}  {why}" for module, why in reasons.items()]
    parts = ["\n".join([BUNDLER_MARK, *lines]) + "\n\n\n" + inspect.getsource(carry) + "\n"]
    for module, kept in texts.items():
        quote, text = quoted(stage(kept))
        path = json.dumps(module.shown, ensure_ascii=False) if module.path else None
        is_package = ", True" if module.is_package else ""
        parts.append(f'carry("{module.name}", {path}, {quote}\n{text}{quote[-3:]}{is_package})\n')
    if left_out:
        parts.append(f'carry("", None, "", left_out="{" ".join(left_out)}")\n')
    parts.append("del carry\n")
    return "\n".join(parts)


def kept_texts(program: Program, kept: Kept) -> dict[Module, str]:
    """Returns {module: its text} of all modules but the entry, with empty lines in place of what is
    left out.
    """
    texts = {}
    for module in program.modules.values():
        source, dropped, edits = module.source, [], []
        for unit in source.units:
            names = kept.aliases(module, unit)
            if not kept.keeps(module, unit):
                dropped.append(unit)
            elif isinstance(unit.node, ast.ImportFrom) and len(names) < len(unit.aliases):
                start, end = source.start(unit.node), source.end(unit.node)
                written = ast.unparse(ast.ImportFrom(unit.node.module, names, unit.node.level))
                lines = "\n" * source.text[start:end].count("\n")
                edits.append(Edit(start, end, written + lines))
        text = source.without(dropped, edits) if dropped or edits else module.original.text
        texts[module] = f"{text.rstrip()}\n" if text.strip() else ""
    return texts


def quoted(text: str) -> tuple[str, str]:
    """Returns (opening quotation marks, text between the marks) of a literal for a module's text.
    The text is unchanged if a raw literal can hold it.
    """
    for quotes in ("'''", '"""'):
        if quotes not in text:
            return "r" + quotes, text
    text = text.replace("\\", "\\\\").replace("'''", "''\\'")
    return "'''", text


def carry(name, path, text, is_package=False, left_out=""):
    """Let `import` find a module in this file."""
    import sys
    from builtins import RuntimeError, compile, exec, vars  # the bot may bind these names
    from importlib.machinery import ModuleSpec

    class Carried:
        """Finds and loads what is carried: texts has (path, text, is_package) by name."""

        texts, left_out = {}, []

        @classmethod
        def find_spec(cls, name, path=None, target=None):
            if name in cls.left_out:
                raise RuntimeError(f"{name} is not in this bundle: write `import {name}`")
            if name in cls.texts:
                path, _, is_package = cls.texts[name]
                spec = ModuleSpec(name, cls, origin=path, is_package=is_package)
                spec.has_location = path is not None
                return spec

        @classmethod
        def create_module(cls, spec):
            return None

        @classmethod
        def exec_module(cls, module):
            exec(cls.get_code(module.__spec__.name), vars(module))

        @classmethod
        def get_code(cls, name):
            return compile(cls.get_source(name), cls.texts[name][0] or name, "exec", 0, True)

        @classmethod
        def get_source(cls, name):
            return cls.texts[name][1]

        @classmethod
        def is_package(cls, name):
            return cls.texts[name][2]

    if not hasattr(carry, "finder"):
        carry.finder = Carried
        sys.meta_path.insert(0, Carried)
    carry.finder.texts[name] = path, text[1:], is_package
    carry.finder.left_out += left_out.split()
