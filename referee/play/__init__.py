"""One match: bots asked turn by turn under limits, led by the rules or another referee."""
