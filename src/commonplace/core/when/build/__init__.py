"""What the patterns of the grammar mean: from the values of a match to a time, or None where it makes no sense."""
