"""The outside world, one module a neighbour."""
