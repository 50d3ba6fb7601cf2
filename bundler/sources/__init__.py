"""What a bot is made of: its modules, found, read, and settled as far as they are before they run."""
