"""A value is a secret whatever is said between it and the word for it, and beside the user name of a login."""

from __future__ import annotations

import pytest

from commonplace.core.secrets.guard import secrets_in

VALUE = "Kv" + "27!skovbane"
PLAIN = "skovbane" + "2031"
"""A password that looks like one only because it is said to be."""
HEX = "9f86d081884c7d65" + "0a1b2c3d4e5f6071"
PIN = "48" + "21"

SAID = [
    f"- PostgreSQL password confirmed: `{VALUE}`", f"Password works now: {VALUE}", f"Password still works: {VALUE}",
    f"Password confirmed again: {PLAIN}", f"Password confirmed by Peter: {VALUE}", f"Password: still {VALUE}",
    f"The password Peter uses is {VALUE}", f"Password confirmed, {VALUE}", f"Password (confirmed) = {VALUE}",
    f"**Password** confirmed: {VALUE}", f"Password verified and working -> {VALUE}", f"pw ok: {VALUE}",
    f"Set the DB pass to {VALUE} yesterday.", f"DB pass updated: {VALUE}", f"Creds: {VALUE}",
    f"Passwort bestätigt: {VALUE}", f"Passwort funktioniert jetzt: {PLAIN}", f"Das Passwort ist weiterhin {VALUE}",
    f"Passwort wurde heute geändert auf {PLAIN}", f"Zugangsdaten geprüft: {VALUE}",
    f"密码已确认: {VALUE}", f"密码已更新为 {PLAIN}", f"密碼已確認：{VALUE}", f"密码现在仍然有效: {PLAIN}",
    f"パスワード確認済み: {VALUE}", f"パスワードを更新しました: {PLAIN}",
    f"पासवर्ड की पुष्टि हुई: {VALUE}", f"पासवर्ड अब भी {VALUE} है",
    f"Adgangskode bekræftet: {VALUE}", f"Adgangskoden virker nu: {PLAIN}",
    f"Пароль подтверждён: {VALUE}", f"Пароль теперь работает: {PLAIN}",
    f"Mot de passe mis à jour: {VALUE}", f"Contraseña actualizada: {PLAIN}", f"Senha alterada: {VALUE}",
    f"Password confermata: {PLAIN}", f"Hasło potwierdzone: {VALUE}", f"Wachtwoord bevestigd: {PLAIN}",
    f"Heslo potvrzeno: {VALUE}", f"Lösenordet bekräftat: {PLAIN}", f"Passord bekreftet: {VALUE}",
    f"Salasana vahvistettu: {PLAIN}", f"Şifre doğrulandı: {VALUE}", f"Jelszó megerősítve: {PLAIN}",
    f"Mật khẩu đã được xác nhận: {VALUE}", f"Kata sandi dikonfirmasi: {PLAIN}", f"비밀번호가 확인되었습니다: {VALUE}",
    f"תם הסיסמה אושרה: {VALUE}", f"รหัสผ่านยืนยันแล้ว: {VALUE}",
    f"PIN {PIN} for the SIM card", f"PIN-kode {PIN} til SIM-kortet", f"PIN {PIN} works", f"PIN bestätigt: {PIN}",
    f"Code PIN {PIN} pour la carte", f"PIN {PIN} на карту",
    f"Auth token refreshed: {HEX}", f"api key updated → {HEX}", f"API-Schlüssel erneuert: {HEX}",
    f"api密钥已更新: {HEX}", f"APIキー更新済み: {HEX}", f"токен обновлён: {HEX}", f"API nøglen er fornyet: {HEX}",
    f"टोकन अपडेट किया: {HEX}", "recovery code verified: 3kd9-" + "x7f2",
]  # fmt: skip
LOGINS = [
    f"Credentials verified: tina / {VALUE}", f"Login verified: tina/{VALUE}", f"Zugangsdaten geprüft: tina / {VALUE}",
    f"账号已验证: tina / {VALUE}", f"ログイン確認済み: tina / {VALUE}", f"Учётные данные проверены: tina / {VALUE}",
    f"Loginoplysninger bekræftet: tina / {VALUE}", f"Identifiants vérifiés : tina / {VALUE}",
    f"Router: admin/{VALUE}", f"NAS: tina / {VALUE}", f"Drucker: admin/{VALUE}", f"路由器: admin/{VALUE}",
    f"ルーター：admin/{VALUE}", f"Роутер: admin/{VALUE}", f"राउटर: admin/{VALUE}", f"Server (root/{VALUE})",
    f"Log in as tina with {VALUE} on the NAS.", f"Logged in as tina using {VALUE}", f"Changed the login to {VALUE}",
    f"Anmelden als tina mit {VALUE}", f"Log ind som tina med {VALUE}", f"Se connecter avec {VALUE}",
    f"Войти как tina с {VALUE}", f"用 tina 和 {VALUE} 登录", f"登录 NAS 用 {VALUE}", f"tina と {VALUE} でログイン",
    f"tina और {VALUE} से लॉगिन करें",
]  # fmt: skip


