"""`python -m engine` is `bansha`."""

from engine.cli import main

main()
