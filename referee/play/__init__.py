"""One match: bots asked turn by turn under limits, whoever leads it."""
