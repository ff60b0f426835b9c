"""Near-duplicates are told by their words; another number is another statement."""

from __future__ import annotations

from commonplace.core.extract.distinct_texts import Distinct


def test_what_says_nearly_the_same_is_not_added() -> None:
    told = Distinct(["The boiler was replaced in March"])
    assert not told.add("In March the boiler was replaced.")
    assert told.add("The boiler was replaced by Rolf, who charged 900 crowns for it")
    assert told.add("老王决定把商店搬到新的服务器")
    assert not told.add("老王决定把商店搬到新服务器")


def test_another_number_or_nothing_in_common_is_another_statement() -> None:
    told = Distinct()
    assert told.add("We decided to buy lamp 19 for the hall")
    assert told.add("We decided to buy lamp 28 for the hall")
    assert not told.add("We decided to buy lamp 19 for the hall!")
    assert told.add("")
    assert told.add("")


def test_what_a_longer_text_says_too_is_not_added_and_a_longer_one_is() -> None:
    told = Distinct(["My sister Anna is a nurse in Ribe, works nights and has two boats at the old pier"])
    assert not told.add("My sister Anna is a nurse in Ribe")
    assert told.add("My sister Anna is a nurse in Ribe since 2019")
    assert told.add("A nurse")
    short = Distinct(["My sister Anna is a nurse in Ribe"])
    assert short.add("My sister Anna is a nurse in Ribe, works nights and has two boats at the old pier")
