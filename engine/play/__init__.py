"""The game engine: the fold of ledger lines into a game's state, under rules that are values."""
