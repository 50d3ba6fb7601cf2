"""The log of a match: its records (`records`), the limits of a bot's time (`limits`), the
conversion of plain JSON data into records with errors that name the field
(`referee/log/schema.py`), the file (`file`), and the log of a match that is watched while it is
played (`live`).
"""
