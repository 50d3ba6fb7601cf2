"""A log played again: into a bot, by the rules, in the debugger; and logs of games from elsewhere."""
