"""What an agent sees of a workspace: the core as blocks, and the view of the memory tool.

May import: `documents`, `markdown`, `recall`, `text`.
"""
