"""Mails of people and machines: the text that is read from each, and that none does harm."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from accounts.models import Player
from notifications.channels.email import mail_sender
from notifications.inbound import html_mail, mail_processing, mime, reply_lines, reports
from notifications.models import Delivery
from tests.example_counts import pick_example_count
from tests.factories.cast import NOW, start_cast_game
from tests.helpers.inbound_mails import MAILS
from tests.helpers.reply_helpers import (
    ONE_HOUR_LATER,
    build_mail,
    check_game_is_sound,
    get_owner,
    get_seat_to_act,
    list_answers,
    list_legal_actions,
    list_log,
    make_reply_address,
    play_until_placing,
    read_mail_file,
    set_domain,
    start_game_with_cards,
)

SECONDS = 3.0  # for the worst mail on a slow and busy machine; ten times the usual time

# The author's own lines of each mail.
OWN: dict[str, list[str]] = {
    "auto-colleague": [
        "I am away until Monday. Write to my colleague, bob@example.org, instead.",
        "Ada, ada@example.org, room 12",
    ],
    "auto-exchange": ["I am out of the office until Monday.", "draw"],
    "auto-header": ["draw"],
    "auto-it-subject": ["Sono fuori sede.", "draw"],
    "auto-list": ["draw"],
    "auto-nl-precedence": ["Ik ben er even niet."],
    "auto-vacation": ["draw"],
    "base64-bom": ["B b3 90"],
    "boundary-missing": ["B b3 90"],
    "calendar": ["Ada Lovelace has accepted this invitation."],
    "encrypted": [],
    "false-name": ["draw"],
    "german-program": ["draw"],
    "gmail-en": ["B b3 90"],
    "gmail-html-only": ["Ciao,", "metti B in b3, 90°"],
    "gmail-it-wrapped": ["pesca"],
    "gmail-nl-below": ["Hoi!", "trek een tegel", "Groetjes,", "Ada"],
    "header-injection": ["B b3 90"],
    "iphone-en": ["Draw"],
    "iphone-it": ["Gioco B su b3, 90°"],
    "iphone-nl": ["B b3 90"],
    "nested": ["B b3 90"],
    "no-mime-at-all": ["B b3 90"],
    "nul-bytes": ["B b3 90"],
    "outlook-en": ["draw", "Ada"],
    "outlook-it-html": ["B b3 90"],
    "outlook-nl-desktop": ["ik trek een tegel"],
    "outlook-original-message": ["B-b3-90"],
    "outlook-word-html": ["draw", "B b3 90"],
    "picture-only": [],
    "proton": ["draw"],
    "signed": ["B b3 90"],
    "thunderbird-en-flowed": [
        "I have been thinking about this one for the whole of the afternoon, and this is what I do:",
        "B b3 90",
    ],
    "thunderbird-it": ["Buonasera, è il mio turno.", "carta viaggio nel tempo"],
    "thunderbird-nl": ["speel tegel B op b3 gedraaid 90"],
    "two-authors": ["draw"],
    "two-decisions": ["Hi bob,", "draw", "B b3 90", "good luck!"],
    "two-from": ["draw"],
    "unclosed": ["B b3 90"],
    "unknown-charset": ["Perché no?", "B b3 90°"],
    "unknown-language": ["draw"],
    "utf16": ["B b3 90"],
    "wrong-charset": ["B b3 90°"],
    "yahoo-html": ["B b3 90"],
}
DRAWING = {"draw", "pesca", "trek een tegel", "ik trek een tegel"}
STRANGERS = {"false-name", "two-authors", "two-from"}


@pytest.fixture(autouse=True)
def set_reply_domain(settings: Any) -> None:
    """Set the domain for replies."""
    set_domain(settings)


def parse_file(name: str) -> mime.MimeMail:
    return mime.parse_mail(read_mail_file(name))


# ---------------------------------------------------------------------------------------------------- reading


def test_every_mail_of_the_folder_is_looked_at() -> None:
    assert {name for name in MAILS if not name.startswith("report-")} == set(OWN)
    assert len(MAILS) >= 50


@pytest.mark.parametrize("name", OWN)
def test_of_a_mail_only_the_writers_own_lines_are_read(name: str) -> None:
    assert mail_processing.extract_reply_lines(parse_file(name)) == OWN[name]
    windows = read_mail_file(name).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    assert mail_processing.extract_reply_lines(mime.parse_mail(windows)) == OWN[name]


@pytest.mark.parametrize("name", MAILS)
def test_machines_are_distinguished_from_people(name: str) -> None:
    machine = name.startswith(("auto-", "report-"))
    assert bool(mail_processing.detect_automatic_mail(parse_file(name), "ada@example.org")) == machine
    assert mail_processing.detect_automatic_mail(
        parse_file(name), ""
    )  # an empty sender means an automatic mail
    assert (
        bool(mail_processing.detect_automatic_mail(parse_file(name), None)) == machine
    )  # an unknown sender differs from an empty one


@pytest.mark.parametrize("name", OWN)
def test_a_mail_has_one_author_or_none(name: str) -> None:
    expected = {"false-name": "mallory@example.net", "two-authors": "", "two-from": ""}
    assert mail_processing.get_from_address(parse_file(name)) == expected.get(name, "ada@example.org")


def test_a_header_cannot_bring_another_one() -> None:
    subject = parse_file("header-injection").get("subject")
    assert subject == "Re: x Bcc: everybody@example.com"


def test_a_message_id_that_is_none_is_not_repeated() -> None:
    for bad in ("<a b@c>", "a@b", "<a@b>\r\n\tBcc: <c@d>", "<é@b>", f"<{'x' * 300}@b>", ""):
        assert mail_processing.message_id_of(mime.parse_mail(f"Message-ID: {bad}\r\n\r\n".encode())) == "", (
            bad
        )
    assert mail_processing.message_id_of(mime.parse_mail(b"Message-ID: <1.x@y>\n\n")) == "<1.x@y>"


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("draw\n\nOn 3 Mar 2026, at 10:01, OTTO wrote:\n\n> Your turn\n", ["draw"]),
        ("On Tue, 3 Mar 2026 OTTO wrote:\n> pass\n\ndraw\n", ["draw"]),
        ("On Tue, 3 Mar 2026 OTTO wrote:\npass\n\ndraw\n", []),  # without marks, all may be quoted
        ("On b3 I place B 90\nOn Tue, 3 Mar 2026 OTTO wrote:\n> x", ["On b3 I place B 90"]),
        ("Op b3 leg ik B 90\nOp di 3 mrt 2026 om 10:01 schreef OTTO:\n> x", ["Op b3 leg ik B 90"]),
        ("draw\n| pass\n» 8\n  > resign", ["draw"]),
        ("draw\n--\nresign", ["draw"]),
        ("draw\n-- resign", ["draw", "-- resign"]),
        ("draw\nGet Outlook for iOS<https://aka.ms/x>\nB b3 90", ["draw", "B b3 90"]),
        ("draw\n\nPlay this turn: https://otto.example/turn/x/\nresign", ["draw"]),
        ("From: here I go\ndraw", ["From: here I go", "draw"]),
        ("From: x\nSubject: y\n\ndraw", []),
        ("", []),
    ],
)
def test_own_lines(text: str, own: list[str]) -> None:
    assert reply_lines.extract_own_lines(text, own_markers=["https://otto.example"]) == own


def test_a_short_line_that_ends_with_a_space_is_not_joined_to_the_next() -> None:
    assert reply_lines.extract_own_lines("draw \nB b3 90 \n", flowed=True) == ["draw", "B b3 90"]


@pytest.mark.parametrize("language", ["en", "it", "nl"])
@pytest.mark.parametrize("style", ["{own}\n\n{ours}", "{own}\n\n>{ours}", "{ours}\n\n{own}", "{own}"])
@pytest.mark.django_db
def test_nothing_of_our_own_mail_is_ever_played(language: str, style: str) -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    Player.objects.filter(pk=place.player_id).update(language=language)
    before = list_log(game)
    delivery = Delivery.objects.create(
        player=get_owner(place),
        topic=game.topic,
        kind="turn",
        dedup_key="x",
        data={"game": game.code, "seq": game.seq},
        created_at=NOW,
    )
    body = mail_sender.compose_mail(delivery, now=NOW).body
    assert list_legal_actions(game, place)[0].replace("-", " ") in body
    to = make_reply_address(game, place)
    text = style.format(own="I will think about it.", ours=body)
    row = mail_processing.receive_mail(
        build_mail(text, get_owner(place).email, to),
        recipient=to,
        sender="ada@example.org",
        now=ONE_HOUR_LATER,
    )
    assert row.outcome == "refused"
    assert list_log(game) == before


# ----------------------------------------------------------------------------------------------------- safety


@pytest.mark.django_db
@pytest.mark.parametrize("name", MAILS)
def test_a_mail_from_the_folder_plays_only_for_its_author(name: str) -> None:
    """Sent to ada's turn, it plays at most ada's own lines; sent to bob's turn, nothing."""
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    is_own_seat = get_owner(place).name == "ada"
    to = make_reply_address(game, place)
    row = mail_processing.receive_mail(
        read_mail_file(name), recipient=to, sender="ada@example.org", now=ONE_HOUR_LATER
    )
    draws = any(line.lower() in DRAWING for line in OWN.get(name, []))
    if name.startswith(("auto-", "report-")):
        assert row.outcome == "ignored"
    elif not is_own_seat or name in STRANGERS:
        assert row.outcome == "unknown"
    elif draws:
        # Whether a second line is legal after the draw depends on the shuffle.
        assert row.outcome in (("played", "refused") if "B b3 90" in OWN[name] else ("played",))
        assert list_log(game)[0] == "draw"
    else:
        assert row.outcome in ("played", "refused")
        # Legal if ada holds that card.
        assert list_log(game) == (["TT"] if row.outcome == "played" else [])
    if row.outcome in ("ignored", "unknown"):
        assert list_log(game) == []
    assert bool(list_answers()) == (row.outcome in ("played", "refused"))
    check_game_is_sound(game)


