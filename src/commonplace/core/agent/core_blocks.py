"""The core files as labelled blocks in a prompt, and recalled memory fenced as data.

A block is a file of the core with what it is for, its size and its limit (Letta's core memory blocks). Law: the same
files give the same bytes, so that a host's prompt cache holds while nothing changed; what is recalled comes after.
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


class Block(NamedTuple):
    """A file of the core."""

    path: str
    label: str
    """The name of the file, without its ending."""
    description: str
    text: str
    """With `\\n` for line ends."""
    size: int
    """Characters."""
    limit: int
    """Characters above which a host cuts the file."""
    read_only: bool
    """Whether commonplace never writes it."""
    digest: str
    shown: int = -1
    """How many of its lines the budget pays for; -1: all."""


class Core(NamedTuple):
    """The blocks within a token budget."""

    blocks: tuple[Block, ...]
    text: str
    """As an agent reads it."""
    tokens: int
    budget: int
    omitted: int
    """Lines that did not fit."""
    notes: tuple[str, ...] = ()
    """Core files that are there and cannot be read, each with the reason and what to do."""


class Context(NamedTuple):
    """What an agent is given before a turn: the core, and what was recalled for it."""

    core: Core
    bundle: Bundle
    text: str
    tokens: int
    budget: int


def block(path: str, text: str, digest: str, *, read_only: bool) -> Block:
    """The block of a core file: its description stands in its front matter, else in the table of known files."""
    known = table("core")
    plain = text.replace("\r\n", "\n")
    lines = plain.split("\n")
    head = frontmatter.end(lines) if plain else 0
    said = frontmatter.read(lines[1:head]).get("description", ()) if head else ()
    label = path.rpartition("/")[2].removesuffix(".md")
    description = said[0] if said else known["descriptions"].get(label.casefold(), "")
    return Block(path, label, description, plain, len(plain), known["limit"], read_only, digest)


def core(blocks: Sequence[Block], *, budget: int, numbered: bool = False) -> Core:
    """The blocks as text within a token budget, whole lines only, in their order.

    Each block is owed its head; lines are paid for from the first block on, and a block that is cut says where the rest
    stands.
    """
    parts: list[str] = []
    placed: list[Block] = []
    omitted = 0
    left = budget
    for at, each in enumerate(blocks):
        owed = sum(count_tokens(_head(later)) + _CUT for later in blocks[at + 1 :])
        lines = each.text.rstrip("\n").split("\n") if each.text.strip() else []
        shown = _paid(each, lines, left - owed, numbered=numbered)
        text = _rendered(each, lines, shown, numbered=numbered)
        cost = count_tokens(text)
        if cost > left:  # not even its head
            omitted += len(lines)
            placed.append(each._replace(shown=0))
            continue
        left -= cost
        omitted += len(lines) - shown
        parts.append(text)
        placed.append(each._replace(shown=shown if shown < len(lines) else -1))
    text = "\n".join(parts)
    return Core(tuple(placed), text, budget - left, budget, omitted)


_CUT = 30
"""Tokens that the line costs which says where the rest of a block stands."""


def _paid(block: Block, lines: list[str], budget: int, *, numbered: bool) -> int:
    """How many of a block's first lines a budget pays for."""
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(_rendered(block, lines, middle, numbered=numbered)) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def _head(block: Block) -> str:
    read_only = ' access="read-only"' if block.read_only else ""
    described = f' description="{attribute(block.description)}"' if block.description else ""
    size = f'characters="{block.size}" limit="{block.limit}"'
    return f'<block label="{attribute(block.label)}" file="{attribute(block.path)}"{described}{read_only} {size}>'


def _rendered(block: Block, lines: list[str], shown: int, *, numbered: bool) -> str:
    """A block with its first lines, safe for a model: no file can close its own block, or open another."""
    kept = [for_model(line) for line in lines[:shown]]
    if numbered:
        kept = [f"{number:>4}\t{line}" for number, line in enumerate(kept, 1)]
    if shown < len(lines):
        kept.append(f"… {len(lines) - shown} more lines: get {attribute(block.path)}#L{shown + 1}")
    return "\n".join([_head(block), *kept, "</block>", ""])


def context(core: Core, bundle: Bundle, *, mark: str, budget: int) -> Context:
    """The core, and below it what was recalled, fenced as data.

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
    """What the core may cost of a budget that it shares with recall.

    Recall comes first with a few hits, then the core, and from there each grows with the budget.

    Args:
        budget, core, recalled: most tokens of both, of the core, of what is recalled.
        fence: tokens that a fence costs.
    """
    kept = max(budget // 4, fence + min(budget // 2, _FEW_HITS))
    return max(1, min(core, budget - min(recalled, kept)))


def rest(found: Core, *, budget: int, recalled: int, fence: int) -> int:
    """What recall may cost beside a core. Law: never less when the budget is more.

    What a core that is cut leaves over is nobody's: with a larger budget its next line may take that.
    """
    whole = all(each.shown < 0 for each in found.blocks)
    return max(1, min(recalled, budget - (found.tokens if whole else found.budget) - fence))


_FEW_HITS = 100
"""Tokens of two or three hits."""


def shows(core: Core, source: Citation) -> bool:
    """Whether a line stands in one of the blocks, and not where it was cut."""
    return any(each.path == source.path and (each.shown < 0 or source.line <= each.shown) for each in core.blocks)


def fence_cost(mark: str) -> int:
    """Tokens that a fence costs beside what stands in it; most with a mark of digits alone."""
    fence = f"memory-{mark}"
    return count_tokens(f"\n<{fence}>\n{table('core')['fence'].format(fence=fence)}\n</{fence}>\n") + 1


def numbered_lines(text: str, first: int, last: int) -> str:
    """The lines from `first` to `last` (1 is the first; both included) with `\\n` for line ends."""
    return "".join(lines_of(text.replace("\r\n", "\n"))[first - 1 : last])
