"""Failures as our errors, for doors that report every failure and go on.

Law: every door tells errors by way of `harmless`, so that none repeats a secret that somebody gave in the wrong place.
"""

from __future__ import annotations

from commonplace.errors import CommonplaceError, SecretRefused


def told(failure: Exception) -> CommonplaceError:
    """The error as one of ours: itself, an error of the system, or a bug."""
    if isinstance(failure, CommonplaceError):
        return failure
    return refused(failure) if isinstance(failure, OSError) else bug(failure)


def harmless(failure: CommonplaceError) -> CommonplaceError:
    """The same error, with secrets in its message masked."""
    from commonplace.core.secrets.guard import masked  # nothing that goes well needs it

    failure.say(masked(failure.message), masked(failure.hint))
    return failure


def bug(failure: Exception) -> CommonplaceError:
    """An unexpected exception as an error of ours; writes are atomic, so nothing is half done."""
    said = " ".join(str(failure).split())
    shown = f"a bug in commonplace: {type(failure).__name__}{f': {said}' if said else ''}"
    return CommonplaceError(shown, "no file is half written; --verbose shows the traceback for a report")


def refused(failure: OSError) -> CommonplaceError:
    """An error of the system as one of ours."""
    where = f"{failure.filename}: " if failure.filename else ""
    return CommonplaceError(f"{where}{(failure.strerror or str(failure)).lower()}", "--verbose shows where")


def with_override(failure: CommonplaceError) -> CommonplaceError:
    """A refused secret, with the flag that overrides it in the hint."""
    if isinstance(failure, SecretRefused):
        failure.say(failure.message, f"{failure.hint}; if it is not a secret, add --allow-secret")
    return failure


def in_words(failure: CommonplaceError) -> str:
    """An error as text: the message, and below it the hint."""
    harmless(failure)
    return f"commonplace: {failure.message}" + (f"\n  {failure.hint}" if failure.hint else "")