@pytest.mark.parametrize("text", [*SAID, *LOGINS])
def test_words_between_a_word_for_a_secret_and_its_value_hide_nothing(text: str) -> None:
    (found,) = {each.value.strip("`.)") for each in secrets_in(text)}
    assert found in text and found in (VALUE, VALUE[:-1], PLAIN, PIN, HEX, "3kd9-" + "x7f2")


@pytest.mark.parametrize(
    "text",
    [
        "Password updated: 2026-03-01T10:00", "Password last changed: Jan-31-2026", "Password changed: yesterday",
        "Password policy: at least 12 characters", "Password manager: 1Password", "Password length: 8-64",
        "Password hash: 5f4dcc3b5aa765d6" + "1d8327deb882cf99", "Password reset: see ticket ABC-1234",
        "Password confirmed on 2026-01-31", "Password rotated by Peter in Q3-2025", "Password updated in v2.4.1",
        "Password reset flow: /auth/reset2/Confirm", "The password field is `user_password2`",
        "Password is still missing", "Password is now required since v2.3", "Password works again since 2026-01-31",
        "Passwort geändert am 31.01.2026", "密码已更新于2026年1月", "パスワードを2026年に変更しました",
        "PIN 4711 people voted", "PIN changed in 2024", "Token refreshed: 2026-01-31T10:00:00Z",
        "Token usage today: 45k/200k", "All 45 tests pass on Node20", "| **PASS** | `expiresIn: 1800` |",
        "Server: nginx/1.18.0", "Server: Apache/2.4.41", "Database: app/users2table", "Router: TP-Link/Archer-C7",
        "Host: web/Dockerfile2", "VM: ubuntu/22.04-LTS", "docker: postgres/15.2-Alpine", "mail / calendar2Sync",
        "Log in with GitHub2", "Logged in to the NAS with SSH at 10:30", "Signed in as admin on Server2",
        "admin/Settings2024.md", "src/admin/Dashboard2Page.tsx", "Zugang zum Server mit VPN2", "用 user2 登录",
        "api key updated in 1Password on 2026-01-31", "credentials in vault2", "Login: /login/Page2",
    ],
)  # fmt: skip
def test_what_else_is_said_of_passwords_and_logins_is_none(text: str) -> None:
    assert not secrets_in(text)


@pytest.mark.parametrize("word", ["password now ", "password 确认过", "login a/1 ", "登录 用 1", "pass: is now "])
def test_the_time_is_linear_in_the_text(word: str) -> None:
    """Each pattern reads a bounded part of a text; an unbounded one would not end here."""
    assert secrets_in(word * 20_000) == []


def test_what_stands_between_two_pieces_of_code_is_no_value() -> None:
    assert not secrets_in("It works: with `RIG_PASSWORD=` that `rig list` shows both, and `rig get` too.")
    assert secrets_in("The password is `that rig 42 list`.")