def build_multipart(body: bytes, boundary: str = "x") -> bytes:
    head = f"From: ada@example.org\r\nContent-Type: multipart/mixed; boundary={boundary}\r\n\r\n"
    return head.encode() + body


TEXT = b"--x\r\nContent-Type: text/plain\r\n\r\ndraw\r\n"
FILE = b"--x\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n"
MONSTERS = {
    "20 MB of attachment": (build_multipart(TEXT + FILE + b"QUJD" * 5_000_000 + b"\r\n--x--\r\n"), ["draw"]),
    "20 MB of attachment before the text": (
        build_multipart(FILE + (b"QUJD" * 19 + b"\r\n") * 256_000 + TEXT + b"--x--\r\n"),
        ["draw"],
    ),
    "20 MB of text": (b"From: ada@example.org\r\n\r\ndraw\r\n" + b"and so on\r\n" * 1_800_000, None),
    "one line of 20 MB": (b"From: ada@example.org\r\n\r\n" + b"draw " * 4_000_000, None),
    "a million short lines": (b"From: ada@example.org\r\n\r\n" + b"a\n" * 1_000_000 + b"draw\n", None),
    "many parts": (build_multipart(b"--x\r\n\r\n\r\n" * 100_000 + TEXT), []),
    "parts within parts": (
        b"From: ada@example.org\n"
        + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(50_000))
        + b"Content-Type: text/plain\n\ndraw\n",
        [],
    ),
    "a boundary everywhere": (build_multipart(b"--x" * 6_000_000), []),
    "many headers": (b"".join(b"X-%d: y\r\n" % n for n in range(500_000)) + b"\r\ndraw\r\n", None),
    "a long header": (b"From: " + b"ada@example.org, " * 500_000 + b"\r\n\r\ndraw\r\n", None),
    "comments in a sender": (b"From: " + b"(" * 290 + b" ada@example.org\r\n\r\ndraw\r\n", ["draw"]),
    "quotes in a type": (b"Content-Type: text/plain" + b';"' * 900 + b"\r\n\r\ndraw\r\n", ["draw"]),
    "encoded words": (b"Subject: " + b"=?utf-8?q?=" * 100_000 + b"\r\n\r\ndraw\r\n", None),
    "open tags": (b"Content-Type: text/html\r\n\r\n" + b"<a b='" * 60_000, None),
    "open comments": (b"Content-Type: text/html\r\n\r\n" + b"<!--" * 60_000, None),
    "open declarations": (b"Content-Type: text/html\r\n\r\n" + b"<![a" * 60_000, None),
    "a huge character": (b"Content-Type: text/html\r\n\r\ndraw&#" + b"9" * 100_000 + b";", ["draw"]),
    "open quotes": (b"Content-Type: text/html\r\n\r\n" + b"<blockquote>" * 20_000 + b"draw", []),
    "half wrote": (b"\r\n" + b"On 2026 10:01 wrote \r\n" * 20_000, None),
    "spaces": (b"\r\n" + (b" " * 390 + b"\r\n") * 3000, []),
    "digits and dots": (b"\r\n" + (b"1.1:" * 100 + b"\r\n") * 3000, None),
    "dashes": (b"\r\n" + (b"-" * 390 + b"x\r\n") * 3000, None),
    "percent in qp": (
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\ndraw\r\n" + b"=\r\n=3" * 100_000,
        None,
    ),
    "broken base64": (b"Content-Transfer-Encoding: base64\r\n\r\nZHJhdwo*=\x00Z", None),
    "not text": (b'Content-Type: text/plain; charset="zlib"\r\n\r\ndraw\r\n', ["draw"]),
    "punycode": (b'Content-Type: text/plain; charset="punycode"\r\n\r\n' + b"a-" * 200_000, None),
    "nothing": (b"", []),
    "a newline": (b"\n", []),
    "zeros": (b"\0" * 1000, []),
}


