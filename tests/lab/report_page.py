"""The style and the tables of the report pages."""

import html

STYLE = """\
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0;font-size:.85rem}
th,td{border:1px solid #ccc;padding:.25rem .5rem;text-align:right}th{background:#f5f5f5}
td{white-space:nowrap}.faint *{color:#777;font-weight:normal}
svg{max-width:100%;height:auto}"""


def table_html(columns, rows, faint=None):
    """A table; the first cell of every row is its heading, and rows headed `faint` are grey."""
    head = "".join(f"<th>{html.escape(str(text))}</th>" for text in columns)
    body = ""
    for first, *rest in rows:
        cells = "".join(f"<td>{html.escape(str(text))}</td>" for text in rest)
        kind = " class=faint" if first == faint else ""
        body += f"<tr{kind}><th>{html.escape(str(first))}</th>{cells}</tr>\n"
    return f"<table><tr>{head}</tr>\n{body}</table>"
