"""Files of the operating system: safe opening and writing, locks, our own folder, change notices of the kernel.

May import: no other room.
"""
