"""What is looked up and changes nothing: entities, the history of beliefs, defects, the core, and what doctor finds.

May import: `beliefs`, `recall`.
"""
