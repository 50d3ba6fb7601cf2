"""CPU time of processes and of all that they start from now on, as the kernel's performance counters have
it (perf_event_open(2)).

Of a child that ends, whoever waits for it hears what it used. For one whose parent ignores that it ends
(SIGCHLD) nobody waits, and then what it used is nowhere in /proc; a counter that is inherited has it all
the same. It costs something at each change of threads, so it is not for every bot.
"""

import ctypes
import os
import platform
import struct
from typing import Iterable

# perf_event_open's number, by architecture.
NUMBERS = {"x86_64": 298, "aarch64": 241}
# perf_event_attr: its size in version 5, the kind of counter (nanoseconds that a thread ran), and bits
# of its flags: children count too, and time in the kernel does not.
ATTRIBUTE_BYTES = 112
SOFTWARE, TASK_CLOCK = 1, 1
INHERIT, WITHOUT_KERNEL = 1 << 1, 1 << 5
CLOSE_ON_EXEC = 8

libc = ctypes.CDLL(None)


class Counters:
    """Counters of threads; base_ns: what is to be added to what they count.

    Where the kernel allows none (perf_event_paranoid, a container) there are none, and they count
    nothing; where it allows just that, time in user mode.
    """

    def __init__(self, threads: Iterable[int], base_ns: int):
        self.base_ns = base_ns
        opened = (open_counter(thread) for thread in threads)
        self.descriptors = [descriptor for descriptor in opened if descriptor >= 0]

    def read(self) -> int:
        """Nanoseconds of all together."""
        counted = (os.read(descriptor, 8) for descriptor in self.descriptors)
        return self.base_ns + sum(int.from_bytes(text, "little") for text in counted)

    def close(self) -> None:
        """Count no longer."""
        while self.descriptors:
            os.close(self.descriptors.pop())


def open_counter(thread: int) -> int:
    """The descriptor of a counter of a thread and all that it starts, -1 where that may not be."""
    number = NUMBERS.get(platform.machine())
    if number is None:
        return -1
    for flags in (INHERIT, INHERIT | WITHOUT_KERNEL):
        # type, size, config, sample_period, sample_type, read_format, flags
        attribute = struct.pack("IIQQQQQ", SOFTWARE, ATTRIBUTE_BYTES, TASK_CLOCK, 0, 0, 0, flags)
        attribute = attribute.ljust(ATTRIBUTE_BYTES, b"\0")
        descriptor = libc.syscall(number, attribute, thread, -1, -1, CLOSE_ON_EXEC)
        if descriptor >= 0:
            return descriptor
    return -1
