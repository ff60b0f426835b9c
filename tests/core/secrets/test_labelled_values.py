"""Values below what names them: a heading, a colon, a parent bullet, the head of a column; and commands of any word."""

from __future__ import annotations

import pytest

from commonplace.core.secrets.guard import FileChange, added, secrets_in

VALUE = "sunflower-" + "Canoe-77"
WORD = "sunflower" + "path"

BELOW = [
    f"# Wifi password\n\n{VALUE}\n",
    f"# Passwords\n\n- Mail: in the safe\n- NAS: {VALUE}\n",
    f"## Password for the NAS\n\n{VALUE}\n",
    f"## Wifi password (home)\n\n1. {VALUE} (since May)\n",
    f"### WLAN-Passwort\n\n`{VALUE}`\n",
    f"## Gästepasswörter\n\n- NAS = {VALUE}\n",
    f"## 密码\n\n- 路由器：{VALUE}\n",
    f"## 密碼\n\n{VALUE}\n",
    f"## パスワード\n\n{VALUE}\n",
    f"## Adgangskoder\n\n* NAS – {VALUE}\n",
    f"## पासवर्ड\n\n- NAS: {VALUE}\n",
    f"## Пароли\n\n- NAS: {VALUE}\n",
    f"## Credentials\n\n- NAS: **{VALUE}**\n",
    f"## Credentials\n\n- NAS: rolf.berg/{VALUE}, tove/{VALUE}2\n",
    f"- **DB-Credentials nach dem Umzug:**\n  - TEST: rolf.berg / {VALUE}\n",
    f"**Wifi password**\n\n{VALUE}\n",
    f"Wifi password:\n\n{VALUE}\n",
    f"- Wifi password\n  - {VALUE}\n",
    f"- Passwords\n  - Home\n    - NAS: {VALUE}\n",
    f"> # Wifi password\n>\n> {VALUE}\n",
    f"| Site | User | Password |\n|---|---|---|\n| nas | bob | {VALUE} |\n",
    f"| Dienst | Passwort |\n|:--|--:|\n| NAS | {VALUE} |",
    f"| 网站 | 密码 |\n|---|---|\n| nas | {VALUE} |",
    f"| サイト | パスワード |\n|---|---|\n| nas | {VALUE} |",
    f"Site | Password\n--- | ---\nnas | {VALUE}\n",
    "| Door | PIN |\n|---|---|\n| front | " + "48" + "21 |\n",
    "# PIN\n\n- Front door: " + "48" + "21\n",
    "## Recovery codes\n\n- 3kd9-" + "x7f2\n- 9sk2-p4q8\n",
    "## API tokens\n\n- CI: a8Kd93kfLs02" + "mPqz71XvBn44\n",
]


@pytest.mark.parametrize("text", BELOW)
def test_a_value_below_its_name_is_known_on_its_own_line(text: str) -> None:
    found = secrets_in(text)
    assert found
    values = [number for number, line in enumerate(text.split("\n"), 1) if found[0].value in line]
    assert found[0].line in values


@pytest.mark.parametrize(
    "text",
    [
        "# Password policy\n\n- Length: 16-character\n- abcd1234efgh\n",
        "# Passwords\n\n- See docs/passwords2.md\n- rotated in 2025\n- Minimum length: 12\n- v1.2.3\n- 2026-01-31\n",
        "# Password\n\n- type: string\n- default: none\n- since: v1.2.0\n- `user_password2`\n",
        "# Passwords\n\n- in Bitwarden\n- ********\n- <password>\n- $DB_PASS1\n- a@b2.example.org\n- https://x.org/a1b2c3\n",
        "# Passwords\n\n# Builds\n\n- build-7f3a9c21\n",
        "Wifi password:\n\nin the drawer\n\nbuild-7f3a9c21\n",
        "- Passwords\n- build-7f3a9c21\n",
        "| Field | Type |\n|---|---|\n| password | string |\n",
        "| Name | Password | Build |\n|---|---|---|\n| NAS | in Bitwarden | build-7f3a9c21 |\n",
        "| Name | Password |\n|---|---|\n| x | 8-64 |\n\nbuild-7f3a9c21 | build-7f3a9c22\n",
        '# Token\n\n```js\nparser2Next.addToken(other);\n"tokenCount": "abcd1234efgh",\n```\n',
        "# Credentials\n\n- read by: src/login2Form.py, docs/setup2.md\n- rotated: 2026/03/01, staging/production\n",
        "# API keys\n\n- for: harbour/tide-model-4-6\n",
        "# Tokens\n\n- Models: harbour/tide-5.1-mini, quay/mooring-2.5-pro\n",
        "# PIN\n\n- Set in 2024\n- Changed: 2025\n",
        "# Spin\n\n- 4821\n",
    ],
)
def test_what_else_stands_below_such_a_name_is_none(text: str) -> None:
    assert not secrets_in(text)


def test_the_name_may_stand_far_above_what_is_written() -> None:
    heading, lines = "# Wifi password\n\n", "- Words that fill a line here.\n" * 30
    table, rows = "| Site | Password |\n|---|---|\n", "| a | in Bitwarden |\n" * 50
    assert added([FileChange("a.md", heading + lines, f"{heading}{lines}- NAS: {VALUE}\n")])
    assert added([FileChange("a.md", table + rows, f"{table}{rows}| nas | {VALUE} |\n")])
    assert not added([FileChange("a.md", lines, f"{lines}- NAS: {VALUE}\n")])
    before = f"{heading}{lines}- NAS: {VALUE}\n"
    assert not added([FileChange("a.md", before, f"{before}- Another line.\n")])


@pytest.mark.parametrize(
    "command",
    [
        f"PGPASSWORD={WORD} psql -h db", f"export PGPASSWORD='{WORD}'", f"MYSQL_PWD={WORD} mysql -u root",
        f"SSHPASS={WORD} sshpass -e ssh x", f"REDISCLI_AUTH={WORD} redis-cli", f"RESTIC_PASSWORD={WORD} restic backup",
        f"BORG_PASSPHRASE={WORD} borg list", f"docker run -e DB_PASSWORD={WORD} pg", f"mysql -u root -p{WORD} db",
        f"sshpass -p {WORD} ssh x", f"curl -u bob:{WORD} https://x.org", f"curl -u bob:{WORD.title()} https://x.org",
        f"wget --password={WORD} https://x.org", f"gpg --passphrase {WORD} -d x", f"zip -P {WORD} a.zip b",
        f"zip -r -P {WORD} a.zip b", f"openssl enc -aes256 -k {WORD} -in x", f"openssl rsa -passin pass:{WORD} -in x",
        f"sqlcmd -U sa -P {WORD.title()}",
    ],
)  # fmt: skip
def test_a_password_in_a_command_may_be_any_word(command: str) -> None:
    assert secrets_in(f"Run `{command}` then.")
    assert secrets_in(f"```\n{command}\n```\n")


@pytest.mark.parametrize(
    "text",
    [
        "Set PGPASSWORD before.", "PGPASSWORD=$PW psql", "PGPASSWORD=password psql", "MYSQL_PWD is deprecated.",
        "connect(db_password=something, user=x)", "mysql -u root -p mydatabase", "curl -u user:password https://x.org",
        "use --password=PASSWORD there", "the --passphrase option of gpg", "openssl rsa -passin file:secretfile -in x",
        "gzip -p somefile", "The password is wrong.", "The password is required", "The password is sent by post.",
    ],
)  # fmt: skip
def test_words_that_are_no_password(text: str) -> None:
    assert not secrets_in(text)
