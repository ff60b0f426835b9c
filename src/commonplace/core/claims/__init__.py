"""What a fact claims of something that can be so in one way only at a time: claims, with slots and values.

Words come from `data/LANGUAGE/claims.json`; a false claim hides a true fact, so what is not understood claims nothing.
`core.claims.succession` tells which claim follows which.

May import: `entities`, `text`, `when`.
"""
