"""Limits on the CPU time that files can request."""

import time
import weakref

import pytest

from referee.page import bounds


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_exception_dropped_in_a_finalizer_is_raised_again(monkeypatch):
    monkeypatch.setattr(bounds, "CPU_S", 0.05)

    class Thing:
        pass

    def dispose(_):
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass

    with pytest.raises(bounds.BoundsExceeded), bounds.bounded():
        thing = Thing()
        reference = weakref.ref(thing, dispose)
        del thing
        end = time.process_time() + 5.0
        while time.process_time() < end:
            assert reference() is None
