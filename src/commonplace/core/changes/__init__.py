"""Changes told in plain lines: what a newer line of one topic says is no longer so.

Words come from `data/changes.json`, `data/day_changes.json` and `data/slots.json`.

May import: `claims`, `stance`, `text`, `when`.
"""
