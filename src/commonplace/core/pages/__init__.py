"""Pages of the bank: which facts are current, the lines that show them, and what is proposed for the core.

May import: `documents`, `entities`, `markdown`, `opinions`, `quotes`, `stance`, `text`, `when`.
"""
