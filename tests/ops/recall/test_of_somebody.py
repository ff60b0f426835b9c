"""What is asked of somebody whom the log names every day: a note that tells it leads, in whatever words and shape."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import pytest

from commonplace.core.documents.name_mentions import introduced
from commonplace.core.questions.ask_phrases import OF_ONE, Ask, answers
from commonplace.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Write

    from commonplace.core.model import Hit

TODAY = date(2026, 6, 1)


class Told(NamedTuple):
    """Somebody of a language: what the log says of them every day, a note in a section and in lines, and questions."""

    log: tuple[str, ...]
    section: str
    lines: str
    questions: tuple[tuple[str, str], ...]
    """(question, what its answer has)."""


PEOPLE = {
    "en": Told(
        ("Torvald mended the net", "Torvald wrote to the harbour", "talked to Torvald about the rudder, he likes it"),
        "### Torvald\n\n- Pilot since 2019\n- Phone: +47 555 12 345\n- Home: Kaigata 4, Molde\n- Based in Molde\n"
        "- Born on May 4, 1980\n- Likes black coffee\n- Married to Runa, two kids\n- Works at the lighthouse\n",
        "- Torvald: pilot, +47 555 12 345, lives in Molde, born May 4 1980\n- Torvald's wife is Runa, with two kids\n"
        "- Torvald likes black coffee\n- Torvald works for the lighthouse\n",
        (
            ("who is Torvald?", "ilot"),
            ("how do I reach Torvald?", "555 12"),
            ("what is Torvald's phone number?", "555 12"),
            ("what's Torvald's number?", "555 12"),
            ("where does Torvald live?", "Molde"),
            ("when is Torvald's birthday?", "May 4"),
            ("how old is Torvald?", "1980"),
            ("what does Torvald like?", "black coffee"),
            ("is Torvald married?", "Runa"),
            ("does Torvald have children?", "kids"),
            ("where does Torvald work?", "lighthouse"),
        ),
    ),
    "da": Told(
        ("Asbjørn rettede nettet", "Asbjørn skrev til havnen", "Asbjørn spurgte til roret"),
        "### Asbjørn\n\n- Lods siden 2019\n- Telefon: 55 51 23 45\n- Adresse: Kajgade 4, Ribe\n- Født 4. maj 1980\n"
        "- Gift med Runa, to børn\n- Arbejder på fyret\n",
        "- Asbjørn: lods, tlf. 55 51 23 45, bor i Ribe, født 4. maj 1980\n- Asbjørns kone hedder Runa, de har to børn\n"
        "- Asbjørn arbejder på fyret\n",
        (
            ("hvordan får jeg fat i Asbjørn?", "55 51"),
            ("hvad er Asbjørns telefonnummer?", "55 51"),
            ("hvor bor Asbjørn?", "Ribe"),
            ("hvornår har Asbjørn fødselsdag?", "4. maj"),
            ("hvor gammel er Asbjørn?", "1980"),
            ("er Asbjørn gift?", "Runa"),
        ),
    ),
    "zh": Told(
        ("林海修了渔网", "林海给港口写信", "林海问舵在哪"),
        "### 林海\n\n- 引航员，2019年起\n- 电话：138 5551 2345\n- 住址：青岛市人民路4号\n- 生日：1980年5月4日\n"
        "- 已婚，妻子是何梅，两个孩子\n",
        "- 林海：引航员，138 5551 2345，家住青岛人民路4号，1980年5月4日出生\n- 林海的妻子是何梅，有两个孩子\n",
        (
            ("怎么联系林海？", "5551"),
            ("林海的电话是多少？", "5551"),
            ("林海的生日是哪天？", "5月4"),
            ("林海多大了？", "1980"),
            ("林海结婚了吗？", "何梅"),
        ),
    ),
    "ja": Told(
        ("健太郎が網を直した", "健太郎が港に書いた", "健太郎が舵の場所を聞いた"),
        "### 健太郎\n\n- 水先人、2019年から\n- 電話：090-5551-2345\n- 住所：札幌市北区4-1\n- 1980年5月4日生まれ\n"
        "- 妻は美和、子供二人\n",
        "- 健太郎：水先人、090-5551-2345、札幌市北区在住、1980年5月4日生まれ\n- 健太郎の妻は美和、子供は二人\n",
        (
            ("健太郎の連絡先は？", "5551"),
            ("健太郎の電話番号は？", "5551"),
            ("健太郎の誕生日はいつ？", "5月4"),
            ("健太郎は何歳？", "1980"),
            ("健太郎は結婚している？", "美和"),
        ),
    ),
    "hi": Told(
        ("राघव ने जाल ठीक किया", "राघव ने बंदरगाह को लिखा", "राघव ने पतवार के बारे में पूछा"),
        "### राघव\n\n- पायलट, 2019 से\n- फ़ोन: 98555 12345\n- पता: 4, गांधी मार्ग, कोच्चि\n- जन्म 4 मई 1980\n"
        "- पत्नी मीरा, दो बच्चे\n",
        "- राघव: पायलट, 98555 12345, कोच्चि में रहता है, जन्म 4 मई 1980\n- राघव की पत्नी मीरा है, दो बच्चे हैं\n",
        (
            ("राघव से कैसे संपर्क करूँ?", "12345"),
            ("राघव का फ़ोन नंबर क्या है?", "12345"),
            ("राघव का जन्मदिन कब है?", "4 मई"),
            ("राघव की उम्र क्या है?", "1980"),
            ("क्या राघव शादीशुदा है?", "मीरा"),
        ),
    ),
    "ru": Told(
        ("Тимофей починил сеть", "Тимофей написал в порт", "Тимофей спросил про руль"),
        "### Тимофей\n\n- лоцман с 2019\n- Телефон: +7 555 123 45 67\n- Адрес: Мирная 4, Кемь\n- Родился 4 мая 1980\n"
        "- Женат на Рите, двое детей\n",
        "- Тимофей: лоцман, +7 555 123 45 67, живёт в Кеми, родился 4 мая 1980\n- Жена Тимофея — Рита, двое детей\n",
        (
            ("сколько лет Тимофею?", "1980"),
            ("какой телефон у Тимофея?", "555"),
        ),
    ),
}


def daily(lines: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield logs of sixty days with these lines, another figure in each."""
    for day in range(60):
        said = "\n\n".join(f"- {line}, {day}{at}" for at, line in enumerate(lines))
        yield f"memory/{(date(2026, 1, 1) + timedelta(day)).isoformat()}.md", f"{said}\n"


