"""The best lines of logs, for pages: what each tells, whether a page is better off without it, and how it reads there.

May import: `changes`, `documents`, `entities`, `extract`, `markdown`, `text`, `when`.
"""
