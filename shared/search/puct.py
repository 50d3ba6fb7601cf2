"""PUCT: what a policy expects of an action counts for a node as long as it has few visits.

Sources: Rosin, "Multi-armed bandits with episode context" (Annals of Mathematics and Artificial
Intelligence 61, 2011); Silver et al., "Mastering the game of Go without human knowledge" (Nature 550,
2017). The buffers are those of `mcts.Tree`; here the second number of an arm is 1 / (1 + visits).
"""

import math

from shared.core.jit import inline
from shared.search.bandit import MEAN, UNPULLED, is_fixed
from shared.search.rave import copy_with_rave
from shared.search.tree import FIRST_CHILD, N_CHILDREN, NODE_SIZE, VISITS

INVERSE_VISITS = 1


@inline
def select_with_policy(tree, node, exploration, first_play):
    """The child of the greatest mean + C prior sqrt(1 + visits of the node) / (1 + its own).

    One never visited has the node's mean, from the side of who moves there, less `first_play`.
    """
    nodes, arms, priors = tree.nodes, tree.arms, tree.priors
    weight = exploration * math.sqrt(nodes[NODE_SIZE * node + VISITS] + 1)
    mean = arms[2 * node + MEAN]
    unvisited = (0.0 if mean == UNPULLED else -mean) - first_play
    best = first = nodes[NODE_SIZE * node + FIRST_CHILD]
    greatest = -UNPULLED
    for child in range(first, first + nodes[NODE_SIZE * node + N_CHILDREN]):
        bound = arms[2 * child + MEAN]
        if not is_fixed(arms, child):
            if bound == UNPULLED:
                bound = unvisited
            bound += weight * priors[child] * arms[2 * child + INVERSE_VISITS]
        if bound > greatest:
            greatest = bound
            best = child
    return best


@inline
def count_visits(tree, node):
    """Keep what the selection needs of a node's visits."""
    if not is_fixed(tree.arms, node):
        visits = tree.nodes[NODE_SIZE * node + VISITS]
        tree.arms[2 * node + INVERSE_VISITS] = 1.0 / (1 + visits)


@inline
def copy_with_policy(tree, node, other, other_node):
    """Copy a node with its prior, and what RAVE knows of it, to another tree."""
    copy_with_rave(tree, node, other, other_node)
    if len(tree.priors) > 1:
        other.priors[other_node] = tree.priors[node]