def words(hit: Hit) -> str:
    return " ".join(each.line.content for each in (hit, *hit.beside))


def leads(memory: Memory, *pairs: tuple[str, str]) -> None:
    """Assert that the first hit of each question has its answer."""
    for question, answer in pairs:
        bundle = memory.recall(question)
        assert answer in words(bundle.hits[0]), (question, bundle)


@pytest.mark.parametrize("shape", ["section", "lines"])
@pytest.mark.parametrize("language", PEOPLE)
def test_a_note_leads_however_often_the_log_names_them(workspace: Write, language: str, shape: str) -> None:
    told = PEOPLE[language]
    note = f"# Memory\n\n## People\n\n{getattr(told, shape)}\n## More\n\n- Nothing else yet\n"
    with Memory(str(workspace({"MEMORY.md": note, **dict(daily(told.log))})), today=TODAY) as memory:
        for question, answer in told.questions:
            bundle = memory.recall(question)
            assert any(answer in words(hit) for hit in islice(bundle.hits, 3)), (question, bundle)


USER = """# USER.md

- **Name:** Rolf Berg
- **What to call them:** Rolf
- **Timezone:** Europe/Oslo
- **Phone:** +47 555 12 345
- **Email:** rolf@example.org
- **Birthday:** May 4, 1980

## Context

- Lives in Molde, Kaigata 4
- Married to Runa, two kids: Per and Ane
- Works as a pilot at the lighthouse
"""


