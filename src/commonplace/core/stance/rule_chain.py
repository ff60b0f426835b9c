"""What one statement says about another: a chain of rules, each of which gives a certain result or none.

Clauses are compared pair by pair; the first rule with a result decides the pair. A contradiction of any pair decides
for the statements, since an opinion is false if one of its clauses is; a fact supports an opinion if it restates a
clause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import Stance
from commonplace.core.stance.change_rules import changed, ended, relocated, restricted, succeeded
from commonplace.core.stance.clause_comparison import (
    Weighing,
    as_written,
    coverage,
    kana_replaced,
    opposites,
    preference,
    quantities_differ,
    roles_differ,
    same_frame,
    same_subject,
    turned,
    units_differ,
)
from commonplace.core.stance.denial_rule import denied
from commonplace.core.stance.stance_lexicon import StanceLexicon, lexicon
from commonplace.core.stance.statement_reader import Statement, prepare
from commonplace.core.text.known_languages import UNSPACED

if TYPE_CHECKING:
    from commonplace.core.stance.stance_clause import Clause

_FEW = 8
"""Maximum characters of a statement too short to distinguish Chinese from Japanese."""
_MORE = 2
"""Minimum words of a preference beside the preferred thing that make it about something else."""
_OBJECT = 3
"""Maximum words of an object that replaces another."""
_RESTATED = 0.8
_SCENE = 2
"""Minimum words that two scenes must share before a difference in them counts."""


def weigh(opinion: str, fact: str) -> Weighing:
    """Return whether the fact supports or contradicts the opinion, or is undecided, with the reason."""
    return weigh_prepared(prepare(opinion), prepare(fact))


def weigh_prepared(opinion: Statement, fact: Statement) -> Weighing:
    """As `weigh`, for parsed statements."""
    if opinion.language != fact.language:
        opinion, fact = _as_japanese(opinion, fact), _as_japanese(fact, opinion)
    if opinion.language != fact.language:
        if opinion.sure and fact.sure:
            return Weighing(Stance.UNDECIDED, "two languages")
        language = fact.language if fact.sure else opinion.language
        opinion, fact = prepare(opinion.text, language), prepare(fact.text, language)
    if fact.question or opinion.question:
        return Weighing(Stance.UNDECIDED, "a question is not a statement")
    weighed = _weigh_each(opinion, fact, helds=opinion.clauses, saids=fact.clauses)
    if weighed is None and fact.parts:
        weighed = _weigh_each(opinion, fact, helds=opinion.clauses, saids=fact.parts)
    if weighed is None and opinion.parts:
        weighed = _weigh_each(opinion, fact, helds=opinion.parts, saids=fact.clauses)
        if weighed is not None and weighed.stance is Stance.SUPPORTS:
            weighed = None  # only a part of the opinion
    if weighed is not None:
        return weighed
    shared = _shared_as_written(opinion, fact)
    if not shared and opinion.text.split() and sorted(opinion.text.split()) == sorted(fact.text.split()):
        shared = ["the same words"]
    return Weighing(Stance.UNDECIDED, "no rule applies: " + ", ".join(shared) if shared else "nothing in common")


def _as_japanese(statement: Statement, other: Statement) -> Statement:
    """Return the statement as Japanese if it is a few Chinese characters and the other is Japanese: 独身."""
    short = statement.language == "zh" and other.language == "ja" and len(statement.text) <= _FEW
    return prepare(statement.text, "ja") if short else statement


def _weigh_each(
    opinion: Statement, fact: Statement, *, helds: tuple[Clause, ...], saids: tuple[Clause, ...]
) -> Weighing | None:
    """Compare each clause with each; a contradiction comes before a support."""
    words = lexicon(opinion.language)
    supports = None
    unread = not opinion.sure and not fact.sure
    for held in helds:
        for said in saids:
            weighed = _weigh_clauses(held, said, words=words)
            if weighed is None:
                continue
            if weighed.stance is Stance.SUPPORTS and unread and held.content != said.content:
                continue  # the extra word on one side may be a denial in a language that we do not read
            if weighed.stance is Stance.SUPPORTS and saids is fact.parts and not held.content <= said.content:
                continue  # what the part leaves out may be in another part, changed
            if weighed.stance is Stance.CONTRADICTS:
                if _says(opinion, said) or _says(fact, held):
                    continue  # one side contains both, so they are compatible
                return weighed
            supports = supports or weighed
    return supports


def _shared_as_written(opinion: Statement, fact: Statement) -> list[str]:
    """Return what both statements are about, in the words of the fact and in their order."""
    about = frozenset().union(*(clause.subject for clause in opinion.clauses))
    shared = about & frozenset().union(*(clause.subject for clause in fact.clauses))
    if not shared:
        return []
    written = [surface for clause in fact.clauses for concept, surface in clause.surface.items() if concept in shared]
    return list(dict.fromkeys(written))


def reverses(opinion: str, fact: str) -> bool:
    """Whether the fact contradicts the opinion."""
    return weigh(opinion, fact).stance is Stance.CONTRADICTS


def same_statement(a: str, b: str) -> bool:
    """Whether two statements are one opinion in other words: neither has content that the other lacks."""
    return same_statement_prepared(prepare(a), prepare(b))


def same_statement_prepared(a: Statement, b: Statement) -> bool:
    """As `same_statement`, for parsed statements."""
    if weigh_prepared(a, b).stance is not Stance.SUPPORTS:
        return False
    smaller, larger = sorted((len(a.content), len(b.content)))
    return len(a.content & b.content) >= _RESTATED * larger and larger - smaller <= max(1, larger // 5)


def _says(statement: Statement, clause: Clause) -> bool:
    """Whether a statement has a clause that says the same."""
    return any(
        own.words == clause.words
        and (own.negations, own.changing, own.only) == (clause.negations, clause.changing, clause.only)
        and [(one.value, one.unit) for one in own.quantities] == [(one.value, one.unit) for one in clause.quantities]
        for own in statement.clauses
    )


def _weigh_clauses(held: Clause, said: Clause, *, words: StanceLexicon) -> Weighing | None:
    bare = len(held.subject) == len(said.subject) == 1
    if held.subject.isdisjoint(said.subject) and not bare and not ((held.liking and said.liking) or said.change):
        return None
    if held.hedge != said.hedge or held.kin != said.kin:
        return None
    if held.may != said.may and not (held.permits and said.permits):
        return None  # may as in "may be so", not as in "may do so"
    for rule in _RULES:
        weighed = rule(held, said, words)
        if weighed is not None:
            return weighed
    return None


def _swapped(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: A over B, B over A; B at all, A over B; used A, switched from A to B."""
    if held.negations or said.negations or not (held.rejected or said.rejected):
        return None
    if held.rejected and said.rejected:
        return _both_chosen(held, said, words=words)
    choice, plain = (held, said) if held.rejected else (said, held)
    if choice.moved and choice is said:
        return _moved_on(plain, choice, words=words)
    if plain.content and plain.content <= choice.rejected and choice.liking and plain.liking:
        return Weighing(Stance.CONTRADICTS, f"another preferred: {preference(choice)}")
    elif choice.rejected <= plain.content and bool(choice.liking) == bool(plain.liking) and not choice.event:
        rest = plain.content - choice.rejected - words.carriers
        if rest and rest <= choice.content:
            return Weighing(Stance.CONTRADICTS, f"another chosen: {preference(choice)}")
    return None


