"""The mailbox of a trial site: mails as files, and the pages that show them and send replies."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email import message_from_bytes, policy
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.core.mail import EmailMultiAlternatives, get_connection, send_mail
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import signed_links
from games.models import Action
from games.selectors import load_view_for
from games.selectors.clocks import seat_clock_of
from games.services import lobby
from notifications.channels.email import mailbox
from notifications.inbound.addresses import build_address
from notifications.models import InboundMail
from tests.factories.cast import NOW, player

pytestmark = pytest.mark.django_db
KEY = "a key that the terminal printed"
PNG = bytes.fromhex("89504e470d0a1a0a") + b"a picture"


@pytest.fixture(autouse=True)
def mail_folder(settings: Any, tmp_path: Path) -> Path:
    """Configure a trial site whose mails are files in a temporary folder."""
    settings.TRIAL = True
    settings.MAILBOX_KEY = KEY
    settings.EMAIL_BACKEND = mailbox.MAILBOX_BACKEND
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    settings.REPLY_DOMAIN = "otto.localhost"
    return tmp_path / "mail"


def write_mail(to: str = "ada@example.org", subject: str = "hello", **headers: str) -> None:
    mail = EmailMultiAlternatives(
        subject, "plain words", "bounce-1@otto.localhost", [to], headers={"From": "OTTO <o@x.org>", **headers}
    )
    html = '<html><head><title>x</title></head><body><img src="cid:board"><a href="/next/">next</a></html>'
    mail.attach_alternative(html, "text/html")
    mail.attach("note.html", "<script>alert(1)</script>", "text/html")
    mail.send()


def open_mailbox_client(**options: Any) -> Client:
    """Return a client with the printed key of the mailbox."""
    client = Client(**options)
    client.cookies["mailbox"] = KEY
    return client


def read_page(path: str = "/mailbox/", status: int = 200) -> str:
    answer = open_mailbox_client().get(path)
    assert answer.status_code == status
    return answer.content.decode()


def find_newest_mail() -> str:
    """Return the path of the newest mail."""
    return f"/mailbox/{next(mailbox.list_mails()).name}/"


# ------------------------------------------------------------------------------------------------- the files


def test_a_site_without_a_mail_server_keeps_its_mails_as_files(tmp_path: Path) -> None:
    backend_by_host = {}
    for host in ("", "mail.example.org"):
        script = "from django.conf import settings; print(settings.EMAIL_BACKEND)"
        env = os.environ | {"VAR_DIR": str(tmp_path), "EMAIL_HOST": host, "EMAIL_BACKEND": ""}
        env["DJANGO_SETTINGS_MODULE"] = "otto_site.settings"
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=env,
            cwd=django_settings.BASE_DIR,
            capture_output=True,
            text=True,
        )
        backend_by_host[host] = done.stdout.strip()
    assert backend_by_host[""] == mailbox.MAILBOX_BACKEND
    assert backend_by_host["mail.example.org"] == "django.core.mail.backends.smtp.EmailBackend"


def test_each_mail_is_a_file_of_its_own_with_its_envelope_on_top(mail_folder: Path) -> None:
    write_mail("ada@example.org")
    write_mail("Bob <bob@example.org>", subject="Grüße")
    files = sorted(mail_folder.iterdir())
    assert [path.suffix for path in files] == [".eml", ".eml"]
    second = message_from_bytes(files[1].read_bytes(), policy=policy.default)
    assert second["Return-Path"] == "<bounce-1@otto.localhost>"
    assert second["Delivered-To"] == "bob@example.org"
    assert second["Subject"] == "Grüße"
    assert [line.subject for line in mailbox.list_mails()] == ["Grüße", "hello"]


def test_a_mail_to_nobody_is_no_mail(mail_folder: Path) -> None:
    assert get_connection().send_messages([EmailMultiAlternatives("x", "y", "a@b.c", [])]) == 0
    assert not mail_folder.exists()


def test_mails_that_are_written_at_once_are_all_there_and_whole(mail_folder: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: write_mail(subject=f"mail {n}"), range(100)))
    assert {line.subject for line in mailbox.list_mails()} == {f"mail {n}" for n in range(100)}
    assert not list(mail_folder.glob("*.part"))


def test_a_mail_that_is_being_written_is_not_read(mail_folder: Path) -> None:
    write_mail()
    (mail_folder / "20260101T000000000000-abcdef.part").write_bytes(b"Subject: hal")
    (mail_folder / "somebody's.eml").write_bytes(b"Subject: not ours")
    assert [line.subject for line in mailbox.list_mails()] == ["hello"]


# ------------------------------------------------------------------------------------------------- the pages


def test_an_empty_mailbox_says_when_something_comes() -> None:
    assert "No mails yet" in read_page()


def test_the_newest_mail_is_on_top_and_a_person_can_be_picked() -> None:
    for name, subject in (("ada", "first"), ("bob", "second"), ("ada", "third <b>")):
        write_mail(f"{name}@example.org", subject)
    everything = read_page()
    assert re.findall('class="subject">([^<]*)<', everything) == ["third &lt;b&gt;", "second", "first"]
    assert "?to=ada%40example.org" in everything
    own_page = read_page("/mailbox/?to=Ada@example.org")
    assert re.findall('class="subject">([^<]*)<', own_page) == ["third &lt;b&gt;", "first"]
    assert "No mails yet" in read_page("/mailbox/?to=cleo@example.org")


def test_older_mails_are_a_page_further() -> None:
    for n in range(60):
        mailbox.write_mail(f"To: a@b.c\nSubject: n{n}\n\nx".encode(), now=NOW + timedelta(seconds=n))
    first = read_page()
    assert re.findall('class="subject">n(\\d+)<', first) == [str(n) for n in range(59, 9, -1)]
    older = unescape(re.search(r'href="(\?[^"]*before=[^"]+)"', first)[1])  # type: ignore[index]
    second = read_page(f"/mailbox/{older}")
    assert re.findall('class="subject">n(\\d+)<', second) == [str(n) for n in range(9, -1, -1)]
    assert not re.search(r'href="\?[^"]*before=', second)


def test_a_mail_is_shown_in_a_frame_that_can_do_nothing() -> None:
    write_mail(subject="</title><script>alert(1)</script>")
    answer = open_mailbox_client().get(find_newest_mail())
    html = answer.content.decode()
    sandbox = re.search('sandbox="([^"]*)"', html)[1].split()  # type: ignore[index]
    assert not {"allow-scripts", "allow-same-origin", "allow-forms"} & {*sandbox}
    assert "<script" not in html
    frame = unescape(re.search('srcdoc="([^"]*)"', html)[1])  # type: ignore[index]
    assert '<head><base target="_blank">' in frame
    assert 'src="cid:board"' in frame  # this mail contains no such picture
    policy_said = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy_said
    assert "script-src" not in policy_said


def test_a_mail_can_be_read_as_text_and_with_its_headers() -> None:
    write_mail(**{"X-Mood": "sunny <i>"})
    assert "plain words" in read_page(f"{find_newest_mail()}?as=text")
    headers = read_page(f"{find_newest_mail()}?as=headers")
    assert "X-Mood" in headers
    assert "sunny &lt;i&gt;" in headers
    assert "<iframe" in read_page(f"{find_newest_mail()}?as=nonsense")
    send_mail("bare", "only words, see http://127.0.0.1:8000/next/", None, ["ada@example.org"])
    bare = read_page(find_newest_mail())
    assert "<iframe" not in bare
    assert '<a href="http://127.0.0.1:8000/next/"' in bare


def test_pictures_are_shown_and_everything_else_is_only_saved() -> None:
    raw = (
        b"To: ada@example.org\nSubject: board\nContent-Type: multipart/related; boundary=B\n\n"
        b'--B\nContent-Type: text/html\n\n<p style="background:url(cid:board@x)"><img src="cid:board@x">\n'
        b"--B\nContent-Type: image/png\nContent-ID: <board@x>\nContent-Transfer-Encoding: base64\n\n"
        b"iVBORw0KGgphIHBpY3R1cmU=\n"
        b"--B\nContent-Type: image/svg+xml\nContent-Disposition: attachment; filename=a.svg\n\n"
        b"<svg onload=x>\n--B--\n"
    )
    path = f"/mailbox/{mailbox.write_mail(raw, now=NOW)}/"
    frame = unescape(re.search('srcdoc="([^"]*)"', read_page(path))[1])  # type: ignore[index]
    source = re.search('<img src="([^"]*)"', frame)[1]  # type: ignore[index]
    assert f"url({source})" in frame
    picture = open_mailbox_client().get(source)
    assert (picture["Content-Type"], picture.content) == ("image/png", PNG)
    drawing = re.search(f'href="({path}part/\\d+/)"', read_page(path))[1]  # type: ignore[index]
    saved = open_mailbox_client().get(drawing)
    assert (saved["Content-Type"], saved["Content-Disposition"]) == ("application/octet-stream", "attachment")
    read_page(f"{path}part/99/", 404)
    read_page(f"{path}part/0/", 404)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe\x00 no mail at all",
        b"To: =?x?q?\xff?=\nSubject: \xe9\xe8 =?utf-8?b?!!!?=\nFrom: <<>>\n\nbody",
        b"Subject: a\nContent-Type: text/plain; charset=nonsense\n\ncaf\xe9",
        b"Subject: a\nContent-Type: multipart/mixed\n\nno boundary",
        b'Subject: a\nContent-Type: text/html; charset="utf-8"\nContent-Transfer-Encoding: base64\n\n%%%',
    ],
)
def test_a_broken_mail_breaks_nothing(raw: bytes) -> None:
    name = mailbox.write_mail(raw, now=NOW)
    assert name in read_page()
    for view_format in ("html", "text", "headers"):
        read_page(f"/mailbox/{name}/?as={view_format}")


@pytest.mark.parametrize("name", ["nothing", "20260101T000000000000-abcdef", "..%2f..%2fsettings", "%00"])
def test_a_mail_that_is_not_there_is_not_found(name: str) -> None:
    read_page(f"/mailbox/{name}/", 404)
    read_page(f"/mailbox/{name}/part/0/", 404)
    assert open_mailbox_client().post(f"/mailbox/{name}/reply/", {"text": "draw"}).status_code == 404


@pytest.mark.parametrize(
    "change", [{"TRIAL": False}, {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend"}]
)
def test_where_mails_really_go_out_there_is_no_mailbox(change: dict[str, Any], settings: Any) -> None:
    write_mail()
    path = find_newest_mail()
    for name, value in change.items():
        setattr(settings, name, value)
    for url in ("/mailbox/", path, f"{path}part/0/"):
        read_page(url, 404)
    assert open_mailbox_client().post(f"{path}reply/", {"text": "draw"}).status_code == 404


def test_a_newcomer_finds_the_mail_of_the_sign_up_and_follows_it() -> None:
    cache.clear()
    zoe = Client()
    zoe.post(
        "/accounts/signup/",
        {"email": "zoe@example.org", "username": "zoe", "password1": "nine-purple-herons"},
    )
    assert "zoe@example.org" in read_page()
    text = read_page(f"{find_newest_mail()}?as=text")
    link = re.search(r'href="http://testserver(/accounts/confirm-email/[^"]+)"', text)[1]  # type: ignore[index]
    zoe.post(link)
    assert zoe.get("/me/profile/").status_code == 200
    assert Player.objects.get(name="zoe")


# ---------------------------------------------------------------------------------------------------- replies


def test_a_reply_is_made_as_a_mail_program_would() -> None:
    write_mail(**{"Reply-To": "play-x@otto.localhost", "Message-ID": "<two@x>", "References": "<one@x>"})
    original = mailbox.read_mail(next(mailbox.list_mails()).name)
    assert original
    answer = mailbox.build_reply(original, "draw\nB b3 90 é", now=NOW)
    assert (answer["From"], answer["To"]) == ("ada@example.org", "play-x@otto.localhost")
    assert (answer["Subject"], answer["In-Reply-To"]) == ("Re: hello", "<two@x>")
    assert answer["References"] == "<one@x> <two@x>"
    assert answer["Auto-Submitted"] is None
    parsed_reply = message_from_bytes(answer.as_bytes(), policy=policy.default)
    assert parsed_reply.get_content().splitlines() == ["draw", "B b3 90 é"]


def test_nobody_reads_answers_to_a_mail_without_a_reply_address() -> None:
    write_mail()
    assert "Nobody reads replies" in read_page(find_newest_mail())
    assert open_mailbox_client().post(f"{find_newest_mail()}reply/", {"text": "draw"}).status_code == 404
    write_mail(**{"Reply-To": "somebody@elsewhere.org"})
    assert "<textarea" not in read_page(find_newest_mail())


def start_waiting_turn(purpose: str = signed_links.REPLY_PURPOSE) -> tuple[str, str]:
    """Start a game; return the path of the mail about its first turn, and a legal action."""
    now = timezone.now()
    game = lobby.create_game(player=player("ada"), now=now, seat_count=2, cards=False)
    for name in ("ada", "bob"):
        lobby.join_game(player=player(name), code=game.code, now=now)
    game.refresh_from_db()
    seat = next(
        place for place in game.seats.all() if place.seat_no and game.to_act_mask >> place.seat_no & 1
    )
    assert seat.player
    assert seat.seat_no
    token = signed_links.make_turn_token(
        purpose=purpose,
        game_code=game.code,
        seat_no=seat.seat_no,
        turn_seq=seat_clock_of(game, seat.seat_no).turn_seq,
        player_id=seat.player.pk,
    )
    write_mail(seat.player.email, **{"Reply-To": build_address(purpose, token)})
    return find_newest_mail(), load_view_for(seat.player, game.code).legal_actions[0]


def send_reply(path: str, text: str) -> str:
    """Send a reply; return the notice on the next page."""
    answer = open_mailbox_client().post(f"{path}reply/", {"text": text}, follow=True)
    assert answer.status_code == 200
    notice = re.search(r'<p class="notice[^"]*" role="status">(.*?)</p>', answer.content.decode(), re.DOTALL)
    assert notice
    return unescape(notice[1])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "We played nothing: your mail has no line of your own. "),
        (
            "hello there",
            "We played nothing: no line of your mail says what to play."
            " Your mail begins with “hello there”. ",
        ),
    ],
)
def test_a_reply_without_an_action_reads_what_to_write(text: str, sentence: str) -> None:
    path, action = start_waiting_turn()
    example = f"Write your move on a line of its own, for example: {action.replace('-', ' ')}"
    assert send_reply(path, text) == sentence + example
    assert send_reply(path, action.replace("-", " ")) == f"We played your reply: {action}."


def test_a_reply_that_cannot_be_played_gets_the_reason_in_a_sentence() -> None:
    path, action = start_waiting_turn()
    tile = action.partition("-")[0]
    assert send_reply(path, f"{tile} c3 0") == f"We did not play “{tile} c3 0”: c3 is taken."


def test_a_no_to_resigning_reads_what_to_write() -> None:
    path, _action = start_waiting_turn(signed_links.RESIGN_PURPOSE)
    sentence = "You have not resigned. To resign, write only “yes” in the first line."
    assert send_reply(path, "maybe") == sentence
    assert send_reply(path, "yes") == "We played your reply: resign."


def test_a_reply_that_nobody_answers_is_answered_in_a_sentence() -> None:
    path, action = start_waiting_turn()
    for account in Player.objects.filter(name__in=["ada", "bob"]):
        Player.objects.filter(pk=account.pk).update(email=f"new.{account.email}")
    assert (
        send_reply(path, action)
        == "We played nothing. This reply address no longer belongs to a turn of yours."
    )


def test_a_turn_is_played_by_a_reply_in_the_mailbox() -> None:
    path, action = start_waiting_turn()
    assert "<textarea" in read_page(path)
    browser = open_mailbox_client(enforce_csrf_checks=True)
    html = browser.get(path).content.decode()
    csrf = re.search('name="csrfmiddlewaretoken" value="([^"]+)"', html)[1]  # type: ignore[index]
    assert browser.post(f"{path}reply/", {"text": action}).status_code == 403
    answer = browser.post(
        f"{path}reply/", {"text": f"Hello,\n{action}\n", "csrfmiddlewaretoken": csrf}, follow=True
    )
    assert answer.status_code == 200
    assert f"We played your reply: {action}" in answer.content.decode()
    assert Action.objects.get().action == action
    assert InboundMail.objects.get().outcome == "played"
    late = browser.post(f"{path}reply/", {"text": action, "csrfmiddlewaretoken": csrf}, follow=True)
    assert "You had already played this turn, so we played nothing from your mail." in late.content.decode()
    assert Action.objects.count() == 1


def test_every_page_of_a_trial_leads_to_the_mailbox(settings: Any) -> None:
    assert 'href="/mailbox/"' in read_page("/lobby/")
    settings.TRIAL = False
    assert 'href="/mailbox/"' not in read_page("/lobby/")


# ----------------------------------------------------------------------------------- access by other users


def test_the_mailbox_opens_only_with_the_key_that_the_terminal_printed() -> None:
    write_mail()
    file = re.search(f'href="({find_newest_mail()}part/\\d+/)"', read_page(find_newest_mail()))[1]  # type: ignore[index]
    paths = ("/mailbox/", find_newest_mail(), file)
    for stranger in (Client(), Client()):
        stranger.force_login(player("bob"))
        stranger.cookies["mailbox"] = "not the key"
        for path in (*paths, "/mailbox/?key=not-the-key", "/mailbox/?key="):
            answer = stranger.get(path)
            assert answer.status_code == 403
            assert "hello" not in answer.text
            assert "ada@example.org" not in answer.text
        assert stranger.post(f"{find_newest_mail()}reply/?key={KEY}", {"text": "draw"}).status_code == 403
    host = Client()
    opened = host.get("/mailbox/", {"key": KEY, "to": "ada@example.org"})
    assert (opened.status_code, opened["Location"]) == (302, "/mailbox/?to=ada%40example.org")
    assert opened.cookies["mailbox"]["httponly"]
    assert "hello" in host.get(opened["Location"]).text
    assert all(host.get(path).status_code == 200 for path in paths)


def test_without_a_key_nothing_opens(settings: Any) -> None:
    settings.MAILBOX_KEY = ""
    client = Client()
    client.cookies["mailbox"] = ""
    assert client.get("/mailbox/?key=").status_code == 403


def test_nobody_else_on_the_machine_reads_what_a_trial_writes(tmp_path: Path) -> None:
    """Games, keys and mails are in one folder that only its owner can read."""
    environment = os.environ | {"VAR_DIR": str(tmp_path / "var"), "TRIAL": "1", "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", "check"]
    before = os.umask(0o000)  # also without a protective umask
    try:
        subprocess.run(
            command, env=environment, cwd=django_settings.BASE_DIR, check=True, capture_output=True
        )
    finally:
        os.umask(before)
    assert (tmp_path / "var").stat().st_mode & 0o777 == 0o700
    for name in ("secret_key", "mailbox_key"):
        assert (tmp_path / "var" / name).stat().st_mode & 0o777 == 0o600
