"""Servers with models: one request within a time limit, and whether this user lets texts be sent there.

May import: no other room.
"""
