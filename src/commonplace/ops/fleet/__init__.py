"""Sharing with a fleet.

May import: no other room.
"""
