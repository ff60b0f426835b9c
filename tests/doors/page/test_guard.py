"""Who may see the page, tried with raw requests: the guard takes everything that comes for hostile."""

from __future__ import annotations

import re
import stat
import subprocess
import sys
import webbrowser
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from tests.doors.page.served import PATIENCE, Answer, Served, serving

from commonplace.doors.page import serve_page
from commonplace.doors.page.guard import TOKEN_SECONDS, PageKeys

MARK = "pelican-7f3"
"""What no refusal may repeat."""
BOUND = {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "same-origin",
}
POLICY = ("default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'")
NEVER = ("unsafe-", "data:", "blob:", "http:", "https:", "*")
"""What no source of the policy may be."""
VIEWS = ("", "ask?q=Peter", "day/2025-11-26", "entity/Peter", "opinions", "review", "reflect", "health", "MEMORY.md")


def bound(answer: Answer, *, kept: bool = False) -> Answer:
    """The same answer, which has the headers that bind a browser."""
    assert {name: answer.headers.get(name) for name in BOUND} == BOUND, answer
    policy = answer.headers["content-security-policy"]
    assert all(part in policy for part in POLICY), policy
    assert not any(part in policy for part in NEVER), policy
    assert ("no-store" in answer.headers["cache-control"]) is not kept, answer.headers
    assert "server" not in answer.headers
    return answer


def refused(answer: Answer, status: int = 403) -> None:
    """The answer is a refusal that is bound, sets no cookie, tells nothing of the memory and repeats nothing."""
    assert bound(answer).status == status, answer
    assert MARK not in answer.body + "".join(answer.headers.values())
    assert "set-cookie" not in answer.headers
    assert "Peter" not in answer.body
    assert "location" not in answer.headers


def sent(served: Served, fields: dict[str, str] | bytes, view: str = "review", **headers: str | None) -> Answer:
    """A form, sent as the page does unless headers say otherwise."""
    usual = {"Cookie": served.cookie, "Origin": served.origin, "Sec_Fetch_Site": "same-origin"}
    form = {"Content_Type": "application/x-www-form-urlencoded"}
    body = fields if isinstance(fields, bytes) else urlencode(fields).encode()
    return served.get(f"{served.base}{view}", "POST", body, **{**usual, **form, **headers})


# ---------------------------------------------------------------------- to open the page


def test_a_token_opens_once(reading: Served) -> None:
    path = urlsplit(reading.address()).path

    first = bound(reading.get(path))

    assert first.status == 200  # of a redirect from a file Chromium sends no strict cookie on
    assert re.fullmatch(
        rf"commonplace=[\w-]{{32}}; HttpOnly; Path={reading.base}; SameSite=strict", first.headers["set-cookie"]
    )
    refused(reading.get(path))
    refused(reading.get(f"/open/{MARK}"))
    refused(reading.get("/open/"))
    refused(reading.get("/open/%C3%A9%00"))
    refused(reading.get(path, "POST", b"", Origin=reading.origin, Sec_Fetch_Site="same-origin"))


def test_a_token_is_good_for_a_minute() -> None:
    now = [1_000.0]
    keys = PageKeys(1, clock=lambda: now[0])
    early, late = (keys.address().rpartition("/")[2] for _ in range(2))

    now[0] += TOKEN_SECONDS - 1
    assert keys.used(early)
    assert not keys.used(early)
    now[0] += 2
    assert not keys.used(late)
    assert not keys.used("")


def test_each_run_has_secrets_of_its_own() -> None:
    runs = [PageKeys(8_000) for _ in range(20)]

    for secret in ("base", "cookie", "field"):
        assert len({getattr(keys, secret) for keys in runs}) == 20
    assert all(len(keys.base) >= 12 for keys in runs)
    assert len({keys.address() for keys in runs for _ in range(2)}) == 40


def test_the_address_reaches_the_browser_in_a_file_of_this_user(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int, str]] = []

    def opened(address: str) -> bool:
        file = Path(urlsplit(address).path)
        seen.append((address, stat.S_IMODE(file.stat().st_mode), file.read_text()))
        return True

    monkeypatch.setattr(webbrowser, "open", opened)
    serve_page._browse("http://127.0.0.1:9/open/secret", 0)

    [(address, mode, text)] = seen
    assert "secret" not in address  # every account of the machine can read the words of a command
    assert mode == 0o600
    assert "url=http://127.0.0.1:9/open/secret" in text
    assert not Path(urlsplit(address).path).exists()


# ---------------------------------------------------------------------- who may ask


