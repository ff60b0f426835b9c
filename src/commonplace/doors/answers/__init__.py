"""What each verb answers: one function a verb, from `Memory` and a request to text and data, for every door.

May import: `setup`, `shared`, `table`.
"""
