"""Scores candidates for a question, each with its reasons (`about Peter`).

The score of a line is the share of the question that it covers, with BM25's saturation and length (Robertson & Zaragoza
2009), plus what its headings, parents and neighbours cover at a discount, plus what entity, days and kind add; gentle
multipliers follow. Every weight is in data/rank.json. A score orders the lines of one recall and means nothing else.
"""

from collections.abc import Sequence
from math import log1p

from commonplace.core import when
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.value_kinds import has_value, value_name
from commonplace.core.model import AnyLine, Hit, Kind, Role, Span
from commonplace.core.questions.ask_phrases import OF_ONE, Ask, answers, asks_who, says_home
from commonplace.core.questions.query_analysis import Reading
from commonplace.core.recall.analyzed_question import AnalyzedQuestion
from commonplace.core.recall.coverage import Coverage, Covered, wants_more_than_names
from commonplace.core.recall.scored_lines import (
    Candidate,
    Scored,
    dated,
    frames,
    likely_kind,
    naming_days,
    repeats_file_name,
)
from commonplace.core.recall.term_stats import names
from commonplace.core.tables import table
from commonplace.core.text.analyzer import document_terms

NO_STRANGER = 0.3
"""Minimum share of a question, names apart, that a line covers if the question has a name that no line has."""
WHOLE = frozenset((Ask.ABOUT, Ask.WHO))
"""Questions about an entity as a whole: its page comes first."""
SAYS_WHERE = "says where"
"""The reason of a line that says where somebody lives."""
OPEN_TASK = "an open task"
"""The reason of an open box, and of a line below a title such as TODO."""
TELLS = {
    Ask.DECISION: "a decision",
    Ask.CAUSE: "a cause",
    Ask.FIX: "a fix",
    Ask.STILL: "says whether it is still so",
    Ask.OFTEN: "says how often",
    Ask.LIVES: SAYS_WHERE,
    Ask.CONTACT: "says how to reach somebody",
    Ask.MAIL: "says an address for mail",
    Ask.BORN: "says when somebody was born",
    Ask.FAMILY: "says who is of the family",
}
TOLD_OR_NOT = OF_ONE - {Ask.LIVES}
"""What a line tells of somebody or does not: other lines about them are no answer."""
_OF_NO_RELATIVE = frozenset((Ask.CONTACT, Ask.MAIL, Ask.BORN))
"""What a line that begins with somebody close to the one asked about tells of these alone."""
_FIRST_WORDS = 3
"""Words of a line among which stands whom it begins with: "his sister Pia, born …"."""
PROFILE = OF_ONE | {Ask.OPINION, Ask.DETAIL, Ask.HOW_TO}
"""What is asked of somebody that all notes on them may tell, in whatever words."""
ANSWERED = frozenset(TELLS)
"""What a question asks for that a line has in its words, or its heading or label has."""


