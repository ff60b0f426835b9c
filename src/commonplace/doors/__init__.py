"""Translation only: a request becomes one call on Memory, its answer becomes text."""
