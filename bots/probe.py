"""A bot of any contest that plays one turn and reports on stderr the abilities of the site's
Python, one line an item.

It is one file: paste it as it is. A refused ability is only reported; the last line says whether a
native bundle runs there.
"""

import importlib.util
import os
import sys
import time

INPUT_S = 0.3  # longest wait for input
CHILD_S = 0.5  # longest duration of a check in its own process
N_LOOPS = 500_000

IDEOGRAPHS = "㐀䷀欢龢"  # the first, two others and the last of the addresses for machine code
IDEOGRAPH_CODES = [0x3400, 0x4DC0, 0x6B22, 0x9FA2]
MACHINE_CODE = bytes.fromhex("b82a000000c3")  # mov eax, 42; ret

# The flags in /proc/cpuinfo of each level of `--cpu`, including those of the lower levels
CPU_FLAGS = {"x86-64-v2": "cx16 lahf_lm pni popcnt sse4_1 sse4_2 ssse3"}
CPU_FLAGS["x86-64-v3"] = CPU_FLAGS["x86-64-v2"] + " abm avx avx2 bmi1 bmi2 f16c fma movbe"


class Missing(Exception):
    """The reason why something cannot be used here."""


def read_input():
    import select

    if not select.select([0], [], [], INPUT_S)[0]:
        return "none"
    return f"{len(os.read(0, 1 << 16))} bytes"


def python():
    import platform

    name, machine = sys.implementation.name, platform.machine()
    if (name, sys.platform, machine) != ("cpython", "linux", "x86_64"):
        raise Missing(f"{name} on {sys.platform} {machine}, not CPython on Linux x86_64")
    return f"{sys.version.split()[0]} on {' '.join(platform.libc_ver())}"


def imported(name):
    """The check that a module can be imported."""

    def check():
        start = time.perf_counter()
        version = getattr(importlib.import_module(name), "__version__", "found")
        return f"{version}, imported in {milliseconds(time.perf_counter() - start)}"

    return check


def numba():
    if importlib.util.find_spec("numba") is None:
        raise Missing("not installed")
    return "installed"


def c_library():
    import ctypes

    return f"{ctypes.CDLL('libm.so.6')._name} found"


def cores():
    return f"{len(os.sched_getaffinity(0))} of {os.cpu_count()}"


def fixed_loop():
    wall, cpu = time.perf_counter(), time.process_time()
    sum(i * i % 7 for i in range(N_LOOPS))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return f"{N_LOOPS:,} rounds in {milliseconds(wall)}, {milliseconds(cpu)} of them at work"


def ideographs():
    if [ord(letter) for letter in IDEOGRAPHS] != IDEOGRAPH_CODES:
        raise Missing(f"they arrive as {IDEOGRAPHS!a}")
    return "arrive as they were pasted"


def processor():
    """The highest level that the processor has."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        text = info.read(1 << 13)
    present = text.partition("\nflags")[2].partition("\n")[0].split()
    model = text.partition("\nmodel name")[2].partition("\n")[0].lstrip("\t :")
    highest, note = None, model
    for level, flags in CPU_FLAGS.items():
        lacking = sorted(set(flags.split()) - set(present))
        if lacking:
            note = f"{model}, lacks {' '.join(lacking)} of {level}"
            break
        highest = level
    if highest is None:
        raise Missing(note)
    return f"{highest} ({note})"


def memfd():
    """Machine code in a file in memory, mapped executable and never writable."""
    from mmap import MAP_SHARED, PROT_EXEC, PROT_READ

    descriptor = os.memfd_create("probe")
    os.write(descriptor, MACHINE_CODE)
    return run_machine_code(PROT_READ | PROT_EXEC, MAP_SHARED, descriptor)


def anonymous_memory():
    """Machine code in memory that is writable and executable at once."""
    from mmap import MAP_ANONYMOUS, MAP_PRIVATE, PROT_EXEC, PROT_READ, PROT_WRITE

    return run_machine_code(PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1)


def run_machine_code(protection, flags, descriptor):
    """Map memory as requested, write the code if no file backs it, and call it."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *3 * [ctypes.c_int], ctypes.c_long]
    address = library.mmap(None, len(MACHINE_CODE), protection, flags, descriptor, 0)
    if address == ctypes.c_void_p(-1).value:
        raise Missing(f"mmap: {os.strerror(ctypes.get_errno())}")
    if descriptor == -1:
        ctypes.memmove(address, MACHINE_CODE, len(MACHINE_CODE))
    result = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    if result != 42:
        raise Missing(f"machine code returned {result}")
    return "runs machine code"


def in_child(check):
    """Run a check in its own process if one may be started, as a forbidden operation may end the
    process.
    """

    def checked():
        import signal

        answers, write_end = os.pipe()
        try:
            child = os.fork()
        except OSError as error:
            return f"{check()} (tried in this process: {refusal(error)})"
        if child == 0:
            signal.setitimer(signal.ITIMER_REAL, CHILD_S)  # ends it if it hangs
            ok, said = attempt(check)
            os.write(write_end, bytes([ok]) + said.encode())
            os._exit(0)
        os.close(write_end)
        status = os.waitpid(child, 0)[1]
        answer = os.read(answers, 1000)
        if not answer:
            raise Missing(f"the process that tried it ended with status {status}")
        if not answer[0]:
            raise Missing(answer[1:].decode())
        return answer[1:].decode()

    return checked


def milliseconds(seconds):
    return f"{seconds * 1000:.0f} ms"


def refusal(error):
    return str(error) if isinstance(error, Missing) else f"{type(error).__name__}: {error}"


def attempt(check):
    """(whether it can be used, its description)."""
    try:
        return True, check()
    except Exception as error:  # reporting refusals of any kind is this bot's purpose
        return False, refusal(error)


# numpy comes last, as it starts threads, and a process that forks should have none.
CHECKS = {
    "input": read_input,
    "python": python,
    "processor": processor,
    "cores": cores,
    "loop": fixed_loop,
    "numba": numba,
    "ideographs": ideographs,
    "lzma": imported("lzma"),
    "C library": c_library,
    "memfd": in_child(memfd),
    "anonymous memory": in_child(anonymous_memory),
    "numpy": imported("numpy"),
}
# A native bundle needs all of these and either kind of memory.
NEEDED = ("python", "processor", "lzma", "C library", "numpy")
EITHER = ("memfd", "anonymous memory")


def verdict(usable, said):
    """Says if native bundles run here. usable, said: the checks' results."""
    lacking = [name for name in NEEDED if not usable[name]]
    if not any(usable[name] for name in EITHER):
        lacking.append("executable memory")
    if lacking:
        return f"no, for want of: {', '.join(lacking)}"
    options = f"--cpu {said['processor'].split()[0]}"
    if not usable["ideographs"]:
        options += " --encode base85"
    return f"yes, with {options}"


def say(name, text):
    print(f"{name}: {text}", file=sys.stderr, flush=True)


def main():
    usable, said = {}, {}
    for name, check in CHECKS.items():
        usable[name], said[name] = attempt(check)
        say(name, said[name] if usable[name] else f"no: {said[name]}")
    say("native bundle", verdict(usable, said))
    print("WAIT", flush=True)


if __name__ == "__main__":
    main()
