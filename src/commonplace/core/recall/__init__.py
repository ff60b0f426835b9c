"""A question answered: read into a query, its candidates scored, reranked and packed into a token budget.

May import: `documents`, `entities`, `extract`, `stance`, `text`, `when`.
"""
