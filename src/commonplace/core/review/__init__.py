"""What waits for a person: the review page, answers to it, the packet, and the changelog of beliefs.

May import: `documents`, `entities`, `extract`, `markdown`, `opinions`, `pages`, `quotes`, `recall`, `secrets`,
`stance`, `text`.
"""
