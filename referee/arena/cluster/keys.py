"""The key of a cluster: one file with a certificate that signs itself and its secret key.

Scheduler, workers and arenas of a cluster have a copy each. Every connection is encrypted, and both
ends show that they have the file (mutual TLS): nobody else can connect. Whoever has it, or reaches
a scheduler without one, can run programs on all machines of the cluster: dask's own messages hold
pickles.
"""

import contextlib
import ipaddress
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from referee.errors import UsageError


class Address(NamedTuple):
    """The address of a scheduler, and the key for it."""

    url: str
    key: Path


DEFAULT_KEY = Path.home() / ".onefile" / "cluster.pem"
VALID_DAYS = 3650


def make_key(file: Path) -> None:
    """Write a new key that only its owner may read. Raises UsageError without openssl, OSError."""
    program = shutil.which("openssl")
    if program is None:
        raise UsageError(
            "a key is made by openssl, which is not installed: install it (apt-get install"
            f" openssl), or copy {file} from another host of the cluster"
        )
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        secret, certificate = Path(folder) / "secret", Path(folder) / "certificate"
        words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        words += ["-days", str(VALID_DAYS), "-subj", "/CN=onefile cluster"]
        words += ["-keyout", str(secret), "-out", str(certificate)]
        made = subprocess.run([program, *words], capture_output=True, text=True)
        if made.returncode != 0:
            raise UsageError(f"openssl made no key: {' '.join(made.stderr.split())}")
        whole = Path(folder) / "whole"
        whole.touch(0o600)
        whole.write_bytes(certificate.read_bytes() + secret.read_bytes())
        whole.rename(file)


def check_key(file: Path) -> None:
    """Raise UsageError unless a key is there and nobody else may read it."""
    try:
        mode = file.stat().st_mode
    except OSError as error:
        raise UsageError(
            f"no key of the cluster at {file}: copy the one that `onefile scheduler` has made on"
            " its host, and name it by --key where it is elsewhere"
        ) from error
    if mode & 0o077:
        raise UsageError(f"{file} may be read by others: chmod 600 {file}")


def security(address: str, key: Path) -> Any:
    """Returns dask's Security for an address, None if that has no TLS. Raises UsageError."""
    if not address.startswith("tls://"):
        return None
    check_key(key)
    from distributed.security import Security

    path = str(key)
    make: Any = Security
    roles = ("client", "scheduler", "worker")
    parts = {f"tls_{role}_{kind}": path for role in roles for kind in ("cert", "key")}
    try:
        made = make(tls_ca_file=path, require_encryption=True, **parts)
        made.get_connection_args("client")
    except (OSError, ValueError) as error:
        raise UsageError(f"{key} is no key of a cluster: {error}") from error
    return made


def dask_options(address: str, key: Path) -> list[str]:
    """Returns the options of dask's programs for an address. Raises UsageError."""
    if security(address, key) is None:
        return []
    return ["--tls-ca-file", str(key), "--tls-cert", str(key), "--tls-key", str(key)]


def check_plain(address: str, is_insecure: bool) -> None:
    """Raise UsageError for a connection without TLS to an address beyond this host."""
    if address.startswith("tls://") or is_insecure or is_this_host(address):
        return
    raise UsageError(
        f"{address} is beyond this host, and without TLS whoever reaches it can run programs on"
        " every machine of the cluster: start the scheduler by `onefile scheduler --host HOST` and"
        " connect to tls://HOST:PORT, or give --insecure in a network where you trust everybody"
    )


def is_this_host(address: str) -> bool:
    """Returns True if all that an address stands for is the loopback."""
    host = urlsplit(address if "://" in address else f"tcp://{address}").hostname or ""
    with contextlib.suppress(OSError, UnicodeError):
        addresses = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
        return bool(addresses) and all(
            ipaddress.ip_address(address).is_loopback for address in addresses
        )
    return False


def own_address(address: str) -> str:
    """Returns this host's IP address on the way to an address, as the host of a URL. Raises
    OSError where no way leads there.
    """
    at = urlsplit(address)
    ways = socket.getaddrinfo(at.hostname, at.port, type=socket.SOCK_DGRAM)
    for family, kind, _, _, there in sorted(ways):  # IPv4 before IPv6, as dask connects
        with socket.socket(family, kind) as way, contextlib.suppress(OSError):
            way.connect(there)  # sends nothing
            host = str(way.getsockname()[0])
            return f"[{host}]" if family == socket.AF_INET6 else host
    raise OSError(f"no way leads to {at.hostname}")


def key_file(given: Path | None) -> Path:
    """Returns the key file that an option names, or the user's own."""
    return Path(os.path.abspath(given)) if given else DEFAULT_KEY
