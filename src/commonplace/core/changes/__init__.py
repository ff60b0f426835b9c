"""Changes told in plain lines: what a newer line of one topic says is no longer so. Imports text and tables only."""
