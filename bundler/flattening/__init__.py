"""Modules that become one namespace: eligibility, names, purity, pruning, text."""
