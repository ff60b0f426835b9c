"""What a line tells about an entity: by its own words, or by a heading or bullet above it."""

from __future__ import annotations

import pytest
from tests.core.quotes.quoted import DAY, quote

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Citation
from commonplace.core.quotes import about_entity, page_quotes
from commonplace.core.quotes.page_quotes import LOGGED, NOTES
from commonplace.core.quotes.quote_topics import CAUSES, PREFERENCES, WHO


@pytest.mark.parametrize(
    ("heading", "share"),
    [
        ("Sloop", 1),
        ("2026-03-01 – Sloop: mast and sails", 1),
        ("Sloop repairs, autumn", 5 / 13),
        ("Talk about the Sloop", 5 / 20),
        ("Notes on the way in which a Sloop is rigged", 0),
        ("Sloop's new owner and his many plans", 0),
        ("Sloopmaster rules", 0),
        ('Decision: "Sloop for everybody"', 0),
        ("Audit: Cutter, Yawl, Sloop", 0),
        ("Berth list (Sloop)", 0),
        ("係留表（Sloop）", 0),
        ("Ferry - a boat like the Sloop", 0),
        ("Small lean old open pram (SLOOP)", 1),
        ("Sloop, Cutter, Yawl, Ketch", 1),
        ("Sloop技术", 5 / 7),
        ("船と Sloop（続き）", 5 / 8),
        ("ことりのSloop", 5 / 9),
        ("Sloopの大きな冒険について", 0),
        ("关于Sloop的技术研究", 0),
    ],
)
def test_a_heading_that_only_mentions_a_name_is_about_something_else(heading: str, share: float) -> None:
    found = about_entity.below(quote("Costs 900"), heading, "sloop")
    assert (found is not None) == (share > 0)
    core = quote("Costs 900", topic=WHO)._replace(core=True, by_day=NOTES)
    found = about_entity.below(core, heading, "sloop")
    assert (found.topic if found else "") == (WHO if heading == "Sloop" else NOTES if share else "")


def test_the_note_of_somebody_tells_who_is_close_to_them() -> None:
    told = quote("Wife: Anna Holm, who plays the harp", topic=NOTES)
    where = told.line._replace(source=Citation("memory/rolf.md", 9), recorded=None, context=("Rolf", "Private"))
    found = about_entity.below(told._replace(line=where), "Rolf", "rolf")
    assert found is not None and found.topic == WHO
    for line in (
        where._replace(content="Boats are painted in May"),
        where._replace(context=("Harbour", "Rolf")),
        where._replace(recorded=DAY),
    ):
        other = about_entity.below(told._replace(line=line), line.context[0] if line.recorded else "Rolf", "rolf")
        assert other is not None and other.topic == NOTES


def test_of_several_things_in_a_heading_one_is_not_what_stands_below_a_nearer_one() -> None:
    def told(*context: str) -> object:
        each = quote("The mast is of pine")
        line = each.line._replace(context=context)
        return about_entity.below(each._replace(line=line), context[0], "tidebook")

    assert told("Evening - new berths, Tidebook repairs") is not None
    assert told("Tidebook repairs", "Mast") is not None
    assert told("Evening - new berths, Tidebook repairs", "Mast") is None
    assert told("Tidebook repairs (mast, sail)", "Mast") is not None


def test_in_a_list_the_name_in_brackets_is_the_items_too() -> None:
    heading = "帆船 (Sloop)"
    told = quote("用途：教学")
    listed = told.line._replace(source=Citation("MEMORY.md", 5), recorded=None, context=("项目列表", heading))
    core = told._replace(line=listed, topic=WHO, core=True, by_day=NOTES)
    found = about_entity.below(core, heading, "sloop")
    assert found is not None and found.topic == WHO
    assert about_entity.below(core._replace(line=listed._replace(context=("码头", heading))), heading, "sloop") is None


def test_a_list_is_first_of_all_about_its_first_name() -> None:
    line = quote("Clients: Rolf, Mona, Anna, Peter")
    names = ("anna", "mona", "peter", "rolf")
    assert [name for name in names if about_entity.is_first(line, name, names)] == ["rolf"]


