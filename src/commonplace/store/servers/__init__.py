"""Servers with models: one request within a time limit, what they refuse, and whether texts may be sent there.

May import: no other room.
"""
