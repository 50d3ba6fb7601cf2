"""Makes and checks the key of a cluster: a file with a self-signed certificate and its secret key.

The scheduler, the workers and the arenas of a cluster have a copy each. Every connection is
encrypted, and both ends prove that they have the file (mutual TLS): nobody else can connect.
Whoever has the file, or reaches a scheduler that runs without one, can run programs on all machines
of the cluster, because dask's own messages contain pickles.
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
    """The URL of a scheduler, and the path of the key for it."""

    url: str
    key: Path


DEFAULT_KEY = Path.home() / ".onefile" / "cluster.pem"
VALID_DAYS = 3650


def make_key(file: Path) -> None:
    """Write a new key that only its owner may read.

    Raises OSError, and UsageError if openssl is missing or fails.
    """
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
    """Raise UsageError unless the key exists and only its owner may access it."""
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
    """Returns dask's Security for an address, None if the address has no TLS. Raises UsageError."""
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
    """Returns the TLS options of dask's programs for an address, [] if the address has no TLS.

    Raises UsageError.
    """
    if security(address, key) is None:
        return []
    return ["--tls-ca-file", str(key), "--tls-cert", str(key), "--tls-key", str(key)]


def check_plain(address: str, is_insecure: bool) -> None:
    """Raise UsageError for a connection without TLS to another host, unless is_insecure."""
    if address.startswith("tls://") or is_insecure or is_this_host(address):
        return
    raise UsageError(
        f"{address} is beyond this host, and without TLS whoever reaches it can run programs on"
        " every machine of the cluster: start the scheduler by `onefile scheduler --host HOST` and"
        " connect to tls://HOST:PORT, or give --insecure in a network where you trust everybody"
    )


def is_this_host(address: str) -> bool:
    """Returns True if an address resolves, and only to loopback addresses."""
    host = urlsplit(address if "://" in address else f"tcp://{address}").hostname or ""
    with contextlib.suppress(OSError, UnicodeError):
        addresses = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
        return bool(addresses) and all(
            ipaddress.ip_address(address).is_loopback for address in addresses
        )
    return False


def own_address(address: str) -> str:
    """Returns the IP address from which this host reaches an address, in the form of a URL's host.

    Raises OSError if no route leads there.
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
    """Returns the absolute path of the key file that an option names, DEFAULT_KEY for None."""
    return Path(os.path.abspath(given)) if given else DEFAULT_KEY
