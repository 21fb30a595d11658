"""What a check of chanted players' posts looks like: for the terminal, as JSON, as HTML, and as BBCode to be posted."""