@pytest.mark.parametrize("name", MONSTERS)
def test_a_monster_is_read_quickly_or_not_at_all(name: str) -> None:
    content, own = MONSTERS[name]
    started_at = time.process_time()
    mail = mime.parse_mail(content)
    lines = mail_processing.extract_reply_lines(mail)
    mail_processing.detect_automatic_mail(mail, None)
    mail_processing.get_from_address(mail)
    mail_processing.compute_digest(mail, "x@y")
    reports.parse_report(mail)
    assert time.process_time() - started_at < SECONDS
    assert len(lines) <= reply_lines.MAX_LINES
    if own is not None:
        assert lines == own


@pytest.mark.parametrize(
    "line",
    [
        "> " * 5000,
        "On " * 3000 + "wrote:",
        "On 2026 " + "a" * 10_000 + ":",
        "-" * 10_000 + "original",
        "_" * 10_000 + "x",
        "von meinem " * 1000,
        "From:" + " " * 10_000,
        "*" * 10_000,
    ],
)
def test_no_line_takes_long(line: str) -> None:
    started_at = time.process_time()
    reply_lines.extract_own_lines("\n".join([line] * 3000), flowed=True, own_markers=["https://otto.example"])
    assert time.process_time() - started_at < SECONDS


PIECES = [
    *(b"\n", b"\r\n", b"\r\n\r\n", b"\0", b"\xff", b'"', b"(", b",", b"<", b">", b"x", b"--x", b"draw"),
    *(b"From: ", b"Content-Type: ", b"multipart/mixed", b"; boundary=", b"text/html", b"format=flowed"),
    *(b"=?utf-8?b?", b"?=", b"charset*=utf-8''", b"; charset*0*=", b"Content-Disposition: ", b"attachment"),
    *(b"; filename*1=", b"Content-Transfer-Encoding: base64", b"Auto-Submitted: ", b"ada@example.org"),
    *(b"message/delivery-status", b"Status: 5.1.1\n", b"Action: failed\n"),
    *(b"&#99999999999;", b"<blockquote", b"<!--", b"-->"),
]


@hypothesis_settings(
    max_examples=pick_example_count(300), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(PIECES),
            st.binary(max_size=20),
        ),
        max_size=40,
    )
)
def test_no_bytes_whatever_raise_anything(pieces: list[bytes]) -> None:
    mail = mime.parse_mail(b"".join(pieces))
    mail_processing.detect_automatic_mail(mail, None)
    mail_processing.get_from_address(mail)
    mail_processing.message_id_of(mail)
    mail_processing.compute_digest(mail, "x@y")
    reports.parse_report(mail)
    text = "".join(
        mail.decode_part(part) for part in mail.iter_parts() if not part.is_attachment and part.content_type
    )
    html_mail.html_to_text(text)
    for line in reply_lines.extract_own_lines(text, flowed=True):
        assert "\0" not in line
        line.encode()
