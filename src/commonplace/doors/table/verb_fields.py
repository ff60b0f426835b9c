"""The types of the table of verbs: a verb, and its fields."""

from enum import Enum, auto
from typing import Any, NamedTuple

_MANY = ("entities", "ids", "kinds", "paths", "texts")
"""Types of fields that hold several values: a flag may be given several times."""


class Field(NamedTuple):
    """One parameter of a verb."""

    name: str
    """The parameter of `Memory`, and the key that programs give."""
    type: str = ""
    """A key of `tool_fields.TYPES`; empty: no program gives it."""
    shell: str = ""
    """How the command line spells it: `--k N` is a flag, `--yes` a switch, `ID` a word, `ID?` one or none, `NAME*`
    any number, `NAME+` at least one; empty: the command line does not have it."""
    help: str = ""
    """For people at the command line."""
    note: str = ""
    """For a model: what is not plain from the name; every word costs it."""
    required: bool = False
    """Whether programs must give it."""
    choices: tuple[str, ...] = ()
    most: int = 0
    """Of a count."""
    agent: bool = True
    """Whether a model is told of it and may give it; else it is the host's."""
    fleet: bool = False
    """Whether a model is told of it only where a fleet is on."""
    tried: tuple[str, ...] = ()
    """Flags of other programs that mean the same, for a hint."""

    @property
    def is_flag(self) -> bool:
        """Whether it is a flag of the command line; else it is a word there, if `shell` is not empty."""
        return self.shell.startswith("--")

    @property
    def spelled(self) -> str:
        """`--k`, `NAME`."""
        return self.shell.partition(" ")[0].rstrip("?*+")

    @property
    def metavar(self) -> str:
        """The placeholder of a flag's value; empty for a switch."""
        return self.shell.partition(" ")[2]

    @property
    def many(self) -> bool:
        """Whether it takes several values."""
        return self.type in _MANY if self.is_flag else self.shell.endswith(("*", "+"))

    @property
    def needed(self) -> bool:
        """Whether the word is required on the command line."""
        return not self.shell.endswith(("?", "*"))


class Opens(Enum):
    """Which workspace the command line opens for a verb."""

    WORKSPACE = auto()
    """One that exists."""
    FOLDER = auto()
    """Any folder: the verb may create the first file of a memory there."""
    IF_ANY = auto()
    """The workspace if there is one; the verb works without."""
    NOTHING = auto()


class Verb(NamedTuple):
    """One verb: its texts, its fields, and the functions that serve it."""

    name: str
    """One word, or two for a sub-verb: `fleet push`."""
    summary: str = ""
    """For help and docs; empty: it is no verb of the command line."""
    fields: tuple[Field, ...] = ()
    answer: str = ""
    """`module:function` of `(Memory, VerbRequest) -> VerbAnswer`, for every door; a dot before it is this package's."""
    run: str = ""
    """`module:function` of `(Call) -> exit status` where the command line does more than give fields to `answer`."""
    tool: str = ""
    """For a program or a model: what it does, when to use it and when not; empty: no program can call it."""
    agent: int = 0
    """Its place among the tools that models are given; 0: only hosts are."""
    output: dict[str, str] = {}  # noqa: RUF012 - nobody writes it
    """Keys of the data that a model is given, and their JSON types; it always has those without a `?` behind them."""
    read_only: bool = False
    """Whether it writes nothing but the index."""
    destructive: bool = False
    """Whether it may take away or overwrite what stood there."""
    idempotent: bool = False
    """Whether the same call again changes nothing more."""
    details: str = ""
    """Plain text below the summary: what is not plain from the flags, with examples."""
    everyday: int = 0
    """Its place in the first list of `commonplace --help`; 0: in the second list."""
    tried: tuple[str, ...] = ()
    """Words of other programs for the same, by which the message of an unknown verb names this one."""
    opens: Opens = Opens.WORKSPACE
    batch: str = ""
    """Given `-` alone, the command line serves one request a line: the verb whose keys a line may have; empty: none."""

    @property
    def key(self) -> str:
        """Its name for programs and models, whose tools may have no space in their names."""
        return self.name.replace(" ", "_")

    @property
    def flags(self) -> tuple[Field, ...]:
        """The verb's own flags on the command line."""
        return tuple(field for field in self.fields if field.is_flag)

    @property
    def words(self) -> tuple[Field, ...]:
        """The verb's words on the command line, in order."""
        return tuple(field for field in self.fields if field.shell and not field.is_flag)

    def program_fields(self, *, agent: bool = False, fleet: bool = True) -> tuple[Field, ...]:
        """The fields for programs; for a model only those that models may give.

        Args:
            fleet: whether those of a fleet are among them.
        """
        fields = (field for field in self.fields if field.type and (fleet or not field.fleet))
        return tuple(field for field in fields if field.agent or not agent)


def function(named: str) -> Any:
    """The function of a `module:function` name, imported now."""
    from importlib import import_module

    module, _, name = named.partition(":")
    return getattr(import_module(module, "commonplace.doors"), name)
