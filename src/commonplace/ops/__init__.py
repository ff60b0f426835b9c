"""The verbs: each reads from the store, calls the core, and gives its result to the store."""
