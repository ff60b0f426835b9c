"""A line that several pages would quote stands on one of them."""

from __future__ import annotations

from datetime import date

from commonplace.core.model import Citation, Fact, Kind, Line
from commonplace.core.pages.entity_pages import Subject
from commonplace.core.quotes.page_quotes import LOGGED, Quote
from commonplace.core.quotes.quote_topics import CAUSES, PREFERENCES, WHO
from commonplace.ops.reflect.shared_lines import shared_lines

RULES = "bank/preferences.md"


def quote(at: int, topic: str, *, score: float = 1.0, path: str = "memory/2026-03-01.md") -> Quote:
    return Quote(Line(f"Line {at}", (), Citation(path, at), None), score, topic, LOGGED)


def subject(name: str, *quotes: Quote) -> Subject:
    facts = [Fact("f1", Kind.WORLD, "Is here.", (name,), Citation("memory/2026-03-01.md", 90), date(2026, 3, 1))] * 3
    return Subject(name, f"bank/entities/{name}.md", facts, quotes=quotes)


def test_the_rule_of_a_thing_stands_on_its_page_and_that_of_the_owner_with_all_others() -> None:
    rules = [quote(at, PREFERENCES) for at in range(8)]
    owner = subject("Mona", quote(20, WHO, path="USER.md"), rules[0], quote(21, PREFERENCES))
    boat = subject("Sloop", rules[0], rules[1], quote(22, CAUSES))
    told = shared_lines({"mona": owner, "sloop": boat}, {RULES: rules})
    assert told.elsewhere == {"mona": {rules[0].line.source: RULES}, "sloop": {}}
    assert told.left(rules) == rules[2:]
    assert told.holders(rules) == [(boat, 2)]


def test_a_line_of_two_stands_on_the_page_of_the_one_that_it_tells_more_of() -> None:
    one, other = subject("Sloop", quote(1, CAUSES, score=2.0)), subject("Yawl", quote(1, CAUSES))
    told = shared_lines({"sloop": one, "yawl": other}, {})
    assert told.elsewhere == {"sloop": {}, "yawl": {one.quotes[0].line.source: one.path}}


def test_no_page_gets_too_short() -> None:
    rules = [quote(at, PREFERENCES) for at in range(4)]
    boat = subject("Sloop", *rules)._replace(facts=())
    yawl = subject("Yawl", *(each._replace(score=2.0) for each in rules))
    told = shared_lines({"sloop": boat, "yawl": yawl}, {RULES: rules})
    assert told.elsewhere["sloop"] == {rules[3].line.source: yawl.path}  # the three newest are left
    assert told.left(rules) == rules
    assert told.holders(rules) == []


def test_somebody_close_to_the_owner_keeps_what_is_told_of_her() -> None:
    rules = [quote(at, PREFERENCES) for at in range(8)]
    sister = quote(20, WHO, path="USER.md")
    sister = sister._replace(line=sister.line._replace(content="Sister: Anna, nurse"))
    told = shared_lines({"anna": subject("Anna", sister, rules[0])}, {RULES: rules})
    assert told.elsewhere == {"anna": {}} and told.left(rules) == rules[1:]