class Ranker:
    """Scores candidates of one question."""

    def __init__(self, question: AnalyzedQuestion, *, has_notes: bool = False) -> None:
        """
        Args:
            has_notes: whether an undated line introduces the one asked about, or tells what is asked of them.
        """
        self._reading = reading = question.reading
        self._today = question.today
        self._weights = table("rank")
        self._names = names(reading)
        self._coverage = Coverage(question.scale, reading)
        self._told_in: dict[str, frozenset[Ask]] = {}
        self._keys = frozenset(reading.keys)
        self._name_terms = {
            key: frozenset(document_terms(name).split()) for name, keys in reading.entities for key in keys
        }
        self._homes = Ask.LIVES in reading.asks
        self._due, self._overdue = Ask.DUE in reading.asks, Ask.OVERDUE in reading.asks
        self._wants = wants_more(reading)
        self._asks_of_one = bool(reading.asks & PROFILE)
        """Whether something is asked of somebody, and not who that is."""
        self._now = not reading.asks.isdisjoint({Ask.CURRENT, Ask.LATEST})
        """Whether what is so now is asked for, of which a note is not the first to tell."""
        self._asks_for_detail = bool(reading.asks & {Ask.DETAIL, Ask.HOW_TO})
        self._has_notes = has_notes and self._asks_of_one
        self._only_to_do = (Ask.TASKS in reading.asks or self._due) and not (
            self._names or wants_more_than_names(reading)
        )
        self._strange = question.scale.strangers
        self._span: Span | None = reading.when.span if reading.when else None
        self._days = self._span or Span(question.today, question.today)
        """The days asked about; with none named, today."""

    def promise(self, worth: float, *, length: int, near: float, document: float) -> float:
        """Return an estimate of the score of a line of so many terms before its text is read, from its rough worth."""
        of_document: float = self._weights["document"] * document
        return self._coverage.promise(worth, length=length, near=near) + of_document

    @property
    def judges_by_terms(self) -> bool:
        """Whether enough terms make a line an answer: the question has no name or phrase that asks for more."""
        reading = self._reading
        return not (reading.entities or self._strange or any(term.kind == "phrase" for term in reading.terms))

    def surely(self, promise: float, best: float, *, outside: bool) -> bool:
        """Return whether a line of prose answers for certain, by the estimate of its score from its terms alone.

        Args:
            best: the best score.
            outside: whether its day is none of those asked about.
        """
        weights = self._weights
        least: float = min(1.0, weights["superseded"] * weights["retained"])  # only facts are superseded
        if Ask.CURRENT in self._reading.asks:
            least *= 1 - weights["current"]
        share: float = weights["least_share"] / (weights["out_of_range"] if outside else 1.0)
        return promise * least >= best * share

    def score(self, candidate: Candidate) -> Scored:
        """Return the candidate with its score, its reasons and what it covers of the question."""
        line = candidate.line
        named, key = self._named(candidate)
        name = self._name_terms.get(key, frozenset())
        before, after = candidate.before, candidate.after
        covered = self._coverage.of(line, length=candidate.length, before=before, after=after, name=name)
        is_title = candidate.role is Role.HEADING and self._is_title(line, covered)
        return Scored(line.source, self._hit(candidate, covered, named=named), covered, is_title)

    def _is_title(self, heading: AnyLine, covered: Covered) -> bool:
        """Whether a heading is only the name of its file, or of an entity if nothing else is asked that it covers."""
        if repeats_file_name(heading) or (not covered.asked and entity_key(heading.content) in self._keys):
            return True
        return asks_who(self._reading.asks) and self._coverage.names_alone(heading, below=False)[1] == "names_alone"

    def _hit(self, candidate: Candidate, covered: Covered, *, named: str) -> Hit | None:
        """The candidate with its score and reasons; None if it has no reason."""
        weights, reading, line = self._weights, self._reading, candidate.line
        why = _matched(candidate, covered)
        score = covered.share
        if candidate.signals:
            score += sum(signal.score for signal in candidate.signals)
        if named and named == line.speaker:
            why.append(f"said by {named}")
            score += weights["speaker"]
        elif named:
            why.append(f"about {named}")
            score += weights["entity"]
            if reading.asks & WHOLE:
                score += (
                    weights["entity_page"]
                    if candidate.page_of
                    else weights["entity_alone"] / max(1, len(line.entities))
                )
        naming = candidate.naming or self._due
        dated_line = self._dated(line, naming=naming) if why or naming else line
        in_range, closeness = self._in_range(dated_line, candidate.held, spoken=bool(covered.words))
        score += weights["range"] * closeness
        if in_range:
            why.append(in_range)
        elif line.valid is None:  # of what says of which days it is, those are known not to be the ones asked about
            score += covered.dated
        score += self._coverage.beside(candidate.length, candidate.near) + weights["document"] * candidate.document
        if self._span is not None and not (in_range or closeness):
            score *= weights["out_of_range" if dated_line.valid is None and not self._due else "other_days"]
        told = sorted(self._tells(candidate, covered, about=bool(named)))
        if not (why or (told and (candidate.widened or covered.hinted))) or _says_nothing(candidate, covered):
            return None
        to_do = self._is_to_do(dated_line, in_range, is_task=OPEN_TASK in why)
        if self._elsewhere(candidate, covered, about=bool(named or in_range)) or (self._only_to_do and not to_do):
            return None
        if self._bare(candidate, covered, spoke=bool(named) and named == line.speaker, told=bool(told)):
            if not (in_range or self._serves(candidate)):
                return None
            score *= weights["bare"]
        for ask in told:
            why.append(TELLS[ask])
            score += weights[f"asked_{ask}"]
        values = [value_name(value) for value in reading.values if has_value(line.content, value)]
        why += values
        surely = self._is_of_it(candidate, covered, about=bool(named)) if values else 0.0
        score += len(values) * weights["asked_value"] * surely
        asked = self._asked(candidate, why)
        said = self._asks_for_detail and self._coverage.has_what_asks(line)
        lasts = bool(told or asked) or (said and Ask.HOW_TO in reading.asks)
        score += asked + self._introduces(candidate, why, told=lasts, said=said and bool(covered.words))
        score *= self._factor(candidate, told=lasts or said)
        dated = self._due and self._is_ahead(dated_line)
        return (candidate._replace(line=dated_line) if dated else candidate).hit(score, why)

    def _is_of_it(self, candidate: Candidate, covered: Covered, *, about: bool) -> float:
        """How surely a value in a line is that of what the question is about, in [0, 1]: for certain if the line and
        what stands above it have some of the question; more of it, if that names somebody whom the line does not."""
        lenient = about or covered.named or not self._names or self._is_below_name(candidate.line.context)
        share = covered.titled / self._weights["value_about"] if lenient else covered.share
        return min(1.0, max(share, candidate.near))

    def _elsewhere(self, candidate: Candidate, covered: Covered, *, about: bool) -> bool:
        """Whether a line is about something else: about no name, or neither about the unknown one nor close to it."""
        close = any(signal.why for signal in candidate.signals)
        if self._strange and covered.told < NO_STRANGER and not close:
            return True
        beside = candidate.widened and (not self._reading.asks & OF_ONE or self._is_own(candidate))
        return bool(self._names) and not self._wants and not (about or covered.named or beside)

    def _is_home(self, candidate: Candidate) -> bool:
        """Whether a line tells where an entity of the question lives without its name."""
        return says_home(candidate.line.content) and self._is_own(candidate)

    def _is_own(self, candidate: Candidate) -> bool:
        """Whether a line without the name of an entity of the question stands where it tells of that one alone: on its
        own page, right below the title, or right below a heading or bullet that is the name alone."""
        line, context = candidate.line, candidate.line.context
        if not candidate.page_of:
            return self._is_below_name(context)
        from commonplace.core.entities.introductions import introduces  # here, because few questions ask for it

        if not context or introduces(line.source.path):
            return True
        titled = len(context) == 1 and not self._names.isdisjoint(document_terms(context[0]).split())
        return titled or self._is_below_name(context)

    def _is_below_name(self, context: Sequence[str]) -> bool:
        """Whether the nearest heading or bullet above a line is the name of an entity of the question alone."""
        return bool(context) and entity_key(context[-1].strip(" *_:：")) in self._keys

    def _bare(self, candidate: Candidate, covered: Covered, *, spoke: bool, told: bool) -> bool:
        """Whether a line has only the name, if a question asks more about somebody, or what only some lines tell."""
        if not (self._names and (self._wants or self._reading.asks & TOLD_OR_NOT)):
            return False
        serves = self._serves(candidate) and (candidate.placed or self._reading.kinds)
        return not (candidate.signals or covered.asked or told or (spoke and candidate.near > 0) or serves)

    def _serves(self, candidate: Candidate) -> bool:
        """Whether a line about the entity answers by its kind, without the other words of the question."""
        asks = self._reading.asks
        if self._reading.kinds:
            return candidate.is_fact and candidate.kind in self._reading.kinds
        return candidate.placed or (bool(asks & {Ask.WHERE, Ask.CURRENT}) and candidate.kind is Kind.WORLD)

    def _tells(self, candidate: Candidate, covered: Covered, *, about: bool) -> frozenset[Ask]:
        """What of `ANSWERED` a line tells of the one asked about. What is asked of somebody others have as well: it is
        told where the line names that one, or stands below the name, and begins with nobody close to them."""
        line = candidate.line
        found = self.told(line.content, line.context, home=self._homes and self._is_home(candidate))
        if found.isdisjoint(OF_ONE):
            return found
        own = about or covered.words or self._is_own(candidate) or self._coverage.names_alone(line, below=True)[0]
        if not own or (found & _OF_NO_RELATIVE and self._is_of_a_relative(line.content)):
            return found - OF_ONE
        return found

    def _is_of_a_relative(self, text: str) -> bool:
        """Whether a text begins with somebody close to the one asked about: `Sister: Pia, born …`."""
        from commonplace.core.entities.introductions import speaks_of_a_relative  # here, because few questions need it

        return speaks_of_a_relative(" ".join(text.split()[:_FIRST_WORDS]))

    def told(self, content: str, context: Sequence[str], *, home: bool = False) -> frozenset[Ask]:
        """Return what of `ANSWERED` the question asks for and a line, its label or its nearest headings tell.

        Args:
            home: whether the line is known to tell where an entity lives.
        """
        wanted = self._reading.asks & ANSWERED
        if not wanted:
            return wanted
        found: frozenset[Ask] = frozenset()
        for text in (content, *context[-2:]):
            if text not in self._told_in:
                self._told_in[text] = answers(text, wanted)
            found |= self._told_in[text] if text is content else self._told_in[text] - {Ask.OFTEN}  # not a Daily Log
        if home or (self._homes and self._is_below_name(context) and says_home(content)):
            found |= {Ask.LIVES}
        return found

    def _named(self, candidate: Candidate) -> tuple[str, str]:
        """(name, key) of the question's entity that the line is about: by a tag, a mention, its speaker or its page."""
        if not self._keys:
            return "", ""
        for name in (*candidate.line.entities, *candidate.line.mentions):
            if (key := entity_key(name)) in self._keys:
                return name, key
        if candidate.line.speaker and (key := entity_key(candidate.line.speaker)) in self._keys:
            return candidate.line.speaker, key
        return (candidate.page_of, candidate.page_of) if candidate.page_of in self._keys else ("", "")

    def _dated(self, line: AnyLine, *, naming: bool) -> AnyLine:
        """As `dated`, if the question asks about days; with those of them that it names, if it may name some."""
        if self._span is None:
            return line
        return (naming_days(line, self._span, self._today) if naming else None) or dated(line)

    def _in_range(self, line: AnyLine, held: Span | None, *, spoken: bool) -> tuple[str, float]:
        """The reason why the line belongs to the question's days, or empty; and how closely, in [0, 1].

        A stay within those days fits best; what began long ago and never ended says little about one day. What was only
        recorded on the days on which something is due counts if it has words of the question, and adds nothing. The day
        after is close, and no reason.
        """
        span, weights = self._span, self._weights
        if span is None:
            return "", 0.0
        recorded, valid = line.recorded is not None and Span(line.recorded, line.recorded).overlaps(span), line.valid
        if self._due and not self._is_ahead(line):
            recorded, valid, held = recorded and spoken, None, None
        if valid is not None and valid.overlaps(span):
            if valid.start is not None and valid.end is not None:
                return f"holds {valid}", 0.9 + 0.1 * _common(valid, span)
            return f"holds {valid}", 0.9 if self._due else weights["recorded" if recorded else "open_ended"]
        if held is not None and held.overlaps(span):
            return f"held {held}", 0.9 if self._reading.asks & {Ask.WHERE, Ask.HAPPENED} else weights["open_ended"]
        if recorded and line.recorded is not None:
            return f"recorded {line.recorded.isoformat()}", 0.0 if self._due else weights["recorded"]
        return "", weights["day_after"] if self._is_day_after(line) else 0.0

    def _is_day_after(self, line: AnyLine) -> bool:
        """Whether somebody says a line on the day after those asked about, and of no known days: what happened is told
        then. Of 45 questions of REALTALK with days 13 are answered by the day after, and 14 by the days themselves."""
        last = self._span.end if self._span is not None and not self._due else None
        if last is None or line.recorded is None or line.valid is not None or not line.speaker:
            return False
        return (line.recorded - last).days == 1

    def _is_to_do(self, line: AnyLine, in_range: str, *, is_task: bool) -> bool:
        """Whether a line answers what is to do: an open task, or what names days to come if the question has days. Due
        is only what is of the asked days, and overdue only a task."""
        if self._due:
            return bool(in_range) and (is_task or not self._overdue)
        return is_task or (self._only_to_do and self._is_ahead(line))

    def _is_ahead(self, line: AnyLine) -> bool:
        """Whether a line names some of the asked days, and these were to come when it was written, or it is open.
        What is done is not to come; what is to do, but not due, is not over yet."""
        from commonplace.core.when.day_search import is_ahead  # here, because few questions ask for what is to come

        valid, written = line.valid, None if line.content.startswith("[ ]") else line.recorded
        if self._span is None or valid is None or not is_ahead(valid, written, self._span):
            return False
        is_over = (valid.end or valid.start or self._today) < self._today
        return self._due if is_over else not line.content.startswith(DONE)

    def _asked(self, candidate: Candidate, why: list[str]) -> float:
        """What a line adds to its score by being what is asked for: an opinion, a stay, what is valid today."""
        weights, asks, line = self._weights, self._reading.asks, candidate.line
        score = 0.0
        if self._reading.kinds:
            kind = candidate.kind if candidate.is_fact else likely_kind(line.content, line.context)
            if kind in self._reading.kinds:
                why.append(f"an {kind.value}" if kind.value[0] in "eo" else f"a {kind.value}")
                score += weights["asked_kind"] * (1.0 if candidate.is_fact else 0.5)
        if candidate.placed and (Ask.LIVES in asks or not self._wants):
            score += weights["placed"]
        if self._homes and self._is_home(candidate):
            score += weights["placed"]
        if Ask.WHERE in asks and candidate.is_fact and candidate.kind is Kind.WORLD:
            score += weights["asked_where"]
            if line.valid is not None and line.valid.start != line.valid.end and line.valid.overlaps(self._days):
                score += weights["stays"]
        if Ask.WHEN in asks and line.recorded and when.find(line.content, line.recorded):
            score += weights["asked_when"]
        if Ask.CURRENT in asks and line.valid is not None and line.valid.overlaps(Span(self._today, self._today)):
            score += weights["holds_today"]
        return score

    def _introduces(self, candidate: Candidate, why: list[str], *, told: bool, said: bool) -> float:
        """What a line adds by introducing the one asked about. If it is not asked who that is, but something that such
        a line may tell in any words, only an undated one adds something, less if its own words do not tell it.

        Args:
            told: whether they do, and it lasts.
            said: whether it has the words of the question: of what may have changed a log tells as well as a note.
        """
        line, weights, of_one = candidate.line, self._weights, self._asks_of_one
        who = asks_who(self._reading.asks) and candidate.kind is not Kind.OPINION
        if of_one and line.recorded is not None:
            return float(weights["of_one"] * weights["names_alone"]) if said and not told else 0.0
        if candidate.role is Role.CODE or not (who or of_one):
            return 0.0
        name, weight = self._coverage.introduces(line), "introduces" if line.recorded is None else "introduces_then"
        if not name:
            name, weight = self._coverage.names_alone(line, below=of_one)
        if not name:
            return 0.0
        why.append(f"introduces {name}")
        share = weights["of_one_told" if told and not self._now else "of_one"] if of_one else 1.0
        return float(share * weights[weight])

    def _fresh(self, line: AnyLine) -> float:
        """What a line gains by its day; by little, unless what is so now or was last is asked for.

        What is so now is said in the last days, or in a note without a day, which is kept up: days count the less the
        longer they are ago, so that it is the same for a log of a month and of ten years: what is older than
        `recency_days` loses by its day.
        """
        weights, asks, most = self._weights, self._reading.asks, float(self._weights["recency_days"])
        now = Ask.CURRENT in asks
        if line.recorded is None:
            return float(weights["current"] * weights["current_undated"]) if now else 0.0
        age = max(0, (self._today - line.recorded).days)
        share = log1p(age) / log1p(most) if now else age / most
        eager: float = weights["current" if now else "latest" if Ask.LATEST in asks else "recency"]
        return eager * max(-1.0 if now else 0.0, 1 - share)

    def _factor(self, candidate: Candidate, *, told: bool) -> float:
        """The product of the gentle multipliers: recency, origin, role, conflict, and that a line does not tell what is
        asked of somebody."""
        weights, asks, line = self._weights, self._reading.asks, candidate.line
        factor: float = 1.0 + self._fresh(line)
        if self._has_notes and not told:
            factor *= weights["bare"]
        if candidate.is_fact or (asks & WHOLE and candidate.page_of in self._keys):
            factor *= weights["retained"]
        factor *= weights.get(candidate.role, 1.0)
        if line.content.rstrip().endswith(("?", "？")):
            # the longer a message is, the more it says before it asks
            asks_only = min(1.0, weights["question_length"] / max(1, candidate.length))
            factor *= 1 - (1 - weights["question"]) * asks_only * asks_only
        if candidate.copy:
            factor *= weights["copy"]
        if line.content.startswith(DONE if asks & {Ask.TASKS, Ask.DUE} else "~~"):
            factor *= weights["retired"]
        if candidate.superseded_by is not None:
            factor *= weights["superseded"]
        elif candidate.disputed_by is not None and not candidate.outdated:
            factor *= weights["disputed"]
        return factor


