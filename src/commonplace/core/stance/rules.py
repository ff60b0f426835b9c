"""What one statement says about another: a chain of rules, each sure of itself or silent.

Clauses are compared pair by pair. The first rule that speaks decides a pair; a contradiction of any pair decides the
statements, since an opinion falls with one of its clauses; a fact supports when it restates a clause.
"""

from __future__ import annotations

from typing import NamedTuple

from commonplace.core.model import Stance
from commonplace.core.stance.clause import LOCAL_NEGATION, Clause, Quantity
from commonplace.core.stance.lexicon import Lexicon, lexicon
from commonplace.core.stance.statement import Statement, prepare


class Weighing(NamedTuple):
    """The bearing of a fact on an opinion."""

    stance: Stance
    reason: str
    """In words, for people."""


_DENIED_COVERED = ((7, 0.75), (5, 0.8), (1, 1.0))
"""From so many words of a denial on, the share of them that the other side must state: a long one has more asides."""
_STATED_COVERED = 0.34
"""Share of what is stated that the denial must speak of."""
_WHO_DOES_WHOM = 3
_STEM = 4
"""Letters of a word that a prefix can turn into its opposite."""
_OBJECT = 3
"""Words of an object that replaces another."""
_FRAME = 0.6
"""Share of the rest of each clause that must be the same for opposites to meet."""
_RESTATED = 0.8


def weigh(opinion: str, fact: str) -> Weighing:
    """Whether the fact supports or contradicts the opinion, or whether it cannot be told; with the reason."""
    return weigh_prepared(prepare(opinion), prepare(fact))


def weigh_prepared(opinion: Statement, fact: Statement) -> Weighing:
    """As `weigh`, of statements read before."""
    if opinion.language != fact.language:
        if opinion.sure and fact.sure:
            return Weighing(Stance.UNDECIDED, "two languages")
        language = fact.language if fact.sure else opinion.language
        opinion, fact = prepare(opinion.text, language), prepare(fact.text, language)
    if fact.question or opinion.question:
        return Weighing(Stance.UNDECIDED, "a question states nothing")
    words = lexicon(opinion.language)
    supports = None
    unread = not opinion.sure and not fact.sure
    for held in opinion.clauses:
        for said in fact.clauses:
            weighed = _weigh_clauses(held, said, words)
            if weighed is None:
                continue
            if weighed.stance is Stance.SUPPORTS and unread and held.content != said.content:
                continue  # the word more on one side may be a denial in a language that we do not read
            if weighed.stance is Stance.CONTRADICTS:
                if _says(opinion, said) or _says(fact, held):
                    continue  # both stand on one side already, and so go together
                return weighed
            supports = supports or weighed
    if supports is not None:
        return supports
    shared = opinion.content & fact.content
    return Weighing(Stance.UNDECIDED, "no rule tells: " + ", ".join(sorted(shared)) if shared else "nothing in common")


def reverses(opinion: str, fact: str) -> bool:
    """Whether the fact says the opposite of the opinion."""
    return weigh(opinion, fact).stance is Stance.CONTRADICTS


def same_statement(a: str, b: str) -> bool:
    """Whether two statements are one opinion in other words: nothing that either says is missing from the other."""
    return same_statement_prepared(prepare(a), prepare(b))


