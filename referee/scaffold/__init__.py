"""First contests and bots, written for a user."""
