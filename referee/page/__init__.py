"""Everything a browser or a terminal shows of a match."""
