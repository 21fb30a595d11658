"""Reads posts as game acts: ballots, changes, proxies, cards. Knows policies, which are plain values, not rule systems."""
