"""Pictures of a contest for the match page; only the referee draws."""
