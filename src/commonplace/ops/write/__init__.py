"""What is written because somebody asked: facts, edits of files, imports, merged entities, and what is forgotten.

May import: `beliefs`, `recall`.
"""
