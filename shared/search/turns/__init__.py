"""Searches of games in turns with chance or hidden information (`TurnGame`)."""
