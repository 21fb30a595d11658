"""The report of a game: one HTML page that stands alone, in a public version and in the director's."""
