"""Random module graphs behave the same before and after bundling."""

import pytest

from tests.bundler.graphs import compare, random_case, shown

N_SEEDS, BATCH = 200, 20


@pytest.mark.parametrize("first", range(0, N_SEEDS, BATCH))
def test_random_graphs_do_not_change(first):
    """200 projects, half of them wild; `python -m tests.bundler.graphs` compares thousands."""
    for seed in range(first, first + BATCH):
        files, options = random_case(seed)
        found = compare(files, **options)
        assert found.verdict == "same", f"seed {seed}, {options}\n{shown(files)}\n{found.detail}"