def test_the_rows_of_a_table_are_not_about_the_names_of_its_columns() -> None:
    assert about_entity.below(quote("| Pine | 900 |"), "| Wood | Sloop |", "sloop") is None


@pytest.mark.parametrize(
    ("row", "name", "names"),
    [
        ("| Kittiwake | gig | 900 |", "kittiwake", True),
        ("| **Kittiwake (no. 3)** | gig | 900 |", "kittiwake", True),
        ("| Kittiwake | sold to Tove |", "tove", False),
        ("| Kittiwake sailmaker | no rival | ours |", "kittiwake", False),
        ("| Kittiwake sejlmager | ingen | vores |", "kittiwake", False),
        ("| мастер парусов «Чайка» | нет | наш |", "чайка", False),
        ("| «Чайка» | шлюпка | 900 |", "чайка", True),
        ("| 海鸥号 | 小艇 | 900 |", "海鸥号", True),
        ("| 海鷗號（二手） | 小艇 | 900 |", "海鷗號", True),
        ("| 海鸥号修帆师傅招聘 | 无 | 我们 |", "海鸥号", False),
        ("| カモメ丸 | 小舟 | 900 |", "カモメ丸", True),
        ("| カモメ丸の帆を縫う職人 | なし | うち |", "カモメ丸", False),
        ("| सागर | नाव | 900 |", "सागर", True),
        ("| सागर के पाल सिलने वाला कारीगर | कोई नहीं | हमारा |", "सागर", False),
    ],
)
def test_a_row_is_about_what_its_first_cell_is_and_not_about_what_that_only_contains(
    row: str, name: str, *, names: bool
) -> None:
    assert about_entity.names_it(quote(row), entity_key(name)) == names


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("**Kittiwake:** our gig, built in 1962", "kittiwake", True),
        ("The Kittiwake (no. 3) – a gig", "kittiwake", True),
        ("Kittiwake — vores gig fra 1962", "kittiwake", True),
        ("Чайка — наша шлюпка", "чайка", True),
        ("海鸥号：我们的小艇", "海鸥号", True),
        ("海鷗號（二手）：我們的小艇", "海鷗號", True),
        ("カモメ丸：うちの小舟", "カモメ丸", True),
        ("सागर - हमारी नाव", "सागर", True),
        ("`rig.toml` must name the Kittiwake", "kittiwake", False),
        ("Kittiwake licence: paid", "kittiwake", False),
        ("Kittiwake (B1), Heron (B2), Dory (B3)", "kittiwake", False),
        ("Kittiwake (B1), Hejre (B2), Jolle (B3)", "kittiwake", False),
        ("Чайка (B1), Цапля (B2), Лодка (B3)", "чайка", False),
        ("海鸥号（B1）、白鹭号（B2）、小舟（B3）", "海鸥号", False),
        ("海鷗號（B1）、白鷺號（B2）、小舟（B3）", "海鷗號", False),
        ("カモメ丸（B1）、サギ丸（B2）、小舟（B3）", "カモメ丸", False),
        ("सागर (B1), बगुला (B2), नाव (B3)", "सागर", False),
    ],
)
def test_what_begins_with_a_name_and_a_sign_says_what_that_is_unless_it_lists_several(
    text: str, name: str, *, says: bool
) -> None:
    assert about_entity.introduces_itself(text, entity_key(name)) == says


@pytest.mark.parametrize(
    ("between", "topic"),
    [
        ((), WHO),
        (("Background",), WHO),
        (("Career",), WHO),
        (("經歷",), WHO),
        (("経歴",), WHO),
        (("Status",), NOTES),
        (("When it leaks",), NOTES),
        (("Når den lækker",), NOTES),
        (("Когда она течёт",), NOTES),
        (("漏水的时候",), NOTES),
        (("漏水的時候",), NOTES),
        (("水漏れのとき",), NOTES),
        (("जब पानी आता है",), NOTES),
    ],
)
def test_what_stands_below_another_heading_of_a_section_is_not_what_the_section_is_about(
    between: tuple[str, ...], topic: str
) -> None:
    told = quote("Three planks on the port side", above=("Memory", "Kittiwake", *between), topic=WHO)
    told = told._replace(line=told.line._replace(recorded=None), by_day=NOTES, core=True)
    seen = about_entity.below(told, "Kittiwake", "kittiwake")
    assert seen is not None and seen.topic == topic


