"""The commands that a director types; each is thin, and imports what it needs when it runs."""


def main() -> None:
    """Run the `bansha` command line."""
    raise SystemExit(2)
