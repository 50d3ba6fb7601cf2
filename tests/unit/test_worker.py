"""`onefile worker`: addresses at which no scheduler can be."""

import pytest

from referee.commands.worker import worker
from referee.errors import UsageError


@pytest.mark.parametrize(
    "address", ["nohost", "tcp://localhost", "tcp://no.such.host.invalid:8786"]
)
def test_an_address_without_host_or_port_is_refused(address):
    pytest.importorskip("distributed", reason="dask is not installed")
    with pytest.raises(UsageError, match="no scheduler can be at '.*give an address like tcp://"):
        worker(address)
