"""The state of a workspace in a fleet, which both know."""

from typing import NamedTuple


class PushState(NamedTuple):
    """What a workspace knows of itself in the fleet."""

    epoch: str
    generation: int
    nonce: str
