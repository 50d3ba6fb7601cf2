"""Random module graphs behave the same before and after bundling."""

import pytest

from tests.lab.bundler.graphs import compare

LEAST_SHARE = 0.2  # of flattened modules; one line may carry all of a program


@pytest.mark.exhaustive("more projects", keep=1)
@pytest.mark.parametrize("first", range(0, 200, 40))
def test_random_graphs_do_not_change(first):
    """`python -m tests.lab.bundler.graphs` compares thousands."""
    n_flattened = n_carried = 0
    for seed in range(first, first + 40):
        compared = compare(seed)
        assert compared.verdict == "same", compared.report
        n_flattened += compared.n_flattened
        n_carried += compared.n_carried
    assert n_flattened > LEAST_SHARE * (n_flattened + n_carried)
