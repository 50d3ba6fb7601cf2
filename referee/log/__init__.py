"""The log of a match, a type: what it holds (`records`), how plain JSON data becomes that or an
error that names the field (`referee/log/schema.py`), and the file it is written to and read from
(`file`).
"""

from referee.log.file import LogWriter, read_log, versions, write_log
from referee.log.records import (
    FORMAT,
    VERSION,
    Conditions,
    Header,
    Late,
    Log,
    LogError,
    Outcome,
    PlayerTurn,
    Turn,
)

__all__ = [
    "FORMAT",
    "VERSION",
    "Conditions",
    "Header",
    "Late",
    "Log",
    "LogError",
    "LogWriter",
    "Outcome",
    "PlayerTurn",
    "Turn",
    "read_log",
    "versions",
    "write_log",
]
