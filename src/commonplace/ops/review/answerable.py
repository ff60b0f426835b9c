"""What can be answered, and whether an answer may be given: by a person, or by a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import Defect, read_bullet, render
from commonplace.core.entities.entity_kinds import KINDS
from commonplace.core.entities.resolution import read_same, same_line
from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.markdown.page_regions import damage, region
from commonplace.core.markdown.region_marker import digest
from commonplace.core.model import Trailer
from commonplace.core.opinions.explanations import unmoved
from commonplace.core.opinions.formation import Undecided
from commonplace.core.pages.page_sentence import with_carets
from commonplace.core.review import review_answers as core_answers
from commonplace.core.review import review_page
from commonplace.core.review.line_changes import change_line
from commonplace.core.review.possible_names import name_line, read_name
from commonplace.core.review.replacements import replaced_line
from commonplace.core.review.shown_words import not_shown, opposite
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold
from commonplace.errors import Busy, NotFound, UsageError, WorkspaceError
from commonplace.ops.beliefs.believe import gather, moved
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.reflect.page_sentences import SentencePages
from commonplace.ops.reflect.propose import open_questions
from commonplace.ops.review.added_facts import added_fact, kind_refused
from commonplace.ops.review.lines_beside import beside
from commonplace.ops.write.compose_fact import compose, understood

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from commonplace.core.opinions.opinion_entry import Entry
    from commonplace.core.review.review_answers import Answer
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace

_LIST = "commonplace review lists the questions"
_SOURCE = lazy_pattern(
    r" \(\[[^\]]{0,80}\]\([^)\s]{0,500}\)(?:, according to \S{1,300})?\)(?= on “)| \^o-\S{1,80} \^\S{1,80}$"
)
"""What the page says of a pair besides its two texts."""


class AnswerOutcome(NamedTuple):
    """The result of one answer."""

    id: str
    verdict: str
    was: str
    """The earlier verdict; empty if there was none, or the same."""
    text: str
    """The statement in question."""
    outcome: str
    """`done`, `waits` (recorded in the review page, and not acted on yet: the notes say why) or `would be done`."""
    why: str = ""
    """Why a verdict on evidence changes no confidence; empty if it does."""
    added: bool = False
    """Whether it is a fact that no question asked for."""


def refusal(index: Index, texts: FileTexts, *, text: str) -> WorkspaceError | Busy | None:
    """Return why answers cannot be written into the page; None if they can."""
    if not text and (elsewhere := moved(index, texts).get(REVIEW)):
        return WorkspaceError(f"the region of {REVIEW} is in {elsewhere}", "move it back, then answer again")
    if problem := damage(text, "review"):
        return WorkspaceError(
            f"{REVIEW} cannot be written: {problem}", "repair it, then answer again; nothing was written"
        )
    if text.strip() and region(text, "review") is None:
        why = f"{REVIEW} cannot be written: somebody else made it"
        return WorkspaceError(why, "commonplace reflect --yes adds our region to it")
    if texts.workspace.open_in_editor(REVIEW):
        why = f"{REVIEW} is open in an editor, perhaps with unsaved changes"
        return Busy(why, "save and close it, then answer again; nothing was written")
    return None


class Answerable:
    """What can be answered: what waits, what was answered before, and any pair of opinion and fact."""

    def __init__(self, index: Index, workspace: Workspace, today: date) -> None:
        self.index = index
        self.workspace = workspace
        self.today = today
        self.got = got = gather(index, FileTexts(workspace), today=today)
        self.text = text = got.texts.text(REVIEW)
        if (wrong := refusal(index, got.texts, text=text)) is not None:
            raise wrong
        self.waits = waits = open_questions(index, got, text=text)
        self.proposals = {each.id: each for each in waits.inferred}
        self.lines: dict[str, str] = {
            **{each.id: review_page.inferred_line(each) for each in waits.inferred},
            **{each.id: review_page.core_line(each) for each in waits.core},
            **{each.id: same_line(each) for each in waits.same},
            **{each.id: name_line(each) for each in waits.names},
            **{each.id: replaced_line(each) for each in waits.replaced},
            **{each.id: change_line(each) for each in waits.changes},
            **{review_page.pair_id(pair): _pair_line(pair) for pair in waits.pairs},
        }
        self.before = {each.id: each for each in got.decided}
        self.entries = {entry.id: entry for entry in got.formed.entries}
        self._pages: SentencePages | None = None

    def resolved(self, given: Answer) -> Answer:
        """Return the checked answer, with the id of its question."""
        given = given._replace(id=given.id.lstrip("^").casefold())
        answer = self._of_pair(given) if given.fact_id else given
        if answer.id.startswith("s-"):
            self._must_stand(answer)
        if answer.id not in self.lines and answer.id not in self.before:
            raise NotFound(f"there is no open question ^{answer.id}", self._where(answer.id))
        if problem := core_answers.misfit(answer):
            raise UsageError(problem, _LIST)
        if core_answers.several_bullets(answer.text):
            raise UsageError(core_answers.SEVERAL, "accept it with one text, and retain the others")
        if answer.id.startswith("i-") and answer.verdict == review_page.ACCEPTED:
            self._must_have_its_log(answer.id)
        if answer.id.startswith("s-"):
            return answer._replace(text=with_carets(answer.text))
        return answer._replace(text=self._in_grammar(answer)) if answer.text else answer

    def may_be_answered(self, given: Answer) -> None:
        """Raise UsageError for what only a person may decide, and for words of a model that come from nowhere."""
        if core_answers.for_a_person(given.id):
            raise UsageError(core_answers.ONLY_A_PERSON)
        if not given.by:
            return
        before, proposed = self.before.get(given.id), self.proposals.get(given.id)
        if before is not None and not before.by:
            raise UsageError("a person decided it")
        if given.id.startswith("c-") and given.verdict == review_page.ACCEPTED:
            raise UsageError("a person writes the core: it stays offered")
        if review_page.changed_by_hand(self.text, given.id):
            raise UsageError("a person has changed its line: they decide")
        if proposed is not None and proposed.by:
            raise UsageError("a model added it: a person decides")
        if given.id.startswith("i-") and (wrong := kind_refused(given.text)):
            raise UsageError(wrong)
        if given.text:
            self._may_be_worded(given)

    def _may_be_worded(self, given: Answer) -> None:
        """Raise UsageError for words of a model that do not come from what it was shown, or turn it round."""
        kind = given.id[:2]
        if kind == "e-":
            said = read_name(given.id, given.text)
            if said is None or (said.kind and said.kind not in KINDS):
                raise UsageError(f"only the kind can be reworded: {', '.join(KINDS)}")
        elif kind == "a-":
            if read_same(given.id, given.text) is None:
                raise UsageError("the names cannot be reworded; only their order can be changed")
        elif kind == "i-":
            if (proposed := self.proposals.get(given.id)) is None:
                raise UsageError("it is decided: it can be accepted or rejected, and not reworded")
            around = beside(self.index, proposed.source, self.got.withheld)
            told = (proposed.text, str(proposed.recorded or ""), around.text if around is not None else "")
            if wrong := not_shown(given.text, "\n".join(told)):
                raise UsageError(wrong)
            if opposite(given.text, [proposed.content]):
                raise UsageError("it says the opposite of its line")

    def added(self, given: Answer, *, at_once: bool) -> Answer:
        """Return the answer that adds a fact: accepted at once, or waiting for a person."""
        found = added_fact(self.index, self.got, given, waits=self.waits, proposals=self.proposals, at_once=at_once)
        self.lines[found.id] = review_page.inferred_line(found)
        self.proposals[found.id] = found
        return given._replace(id=found.id, verdict=review_page.ACCEPTED if at_once else given.verdict, text=found.text)

    def _must_stand(self, given: Answer) -> None:
        """Raise UsageError for a sentence that cannot stand on its page."""
        if self._pages is None:
            self._pages = SentencePages(self.index, self.got, today=self.today)
        if (page := self._pages.page(given.id)) is None:
            return
        if digest(given.id) in self.waits.gone:
            return  # somebody deleted it
        self.lines[given.id] = page.task
        if given.by and given.verdict == review_page.REJECTED:
            raise UsageError("only a person can say that a page needs no sentence", "leave the question out")
        if given.text and (wrong := page.problem(given.text, by=given.by)):
            raise UsageError(wrong, "name the lines of each clause: Ida keeps the books [k3f9q].")

    def _where(self, id: str) -> str:
        """Return a hint for a question that does not wait."""
        gone = any(read and read.id == id for read in map(review_page.parted, self.text.splitlines()))
        return "its fact or opinion no longer exists: commonplace reflect removes it from the page" if gone else _LIST

    def _must_have_its_log(self, id: str) -> None:
        """Raise NotFound if the source of an inferred fact is gone: it would cite nothing."""
        asked, before = self.proposals.get(id), self.before.get(id)
        path = asked.source.path if asked else before.path if before else ""
        if path and self.got.texts.page(path).digest is None:
            raise NotFound(
                f"{path}, the source of ^{id}, is missing",
                f"restore it, or reject ^{id}; nothing was written",
            )

    def _of_pair(self, given: Answer) -> Answer:
        opinion, id = given.id, given.fact_id.lstrip("^")
        entry = self.entries.get(opinion)
        if entry is None:
            kept = self.index.opinion(opinion)
            if kept is not None:
                raise UsageError(
                    f"^{opinion} is maintained by hand: evidence does not change it", f"change it at {kept.source}"
                )
            raise NotFound(f"there is no opinion ^{opinion}", "commonplace opinions lists them with their ids")
        facts = self.got.everything
        exact = (each for each in facts if id in (each.id, str(each.source)))
        fact = next(exact, None) or next((each for each in facts if each.id.casefold() == id.casefold()), None)
        if fact is None:
            raise NotFound(f"there is no fact {given.fact_id}", "recall it first: each hit shows its id")
        pair = Undecided(entry.id, entry.statement, fact, 0.0)
        found = review_page.pair_id(pair)
        self.lines.setdefault(found, _pair_line(pair))
        return given._replace(id=found, fact_id="")

    def _in_grammar(self, answer: Answer) -> str:
        """Return new words for an inferred fact in the grammar of facts; plain ones keep its kind and entities."""
        if not answer.id.startswith("i-"):
            return answer.text
        asked = self.proposals.get(answer.id)
        said = understood(self.index, answer.text).text
        plain = isinstance(read_bullet(said), Defect)
        fact = compose(
            self.index,
            said,
            kind=asked.kind if asked and plain else None,
            entities=(),
            confidence=None,
            trailer=Trailer(),
        )
        names = fact.entities or (asked.entities if asked and plain else ())
        return render(fact._replace(entities=names, trailer=Trailer(), block_id=False))

    def done(self, answer: Answer, outcome: str, then: Mapping[str, Entry]) -> AnswerOutcome:
        """Return the result of an answer.

        Args:
            then: the opinions afterwards, by id.
        """
        before = self.before.get(answer.id)
        was = before.verdict if before and before.verdict != answer.verdict else ""
        read = review_page.parted(self.lines.get(answer.id, ""))
        text = answer.text or (before.text if before else read.text if read else "")
        if answer.id.startswith("j-"):
            text = _SOURCE.sub("", text)
        why = self._why(answer, then) if answer.id.startswith("j-") and outcome != "waits" else ""
        return AnswerOutcome(answer.id, answer.verdict, was, text, outcome, why, bool(answer.source))

    def _why(self, answer: Answer, then: Mapping[str, Entry]) -> str:
        """Return why a verdict changes no confidence; empty if it does."""
        line = self.lines.get(answer.id)
        pair = review_page.pair_of(line) if line else None
        if pair is None and (before := self.before.get(answer.id)) is not None:
            pair = (before.opinion_id, before.fact_id)
        if pair is None:
            return ""
        opinion, fact = pair
        alive = any(each.id == fact for each in self.got.counting)
        return unmoved(fact, self.entries.get(opinion), after=then.get(opinion), alive=alive)

    def stays(self, told: Iterable[AnswerOutcome]) -> Iterator[str]:
        """Yield notes on what a rejection does not undo: it was accepted before and is in a log or page."""
        for each in told:
            if each.was != review_page.ACCEPTED or each.verdict != review_page.REJECTED or each.id[:2] in ("l-", "s-"):
                continue
            said = fold(review_page.content_of(self.before[each.id]))
            there = [fact.id for fact in self.got.facts if fold(fact.content) == said]
            how = (
                f"commonplace retract {there[0]}" if there else "remove it by hand, or run: commonplace reflect --undo"
            )
            yield f"^{each.id} was accepted before, and its result remains: {how}"


def _pair_line(pair: Undecided) -> str:
    return f"- {review_page.pair_text(pair)} ^{review_page.pair_id(pair)}"
