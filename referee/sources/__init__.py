"""What bots and contests are made of: where they lie, which files decide what they do."""
