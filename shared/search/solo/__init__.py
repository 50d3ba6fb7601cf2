"""Searches for one agent (`SoloGame`), and annealing of solutions."""
