"""Machine code for several processors in one bundle: the first that this processor can run is used.

The text of this file travels with the machine code, below that of `loader.py`.
"""


class ChosenCode(MachineCode):  # of loader.py, which stands above
    """Machine code for this processor. data: the codes for all processors, one after another.
    codes: [(number of bytes, the other arguments of MachineCode)], the best one first. Raises
    RuntimeError if none can run.
    """

    def __init__(self, data, codes):
        for n_bytes, arguments in codes:
            try:
                return super().__init__(data[:n_bytes], **arguments)
            except RuntimeError as error:  # the processor lacks something
                data, found = data[n_bytes:], error
        raise found
