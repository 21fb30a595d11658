"""The beginning of a game: its file, who is who, the letters to the players, and what a look at the board says of it."""
