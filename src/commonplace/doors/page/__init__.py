"""The local page: what the memory knows, since when, why, what waits and what is wrong, in a browser of this machine.

Every view is made on the server from the answers of verbs, as programs get them, and is complete without JavaScript.

May import: `charts`, `shared`, `tools`.
"""
