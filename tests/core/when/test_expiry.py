"""When what a fact says is over by its own words: sentence by sentence, and never for what comes again every year."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commonplace.core.claims.claim_reader import claims
from commonplace.core.documents.parse import parse
from commonplace.core.when.expiry import end_of, is_of_a_part

if TYPE_CHECKING:
    from commonplace.core.model import Fact


def _fact(text: str) -> Fact:
    (fact,) = parse("memory/2026-02-01.md", f"## Retain\n- W @Peter: {text}\n").facts
    return fact


@pytest.mark.parametrize(
    "text",
    [
        "Works at Acme. The lease of the flat ends on March 3.",
        "The lease of the flat ends on March 3. He works at Acme.",
        "Works at Acme. The flat is rented until March 3.",
        "Works at Acme; the flat is rented until March 3.",
        "Works at Acme (since May 2020). The flat is rented until March 3.",
        "Arbejder hos Acme. Lejekontrakten udløber den 3. januar.",
        "在Acme工作。公寓的合同1月3日到期。",
        "在Acme工作。公寓的合約1月3日到期。",
        "アクメで働いている。アパートの契約は1月3日まで。",
        "एक्मे में काम करता है। फ्लैट का अनुबंध 3 जनवरी तक है।",
    ],
)
def test_an_end_ends_only_what_its_sentence_says(text: str) -> None:
    assert end_of(_fact(text)) is None


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("The lease of the flat ends on March 3.", "2026-03-03"),
        ("Visited Lisbon on January 8. It rained.", "2026-01-08"),
        ("Sees Dr. Smith on Feb. 3.", "2026-02-03"),
        ("In Oslo. Until February 20.", "2026-02-20"),
        ("Moved to the new host in January. The old box is kept until the end of May.", "2026-05-31"),
        ("In Lisbon (Jan 8 to Jan 12). Great fun.", "2026-01-12"),
    ],
)
def test_a_fact_that_is_over_as_a_whole_ends_on_its_last_day(text: str, end: str) -> None:
    assert str(end_of(_fact(text))) == end


def test_the_days_of_a_later_sentence_are_not_those_of_the_first() -> None:
    assert is_of_a_part(_fact("Works at Acme. The lease of the flat ends on March 3."))
    assert not is_of_a_part(_fact("The lease of the flat ends on March 3."))
    moved = _fact("Moved to the new host in January. The old box is kept until the end of May.")
    assert str(moved.valid) == "2026-01-01/2026-01-31"


@pytest.mark.parametrize(
    "text",
    [
        "Birthday on January 3.",
        "His birthday is January 3.",
        "Birthday: April 3, 1984.",
        "Was born on April 3, 1984.",
        "Their wedding anniversary is January 9.",
        "The domain renews on January 9 every year.",
        "Har fødselsdag den 3. januar.",
        "Fornyer domænet den 9. januar hvert år.",
        "生日是1月3日。",
        "生日：1984年4月3日",
        "結婚紀念日是1月9日。",
        "每年1月9日续费。",
        "誕生日は1月3日。",
        "毎年1月9日に更新する。",
        "जन्मदिन 3 जनवरी को है।",
        "हर साल 9 जनवरी को नवीनीकरण होता है।",
    ],
)
def test_what_comes_again_every_year_does_not_end(text: str) -> None:
    fact = _fact(text)
    assert fact.valid is not None
    assert end_of(fact) is None


@pytest.mark.parametrize(
    "text",
    [
        "In Marrakech (Nov 27–Dec 1, 2025) for Andy's birthday.",
        "In Paris on January 3 for Andy's birthday.",
        "The birthday party is on January 3.",
        "Fødselsdagsfest den 3. januar.",
        "生日派对在1月3日。",
        "誕生日会は1月3日。",
        "जन्मदिन की पार्टी 3 जनवरी को है।",
    ],
)
def test_what_is_done_on_such_a_day_is_over_with_it(text: str) -> None:
    assert end_of(_fact(text)) is not None


def test_a_claim_ends_with_the_days_of_its_own_sentence() -> None:
    (job,) = [
        each for each in claims(_fact("Works at Acme. The flat is rented until March 3.")) if "employer" in each.slot
    ]
    (alone,) = claims(_fact("Works at Acme."))
    assert job == alone
