"""Writes documents into the index: their rows, what their lines mention, and the changed part of a large file."""
