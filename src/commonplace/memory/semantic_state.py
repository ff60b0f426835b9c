"""The state of meaning, as `semantic status` reports it."""

from typing import NamedTuple

from commonplace.store.embedders.server_search import FoundServer


class SemanticState(NamedTuple):
    """Whether recall searches by meaning, with what, and how far it has come."""

    on: bool
    embedder: str = ""
    """Name of the model, as people read it."""
    problem: str = ""
    """Why meaning does not work now, with the next step; recall answers by words."""
    passages: int = 0
    """Lines and parts of long lines that can be embedded, each text once."""
    embedded: int = 0
    vectors: int = 0
    """Vectors on the disk, those of lines that are gone included."""
    bytes: int = 0
    """Of all files in `.memory/vectors`."""
    search: str = ""
    """How vectors are searched, and why so."""
    seconds: float = 0.0
    """Estimate for what is left, by a few passages that were embedded now; 0: not estimated."""
    servers: tuple[FoundServer, ...] = ()
    """Servers with embedding models that were found on this machine; `semantic status` and `on` look for them."""

    @property
    def left(self) -> int:
        """The number of passages without a vector."""
        return self.passages - self.embedded

    @property
    def told(self) -> str:
        """The state in one line."""
        if not self.on:
            return "off"
        if self.problem:
            return f"does not work: {self.problem}"
        return f"{self.embedder}, {self.embedded:,} of {self.passages:,} passages embedded"
