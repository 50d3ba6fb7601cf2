"""The log of a match as a type: its records (`records`), the conversion of plain JSON data into
them with errors that name the field (`referee/log/schema.py`), and the file (`file`).
"""
