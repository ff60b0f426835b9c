"""commonplace: a folder of Markdown as a memory that retains, recalls and reflects."""

__version__ = "0.1.0"
