"""The addresses at which processes listen, read from /proc."""

import ipaddress
import os
import time
from pathlib import Path

from referee.process.procfs import descendants
from referee.project import PROJECT
from tests.support.waiting import wait_for

# The state TCP_LISTEN in /proc/net/tcp
LISTENS = "0A"


def listening(pid):
    """Returns {(IP address, port)} at which a process or a descendant listens by TCP or receives by
    UDP.
    """
    inodes = {inode for one in (pid, *descendants(pid)) for inode in sockets(one)}
    found = set()
    for name in ("tcp", "tcp6", "udp", "udp6"):
        table = Path("/proc/net", name)
        for line in table.read_text().splitlines()[1:] if table.exists() else ():
            _, own, _, state, *others = line.split()
            if others[5] in inodes and (state == LISTENS or name.startswith("udp")):
                found.add(address(own))
    return found


def documented_hosts(process, host="127.0.0.1"):
    """Returns the sorted IP addresses at which a process listens by the docs; host: the one chosen
    for it.
    """
    lines = (PROJECT / "docs/how-to/cluster.md").read_text().splitlines()
    rows = [line.split("|")[2].split(", or ") for line in lines if line.startswith(f"| `{process}")]
    assert rows and all(row[0].strip() == "127.0.0.1" for row in rows)
    return sorted(host if len(row) > 1 else "127.0.0.1" for row in rows)


def hosts_of(found):
    """Returns the sorted IP addresses of listeners."""
    return sorted(host for host, _ in found)


def wait_for_listeners(pid, n_least):
    """Wait until a process and its descendants listen at so many addresses; returns these."""
    wait_for(lambda: len(listening(pid)) >= n_least)
    time.sleep(0.5)  # for more of them
    return listening(pid)


def sockets(pid):
    """Yields the inodes of a process's sockets."""
    try:
        files = list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return
    for file in files:
        try:
            kind, _, inode = os.readlink(file).partition(":")
        except OSError:
            continue
        if kind == "socket":
            yield inode.strip("[]")


def address(text):
    """Returns the IP address and the port of an entry of /proc/net/tcp, whose words of 32 bits are
    in the order of the processor, which is little-endian.
    """
    place, _, port = text.partition(":")
    packed = bytes.fromhex(place)
    words = [packed[i : i + 4][::-1] for i in range(0, len(packed), 4)]
    return str(ipaddress.ip_address(b"".join(words))), int(port, 16)