def test_what_the_owner_asks_of_themselves_is_read_in_the_file_about_them(workspace: Write) -> None:
    log = ("Rolf asked for the number of the harbour", "birthday party at the quay", "my phone plan was renewed")
    files = {"USER.md": USER, "IDENTITY.md": "# IDENTITY.md\n\n- **Name:** Milo\n", **dict(daily(log))}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        leads(
            memory,
            ("what's my name?", "Rolf Berg"),
            ("what's my phone number?", "555 12"),
            ("what is my email?", "rolf@example.org"),
            ("how can people reach me?", "555 12"),
            ("when is my birthday?", "May 4"),
            ("how old am I?", "1980"),
            ("where do I live?", "Kaigata"),
            ("am I married?", "Runa"),
            ("where do I work?", "lighthouse"),
            ("does the user have children?", "two kids"),
            ("what is the user's phone number?", "555 12"),
            ("how old is Rolf?", "1980"),
        )


def test_the_number_of_somebody_else_is_no_answer_and_the_note_says_so(workspace: Write) -> None:
    files = {"MEMORY.md": "# Memory\n\n## People\n\n- [[Torvald]] mends nets\n- [[Runa]]: +47 555 12 345\n"}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        bundle = memory.recall("what is Torvald's phone number?")
        assert not bundle.hits
        assert bundle.note == "no match about torvald for: phone, number"


def test_what_was_said_by_telephone_is_no_number(workspace: Write) -> None:
    log = ("Torvald called by telephone about the net", "the telephone rang, it was Torvald")
    files = {"memory/2025-11-02.md": "- Torvald has a new number: 555 12 345\n", **dict(daily(log))}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert "555 12" in memory.recall("what is Torvald's phone number?").hits[0].line.content


FAMILY = (
    "# Memory\n\n## Family\n\n- Wife: Lene, born 1982-09-09\n- Son: Emil, 8 years old\n\n- My email is k@example.org\n"
)


def test_what_the_file_about_the_owner_does_not_tell_is_found_elsewhere(workspace: Write) -> None:
    user = "# USER.md\n\n- **Name:** Kristin Dahl\n- **Phone:** +45 55 12 34 56\n- **Birthday:** 1979-03-03\n"
    log = {
        "memory/2025-06-12.md": "- My birthday: dinner at the quay\n",
        "memory/2025-07-12.md": "- My phone fell into the sea\n",
    }
    files = {"USER.md": user, "MEMORY.md": FAMILY, **log, **dict(daily(("mended the net",)))}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        leads(
            memory,
            ("who is my wife?", "Lene"),
            ("how old is my wife?", "1982"),
            ("how old is my son?", "8 years"),
            ("do I have kids?", "Emil"),
            ("what is my email?", "k@example.org"),
            ("what did I do for my birthday?", "dinner"),
            ("what happened to my phone?", "into the sea"),
        )


def test_a_neighbours_data_is_no_answer(workspace: Write) -> None:
    note = (
        "# Memory\n\n- Torvald is a pilot\n- Runa Berg: neighbour, phone +45 99 88 77 66, born 1980-01-01, married\n"
        "\n## [[Jonas]]\n\n- Welder\n- His sister Pia, born 1980-08-08, pia@example.org\n"
    )
    with Memory(
        str(workspace({"MEMORY.md": note, **dict(daily(("Torvald mended", "Jonas wrote")))})), today=TODAY
    ) as memory:
        for question in (
            "how do I reach Torvald?",
            "how old is Torvald?",
            "how old is Jonas?",
            "what is Jonas's email?",
        ):
            told = [why for hit in memory.recall(question).hits for why in hit.why if why.startswith("says ")]
            assert not told, question


def test_a_newer_line_of_the_log_leads_an_old_note(workspace: Write) -> None:
    note = "# Memory\n\n## Projects\n\n### Lark\n\n- Status: beta\n- Due: 2026-09-01\n"
    log = {"memory/2026-05-27.md": "- Lark's status: feature complete\n\n- Lark is due on 2026-07-15\n"}
    with Memory(
        str(workspace({"MEMORY.md": note, **log, **dict(daily(("Lark build green",)))})), today=TODAY
    ) as memory:
        assert "complete" in memory.recall("what's the status of Lark?").hits[0].line.content
        assert "2026-07-15" in memory.recall("when is Lark due?").hits[0].line.content


