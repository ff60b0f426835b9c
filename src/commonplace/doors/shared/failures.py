"""Failures as our errors, for doors that report every failure and go on.

Law: every door tells errors by way of `harmless`, so that none repeats a secret that somebody gave in the wrong place.
"""

from __future__ import annotations

from commonplace.errors import CommonplaceError, SecretRefused


def told(failure: Exception) -> CommonplaceError:
    """The failure itself where it is ours, else what the system refused, else a bug."""
    if isinstance(failure, CommonplaceError):
        return failure
    return refused(failure) if isinstance(failure, OSError) else bug(failure)


def harmless(failure: CommonplaceError) -> CommonplaceError:
    """The failure itself, which repeats no secret from now on."""
    from commonplace.core.secrets.guard import masked  # nothing that goes well needs it

    failure.say(masked(failure.message), masked(failure.hint))
    return failure


def bug(failure: Exception) -> CommonplaceError:
    """What we did not foresee, as an error of ours; every write is whole or not at all, so nothing is half done."""
    said = " ".join(str(failure).split())
    shown = f"a bug of commonplace: {type(failure).__name__}{f': {said}' if said else ''}"
    return CommonplaceError(shown, "no file is half written; --verbose shows where it is, for a report")


def refused(failure: OSError) -> CommonplaceError:
    """What the system said no to, as an error of ours."""
    where = f"{failure.filename}: " if failure.filename else ""
    return CommonplaceError(f"{where}{(failure.strerror or str(failure)).lower()}", "--verbose shows where")


def with_override(failure: CommonplaceError) -> CommonplaceError:
    """A refusal as a person at the command line is told of it, who may know better."""
    if isinstance(failure, SecretRefused):
        failure.say(failure.message, f"{failure.hint}; if it is none, --allow-secret writes it")
    return failure


def in_words(failure: CommonplaceError) -> str:
    """A failure as the command line tells it: what went wrong, and below it what to do."""
    harmless(failure)
    return f"commonplace: {failure.message}" + (f"\n  {failure.hint}" if failure.hint else "")
