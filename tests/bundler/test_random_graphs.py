"""Random module graphs behave the same before and after bundling."""

import pytest

from tests.bundler.graphs import compare, random_case, shown

N_SEEDS, BATCH = 200, 40
LEAST_SHARE = 0.5  # of flattened modules: carried ones say nothing about flattening


@pytest.mark.exhaustive("more projects", keep=1)
@pytest.mark.parametrize("first", range(0, N_SEEDS, BATCH))
def test_random_graphs_do_not_change(first):
    """200 projects, half of them wild; `python -m tests.bundler.graphs` compares thousands."""
    n_flattened = n_modules = 0
    for seed in range(first, first + BATCH):
        files, options = random_case(seed)
        found = compare(files, **options)
        assert found.verdict == "same", f"seed {seed}, {options}\n{shown(files)}\n{found.detail}"
        if seed % 2 == 0:
            n_flattened += found.n_flattened
            n_modules += found.n_flattened + found.n_carried
    assert n_flattened > LEAST_SHARE * n_modules, f"{n_flattened} of {n_modules} are flattened"
