"""Files as the system has them: opened and published without surprise, locks, our own folder, the notes of the kernel.

May import: no other room.
"""
