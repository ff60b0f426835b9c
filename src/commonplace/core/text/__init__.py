"""Text to terms: one spelling for what people mean as one, tokens, stems, and text made safe for its reader.

May import: no other room.
"""