@pytest.mark.parametrize(
    "host",
    [
        "localhost:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:{port}0",
        "127.0.0.1:{port}.pelican-7f3.example",
        "pelican-7f3.example:{port}",  # a foreign name that points at this machine
        "127.0.0.1.nip.io:{port}",
        "[::1]:{port}",
        "0.0.0.0:{port}",
        "2130706433:{port}",
        "127.1:{port}",
        "user@127.0.0.1:{port}",
        "127.0.0.1:{port} ",
        "127.0.0.1:{port}, pelican-7f3.example",
        "",
    ],
)
def test_a_foreign_host_is_refused(reading: Served, host: str) -> None:
    name = host.format(port=reading.port)
    for path in (reading.base, f"{reading.base}static/page.css", urlsplit(reading.opened).path):
        answer = reading.get(path, Host=name, Cookie=reading.cookie, X_Forwarded_Host=f"127.0.0.1:{reading.port}")
        if name == f"127.0.0.1:{reading.port} ":  # white space around a header's value is no part of it
            assert answer.status in (200, 403)
        else:
            refused(answer, 400)


def test_no_host_and_two_are_refused(reading: Served) -> None:
    for host in (None, f"127.0.0.1:{reading.port}\n127.0.0.1:{reading.port}", f"127.0.0.1:{reading.port}\n{MARK}"):
        answer = reading.get(reading.base, Host=host, Cookie=reading.cookie)
        assert answer.status == 400
        assert MARK not in answer.body
        assert "Peter" not in answer.body


def test_without_the_cookie_nothing_is_shown(reading: Served) -> None:
    value = reading.cookie.partition("=")[2]
    for cookie in (
        None,
        "",
        f"commonplace={MARK}",
        f"commonplace={value[:-1]}",
        f"other={value}",
        "commonplace=é",
        ";;=",
    ):
        for view in ("", "static/page.js", "events", "nowhere", "../review"):
            refused(reading.view(view, Cookie=cookie and cookie.encode().decode("latin-1")))


def test_an_address_outside_the_folder_of_the_run_is_refused(reading: Served) -> None:
    for path in (
        "/",
        "//",
        "/review",
        reading.base.rstrip("/"),
        f"/x{reading.base}",
        f"http://{MARK}{reading.base}",
        "*",
    ):
        refused(reading.get(path, Host=f"127.0.0.1:{reading.port}", Cookie=reading.cookie))


@pytest.mark.parametrize("site", ["cross-site", "same-site", "pelican-7f3", "same-origin, none", ""])
def test_another_page_may_not_look(reading: Served, site: str) -> None:
    for view in ("", "static/page.js", "ask?q=Peter", "events"):
        refused(reading.view(view, Sec_Fetch_Site=site))


def test_the_page_an_address_bar_and_an_old_browser_may_look(reading: Served) -> None:
    for site in ("same-origin", "none", None):
        assert bound(reading.view("", Sec_Fetch_Site=site)).status == 200


# ---------------------------------------------------------------------- who may write


@pytest.mark.parametrize(
    ("origin", "site"),
    [
        (None, "same-origin"),
        ("null", "same-origin"),
        ("http://127.0.0.1:1", "same-origin"),
        ("http://127.0.0.1:1", "same-site"),  # another port of this machine
        ("http://localhost:{port}", "same-origin"),
        ("https://127.0.0.1:{port}", "same-origin"),
        ("http://127.0.0.1:{port}.pelican-7f3.example", "same-origin"),
        ("http://127.0.0.1:{port}\nhttp://pelican-7f3.example", "same-origin"),
        ("http://127.0.0.1:{port}", "same-site"),
        ("http://127.0.0.1:{port}", "cross-site"),
        ("http://127.0.0.1:{port}", "none"),
        ("http://127.0.0.1:{port}", None),
        ("http://127.0.0.1:{port}", ""),
    ],
)
def test_another_page_may_not_write(reading: Served, origin: str | None, site: str | None) -> None:
    fields = {"do": "undo", "field": reading.field()}
    for view in ("review", "reflect", "merge"):
        named = origin and origin.format(port=reading.port)
        refused(sent(reading, fields, view, Origin=named, Sec_Fetch_Site=site))


def test_a_form_without_the_hidden_field_changes_nothing(reading: Served) -> None:
    field = reading.field()
    for given in ({}, {"field": ""}, {"field": MARK}, {"field": field[:-1]}, {"field": "é"}, {"Field": field}):
        for view in ("review", "reflect", "merge"):
            answer = bound(sent(reading, {"do": "undo", "into": "Peter", "other": "Andy", **given}, view))
            assert answer.status == 400
            assert "of an earlier run" in answer.body
            assert MARK not in answer.body


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
def test_other_methods_are_refused(reading: Served, method: str) -> None:
    path, cookie = f"{reading.base}review", reading.cookie
    refused(reading.get(path, method, Cookie=cookie, Origin=reading.origin, Sec_Fetch_Site="same-origin"))


def test_a_form_of_three_megabytes_is_refused(reading: Served) -> None:
    field = reading.field()
    for body in (f"field={field}&t-x={'x' * 3_000_000}".encode(), f"field={field}{'&v-x=accept' * 2_500}".encode()):
        answer = bound(sent(reading, body))
        assert answer.status == 400
        assert "too" in answer.body
        assert bound(reading.view("")).status == 200


@pytest.mark.parametrize(
    "answers", ["", "{", "[1]", '"x"', "null", '{"id":"x"}', "[[]]", '[{"id":"x"}]', "[" * 100_000]
)
def test_answers_that_no_preview_has_written_are_refused(reading: Served, answers: str) -> None:
    fields = {"field": reading.field(), "do": "apply", "answers": answers}
    assert bound(sent(reading, fields)).status == 400


