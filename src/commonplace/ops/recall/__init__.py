"""Recall: a question to channels, candidates, ranking and a bundle with citations.

May import: `beliefs`, `days`.
"""
