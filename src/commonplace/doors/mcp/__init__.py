"""The tools for any client of the Model Context Protocol, over stdio or loopback HTTP.

May import: `shared`, `table`, `tools`.
"""
