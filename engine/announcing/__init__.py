"""What is published at each moment of a game, and where: announcements, the reveal, the record, the morning report."""
