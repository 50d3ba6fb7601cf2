"""What results say: strengths, tests, standings."""