NOTES = {
    "section": "## Projects\n\n### Kestrel\n\n- Invoices for the harbour\n- Repo: example.org/kestrel\n"
    "- Stack: Python, Postgres\n- Hosted on the big machine, port 8080\n- Owner: Runa\n- Status: beta since May\n"
    "- Deadline: July 3\n- Start with `make dev`; deploy with `make ship`\n",
    "bullet": "## Projects\n\n- **Kestrel** – invoices for the harbour (example.org/kestrel). Python, Postgres; runs "
    "on the big machine, port 8080. Runa owns it. In beta since May, done by July 3. `make dev` starts it, `make ship` "
    "deploys.\n",
}


@pytest.mark.parametrize("shape", NOTES)
def test_a_note_on_a_project_answers_what_it_tells_in_other_words(workspace: Write, shape: str) -> None:
    log = (
        "Kestrel build green",
        "fixed a bug in Kestrel",
        "deployed Kestrel again",
        "who pays for the Kestrel machine?",
    )
    with Memory(
        str(workspace({"MEMORY.md": f"# Memory\n\n{NOTES[shape]}", **dict(daily(log))})), today=TODAY
    ) as memory:
        leads(
            memory,
            ("what is Kestrel?", "nvoices"),
            ("what is Kestrel written in?", "Python"),
            ("where is Kestrel hosted?", "big machine"),
            ("who is responsible for Kestrel?", "Runa"),
            ("what's the status of Kestrel?", "eta since"),
            ("when is Kestrel due?", "July 3"),
            ("how do I start Kestrel?", "make dev"),
            ("how do I deploy Kestrel?", "make ship"),
        )


def test_what_the_log_says_in_the_words_of_the_question_is_not_hidden_by_a_note(workspace: Write) -> None:
    files = {"MEMORY.md": "# Memory\n\n## Projects\n\n### Kestrel\n\n- Invoices\n", "memory/2026-05-30.md": ""}
    files["memory/2026-05-30.md"] = "- The status of Kestrel is red: the tests fail\n"
    with Memory(
        str(workspace({**files, **dict(daily(("Kestrel build green", "Kestrel was slow")))})), today=TODAY
    ) as memory:
        assert "red" in memory.recall("what's the status of Kestrel?").hits[0].line.content


@pytest.mark.parametrize("question", ["when is Torvald's birthday?", "is Torvald married?", "how do I reach Torvald?"])
def test_where_nobody_wrote_it_down_nothing_is_said(workspace: Write, question: str) -> None:
    files = {"MEMORY.md": "# Memory\n\n## People\n\n### Torvald\n\n- Pilot since 2019\n"}
    with Memory(str(workspace({**files, **dict(daily(("@Torvald mended the net",)))})), today=TODAY) as memory:
        bundle = memory.recall(question)
        assert not bundle.hits
        assert "torvald" in bundle.note


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Our welder is Marek Lind (marek@example.org), who …", "Marek Lind"),
        ("My dentist, Marek, is in Ribe", "Marek"),
        ("The problem is Marek's key", ""),
        ("Marek, the printer is in the cellar", ""),
        ("Vores svejser er Marek.", "Marek"),
        ("我们的焊工是何敏，很准时", "何敏"),
        ("Наш сварщик — Марек.", "Марек"),
        ("The welder is late", ""),
        ("Our boat was mended by Marek", ""),
    ],
)
def test_a_sentence_says_who_is_somebodys(line: str, name: str) -> None:
    assert introduced(line)[0] == name


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Phone: +47 555 12 345", {Ask.CONTACT}),
        ("**Email:** marek@example.org", {Ask.CONTACT, Ask.MAIL}),
        ("called by phone on 2026-05-04 at 12:30", set()),
        ("the build of 2026-05-04-1230 took 12 minutes", set()),
        ("Born on May 4", {Ask.BORN}),
        ("Birthday: May 4", {Ask.BORN}),
        ("Birthday: dinner with Marek", set()),
        ("his wife is Runa", {Ask.FAMILY}),
        ("a gift for the harbour", set()),
    ],
)
def test_what_a_line_tells_of_somebody(line: str, told: set[Ask]) -> None:
    assert answers(line, OF_ONE) == told
