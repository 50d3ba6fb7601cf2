"""The folder of `onefile train`, which needs no JAX."""

import numpy as np
import pytest

from referee.errors import UsageError
from referee.train.folder import Folder

SETTINGS = {"contest": "toy"}


@pytest.mark.parametrize("text", ["{", "[]", '{"settings": {}, "rounds": [], "present": null}'])
def test_a_damaged_training_is_refused(tmp_path, text):
    (tmp_path / "train.json").write_text(text)
    with pytest.raises(UsageError, match=r"train\.json is damaged: give another --folder"):
        Folder(tmp_path, SETTINGS, None)


def test_a_file_that_has_no_weights_begins_nothing(tmp_path):
    """Else the right command would go on from it."""
    (tmp_path / "text.npz").write_text("# a text")
    np.savez(tmp_path / "other.npz", rows=[1])
    np.save(tmp_path / "one", [1])
    for name in ("text.npz", "other.npz", "one.npy"):
        with pytest.raises(UsageError, match=f"{name} has no weights"):
            Folder(tmp_path / "run", SETTINGS, tmp_path / name)
    assert not (tmp_path / "run").exists()
