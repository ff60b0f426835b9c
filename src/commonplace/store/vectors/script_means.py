"""Takes from vectors what a model adds to each text for its script (core/meaning/text_script.py)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, Self
from zlib import crc32

import numpy as np

from commonplace.core.meaning.text_script import background, script_of
from commonplace.store.fs.state_dir import read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from commonplace.store.embedders.embedder_port import Embedder
    from commonplace.store.vectors.vector_set import Vectors

SHARE = 0.85
"""Of the mean that is taken away from lines. With .7 e5 finds a little more within one language, with 1 less."""
OF_A_QUESTION = 0.95
"""The same for a question: what is left of a script in it finds lines of that script, and vague ones, first."""


class ScriptMeans(NamedTuple):
    """The mean vector of the texts of each script, by one model."""

    means: Mapping[str, Vectors]

    @classmethod
    def made(cls, embedder: Embedder) -> Self:
        """Return the means of a model, which embeds about seventy sentences for it. Raises EmbedderUnavailable."""
        return cls({name: embedder.passages(texts).mean(axis=0) for name, texts in background().items()})

    @classmethod
    def read(cls, path: str, *, dimensions: int) -> Self | None:
        """Return means that were written; None if there are none, or damaged ones."""
        names = [*background()]
        try:
            content = read_private(path)
        except OSError:
            return None
        body = content[4:]
        if len(body) != 4 * dimensions * len(names) or crc32(body) != int.from_bytes(content[:4], "big"):
            return None
        rows = np.frombuffer(body, np.float32).reshape(len(names), dimensions)
        return cls(dict(zip(names, rows, strict=True)))

    def write(self, path: str) -> None:
        """Write the means. Raises OSError."""
        body = np.stack([*self.means.values()]).astype(np.float32).tobytes()
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        write_private(path, crc32(body).to_bytes(4, "big") + body)

    def asked(self, vector: Vectors, question: str) -> Vectors:
        """Return the vector of a question, which is one row, as `centred`, without nearly all of the mean."""
        return self.centred(vector, [question], share=OF_A_QUESTION)

    def centred(self, vectors: Vectors, texts: Sequence[str], *, share: float = SHARE) -> Vectors:
        """Return the vectors of texts without most of the mean of their script, of length 1; zero ones stay zero."""
        there = vectors.any(axis=1, keepdims=True)
        told = vectors - share * np.stack([self.means[script_of(text)] for text in texts])
        lengths = np.linalg.norm(told, axis=1, keepdims=True)
        found: Vectors = np.where(there & (lengths > 0), told / np.where(lengths > 0, lengths, 1), 0)
        return found.astype(np.float32)
