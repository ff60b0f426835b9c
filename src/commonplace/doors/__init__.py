"""Translation only: a request becomes calls on Memory (usually one), their answer becomes text."""
