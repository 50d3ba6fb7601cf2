"""Tunable numbers of a bundle that is open for tuning: its kernels read them from memory.

The text of this file travels with the machine code, below that of `loader.py`. It computes each
number from the given ones by the steps that Python took when the bundle was compiled
(`tunable_numbers.py`).
"""

import json
import operator

CONVERSIONS = {"bool": bool, "int": int, "float": float, "hash": hash, "index": operator.index}


class TunableCode(MachineCode):  # of loader.py, which stands above
    """Machine code whose tunable numbers are given by CG_PARAMETERS at the start. tape: the steps
    that compute numbers, in JSON. Raises SystemExit for numbers that need other kernels.
    """

    def __init__(self, data, tape, **arguments):
        given = json.loads(os.environ.get("CG_PARAMETERS") or "{}")
        self.numbers = []
        for operation, *operands in json.loads(tape):
            values = [self.numbers[x[0]][0] if isinstance(x, list) else x for x in operands]
            if operation == "tunable":
                name, value = values
                number = type(value)(given.get(name, value))
            elif len(values) == 3:
                number, was, asking = values
                if CONVERSIONS[operation](number) != was:
                    raise SystemExit(
                        f"{asking} makes other kernels with these tunable numbers: write them into"
                        " a bundle by --set"
                    )
            else:
                number = getattr(operator, operation)(*values)
            kind = np.float64 if isinstance(number, float) else np.int64
            self.numbers.append((number, np.array([number], kind)))
        super().__init__(data, **arguments)

    def address_of(self, name):
        if name.startswith("tunable."):
            numbers = self.numbers[int(name.partition(".")[2])][1]
            return numbers.__array_interface__["data"][0]
        return super().address_of(name)
