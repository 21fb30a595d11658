"""Knows Discuz! and time, and nothing of games: turns a board into posts, and keeps every version of each that it saw."""
