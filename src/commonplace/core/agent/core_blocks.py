"""The core files as labelled blocks in a prompt, and recalled memory fenced as data.

A block is a core file with its description, size and limit (Letta's core memory blocks). Law: the same files give the
same bytes, so that a host's prompt cache stays valid while nothing changes; recalled memory comes after them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown import frontmatter
from commonplace.core.markdown.text_edits import lines_of
from commonplace.core.recall.packing import count_tokens, hit_text
from commonplace.core.tables import table
from commonplace.core.text.escaping import attribute, for_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.model import Bundle, Citation

_CUT = 30
"""Tokens of the line that names the place of the rest of a block."""
_FEW_HITS = 100
"""Tokens of two or three hits."""


class Block(NamedTuple):
    """A file of the core."""

    path: str
    label: str
    """The file name without `.md`."""
    description: str
    text: str
    """With `\\n` for line ends."""
    size: int
    """In characters."""
    limit: int
    """Characters above which a host truncates the file."""
    read_only: bool
    """Whether commonplace never writes it."""
    digest: str
    shown: int = -1
    """Number of its lines that fit the budget; -1: all."""


class Core(NamedTuple):
    """The blocks within a token budget."""

    blocks: tuple[Block, ...]
    text: str
    """The text for an agent."""
    tokens: int
    budget: int
    omitted: int
    """Number of lines that did not fit."""
    notes: tuple[str, ...] = ()
    """Core files that exist but cannot be read, each with the reason and what to do."""


class Context(NamedTuple):
    """What an agent gets before a turn: the core, and the memory recalled for it."""

    core: Core
    bundle: Bundle
    text: str
    tokens: int
    budget: int


def block(path: str, text: str, digest: str, *, read_only: bool) -> Block:
    """Return the block of a core file; its description is in its front matter, else in the table of known files."""
    known = table("core")
    plain = text.replace("\r\n", "\n")
    lines = plain.split("\n")
    head = frontmatter.end(lines) if plain else 0
    said = frontmatter.read(lines[1:head]).get("description", ()) if head else ()
    label = path.rpartition("/")[2].removesuffix(".md")
    description = said[0] if said else known["descriptions"].get(label.casefold(), "")
    return Block(path, label, description, plain, len(plain), known["limit"], read_only, digest)


def core(blocks: Sequence[Block], *, budget: int, numbered: bool = False) -> Core:
    """Return the blocks as text within a token budget, whole lines only, in their order.

    Tokens for the head of each block are reserved; lines are added from the first block on, and a truncated block names
    the place of the rest.
    """
    parts: list[str] = []
    placed: list[Block] = []
    omitted = 0
    left = budget
    for at, each in enumerate(blocks):
        owed = sum(count_tokens(_head(later)) + _CUT for later in blocks[at + 1 :])
        lines = each.text.rstrip("\n").split("\n") if each.text.strip() else []
        shown = _paid(each, lines, budget=left - owed, numbered=numbered)
        text = _rendered(each, lines, shown=shown, numbered=numbered)
        cost = count_tokens(text)
        if cost > left:  # not even its head fits
            omitted += len(lines)
            placed.append(each._replace(shown=0))
            continue
        left -= cost
        omitted += len(lines) - shown
        parts.append(text)
        placed.append(each._replace(shown=shown if shown < len(lines) else -1))
    text = "\n".join(parts)
    return Core(tuple(placed), text, budget - left, budget, omitted)


def _paid(block: Block, lines: list[str], *, budget: int, numbered: bool) -> int:
    """Return how many of a block's first lines fit into a budget."""
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(_rendered(block, lines, shown=middle, numbered=numbered)) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def _head(block: Block) -> str:
    read_only = ' access="read-only"' if block.read_only else ""
    described = f' description="{attribute(block.description)}"' if block.description else ""
    size = f'characters="{block.size}" limit="{block.limit}"'
    return f'<block label="{attribute(block.label)}" file="{attribute(block.path)}"{described}{read_only} {size}>'


def _rendered(block: Block, lines: list[str], *, shown: int, numbered: bool) -> str:
    """Return a block with its first lines, safe for a model: no file can close its own block, or open another."""
    kept = [for_model(line) for line in lines[:shown]]
    if numbered:
        kept = [f"{number:>4}\t{line}" for number, line in enumerate(kept, 1)]
    if shown < len(lines):
        kept.append(f"… {len(lines) - shown} more lines: get {attribute(block.path)}#L{shown + 1}")
    return "\n".join([_head(block), *kept, "</block>", ""])


def context(core: Core, bundle: Bundle, *, mark: str, budget: int) -> Context:
    """Return the core, and below it the recalled memory, fenced as data.

    Args:
        mark: a word that nobody could know before, so that no text in memory can close the fence.
    """
    text = core.text
    if bundle.hits:
        fence = f"memory-{mark}"
        lines = "\n".join(hit_text(hit) for hit in bundle.hits)
        said = table("core")["fence"].format(fence=fence)
        text = f"{text}\n<{fence}>\n{said}\n{lines}\n</{fence}>\n".lstrip("\n")
    return Context(core, bundle, text, count_tokens(text) if text else 0, budget)


def share(budget: int, *, core: int, recalled: int, fence: int) -> int:
    """Return the core's part of a budget that it shares with recall.

    Recall gets a few hits first, then the core; beyond that both grow with the budget.

    Args:
        budget, core, recalled: most tokens of both, of the core, of recalled memory.
        fence: tokens of a fence.
    """
    kept = max(budget // 4, fence + min(budget // 2, _FEW_HITS))
    return max(1, min(core, budget - min(recalled, kept)))


def rest(found: Core, *, budget: int, recalled: int, fence: int) -> int:
    """Return the tokens left for recall beside a core. Law: never fewer for a larger budget.

    Tokens that a truncated core leaves over stay unused: with a larger budget its next line may take them.
    """
    whole = all(each.shown < 0 for each in found.blocks)
    return max(1, min(recalled, budget - (found.tokens if whole else found.budget) - fence))


def shows(core: Core, source: Citation) -> bool:
    """Whether one of the blocks contains a line and shows it."""
    return any(each.path == source.path and (each.shown < 0 or source.line <= each.shown) for each in core.blocks)


def fence_cost(mark: str) -> int:
    """Return the tokens of a fence without its content; a mark of digits alone costs most."""
    fence = f"memory-{mark}"
    return count_tokens(f"\n<{fence}>\n{table('core')['fence'].format(fence=fence)}\n</{fence}>\n") + 1


def numbered_lines(text: str, first: int, *, last: int) -> str:
    """Return the lines from `first` to `last` (1 is the first; both included) with `\\n` for line ends."""
    return "".join(lines_of(text.replace("\r\n", "\n"))[first - 1 : last])
