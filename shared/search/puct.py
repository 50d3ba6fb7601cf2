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
MOST_NODES = (1 << 31) - 1  # what is known not to be negative is read without a look at its sign


@inline
def sort_by_share(actions, shares, n):
    """Put the n actions and their shares in order, the greatest share first, equals as they were."""
    for i in range(1, n):
        action, share = actions[i], shares[i]
        j = i
        while j > 0 and shares[j - 1] < share:
            actions[j], shares[j] = actions[j - 1], shares[j - 1]
            j -= 1
        actions[j], shares[j] = action, share


@inline
def select_with_policy(tree, node, exploration, first_play):
    """The child of the greatest mean + C prior sqrt(1 + visits of the node) / (1 + its own).

    One never visited has the node's mean, from the side of who moves there, less `first_play`. Of
    those the first is the best, as the children are sorted by their priors: the others are not looked
    at, and all that were visited are in front of it.
    """
    nodes, arms, priors = tree.nodes, tree.arms, tree.priors
    weight = exploration * math.sqrt(nodes[NODE_SIZE * node + VISITS] + 1)
    best = first = nodes[NODE_SIZE * node + FIRST_CHILD] & MOST_NODES
    greatest = -UNPULLED
    for i in range(nodes[NODE_SIZE * node + N_CHILDREN] & MOST_NODES):
        child = first + i
        # Of the child chosen the search reads the node next: here memory brings it along with the arm.
        is_new = nodes[NODE_SIZE * child + VISITS] == 0
        if is_new:
            mean = arms[2 * node + MEAN]
            bound = (0.0 if mean == UNPULLED else -mean) - first_play
        else:
            bound = arms[2 * child + MEAN]
        bound += weight * priors[child] * arms[2 * child + INVERSE_VISITS]
        if bound > greatest:
            greatest = bound
            best = child
        if is_new:
            break
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
