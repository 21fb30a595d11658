"""The check of chanted players' posts in a game: its rule in game.toml, the director's word in the ledger, the check itself."""
