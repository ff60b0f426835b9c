"""Secrets in a text (keys, passwords, card numbers): how they are found, refused in a write, and masked.

May import: `text`.
"""
