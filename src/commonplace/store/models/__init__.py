"""Models that answer questions: one request behind OpenAI's chat API, and what a model can do.

May import: `servers`.
"""
