"""What is believed: facts and pages put together, what is superseded, unreadable, withheld, and what has not changed.

May import: no other room.
"""
