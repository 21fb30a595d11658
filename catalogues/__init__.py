"""Makes the catalogues of sentences under engine/locales from the source, with Babel: `make catalogues`."""
