"""The log of a match, a type: what it holds (`records`), how plain JSON data becomes that or an
error that names the field (`referee/log/schema.py`), and the file it is written to and read from
(`file`).
"""
