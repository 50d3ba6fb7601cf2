"""Numbers that may be given from outside, and the errors for unusable ones."""

import pytest

from shared.core.tunable import VARIABLE, tunable


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (None, 0.4),
        ("", 0.4),
        ("{}", 0.4),
        ('{"other": 3}', 0.4),
        ('{"width": 0.5}', 0.5),
        ('{"width": 1}', 1.0),
        ('{"width": 0.1}', 0.1),
    ],
)
def test_the_value_given_else_its_own(monkeypatch, given, value):
    if given is not None:
        monkeypatch.setenv(VARIABLE, given)
    found = tunable("width", 0.4, 0.1, 1.2)
    assert found == value and type(found) is float


def test_a_whole_number_stays_one(monkeypatch):
    monkeypatch.setenv(VARIABLE, '{"depth": 3}')
    assert type(tunable("depth", 4, 1, 9)) is int


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('{"depth": 3.5}', "depth is a whole number from 1 to 9, got 3.5"),
        ('{"depth": 0}', "depth is a whole number from 1 to 9, got 0"),
        ('{"depth": true}', "depth is a whole number from 1 to 9, got True"),
        ('{"depth": "3"}', "depth is a whole number from 1 to 9, got '3'"),
        ('{"depth": NaN}', "depth is a whole number from 1 to 9, got nan"),
        ("[]", f"{VARIABLE} must be like {{\"depth\": 4}}, got '[]'"),
        ("depth=3", f"{VARIABLE} must be like {{\"depth\": 4}}, got 'depth=3'"),
    ],
)
def test_invalid_values_end_the_bot_with_one_line(monkeypatch, given, said):
    monkeypatch.setenv(VARIABLE, given)
    with pytest.raises(SystemExit) as error:
        tunable("depth", 4, 1, 9)
    assert said in str(error.value) and "\n" not in str(error.value)