# ---------------------------------------------------------------------- what is answered


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_bound(reading: Served, view: str) -> None:
    answer = bound(reading.view(view))
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert not re.search(r"\son\w+=|\sstyle=|<style|javascript:", answer.body.partition("<main")[0])
    assert re.findall(r"<script[^>]*>", answer.body) == re.findall(
        r'<script type="module" src="static/[^"]+">', answer.body
    )


def test_static_files_alone_may_be_kept(reading: Served) -> None:
    for name, kind in (("page.css", "text/css"), ("page.js", "text/javascript"), ("icon.svg", "image/svg+xml")):
        answer = bound(reading.view(f"static/{name}"), kept=True)
        assert answer.headers["content-type"].startswith(kind)


@pytest.mark.parametrize(
    "path",
    [
        *("../../etc/passwd", "../../../../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fetc%2fpasswd"),
        *("/etc/passwd", "%2Fetc%2Fpasswd", "//etc/passwd", "....//etc/passwd", "%252e%252e/etc/passwd"),
        *("page.css%00", "..%5c..%5cetc%5cpasswd", "%c0%ae%c0%ae/etc/passwd", "", ".", "%2e", "page.css/", "../app.py"),
        *(".memory/index.sqlite", ".memory/.gitignore", ".git/config", "bank", "memory/none.md", "~/.ssh/id_rsa"),
    ],
)
def test_no_path_leads_out_of_the_workspace(reading: Served, path: str) -> None:
    for folder in ("static", "at"):
        answer = bound(reading.view(f"{folder}/{path}"))
        assert answer.status in (400, 404) or answer.headers["location"].startswith(reading.at("static/")), answer
        assert "root:" not in answer.body
        assert "import" not in answer.body


NINES = "9" * 5_000
ODD = [
    *("at/memory/2025-11-26.md?line=999999", "at/memory/2025-11-26.md?line=-1", f"at/MEMORY.md?line={NINES}&last=1"),
    *("at/MEMORY.md?find=%00", "at/MEMORY.md?find=" + "x" * 9_000, "at/MEMORY.md%23L3?line=3", "at/bank"),
    *(
        f"ask?q=x&k={NINES}",
        "ask?q=x&k=-1",
        "ask?q=%00",
        "ask?q=%ff%fe",
        "ask?q=%ED%A0%80",
        "ask?q=x&q=y",
        "ask?q=x&as_of=%00",
    ),
    *("ask?q=" + "word+" * 1_500, "ask?q=x&as_of=never", "opinions?as_of=never", f"opinions?from={NINES}"),
    *("opinions?from=%C2%B2", "opinions?order=x", "opinion/%00", "opinion/" + "x" * 6_000, "entity/%00", "entity/a/b"),
    *("entity/..%2f..%2fetc", "entity/", "entities?from=%C2%B2", f"entities?from={NINES}", "entities?kind=%00"),
    *("day/2025-13-45", "day/%00", "day/0001-01-01", "day/9999-12-31", "day/2025-11-26?year=99999999"),
    *("day/2025-11-26?year=0", "day/2025-11-26?year=9999", "merge", "merge?into=&other=", "merge?into=Peter&other=%00"),
    *("merge?into=Peter&other=Peter", "merge?into=..%2f..&other=Peter", "review?x", "reflect?x", "health?x"),
]


@pytest.mark.parametrize("view", ODD, ids=range(len(ODD)))
def test_odd_addresses_are_answered_without_a_bug(reading: Served, view: str) -> None:
    answer = bound(reading.view(view))
    assert answer.status in (200, 400, 404), answer


def test_a_line_beyond_the_end_of_a_file_is_said_to_be_none(reading: Served) -> None:
    there = bound(reading.view("at/memory/2025-11-26.md?line=2")).body
    beyond = bound(reading.view("at/memory/2025-11-26.md?line=99999")).body
    assert "there is no line" not in there
    assert re.search(r"there is no line 99999: the file has \d+ lines", beyond)


def test_odd_events_are_answered(writing: Served) -> None:
    for since in (NINES, "-1", "%C2%B2", f"x%0Aevent:%20{MARK}"):
        assert writing.first_event(since) == (200, "event: changed")


# ---------------------------------------------------------------------- two servers


def test_two_servers_on_one_folder_keep_apart(reading: Served) -> None:
    with serving(reading.root) as other:
        refused(other.get(other.base, Cookie=reading.cookie))
        refused(other.get(reading.base, Cookie=reading.cookie))
        refused(sent(other, {"field": other.field(), "do": "undo"}, Origin=reading.origin))
        assert other.view("").status == reading.view("").status == 200


def test_a_port_that_is_taken_is_told(reading: Served) -> None:
    words = [
        sys.executable,
        "-m",
        "commonplace",
        "serve",
        "--workspace",
        str(reading.root),
        "--port",
        str(reading.port),
    ]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert f"port {reading.port} is not available" in done.stderr
