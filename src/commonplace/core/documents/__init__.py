"""Files of a workspace as values: parsed lines and facts, who said them, and what is wrong with a file.

May import: `markdown`, `text`, `when`.
"""
