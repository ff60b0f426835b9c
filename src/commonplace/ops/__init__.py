"""The verbs: each asks the store, lets the core think, and tells the store."""
