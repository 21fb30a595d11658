"""What the scenarios cover: for every role, skill, switch and condition of a rule system, those that fail without it.

A tool of the contributors, as the tests are: it reads fixtures/ beside the packages. `python -m engine.coverage` writes
docs/coverage.md.
"""