def _both_chosen(held: Clause, said: Clause, *, words: StanceLexicon) -> Weighing | None:
    if quantities_differ(held, said) or opposites(held, said, words=words):
        return None  # more than five, more than eight; larger than that, which is smaller than this
    lost, gained = held.rejected - said.rejected, said.rejected - held.rejected
    if lost and gained and lost <= said.content and gained <= held.content:
        return Weighing(Stance.CONTRADICTS, f"swapped preference: {preference(said)}")
    same = held.rejected == said.rejected and held.content == said.content and not roles_differ(held, said)
    return Weighing(Stance.SUPPORTS, f"the same preference: {preference(said)}") if same else None


def _moved_on(plain: Clause, choice: Clause, *, words: StanceLexicon) -> Weighing | None:
    used = plain.content - words.habits
    if choice.rejected <= plain.content:
        rest = plain.content - choice.rejected
        against = (plain.liking and len(rest) < _MORE) or used != plain.content or rest & choice.content
        return Weighing(Stance.CONTRADICTS, f"moved on: {preference(choice)}") if against else None
    if used != plain.content and len(used) > 1 and used <= choice.content:
        return Weighing(Stance.SUPPORTS, f"moved on: {preference(choice)}")
    return None


def _opposed(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: opposite words in the same frame. Supports: a denied opposite."""
    pairs = opposites(held, said, words=words)
    if len(pairs) != 1 or held.indefinite or said.indefinite or held.adds or said.adds:
        return None
    left, right = pairs[0]
    if held.once != said.once and right not in words.lasting:
        return None  # closed today
    rest, others = held.content - {left}, said.content - {right}
    but = frozenset((left, right))
    if (
        (not (rest or others) and (bool(held.liking) != bool(said.liking) or held.quantities or said.quantities))
        or not (
            same_frame(rest, others, words=words) or _said_first(rest, held, said=said, opposite=right, words=words)
        )
        or not same_subject(held, said, words=words, but=but)
        or quantities_differ(held, said)
        or turned(held, said, but=but)
    ):
        return None
    reason = f"antonyms: {held.surface[left]}/{said.surface[right]}"
    if held.negations == said.negations == 0:
        return Weighing(Stance.CONTRADICTS, reason)
    if held.negations + said.negations == 1 and not held.lapsed and not said.lapsed:
        return Weighing(Stance.SUPPORTS, "a denied antonym" + reason.removeprefix("antonyms"))
    return None


def _said_first(rest: frozenset[str], held: Clause, *, said: Clause, opposite: str, words: StanceLexicon) -> bool:
    """Whether a clause reaches the opposite with the same words only, and continues after it."""
    if words.verb_last or not rest or not rest <= said.content or opposite not in said.words:
        return False
    if held.negations or said.negations or held.liking or said.liking:
        return False
    return all(word in rest or word in words.carriers for word in said.words[: said.words.index(opposite)])


def _judged(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: likes it, and it is dreadful; cannot stand it, and it is excellent."""
    if bool(held.liking) == bool(said.liking) or held.once or said.once or held.indefinite or said.indefinite:
        return None
    liking, judgement = (held, said) if held.liking else (said, held)
    if judgement.negations or liking.negations > 1 or liking.rejected or not words.blame:
        return None
    against = words.praise if liking.negations else words.blame
    judged = judgement.content & against
    if liking.negations and liking.cue != liking.liking:
        return None
    if (
        len(judged) != 1
        or not liking.content
        or not same_frame(liking.content, judgement.content - judged, words=words)
    ):
        return None
    return Weighing(Stance.CONTRADICTS, f"likes and dislikes: {liking.liking}/{as_written(judgement, judged)}")


def _recounted(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: the same with another number."""
    if held.negations or said.negations or (held.indefinite and said.indefinite) or held.event != said.event:
        return None
    counts = quantities_differ(held, said)
    if counts is None:
        return None
    unit = frozenset((counts[0].unit,))
    alone = held.content - unit and said.content - unit
    left, right = (held.content - unit, said.content - unit) if alone else (held.content, said.content)
    if not left & right or (left - right - words.carriers and right - left - words.carriers):
        return None  # more than the number differs
    if not same_frame(left, right, words=words, least=0.75):
        return None
    return Weighing(Stance.CONTRADICTS, f"number changed: {counts[0].text} → {counts[1].text}")


def _replaced(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: another word of an exclusive class, or another object of a predicate that has only one."""
    if held.negations or said.negations or held.indefinite or said.indefinite or bool(held.liking) != bool(said.liking):
        return None
    old, new = (one.content - other.content - words.carriers for one, other in ((held, said), (said, held)))
    shared = held.content & said.content
    if not old or not new or not shared or len(old) > _OBJECT or len(new) > _OBJECT or held.event != said.event:
        return None
    kinds = {words.exclusive.get(word, "") for word in old | new}
    of_class = len(old) == len(new) == len(kinds) == 1 and "" not in kinds
    if of_class and kinds <= words.scenes and len(shared) < _SCENE:
        return None
    if of_class and kinds <= words.said_of and not (held.copula and said.copula):
        return None
    if held.liking:
        of_class, of_predicate = of_class and kinds <= words.scheduled, False
    else:
        of_predicate = not shared.isdisjoint(words.unique) and len(old) == len(new) == 1
    if of_class or of_predicate:
        was = tuple(word for word in held.words if word in old)
        now = tuple(word for word in said.words if word in new)
        return Weighing(Stance.CONTRADICTS, f"only one can hold: {as_written(held, was)} → {as_written(said, now)}")
    return None


def _restated(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Supports: the same content, with the same polarity, counts and roles."""
    if held.negations != said.negations or held.negations > 1 or bool(held.liking) != bool(said.liking):
        return None
    if quantities_differ(held, said) or units_differ(held, said) or opposites(held, said, words=words):
        return None
    if _says_otherwise(held, said, words=words):
        return None
    more, less = coverage(held, said, words=words), coverage(said, held, words=words)
    if max(more, less) < 1.0 or min(more, less) < _RESTATED:
        return None  # a word was replaced, or too much was added
    if (words.language in UNSPACED and kana_replaced(held, said)) or (
        len(held.content) > 1 and roles_differ(held, said)
    ):
        return None
    return Weighing(Stance.SUPPORTS, f"restated: {as_written(said, said.words)}")


def _says_otherwise(held: Clause, said: Clause, *, words: StanceLexicon) -> bool:
    """Whether function words make it another statement: was so, only so, so until now; some do, all do."""
    return bool(
        held.rejected & said.content
        or said.rejected & held.content
        or held.only != said.only
        or (held.changing == "ends") != (said.changing == "ends")
        or (held.changing == "relocates") != (said.changing == "relocates")
        or held.event != said.event
        or not words.scopes.isdisjoint(held.light ^ said.light)
        or (held.aside and said.aside and held.aside != said.aside)
    )


_RULES = (
    _swapped,
    denied,
    _opposed,
    _judged,
    _recounted,
    changed,
    succeeded,
    relocated,
    ended,
    _replaced,
    restricted,
    _restated,
)
