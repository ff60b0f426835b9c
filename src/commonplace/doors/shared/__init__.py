"""What every door needs: one run of a verb, answers as text and JSON, the terminal, and failures.

May import: `table`.
"""