def same_statement_prepared(a: Statement, b: Statement) -> bool:
    """As `same_statement`, of statements read before."""
    if weigh_prepared(a, b).stance is not Stance.SUPPORTS:
        return False
    smaller, larger = sorted((len(a.content), len(b.content)))
    return len(a.content & b.content) >= _RESTATED * larger and larger - smaller <= max(1, larger // 5)


def _says(statement: Statement, clause: Clause) -> bool:
    """Whether a statement has a clause that says the same."""
    return any(
        own.words == clause.words
        and own.negations == clause.negations
        and [(one.value, one.unit) for one in own.quantities] == [(one.value, one.unit) for one in clause.quantities]
        for own in statement.clauses
    )


def _weigh_clauses(held: Clause, said: Clause, words: Lexicon) -> Weighing | None:
    bare = len(held.subject) == len(said.subject) == 1
    if held.subject.isdisjoint(said.subject) and not bare and not (held.liking and said.liking):
        return None
    if held.hedge != said.hedge and (held.hedge or said.hedge):
        return None
    for rule in (_swapped, _denied, _opposed, _recounted, _replaced, _restated):
        weighed = rule(held, said, words)
        if weighed is not None:
            return weighed
    return None


def _swapped(held: Clause, said: Clause, words: Lexicon) -> Weighing | None:
    """A over B, B over A; B at all, A over B; used A, switched from A to B."""
    if held.negations or said.negations or not (held.rejected or said.rejected):
        return None
    if held.rejected and said.rejected:
        lost, gained = held.rejected - said.rejected, said.rejected - held.rejected
        if lost and gained and lost <= said.content and gained <= held.content:
            return Weighing(Stance.CONTRADICTS, f"swapped preference: {_over(said)}")
        same = held.rejected == said.rejected and held.content == said.content
        return Weighing(Stance.SUPPORTS, f"the same preference: {_over(said)}") if same else None
    choice, plain = (held, said) if held.rejected else (said, held)
    if choice.moved and choice is said and choice.rejected <= plain.content:
        if plain.liking or not plain.content.isdisjoint(words.habits):
            return Weighing(Stance.CONTRADICTS, f"moved on: {_over(choice)}")
    elif plain.content and plain.content <= choice.rejected and choice.liking and plain.liking:
        return Weighing(Stance.CONTRADICTS, f"another preferred: {_over(choice)}")
    return None


def _denied(held: Clause, said: Clause, words: Lexicon) -> Weighing | None:
    """One side denies what the other states."""
    if held.negations + said.negations != 1:
        return None
    denial, stated = (held, said) if held.negations else (said, held)
    if not _is_about(denial, stated, words) or _quantities_differ(held, said) or _opposites(held, said, words):
        return None
    if denial.liking and denial.cue == denial.liking and stated.liking:
        return Weighing(Stance.CONTRADICTS, f"antonyms: {held.liking}/{said.liking}")
    side = "the fact" if denial is said else "the opinion"
    return Weighing(
        Stance.CONTRADICTS, f"negation on one side: {side} says {denial.cue} … {_said(denial, denial.words)}"
    )


def _is_about(denial: Clause, stated: Clause, words: Lexicon) -> bool:
    """Whether what is denied is what is stated, and not something more particular."""
    if not denial.content or not stated.content:
        return False
    if denial.event and not denial.liking and (stated.liking or not stated.event):
        return False  # that it did not happen once denies neither a preference nor a habit
    if stated.liking and not denial.liking and denial.copula:
        return False  # what is not so may still be wanted
    if _turned(denial, stated):
        return False
    least = next(share for size, share in _DENIED_COVERED if len(denial.content) >= size)
    return _coverage(denial, stated, words) >= least and _coverage(stated, denial, words) >= _STATED_COVERED


def _opposed(held: Clause, said: Clause, words: Lexicon) -> Weighing | None:
    """Opposite words in the same frame."""
    pairs = _opposites(held, said, words)
    if len(pairs) != 1 or held.indefinite or said.indefinite or held.adds or said.adds:
        return None
    left, right = pairs[0]
    rest_held, rest_said = held.content - {left}, said.content - {right}
    if not _same_frame(rest_held, rest_said, held, said):
        return None
    reason = f"antonyms: {held.surface[left]}/{said.surface[right]}"
    if held.negations == said.negations == 0:
        return Weighing(Stance.CONTRADICTS, reason)
    if held.negations + said.negations == 1:
        return Weighing(Stance.SUPPORTS, "a denied antonym" + reason.removeprefix("antonyms"))
    return None


def _recounted(held: Clause, said: Clause, words: Lexicon) -> Weighing | None:
    """The same of another number."""
    if held.negations or said.negations or (held.indefinite and said.indefinite):
        return None
    changed = _quantities_differ(held, said)
    if changed is None or not _same_frame(held.content, said.content, held, said, 0.75):
        return None
    return Weighing(Stance.CONTRADICTS, f"number changed: {changed[0].text} → {changed[1].text}")


def _replaced(held: Clause, said: Clause, words: Lexicon) -> Weighing | None:
    """One word of a class of which only one holds, or one object of a predicate that has one."""
    if held.negations or said.negations or held.indefinite or said.indefinite or bool(held.liking) != bool(said.liking):
        return None
    old, new = held.content - said.content, said.content - held.content
    shared = held.content & said.content
    if not old or not new or not shared or len(old) > _OBJECT or len(new) > _OBJECT:
        return None
    kinds = {words.exclusive.get(word, "") for word in old | new}
    of_class = len(old) == len(new) == len(kinds) == 1 and "" not in kinds
    if held.liking:
        of_class, of_predicate = of_class and kinds <= words.scheduled, False
    else:
        of_predicate = not shared.isdisjoint(words.unique)
    if of_class or of_predicate:
        was = tuple(word for word in held.words if word in old)
        now = tuple(word for word in said.words if word in new)
        return Weighing(Stance.CONTRADICTS, f"only one can hold: {_said(held, was)} → {_said(said, now)}")
    return None


def _restated(held: Clause, said: Clause, words: Lexicon) -> Weighing | None:
    """The same content, with the same polarity, counts and roles."""
    if held.negations != said.negations or held.negations > 1 or bool(held.liking) != bool(said.liking):
        return None
    if _quantities_differ(held, said) or _units_differ(held, said) or _opposites(held, said, words):
        return None
    more, less = _coverage(held, said, words), _coverage(said, held, words)
    if max(more, less) < 1.0 or min(more, less) < _RESTATED:
        return None  # a word was replaced, or too much was added
    if words.language in {"zh", "ja"} and _kana_replaced(held, said):
        return None
    if len(held.content) > 1 and _roles_differ(held, said):
        return None
    return Weighing(Stance.SUPPORTS, f"restated: {_said(said, said.words)}")


def _kana_replaced(held: Clause, said: Clause) -> bool:
    """Whether a word stands where the other side has small signs only: a noun in hiragana, taken for particles."""
    return any(
        one.content - other.content and len(other.light - other.content - one.light) > 1
        for one, other in ((held, said), (said, held))
    )


def _coverage(one: Clause, other: Clause, words: Lexicon) -> float:
    """The share of one clause's content that another states; a leading name counts only against another name."""
    if not one.content:
        return 0.0
    missing = one.content - other.content
    if not missing:
        return 1.0
    found = len(one.content) - len(missing)
    size = len(one.content)
    for word in missing:
        if any(word in words.kinds.get(specific, ()) for specific in other.content):
            found += 1
        elif word == one.lead and (not other.lead or other.lead in one.content) and size > 1:
            size -= 1
    return found / size


def _opposites(held: Clause, said: Clause, words: Lexicon) -> list[tuple[str, str]]:
    """Pairs of opposite words, each standing on its side alone."""
    found = []
    rest = said.light - held.light
    for word in held.light - said.light:
        meet = rest & words.opposites.get(word, frozenset())
        if not meet:
            meet = rest & {word.removeprefix(LOCAL_NEGATION), LOCAL_NEGATION + word}
        for prefix in words.prefixes if not meet else ():
            bare = word.removeprefix(prefix)
            if len(bare) >= _STEM:
                meet = meet | (rest & {prefix + word, bare})
        if meet:
            found.append((word, min(meet)))
    return found


def _same_frame(left: frozenset[str], right: frozenset[str], held: Clause, said: Clause, least: float = _FRAME) -> bool:
    """Whether most of what surrounds a difference is the same."""
    if not left and not right:
        return True
    shared = len(left & right)
    return shared >= least * len(left) and shared >= least * len(right)


def _quantities_differ(held: Clause, said: Clause) -> tuple[Quantity, Quantity] | None:
    """Two counts of the same unit that cannot both hold; None when any is shared."""
    for old in held.quantities:
        same = [new for new in said.quantities if new.unit == old.unit]
        if same and all(_excludes(old, new) for new in same):
            return old, same[0]
    return None


def _units_differ(held: Clause, said: Clause) -> bool:
    """Whether both count, but nothing that the other counts."""
    units = {one.unit for one in held.quantities}
    return bool(units and said.quantities) and units.isdisjoint(one.unit for one in said.quantities)


def _excludes(old: Quantity, new: Quantity) -> bool:
    if old.bound == new.bound:
        return old.value != new.value
    if old.bound == "=":
        old, new = new, old
    if new.bound != "=":
        return (old.value < new.value) == (old.bound == "<")
    return new.value > old.value if old.bound == "<" else new.value < old.value


def _roles_differ(held: Clause, said: Clause) -> bool:
    """Whether the shared words change order, which may swap who does what to whom."""
    if held.passive != said.passive:
        return False
    shared = held.content & said.content
    return [word for word in held.words if word in shared] != [word for word in said.words if word in shared]


def _over(clause: Clause) -> str:
    return f"{_said(clause, clause.words)} over {_said(clause, clause.rejected)}"


def _turned(one: Clause, other: Clause) -> bool:
    """Whether who does it to whom is swapped round the same verb."""
    shared = one.content & other.content
    mine, theirs = ([word for word in clause.words if word in shared] for clause in (one, other))
    return len(mine) == _WHO_DOES_WHOM and mine == theirs[::-1] and one.passive == other.passive


def _said(clause: Clause, concepts: tuple[str, ...] | frozenset[str]) -> str:
    return " ".join(clause.surface.get(concept, concept) for concept in concepts)
