"""A question answered: its candidates scored, reranked and packed into a token budget.

May import: `documents`, `entities`, `extract`, `questions`, `stance`, `text`, `when`.
"""
