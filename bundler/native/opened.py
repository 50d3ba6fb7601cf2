"""The numbers of kernels in a bundle that is open for tuning: its kernels read them from memory.

The text of this file travels with the machine code, behind those of `frozen.py` and `loader.py`. What
Python has computed from the values given is read off the functions of which the kernels were made,
exactly what numba would have compiled: so it is the same whether it is given or compiled in.
"""


class OpenCode(MachineCode):  # noqa: F821  # of loader.py, which stands above
    """Machine code whose tunable numbers are given at the start.

    slots: by kernels, {label: (symbol, name of its kind)} of what `Frozen` finds. kept: by kernels,
    {label: digest} of all else that is data, with which the kernels were compiled.
    """

    def __init__(self, data, slots, kept, **arguments):
        self.slots, self.kept = slots, kept
        symbols = {place[0] for places in slots.values() for place in places.values()}
        self.numbers = {symbol: np.zeros(1, np.int64) for symbol in symbols}  # noqa: F821
        super().__init__(data, **arguments)

    def address_of(self, name):
        if name in self.numbers:
            return self.numbers[name].__array_interface__["data"][0]
        return super().address_of(name)

    def name_of(self, function):
        name = super().name_of(function)
        slots, kept = self.slots.get(name, {}), self.kept.get(name, {})
        for label, (_, variable, digest) in Frozen(function).values.items():  # noqa: F821
            if label in slots:
                symbol, kind = slots[label]
                view = np.float64 if kind == "float" else np.int64  # noqa: F821
                self.numbers[symbol].view(view)[0] = variable.value
            elif is_data(variable.value) and kept.get(label, digest) != digest:
                raise SystemExit(
                    f"{variable.shown}, which kernel {function.__name__} keeps, is another one than when"
                    " it was compiled: tune it by bundles of their own"
                )
        return name


def is_data(value):
    """Whether it is a number, or made of them."""
    if isinstance(value, (tuple, list)):
        return all(map(is_data, value))
    return isinstance(value, (bool, int, float, np.ndarray, np.generic))  # noqa: F821
