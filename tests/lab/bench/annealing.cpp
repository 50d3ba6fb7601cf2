// Simulated annealing of a tour as an expert writes it, with the changes of tests/support/tours.py
// and the random numbers of shared/core/rng.py.
