"""The way of a program into its bundle: all modules flattened, or all carried whole."""

from bundler.flattening.naming import Naming
from bundler.flattening.style import reasons_against
from bundler.modules.source import Edit
from bundler.program import Module, Program, Reason
from bundler.pruning import Kept


class Layout:
    """A program's modules in the bundle.

    reasons: Module -> what speaks against flattening it; if there is any, all modules are carried.
    flat: the flattened modules as Python runs them, the entry last; it alone where the others are
    carried. kept: what is kept of all modules. naming, edits: from the names of a module to those
    of the bundle.
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
    against a circle.
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
