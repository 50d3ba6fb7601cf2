"""The numbers of kernels in a bundle that is open for tuning: its kernels read them from memory.

The text of this file travels with the machine code, below those of `captures.py` and `loader.py`.
A number that Python computed from the values given is read off the functions of which the kernels
were made. So it is exactly the number that numba would have compiled in.
"""


class TunableCode(MachineCode):  # of loader.py, which stands above
    """Machine code whose tunable numbers are given at the start.

    symbols: {kernel: {label: (symbol, kind)}} of the tunable Captures. constants: {kernel: {label:
    digest}} of all other data with which the kernels were compiled.
    """

    def __init__(self, data, symbols, constants, **arguments):
        self.symbols, self.constants = symbols, constants
        names = {place[0] for places in symbols.values() for place in places.values()}
        self.numbers = {name: np.zeros(1, np.int64) for name in names}
        super().__init__(data, **arguments)

    def address_of(self, name):
        if name in self.numbers:
            return self.numbers[name].__array_interface__["data"][0]
        return super().address_of(name)

    def name_of(self, function):
        name = super().name_of(function)
        symbols, constants = self.symbols.get(name, {}), self.constants.get(name, {})
        for label, (_, variable, digest) in Captures(function).values.items():
            if label in symbols:
                symbol, kind = symbols[label]
                view = np.float64 if kind == "float" else np.int64
                self.numbers[symbol].view(view)[0] = variable.value
            elif is_data(variable.value) and constants.get(label, digest) != digest:
                raise SystemExit(
                    f"{variable.shown}, which kernel {function.__name__} keeps, is another one"
                    " than when it was compiled: tune it by bundles of their own"
                )
        return name


def is_data(value):
    """Returns True for a number, and for a container of numbers."""
    if isinstance(value, (tuple, list)):
        return all(map(is_data, value))
    return isinstance(value, (bool, int, float, np.ndarray, np.generic))