def wants_more(reading: Reading) -> bool:
    """Return whether a question asks for something of what it names."""
    return not reading.asks & {Ask.ABOUT, Ask.HAPPENED} and wants_more_than_names(reading)


def _matched(candidate: Candidate, covered: Covered) -> list[str]:
    """The reasons by terms and by the signals of channels."""
    why = []
    if covered.words:
        why.append("words: " + ", ".join(dict.fromkeys(covered.words)))
    if covered.around:
        why.append("nearby: " + ", ".join(dict.fromkeys(covered.around)))
    return [*why, *(signal.why for signal in candidate.signals if signal.why)] if candidate.signals else why


DONE = ("[x]", "[X]", "[-]", "~~", "[ ] ~~")
"""How a task begins that is done or dropped."""


def _says_nothing(candidate: Candidate, covered: Covered) -> bool:
    """Whether a line only frames others: a heading, a fence, a rule, the number of a message, or an alias, without a
    term of the question."""
    if candidate.role is Role.META:
        return not covered.words or (covered.named and not covered.asked)
    return not covered.words and (candidate.role is Role.HEADING or frames(candidate.line.content))


def _common(closed: Span, asked: Span) -> float:
    """The days that two overlapping spans share, as a share of the shorter one; in (0, 1]."""
    start, end = closed.start, closed.end
    assert start is not None and end is not None
    first, last = max(start, asked.start or start), min(end, asked.end or end)
    whole = (end - start).days + 1
    wanted = (asked.end - asked.start).days + 1 if asked.start and asked.end else whole
    return ((last - first).days + 1) / min(whole, wanted)
