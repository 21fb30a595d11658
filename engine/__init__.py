"""Knows the rule systems, runs the game, and owns the commands that a director types."""