def test_a_name_of_two_words_is_found_in_a_heading_that_ends_in_kana() -> None:
    assert about_entity.below(quote("Costs 900"), "Tall Sloop 修理", "tall sloop") is not None


def test_what_a_log_says_of_the_day_is_not_who_somebody_is() -> None:
    for text in ("Rolf Berg is late again", "Rolf Bergは鍵が必要", "Rolf Berg是否来", "Rolf Berg er på havnen"):
        assert about_entity.about(quote(text), "rolf berg").topic == LOGGED
    for text in (
        "Rolf Bergは船の持ち主",
        "Rolf Berg是船主",
        "Rolf Berg er vores skipper",
        "**Rolf Berg** is a skipper",
    ):
        assert about_entity.about(quote(text), "rolf berg").topic == WHO


def test_a_line_that_gives_only_the_name_is_not_worth_quoting() -> None:
    assert about_entity.about(quote("**Name:** Rolf Berg"), "rolf berg").score < page_quotes.WORTH_QUOTING
    assert about_entity.about(quote("**Sloop:** https://example.org/sloop"), "sloop").score == 0.0
    assert about_entity.about(quote("Sloop (1465131303405092111)"), "sloop").score == 0.0
    assert about_entity.about(quote("Rolf Berg: 004930123456"), "rolf berg").score == 1.0
    assert about_entity.about(quote("**Name:** Rolf Berg, skipper"), "rolf berg").score == 1.0


@pytest.mark.parametrize("label", ["Wife", "**Dog**", "Søster", "妻子", "妻", "पत्नी", "Жена"])
def test_a_label_alone_tells_who_somebody_close_is(label: str) -> None:
    told = about_entity.about(quote(f"{label}: Ines", topic=WHO), "ines")
    assert (told.topic, told.score > page_quotes.WORTH_QUOTING) == (WHO, True)


def test_a_list_of_names_says_nothing_but_names() -> None:
    assert about_entity.lists_names(
        quote("Rolf Berg, the Sloop, Ines Bauer").line, ["rolf berg", "sloop", "ines bauer"]
    )
    assert about_entity.lists_names(quote("Sloop, Ferry (1465131303405092111)").line, ["sloop", "ferry"])
    assert not about_entity.lists_names(quote("Rolf Berg sold the Sloop to a man in Hull").line, ["rolf berg", "sloop"])
    assert not about_entity.lists_names(quote("Rolf Berg").line, ["rolf berg"])


def test_who_somebody_is_is_told_by_a_line_that_begins_with_the_name() -> None:
    assert about_entity.about(quote("Rolf Berg is the landlord of the shop"), "rolf berg").topic == WHO
    assert about_entity.about(quote("Rolf Berg called"), "rolf berg").topic == LOGGED
    assert about_entity.about(quote("The keys of Rolf Berg", topic=WHO), "rolf berg").topic == LOGGED
    far = quote("The keys that were lost on the way to the shop in the old town belong to Rolf Berg", topic=WHO)
    assert about_entity.about(far, "rolf berg").topic == LOGGED


@pytest.mark.parametrize(
    "text",
    [
        "Rolf Berg wants the keys back every evening",
        "Rolf Berg foretrækker te",
        "Rolf Bergは紅茶が好き。",
        "Rolf Berg希望每天收到钥匙",
        "Rolf Berg चाय पसंद करते हैं।",
        "Rolf Berg любит чай",
    ],
)
def test_what_somebody_wants_is_a_preference(text: str) -> None:
    assert about_entity.about(quote(text, topic=LOGGED), "rolf berg").topic == PREFERENCES


def test_a_cause_stays_one_whatever_somebody_wants() -> None:
    wish = quote("Rolf Berg wants the keys back every evening", topic=CAUSES)
    assert about_entity.about(wish, "rolf berg").topic == CAUSES


