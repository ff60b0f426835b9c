"""Embedders: turn texts into vectors, by a model in this process or by a server, and find the servers of this machine.

May import: `servers`.
"""
