"""Proof-number search, by the names that all searches have; `df_pn.py` describes it."""

from shared.core.jit import AT_HOME
from shared.search.df_pn import (
    ProofOptions,
    ProofTree,
    Summary,
    action_of_proof,
    is_proof_finished,
    make_proof_search,
    new_proof_tree,
    reset_proof,
    summary,
)

__all__ = ["Summary", "summary"]

Options = ProofOptions
Tree = ProofTree
new_tree = new_proof_tree
reset = reset_proof
make_search = make_proof_search
is_finished = is_proof_finished
best_action = action_of_proof

if AT_HOME:
    from shared.search.limits import check_calls

    check_calls(globals())
