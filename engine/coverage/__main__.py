"""`python -m engine.coverage`: write docs/coverage.md, and say where tags are not what turning the switches finds."""

from __future__ import annotations

import sys

from engine.coverage.deck import is_turned, load_deck
from engine.coverage.document import DOCUMENT, NONE, list_subjects, write_document


def main() -> int:
    """Write the document; 1 where something has no file, or a scenario's tags are wrong."""
    deck = load_deck()
    text = write_document(list_subjects(), deck)
    DOCUMENT.write_text(text, encoding="utf-8", newline="\n")
    bare = text.count(NONE)
    sys.stdout.write(f"{DOCUMENT}: {bare} without a file\n")
    for scenario in deck:
        switches = scenario.cases[0].ruleset.switches
        found = [switch.name for switch in switches if is_turned(deck, scenario, switch)]
        if set(found) != set(scenario.tags):
            bare += 1
            tags = ", ".join(f'"{name}"' for name in found)
            sys.stdout.write(f"{scenario.path.name}: its tags are not what it changes with: [{tags}]\n")
    return 1 if bare else 0


if __name__ == "__main__":
    raise SystemExit(main())
