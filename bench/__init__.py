"""`make bench`: what reading, archiving and counting cost, as ratios inside one run. The README quotes its table."""
