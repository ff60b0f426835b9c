"""The verbs of a fleet, and what they share: settings that this user allowed, connections, answers."""
