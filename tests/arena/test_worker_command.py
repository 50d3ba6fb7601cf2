"""`onefile worker`: addresses without a scheduler."""

import pytest

from referee.commands.worker import worker
from referee.errors import UsageError

ADDRESSES = {
    "no port": "nohost",
    "no port after a host": "tcp://localhost",
    "no such host": "tcp://no.such.host.invalid:8786",
    "a port too large": "tcp://localhost:99999",
    "port 0": "tcp://localhost:0",
    "a port below 0": "tcp://localhost:-1",
    "no host": "tcp://:8786",
    "a host too long": f"tcp://{'x' * 300}:8786",
    "no kind of address": "http://localhost:8786",
    "two schemes": "tcp://tcp://localhost:8786",
    "nothing": "",
}


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES)
def test_an_address_at_which_no_scheduler_can_be_is_refused(address):
    """A worker and an arena refuse the address with the same line."""
    pytest.importorskip("distributed", reason="dask is not installed")
    from referee.arena.cluster.scheduler import check_address

    for refuses in (worker, check_address):
        with pytest.raises(
            UsageError, match=r"no scheduler can be at '.*give an address like tcp://"
        ):
            refuses(address)
