"""Claims of facts: a slot that has one value at a time (an address, a price), and the value that a fact gives it.

Words come from `data/LANGUAGE/claims.json`; a false claim hides a true fact, so what is not understood claims nothing.
`core.claims.succession` tells which claim follows which.

May import: `entities`, `text`, `when`.
"""
