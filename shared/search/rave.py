"""RAVE: what is known of an action elsewhere counts for a node as long as the node's own visits are few.

Source: Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go"
(Artificial Intelligence 175, 2011). The buffers are those of `mcts.Tree`.
"""

import math

from shared.core.jit import inline
from shared.search.bandit import INVERSE_ROOT, MEAN, UNPULLED, is_fixed
from shared.search.tree import ACTION, FIRST_CHILD, N_CHILDREN, NODE_SIZE, VISITS, copy_node

RAVE_MEAN, RAVE_VISITS = range(2)


@inline
def clear_rave(rave, node):
    """Nothing is known of the node's action elsewhere."""
    rave[2 * node + RAVE_MEAN] = 0.0
    rave[2 * node + RAVE_VISITS] = 0.0


@inline
def select_with_rave(tree, node, weight, rave_visits):
    """The child of the greatest upper confidence bound, in whose mean RAVE's has a share of
    sqrt(k / (3 visits + k)), k being `rave_visits`.

    A child never visited has RAVE's mean alone; one that RAVE knows nothing of either comes first.
    """
    nodes, arms, rave = tree.nodes, tree.arms, tree.rave
    best = first = nodes[NODE_SIZE * node + FIRST_CHILD]
    greatest = -UNPULLED
    for child in range(first, first + nodes[NODE_SIZE * node + N_CHILDREN]):
        bound = arms[2 * child + MEAN]
        if not is_fixed(arms, child):
            if rave[2 * child + RAVE_VISITS] > 0.0:
                visits = nodes[NODE_SIZE * child + VISITS]
                share = math.sqrt(rave_visits / (3.0 * visits + rave_visits))
                if bound == UNPULLED:
                    bound = 0.0
                bound += share * (rave[2 * child + RAVE_MEAN] - bound)
            bound += weight * arms[2 * child + INVERSE_ROOT]
        if bound > greatest:
            greatest = bound
            best = child
    return best


@inline
def back_up_rave(tree, leaf_ply, n_plies, max_actions, reward):
    """Add the result to RAVE of all children beside the path whose action their player played from
    there on.

    reward: for the player who moved to the leaf. Marks stand for the actions played from the ply
    looked at on.
    """
    nodes, rave, marks = tree.nodes, tree.rave, tree.marks
    for ply in range(n_plies - 1, -1, -1):
        player = (ply & 1) * max_actions
        marks[player + tree.line[ply]] = 1
        if ply > leaf_ply:
            continue
        result = reward if (ply ^ leaf_ply) & 1 else -reward
        node = tree.path[ply]
        first = nodes[NODE_SIZE * node + FIRST_CHILD]
        for child in range(first, first + nodes[NODE_SIZE * node + N_CHILDREN]):
            if marks[player + nodes[NODE_SIZE * child + ACTION]]:
                rave[2 * child + RAVE_VISITS] += 1.0
                error = result - rave[2 * child + RAVE_MEAN]
                rave[2 * child + RAVE_MEAN] += error / rave[2 * child + RAVE_VISITS]
    for ply in range(n_plies):
        marks[(ply & 1) * max_actions + tree.line[ply]] = 0


@inline
def copy_with_rave(tree, node, other, other_node):
    """Copy a node with what RAVE knows of it to another tree."""
    copy_node(tree, node, other, other_node)
    if len(tree.rave) > 1:
        for i in range(2):
            other.rave[2 * other_node + i] = tree.rave[2 * node + i]
