"""The modules of a bot: found, read, and folded as far as they are constant."""
