"""A bot of any contest that plays one turn and reports on stderr the abilities of the site's
Python, one line an item.

    onefile bundle bots/probe.py -o probe.py

makes the file to paste, which carries a kernel as any native bundle does. Before the answer, its
last line says if the kernel runs as machine code on the site, and how much faster than plain
Python, or the reason why it does not. A refused ability is only reported; the answer is on time.
"""

import importlib
import importlib.util
import os
import signal
import sys
import time

ANSWER_S = 0.75  # the answer is given then, even if checks are not finished
INPUT_S = 0.2  # longest wait for input
MEMORY_S = 0.2  # longest duration of a check of executable memory
KERNEL_S = 3.0  # and of the kernel, with the import of numpy
N_LOOPS = 200_000
N_QUEENS, N_SOLUTIONS = 8, 92
REPEATS_PLAIN, REPEATS_COMPILED = 10, 100  # the shortest time counts: others may use the core
PACKAGES = ("scipy", "pandas")  # imported after the answer: that may take a second

IDEOGRAPHS = "㐀䷀欢龢"  # the first, two others and the last of the addresses for machine code
IDEOGRAPH_CODES = [0x3400, 0x4DC0, 0x6B22, 0x9FA2]
MACHINE_CODE = bytes.fromhex("b82a000000c3")  # mov eax, 42; ret

# The flags in /proc/cpuinfo of each level of `--cpu`, including those of the lower levels
CPU_FLAGS = {"x86-64-v2": "cx16 lahf_lm pni popcnt sse4_1 sse4_2 ssse3"}
CPU_FLAGS["x86-64-v3"] = CPU_FLAGS["x86-64-v2"] + " abm avx avx2 bmi1 bmi2 f16c fma movbe"

MEGABYTE = 1 << 20
NO_LIMIT = 1 << 60  # bytes; version 1 of cgroups writes a number near 2**63
CGROUPS, OWN_GROUPS = "/sys/fs/cgroup", "/proc/self/cgroup"

# The lines of shared/core/backends/native.py
FALLBACK, SUCCESS = "kernels run as plain Python", "kernels run as machine code for "
NO_BUNDLE = "this is no native bundle, make it by: onefile bundle bots/probe.py -o probe.py"


class Missing(Exception):
    """The reason why something cannot be used here."""


class Ended(Missing):
    """The system ended the process that tried something."""


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


def processor():
    """Returns the highest x86-64 level that the processor supports."""
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


def cores():
    return f"{len(os.sched_getaffinity(0))} of {os.cpu_count()}"


def memory_limit():
    """Returns the limits of the process's address space and cgroup."""
    import resource

    limits = {"address space": resource.getrlimit(resource.RLIMIT_AS)[0], **cgroup_limits()}
    texts = [
        f"{kind} {size // MEGABYTE:,} MB"
        for kind, size in limits.items()
        if 0 <= size < NO_LIMIT  # -1: no limit
    ]
    return ", ".join(texts) or "none"