def test_a_problem_of_something_does_not_tell_what_that_is() -> None:
    for text, topic in (("Rolf manages the berths", WHO), ("Rolf cannot open the account, the key is lost", LOGGED)):
        assert about_entity.about(quote(text)._replace(tells_who=True), "rolf").topic == topic


def test_a_demand_behind_a_name_is_a_preference() -> None:
    assert about_entity.about(quote("Rolf: use the south berth"), "rolf").topic == PREFERENCES
    assert about_entity.about(quote("Rolf: the south berth was free"), "rolf").topic == LOGGED


def test_a_page_quotes_what_it_shows_to_be_about_its_entity() -> None:
    assert about_entity.names_it(quote("We asked Rolf Berg"), "rolf berg")
    assert not about_entity.names_it(quote(f"{'We asked many others and ' * 12}Rolf Berg"), "rolf berg")
    assert about_entity.names_it(quote("| Rolf Berg | 900 |"), "rolf berg")
    assert not about_entity.names_it(quote("| 08:20 | Keys handed over | Rolf Berg |"), "rolf berg")


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("Client: Rolf, shipyard in Hull", True),
        ("**Project:** Rolf (a ferry of 1912, three masts)", True),
        ("老婆：Rolf，资深护士", True),
        ("客户: Rolf（船厂）", True),
        ("取引先：Rolf（造船所）", True),
        ("Клиент: Rolf — верфь в Гулле", True),
        ("ग्राहक: Rolf, हल का शिपयार्ड", True),
        ("Kunde: Rolf, værft i Hull", True),
        ("Client: Rolf", False),
        ("Berth: Rolf, the south one", False),
        ("Client: Anna, sister of Rolf", False),
        ("Client: Rolf: 3 berths, 2 sails, 9 ropes", False),
    ],
)
def test_a_label_of_its_kind_before_a_name_introduces_it(text: str, *, tells: bool) -> None:
    assert (about_entity.about(quote(text), "rolf").topic == WHO) == tells


@pytest.mark.parametrize(
    ("heading", "presents"),
    [
        ("About the Sloop (ours)", False),
        ("About Sloop (ours)", True),
        ("Sloop core definition", True),
        ("关于Sloop", True),
        ("Sloopについて", True),
        ("Sloop के बारे में", True),
        ("Om Sloop", True),
        ("Что такое Sloop", True),
        ("Sloop repairs", False),
    ],
)
def test_a_heading_may_present_its_subject(heading: str, *, presents: bool) -> None:
    core = quote("Costs 900", topic=WHO)._replace(core=True, by_day=NOTES)
    found = about_entity.below(core, heading, "sloop")
    assert (found is not None and found.topic == WHO) == presents


def test_a_line_of_a_core_file_says_who_somebody_is_if_it_begins_with_the_name() -> None:
    def told(text: str) -> str:
        return about_entity.about(quote(text, topic=WHO)._replace(core=True, by_day=NOTES), "rolf berg").topic

    assert told("**Rolf Berg** keeps the harbour books") == WHO
    assert told("Our Rolf Berg: keeper of the harbour books") == WHO
    assert told("Rolf Berg kept the harbour books on Friday") == NOTES
    assert told("Check whether the ferry has landed before Rolf Berg is asked") == NOTES


def test_a_name_that_is_mentioned_late_is_worth_less() -> None:
    early = about_entity.about(quote("We asked Rolf Berg for the keys"), "rolf berg")
    late = about_entity.about(quote("The keys of the boathouse and of the shed were lost by Rolf Berg"), "rolf berg")
    assert (early.score, late.score) == (1.0, -0.5)


