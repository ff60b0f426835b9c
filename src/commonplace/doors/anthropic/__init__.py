"""The memory tool of the API of Anthropic.

May import: `shared`.
"""
