"""What people read: one tally as a table, as JSON, as rows; and how a replay differs."""