def cgroup_limits():
    """Returns {version of cgroups: bytes}: the least limit of the group and groups above."""
    found = {}
    with open(OWN_GROUPS, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        _, controllers, group = line.split(":", 2)
        if not controllers:
            version, root, name = "cgroup v2", CGROUPS, "memory.max"
        elif "memory" in controllers.split(","):
            version, root, name = "cgroup v1", f"{CGROUPS}/memory", "memory.limit_in_bytes"
        else:
            continue
        parts = group.strip("/").split("/")
        for n_parts in range(len(parts) + 1):
            try:
                with open(os.path.join(root, *parts[:n_parts], name), encoding="ascii") as file:
                    size = int(file.read())
            except (OSError, ValueError):  # no such file here, or "max"
                continue
            found[version] = min(size, found.get(version, size))
    return found


def fixed_loop():
    wall, cpu = time.perf_counter(), time.process_time()
    sum(i * i % 7 for i in range(N_LOOPS))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return f"{N_LOOPS:,} rounds in {milliseconds(wall)}, {milliseconds(cpu)} of them at work"


def installed(name):
    """Returns a check that finds a package, not importing it."""

    def check():
        from importlib import metadata

        if importlib.util.find_spec(name) is None:
            raise Missing("not installed")
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return "installed, of unknown version"

    return check


def imported(name):
    """Returns a check that imports a module and reports its version, if any."""

    def check():
        start = time.perf_counter()
        version = getattr(importlib.import_module(name), "__version__", None)
        took = f"imported in {milliseconds(time.perf_counter() - start)}"
        return f"{version}, {took}" if version else took

    return check


def ideographs():
    if [ord(letter) for letter in IDEOGRAPHS] != IDEOGRAPH_CODES:
        raise Missing(f"they arrive as {IDEOGRAPHS!a}")
    return "arrive as they were pasted"


def c_library():
    import ctypes

    return f"{ctypes.CDLL('libm.so.6')._name} found"


def memfd():
    """Run machine code from a memory file, mapped executable, never writable."""
    from mmap import MAP_SHARED, PROT_EXEC, PROT_READ

    descriptor = os.memfd_create("machine code")
    os.write(descriptor, MACHINE_CODE)
    return run_machine_code(PROT_READ | PROT_EXEC, MAP_SHARED, descriptor)


def anonymous_memory():
    """Run machine code in memory both writable and executable."""
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
    return "executable, runs machine code"


def machine_code():
    """Load the kernel as any native bundle does and time it against plain Python.

    Reports numpy as well: the kernel needs it, and it is imported in this process only.
    """
    from contextlib import redirect_stderr
    from io import StringIO

    report("numpy", imported("numpy"))
    try:
        with redirect_stderr(StringIO()) as stderr:
            from bots.probe_kernel import (
                IS_COMPILED,
                MODE,
                ROW,
                compiled_count_queens,
                count_queens,
                make_buffer,
            )
    except ModuleNotFoundError as error:
        if error.name != "bots":
            raise
        raise Missing(NO_BUNDLE) from error
    if MODE != "native":
        raise Missing(NO_BUNDLE)
    said = stderr.getvalue().strip()
    if not IS_COMPILED:
        raise Missing(said.partition(FALLBACK)[2].partition(": ")[2] or "CG_JIT is 0")
    plain = shortest_s(count_queens, [0] * ROW * N_QUEENS, REPEATS_PLAIN)
    compiled = shortest_s(compiled_count_queens, make_buffer(ROW * N_QUEENS), REPEATS_COMPILED)
    cpu = said.partition(SUCCESS)[2]
    return f"machine code for {cpu}, {plain / compiled:.0f}x plain Python"


def shortest_s(count, stack, repeats):
    """Returns the shortest duration of a call in seconds. Raises Missing for a wrong result."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        n_solutions = count(stack, N_QUEENS)
        times.append(time.perf_counter() - start)
        if n_solutions != N_SOLUTIONS:
            raise Missing(f"the kernel counted {n_solutions} solutions, not {N_SOLUTIONS}")
    return min(times)


def in_child(check, limit_s):
    """Returns the check run in a child process, if possible, as refused operations may end a
    process.
    """

    def checked():
        answers, write_end = os.pipe()
        try:
            child = os.fork()
        except OSError as error:
            os.close(answers)
            os.close(write_end)
            return f"{check()} (tried in this process: {refusal(error)})"
        if child == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, limit_s)  # ends it if it hangs
            ok, said = attempt(check)
            os.write(write_end, bytes([ok]) + said[:4000].encode(errors="replace"))
            os._exit(0)
        os.close(write_end)
        status = os.waitpid(child, 0)[1]
        answer = os.read(answers, 1 << 16)
        os.close(answers)
        if not answer:
            raise Ended(f"the process that tried it ended with status {status}")
        if not answer[0]:
            raise Missing(answer[1:].decode())
        return answer[1:].decode()

    return checked


def milliseconds(seconds):
    return f"{seconds * 1000:.0f} ms"


def refusal(error):
    return str(error) if isinstance(error, Missing) else f"{type(error).__name__}: {error}"


def attempt(check):
    """Returns (can be used, description)."""
    try:
        return True, check()
    except Exception as error:  # reporting refusals of any kind is this bot's purpose
        return False, refusal(error)


CHECKS = {
    "input": read_input,
    "python": python,
    "processor": processor,
    "cores": cores,
    "memory limit": memory_limit,
    "loop": fixed_loop,
    **{name: installed(name) for name in ("numba", *PACKAGES)},
    "ideographs": ideographs,
    "lzma": imported("lzma"),
    "C library": c_library,
    "memfd": in_child(memfd, MEMORY_S),
    "anonymous memory": in_child(anonymous_memory, MEMORY_S),
}


def verdict():
    """Says how a native bundle runs here."""
    try:
        return in_child(machine_code, KERNEL_S)()
    except Ended as error:
        return f"none, {error}: bundle with --mode python"
    except Exception as error:
        arrive = attempt(ideographs)[0]
        advice = "" if arrive else '; write encode = "base85" into [site] of onefile.toml'
        return f"plain Python: {refusal(error)}{advice}"


def say(name, text):
    line = f"{name}: {text}".replace("\n", " ")
    print(line, file=sys.stderr, flush=True)


def report(name, check):
    usable, said = attempt(check)
    say(name, said if usable else f"no: {said}")


class Answer:
    """The answer of the turn, given once: by the alarm, if the checks take too long."""

    def __init__(self):
        self.is_given = False

    def give(self, *alarm):
        if not self.is_given:
            self.is_given = True
            signal.setitimer(signal.ITIMER_REAL, 0)  # an alarm would kill it on its way out
            os.write(1, b"WAIT\n")


def main():
    answer = Answer()
    signal.signal(signal.SIGALRM, answer.give)
    signal.setitimer(signal.ITIMER_REAL, ANSWER_S)
    for name, check in CHECKS.items():
        report(name, check)
    say("native bundle", verdict())
    answer.give()
    for name in PACKAGES:
        if attempt(installed(name))[0]:
            report(f"{name} import", imported(name))


if __name__ == "__main__":
    main()
