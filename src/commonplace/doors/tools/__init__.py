"""The verbs as programs and models call them: checked, answered, and told with JSON Schemas.

May import: `answers`, `shared`, `table`.
"""