def test_what_somebody_says_or_a_link_or_a_list_does_not_tell_who_that_is() -> None:
    def topic(text: str) -> str:
        return about_entity.about(quote(text, topic=WHO), "rolf berg").topic

    assert topic("**Rolf Berg**: skipper of the ferry") == WHO
    assert topic('**Rolf Berg**: "The sea is a hard master"') == LOGGED
    assert topic("Rolf Berg: https://example.org/rolf") == LOGGED
    assert topic("Rolf Berg: @rolf_b") == LOGGED
    assert (
        about_entity.about(quote("Rolf Berg, Ines Bauer", topic=WHO)._replace(tells_who=True), "rolf berg").topic
        == LOGGED
    )


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Rolf Berg - a pilot of the northern fjords", WHO),
        ("**Rolf Berg** (en lods, der bor og sejler ved Molde)", WHO),
        ("Rolf Berg – ein Lotse aus dem Norden", WHO),
        ("Rolf Berg - a boat", NOTES),
        ("Rolf Berg - all boats are out at sea", NOTES),
        ("Rolf Berg - en route to the southern harbour", NOTES),
        ("Rolf Berg - a bug broke the map of the harbour", NOTES),
    ],
)
def test_a_dash_and_an_article_behind_a_name_say_who_that_is(text: str, topic: str) -> None:
    logged = quote(text, topic=NOTES)
    assert about_entity.about(logged._replace(line=logged.line._replace(recorded=None)), "rolf berg").topic == topic
    assert about_entity.about(logged, "rolf berg").topic == NOTES  # in a log it is what happened


def test_the_article_of_a_name_need_not_be_repeated() -> None:
    undated = quote("The Castle - a house near the old mill", topic=NOTES)
    undated = undated._replace(line=undated.line._replace(recorded=None))
    assert about_entity.about(undated, "the castle").topic == about_entity.about(undated, "castle").topic == WHO


def test_an_entry_in_a_list_of_projects_says_what_it_is() -> None:
    line = quote("Tide board - Lights for the pier", above=("Current projects",), topic=NOTES)
    listed = line._replace(core=True, line=line.line._replace(recorded=None))
    assert about_entity.about(listed, "tide board").topic == WHO
    assert about_entity.about(listed._replace(core=False), "tide board").topic == NOTES
    elsewhere = listed._replace(line=listed.line._replace(context=("Current weather",)))
    assert about_entity.about(elsewhere, "tide board").topic == NOTES


@pytest.mark.parametrize(
    "text",
    [
        "User preference: red sails (for the gig)",
        "Brugerens ønske: røde sejl (til jollen)",
        "用户偏好：红帆（用于小艇）",
        "使用者偏好：紅帆（用於小艇）",
        "ユーザーの希望: 赤い帆（ボート用）",
        "उपयोगकर्ता की पसंद: लाल पाल",
        "Пожелание пользователя: красные паруса",
    ],
)
def test_what_the_owner_wants_is_not_about_what_the_heading_names(text: str) -> None:
    assert about_entity.below(quote(text, topic=PREFERENCES), "Sloop", "sloop") is None
    assert about_entity.below(quote(text.replace(":", " -").replace("：", " "), topic=PREFERENCES), "Sloop", "sloop")


@pytest.mark.parametrize("text", ["Sloop (no. 3) had sunk at the pier", "Sloop (nr. 3) sank", "Sloop (№ 3) затонул"])
def test_a_sentence_that_goes_on_behind_brackets_tells_what_happened(text: str) -> None:
    logged = quote(text, topic=WHO)._replace(tells_who=False)
    assert about_entity.about(logged, "sloop").topic == LOGGED
    undated = logged._replace(line=logged.line._replace(recorded=None))
    assert about_entity.about(undated, "sloop").topic == WHO
    closed = text[: max(text.find(")"), text.find("）")) + 1]
    assert about_entity.about(quote(f"{closed}: boat of the club", topic=WHO), "sloop").topic == WHO


@pytest.mark.parametrize(
    "text",
    [
        "**Born:** 1962 in Ribe",
        "**联系方式**: 码头办公室",
        "**連絡先**: 桟橋の事務所",
        "**Контакт:** Рольф",
        "**Token:** in the env",
    ],
)
def test_when_somebody_was_born_and_how_to_write_to_them_tells_nobody_who_that_is(text: str) -> None:
    assert about_entity.says_aside(quote(text, topic=WHO))
    assert not about_entity.says_aside(quote("**Role:** boat builder in Ribe", topic=WHO))
