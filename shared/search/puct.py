"""PUCT: what a policy expects of an action counts for a node as long as it has few visits.

Sources: Rosin, "Multi-armed bandits with episode context" (Annals of Mathematics and Artificial
Intelligence 61, 2011); Silver et al., "Mastering the game of Go without human knowledge" (Nature 550,
2017). The buffers are those of `mcts.Tree`; here the second number of an arm is 1 / (1 + visits).
"""

import math

from shared.core.jit import inline
from shared.search.bandit import MEAN, UNPULLED, is_fixed
from shared.search.rave import copy_with_rave
from shared.search.tree import ACTION, FIRST_CHILD, N_CHILDREN, NODE_SIZE, VISITS

INVERSE_VISITS = 1


@inline
def bring_forward(tree, first, end):
    """Exchange the child of the greatest prior from `first` on with the first of them."""
    nodes, priors = tree.nodes, tree.priors
    best = first
    for child in range(first + 1, end):
        if priors[child] > priors[best]:
            best = child
    if best != first:
        action = NODE_SIZE * first + ACTION
        other = NODE_SIZE * best + ACTION
        nodes[action], nodes[other] = nodes[other], nodes[action]
        priors[first], priors[best] = priors[best], priors[first]


@inline
def select_with_policy(tree, node, exploration, first_play):
    """The child of the greatest mean + C prior sqrt(1 + visits of the node) / (1 + its own).

    One never visited has the node's mean, from the side of who moves there, less `first_play`. So
    these are visited by their priors: visited ones come first among the children, then the next.
    """
    nodes, arms, priors = tree.nodes, tree.arms, tree.priors
    weight = exploration * math.sqrt(nodes[NODE_SIZE * node + VISITS] + 1)
    best = child = nodes[NODE_SIZE * node + FIRST_CHILD]
    end = child + nodes[NODE_SIZE * node + N_CHILDREN]
    greatest = -UNPULLED
    while child < end and arms[2 * child + MEAN] != UNPULLED:
        bound = arms[2 * child + MEAN]
        if not is_fixed(arms, child):
            bound += weight * priors[child] * arms[2 * child + INVERSE_VISITS]
        if bound > greatest:
            greatest = bound
            best = child
        child += 1
    if child < end:
        mean = arms[2 * node + MEAN]
        unvisited = (0.0 if mean == UNPULLED else -mean) - first_play
        if unvisited + weight * priors[child] > greatest:
            best = child
            if child + 1 < end:
                bring_forward(tree, child + 1, end)
    return best


@inline
def add_visit_with_policy(tree, node, reward):
    """Count a visit of a node and its result."""
    arms = tree.arms
    visits = tree.nodes[NODE_SIZE * node + VISITS] + 1
    tree.nodes[NODE_SIZE * node + VISITS] = visits
    if not is_fixed(arms, node):
        if arms[2 * node + MEAN] == UNPULLED:
            arms[2 * node + MEAN] = reward
        else:
            # What was 1 / (1 + visits) is 1 / visits now.
            arms[2 * node + MEAN] += (reward - arms[2 * node + MEAN]) * arms[
                2 * node + INVERSE_VISITS
            ]
        arms[2 * node + INVERSE_VISITS] = 1.0 / (1 + visits)


@inline
def copy_with_policy(tree, node, other, other_node):
    """Copy a node with its prior, and what RAVE knows of it, to another tree."""
    copy_with_rave(tree, node, other, other_node)
    if len(tree.priors) > 1:
        other.priors[other_node] = tree.priors[node]
