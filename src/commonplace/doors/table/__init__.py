"""The verbs as data, and what may be asked of each: the parser, requests and fields of tools are made from it.

May import: no other room.
"""
