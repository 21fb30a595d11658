"""`python -m catalogues`: update both languages' catalogues from the source, and list what is not translated yet."""

from __future__ import annotations

import sys

from catalogues.catalogue import compile_catalogue, find_missing, read_catalogue, read_source, update, write_catalogue
from catalogues.pairs import read_pairs
from engine.language import LANGUAGES


def main() -> int:
    """Write the catalogues; 1 where a sentence has no translation yet."""
    source, pairs = read_source(), tuple(read_pairs())
    missing = 0
    for language in LANGUAGES:
        catalogue = read_catalogue(language)
        update(catalogue, source, pairs)
        write_catalogue(catalogue, language)
        compile_catalogue(catalogue, language)
        for text in find_missing(catalogue, language):
            sys.stdout.write(f"{language}: {text}\n")
            missing += 1
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
