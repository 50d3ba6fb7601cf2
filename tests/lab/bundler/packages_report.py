"""The verdict on each real package: `python -m tests.lab.bundler.packages_report [NAME ...]`.

The difference or the refusal follows the table.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bundler.corpus import PACKAGES, Sources

MODES: dict[str, dict] = {"": {}, "strip": {"strip": True}, "pack": {"packing": "wide"}}


def row(name, mode, verdict):
    """The cells of one bundle: its characters, numbers of flattened and embedded modules, and the
    verdict.
    """
    counts = ["", "", ""]
    if bundle := verdict.bundle:
        modules = len(bundle.flattened), len(bundle.embedded)
        counts = [f"{number:,}" for number in (len(bundle.text), *modules)]
    return [name, mode, *counts, f"{verdict.build_s:.2f}", verdict.kind]


def main(names):
    table = Table("package", "mode", *["characters", "flattened", "carried", "build s"], "verdict")
    for column in table.columns[2:6]:
        column.justify = "right"
    kinds, reasons = {mode: Counter() for mode in MODES}, []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            sources = Sources(name, Path(folder))
            for mode, options in MODES.items():
                verdict = sources.judge(**options)
                kinds[mode][verdict.kind] += 1
                table.add_row(*row(name, mode, verdict))
                if verdict.text:
                    reasons.append(f"{name} {mode} {verdict.kind}: {verdict.text}")
    console = Console()
    console.print(table)
    for reason in reasons:
        console.print(reason, markup=False, highlight=False, soft_wrap=True)
    for mode, counts in kinds.items():
        print(mode or "plain", dict(counts))


if __name__ == "__main__":
    main(sys.argv[1:] or PACKAGES)
