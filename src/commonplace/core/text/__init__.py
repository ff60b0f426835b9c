"""Text to search terms: one spelling for variants of a word, tokens, stems; and text made safe for its reader.

May import: no other room.
"""
