"""The decision on a program's modules: all are flattened, or all are carried whole."""

from bundler.flattening.naming import Naming
from bundler.flattening.style import reasons_against
from bundler.modules.source import Edit
from bundler.program import Module, Program, Reason
from bundler.pruning import Kept


class Layout:
    """A program's modules in the bundle.

    reasons: {module: the Reason against flattening it}; if there is any, all modules are carried.
    flat: the flattened modules in the order in which Python runs them, the entry last; only the
    entry if the other modules are carried. kept: the kept statements of all modules. naming: the
    names in the bundle, of a flattened program. edits: {module: the Edits that replace its names}.
    """

    def __init__(self, program: Program, carry: bool = False) -> None:
        """carry: carry all modules, whatever their style."""
        self.program, self.entry = program, program.entry
        self.reasons = {} if carry else reasons_against(program)
        self.edits: dict[Module, list[Edit]] = {}
        order: list[Module] = []
        reason = None if self.reasons or carry else _order(program.entry, order, [])
        if not (carry or self.reasons or reason):
            self.flat = tuple(module for module in order if not module.is_empty)
            self.kept = Kept(program, self.flat, False)
            self.naming = Naming(self.flat, self.entry, self.kept)
            self.edits = {module: self.naming.edits(module) for module in self.flat}
            reason = self.naming.reason
        if reason:
            self.reasons = {reason.module: reason}
        self.is_carried = carry or bool(self.reasons)
        if self.is_carried:
            self.flat, self.edits = (self.entry,), {}
            self.kept = Kept(program, program.everyone, True)


def _order(module: Module, order: list[Module], running: list[Module]) -> Reason | None:
    """Add a module and all that it imports to `order`, as Python runs them. Returns the Reason
    against a circle of imports, None without a circle. running: the modules that are importing.
    """
    if module in running:
        return module.reason(1, "a circle of imports")
    if module not in order:
        for site in module.sites:
            for other in site.runs:
                if reason := _order(other, order, [*running, module]):
                    return reason
        order.append(module)
    return None
