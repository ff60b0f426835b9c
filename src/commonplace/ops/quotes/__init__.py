"""Which lines of logs and core files pages quote, what is shown with each, and which newer lines outdate them.

May import: `beliefs`.
"""
