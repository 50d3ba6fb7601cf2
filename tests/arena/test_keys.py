"""The key of a cluster, the addresses that need one, and the replies of workers, which are data."""

import pickle
from dataclasses import replace

import pytest

from referee.arena.cluster.keys import check_key, check_plain, make_key, security
from referee.arena.cluster.reply import GameReply, Reply, ReplyError, decode_reply
from referee.arena.play import result_of
from referee.errors import UsageError
from referee.log.file import log_lines
from referee.log.schema import encode
from referee.sources.contests import find_contest
from tests.arena.conftest import TOY
from tests.fuzz.subjects import sample_log

BEYOND = ["192.0.2.7:8786", "tcp://0.0.0.0:8786", "tcp://[2001:db8::1]:1"]
HERE = ["localhost:8786", "tcp://127.3.2.1:1", "tcp://[::1]:8786"]


@pytest.mark.parametrize("address", BEYOND)
def test_a_plain_connection_beyond_this_host_is_refused(address):
    """Unless it is asked for by name."""
    with pytest.raises(UsageError, match="without TLS whoever reaches it can run programs"):
        check_plain(address, is_insecure=False)
    check_plain(address, is_insecure=True)
    check_plain(address.replace("tcp", "tls"), is_insecure=not address.startswith("tcp"))


@pytest.mark.parametrize("address", HERE)
def test_a_plain_connection_within_this_host(address):
    """Addresses of this host are accepted without TLS."""
    check_plain(address, is_insecure=False)


def test_a_key_is_its_owners_alone(tmp_path):
    """Missing keys, invalid ones and keys readable by others are refused with advice."""
    pytest.importorskip("distributed", reason="dask is not installed")
    key = tmp_path / "in" / "cluster.pem"
    with pytest.raises(UsageError, match="copy the one that `onefile scheduler` has made"):
        check_key(key)
    make_key(key)
    assert key.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in key.parent.iterdir()] == ["cluster.pem"]
    assert security("tls://192.0.2.7:8786", key) and security("tcp://localhost:8786", key) is None
    key.chmod(0o644)
    with pytest.raises(UsageError, match="may be read by others: chmod 600"):
        check_key(key)
    key.chmod(0o600)
    key.write_text("none")
    with pytest.raises(UsageError, match="is no key of a cluster"):
        security("tls://192.0.2.7:8786", key)


@pytest.fixture
def reply():
    """A reply about two games, one with its log, and one that was not played."""
    log = sample_log(find_contest(str(TOY)), 3)
    result = replace(result_of(log, 2), spoiled=(1, 0))
    played = GameReply(result, log_lines(log).decode()), GameReply(result)
    return Reply(None, [*played, GameReply(problem="OSError: it failed")], 0.5)


def test_a_reply_is_read_as_it_was_written(reply):
    """Logs and problems, too."""
    assert decode_reply(encode(reply).encode(), 3, 2) == reply
    assert log_lines(reply.outcomes[0].read_log()).decode() == reply.outcomes[0].log
    problem = Reply("it has no java")
    assert decode_reply(encode(problem).encode(), 1, 2) == problem


class Bomb:
    def __reduce__(self):
        return pytest.fail, ("a reply was unpickled",)


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps(Bomb()),
        b"",
        b"[]",
        b'{"problem": null, "seconds": 0, "outcomes": [{}]}',
        b'{"problem": null, "seconds": "x", "outcomes": [{"problem": "x"}]}',
        b'{"problem": null, "seconds": 0, "outcomes": [{"result": {"seats": []}}]}',
        None,
    ],
)
def test_invalid_replies(data):
    """The error names the worker's reply as invalid, and nothing in it is executed."""
    with pytest.raises(ReplyError, match="no reply of a worker: "):
        decode_reply(data, 1, 2)


def test_a_reply_about_another_game(reply):
    """A reply for other seats, or with a damaged log, is refused."""
    with pytest.raises(ReplyError, match='"seats" has 2 values for 3 players'):
        decode_reply(encode(reply).encode(), 3, 3)
    damaged = encode(reply).encode().replace(b"onefile-log", b"other")
    with pytest.raises(ReplyError, match="a worker's log: no log of a match"):
        decode_reply(damaged, 3, 2)
