"""Everything outside the program: files, the index in SQLite, git. Each has a room or module of its own."""
