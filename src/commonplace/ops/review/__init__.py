"""Review: what waits for a decision, answers to it from a person or a model, and taking a model's back.

May import: `beliefs`, `reflect`, `write`.
"""
