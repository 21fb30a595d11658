"""What a chanted player may post: the sets, the windows, the checks and the detectors. `check` is the door."""
