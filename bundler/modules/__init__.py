"""Finds the modules of a bot, reads them, and folds their constant conditions."""
