"""The table `[fleet]` of `commonplace.toml`: where this workspace shares facts, and which.

No password has a place in the file: PostgreSQL's own files have it (`~/.pgpass`, `~/.pg_service.conf`).
"""

from typing import Any, NamedTuple

TABLE = "fleet"
ORIGINS = ("retained", "inferred", "lines")
"""What can be shared: facts that were stated, facts that were read out of logs, every other line that people wrote."""


class FleetSettings(NamedTuple):
    """The settings of `[fleet]`; see docs/fleet.md."""

    url: str = ""
    """The PostgreSQL: `postgresql://ROLE@db.example.com/team`, or `service=team` of `~/.pg_service.conf`."""
    name: str = ""
    """The name of this workspace among the others of its tenant: `alpha`."""
    share: tuple[str, ...] = ("retained",)
    """What is shared: `retained`, `inferred`, `lines`."""
    kinds: tuple[str, ...] = ()
    """Kinds of the facts that are shared (`world`, `opinion`); empty: all."""
    folders: tuple[str, ...] = ()
    """Folders and files that are shared (`memory/team`); empty: all."""
    private: tuple[str, ...] = ("Private",)
    """Headings below which nothing is shared."""


def fleet_settings(path: str, found: Any, *, lenient: bool) -> FleetSettings:
    """Return the settings of the table. Raises UsageError that names file and key, and never repeats a secret.

    Args:
        found: the value of `fleet` in the file.
        lenient: leave out unknown keys, of a format that is newer than ours.
    """
    from commonplace.config.server_settings import checked_table
    from commonplace.config.setting_values import example, refused
    from commonplace.core import argument_values

    settings = FleetSettings(**checked_table(path, TABLE, found, FleetSettings, lenient=lenient))
    require_no_password(settings.url)
    for key in ("url", "name"):
        if not getattr(settings, key).strip():
            raise refused(path, f"[{TABLE}] needs {key}", example=example(key, TABLE, value=""))
    require_name(settings.name)
    if wrong := [each for each in settings.share if each not in ORIGINS]:
        raise refused(
            path, f"[{TABLE}] share: {wrong[0]!r} is none of {', '.join(ORIGINS)}", example='share = ["retained"]'
        )
    for kind in settings.kinds:
        argument_values.kind(kind)
    return settings


def require_no_password(url: str) -> None:
    """Raise UsageError if an address of a PostgreSQL has a password in it."""
    from urllib.parse import urlsplit

    from commonplace.errors import UsageError

    try:
        has_one = bool(urlsplit(url).password)
    except ValueError:
        has_one = True
    if has_one or "password=" in url.replace(" ", ""):
        raise UsageError(
            "the address has a password in it", "write it into ~/.pgpass, or the service into ~/.pg_service.conf"
        )


def require_name(name: str) -> None:
    """Raise UsageError if a name of a workspace or tenant cannot stand before a path."""
    import re

    from commonplace.errors import UsageError

    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", name):
        raise UsageError(f"{name[:60]!r} is no name", "a name has small letters, digits and hyphens, at most 40: alpha")
