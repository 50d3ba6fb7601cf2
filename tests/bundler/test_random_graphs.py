"""Random module graphs print the same before and after flattening."""

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.bundler.graphs import compare, random_project


@settings(
    max_examples=500,
    phases=[Phase.generate],  # shrinking takes minutes and seldom helps: the names stay as they are
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)
@given(rng=st.randoms(use_true_random=False, note_method_calls=False))
def test_random_graphs_do_not_change(rng, tmp_path_factory):
    """500 graphs whose names collide, shadow, re-export and alias: 0 differences."""
    verdict, detail = compare(random_project(rng), tmp_path_factory.mktemp("graph"))
    assert verdict != "different", detail
