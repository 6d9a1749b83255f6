"""Outgoing mails have the intended recipients and headers, whatever text users have written.

tests/games/test_messages.py covers names and chat, tests/notifications/test_inbound.py headers of replies.
"""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from typing import Any

import pytest
from django.core import mail
from django.core.mail.message import BadHeaderError
from django.test import Client

from accounts.models import Player
from common.service_errors import Invalid
from games.models import Invitation, Message
from games.selectors.clocks import seat_clock_of
from games.services import invitations, lobby
from notifications.channels.email import mail_sender
from notifications.channels.email.message import assemble_email, build_auto_submitted_headers
from notifications.inbound.reply_lines import extract_own_lines
from notifications.models import Delivery
from notifications.services import inbound_mail
from tests.factories.cast import Api, player
from tournaments.models import Appeal, League, Tournament

from .world import World

pytestmark = pytest.mark.django_db

ENDS = ("\n", "\r", "\r\n", "\u2028", "\x0b", "\x85", "%0a", "\0")
SPACED_ADDRESS = "a@example.net "  # the only one that forms accept, without its space
ADDRESSES = (
    *(
        "a@example.net\nBcc: all@example.net",
        "a@example.net\r\nBcc: all@example.net",
        "a@example.net, b@example.net",
    ),
    *(
        "a@example.net;b@example.net",
        "<a@example.net>",
        "Ada <a@example.net>",
        "a@example.net%0aBcc:b@example.net",
    ),
    *(
        "a@example.net\0",
        '"a\nb"@example.net',
        SPACED_ADDRESS,
        "a@[127.0.0.1]\n",
        "a b@example.net",
        "a@b@c.example",
    ),
)


def check_recipients(message: Any, to: list[str]) -> None:
    """Check that a mail has exactly these recipients and no injected headers."""
    assert message.recipients() == to
    raw = message.message().as_bytes()
    read = message_from_bytes(raw, policy=policy.default)
    assert read["Bcc"] is None
    assert read["Cc"] is None
    assert read["X-Evil"] is None
    assert len(read.get_all("To")) == len(read.get_all("Subject")) == len(read.get_all("From")) == 1


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_invitation_goes_to_one_address_or_nowhere(address: str, world: World) -> None:
    game = lobby.create_game(player=player("eve"), now=world.now, seat_count=2)
    answer = Api("eve").post(f"games/{game.code}/invite/", {"email": address})
    assert 400 <= answer.status_code < 500
    with pytest.raises(Invalid):
        invitations.check_email(address)
    world.browser("eve").post(f"/games/{game.code}/invite/", {"who": address})
    addresses = Invitation.objects.filter(inviter=player("eve")).values_list("email", flat=True)
    assert list(addresses) == ([SPACED_ADDRESS.strip()] if address == SPACED_ADDRESS else [])
    mail_sender.send_due_mails(now=world.now)
    assert mail.outbox, "those of the world"
    for message in mail.outbox:
        check_recipients(message, [message.to[0]])


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/accounts/signup/", "email"),
        ("/accounts/password/reset/", "email"),
        ("/accounts/login/code/", "email"),
        ("/leagues/{league}/ask/", "email"),
    ],
)
def test_no_form_sends_a_mail_to_more_than_one(path: str, field: str, address: str, world: World) -> None:
    form = {
        field: address,
        "username": "newcomer",
        "password1": "a long walk by the canal",
        "name": "newcomer",
    }
    Client().post(path.format(league=world.league.code), form)
    assert len(mail.outbox) == (address == SPACED_ADDRESS)
    for message in mail.outbox:
        check_recipients(message, [address.strip()])


@pytest.mark.parametrize("end", ENDS)
def test_a_name_with_lines_in_it_makes_no_header(end: str, world: World) -> None:
    evil = f"Cup{end}Bcc: all@example.net{end}X-Evil: 1"
    League.objects.filter(pk=world.league.pk).update(name=evil.replace("\0", ""))
    Client().post(f"/leagues/{world.league.code}/ask/", {"email": "zoe@example.net", "name": "zoe"})
    [message] = mail.outbox
    check_recipients(message, ["zoe@example.net"])
    assert len(message.subject.splitlines()) == 1
    subject = assemble_email(
        "zoe@example.net", evil, "note", {"lead": []}, build_auto_submitted_headers(), {}, ""
    ).message()["Subject"]
    assert "\n" not in str(subject).replace("\n ", "")


def test_a_name_is_refused_at_every_door_that_gives_one(world: World) -> None:
    before = set(Player.objects.values_list("name", flat=True))
    for end in ENDS:
        name = f"eve{end}Bcc"
        form = {"email": "n@example.net", "username": name, "password1": "a long walk by the canal"}
        Client().post("/accounts/signup/", form)
    assert set(Player.objects.values_list("name", flat=True)) - before == {"eve Bcc"}


def test_the_head_of_a_reply_is_not_taken_over(world: World) -> None:
    """The answer names only the subject of the inbound mail, and none of its other headers."""
    row = inbound_mail.get_or_create_inbound_mail(
        digest="d" * 64, sender="bob@example.org", recipient="x", now=world.now
    )
    inbound_mail.finish_inbound_mail(
        inbound_mail=row,
        result=inbound_mail.InboundMailResult("refused", "No line of your mail is an action.", "no action"),
        player=player("bob"),
        topic=world.game.topic,
        answer_kind="reply",
        in_reply_to="<a@b>\r\nBcc: all@example.net",
        now=world.now,
    )
    mail = mail_sender.compose_mail(Delivery.objects.get(kind="reply"), now=world.now)
    check_recipients(mail, ["bob@example.org"])
    assert mail.extra_headers["In-Reply-To"] == "<a@b>"


def test_a_header_that_would_break_out_is_no_mail_at_all() -> None:
    """Django refuses such headers, as the last defence."""
    evil = assemble_email(
        "a@example.net", "x", "note", {"lead": []}, {"X-One": "1\r\nBcc: all@example.net"}, {}, ""
    )
    with pytest.raises((BadHeaderError, ValueError)):
        evil.message()


@pytest.mark.parametrize("room", ["tournaments", "leagues"])
def test_an_organisers_words_are_kept_as_they_are_and_shown_in_one_line(room: str, world: World) -> None:
    body: dict[str, Any] = {"name": "Cup\r\nBcc: all", "format": "swiss"}
    body |= {"division_size": 8, "format": "round-robin"} if room == "leagues" else {}
    answer = Api("eve", ("read", "play", "organise")).post(f"{room}/", body)
    assert answer.status_code == 201
    model: Any = Tournament if room == "tournaments" else League
    assert "\n" not in " ".join(model.objects.get(code=answer.json()["id"]).name.split())


# --------------------------------------------------------------------------------- users' text in the body

FORGED = ("-- ", "Unsubscribe: https://evil.example/", "Play this turn: https://evil.example/turn/")


def get_body(message: Any, kind: str) -> str:
    """Return the decoded text or HTML part of a mail."""
    body = message_from_bytes(message.message().as_bytes(), policy=policy.default).get_body((kind,))
    assert body
    return str(body.get_content())


def strip_quotes(plain: str) -> str:
    """Return the plain text without quoted lines."""
    return "\n".join(line for line in plain.splitlines() if not line.startswith(">"))


@pytest.mark.parametrize("end", ENDS)
def test_chat_forges_no_line_of_ours(end: str, world: World) -> None:
    """The text is stored without validation, because its display does not rely on that."""
    if "\0" in end:
        end = "\n"
    words = end.join(["hello", *FORGED])
    Message.objects.create(game=world.game, player=player("bob"), text=words, created_at=world.now)
    seq = seat_clock_of(world.game, world.game.seats.get(player=player("ada")).seat_no or 0).turn_seq
    row = Delivery.objects.create(
        player=player("ada"),
        topic=world.game.topic,
        kind="turn",
        dedup_key="test",
        data={"seq": seq},
        created_at=world.now,
    )
    mail = mail_sender.compose_mail(row, now=world.now)
    plain, page = get_body(mail, "plain"), get_body(mail, "html")
    assert "\nbob:\n" in plain
    assert "> hello" in plain
    assert "evil.example" in plain
    assert "evil.example" not in strip_quotes(plain)
    assert plain.splitlines().count("-- ") == 1, "the one signature is ours"
    assert "evil.example" not in re.sub(r"<blockquote.*?</blockquote>", "", page, flags=re.S)
    assert extract_own_lines(plain) == extract_own_lines(strip_quotes(plain)), (
        "a reply that repeats it plays nothing of it"
    )


@pytest.mark.parametrize("end", ENDS)
def test_reasons_and_answers_of_organisers_forge_no_line_of_ours(end: str, world: World) -> None:
    words = end.replace("\0", "\n").join(["hello", *FORGED])
    table = world.tournament.pairings.filter(
        pairing_seats__entrant__entrant_players__player=player("bob")
    ).first()
    assert table
    defaults = {"text": words, "answer": words, "at": world.now}
    appeal, _new = Appeal.objects.update_or_create(pairing=table, created_by=player("bob"), defaults=defaults)
    kinds_and_data: list[tuple[str, dict[str, Any]]] = [
        ("tournament-cancelled", {"text": words}),
        ("tournament-out", {"reason": "disqualified", "text": words}),
        ("tournament-out", {"reason": "replaced", "text": words}),
        ("tournament-appeal", {"appeal": appeal.pk, "answered": True}),
        ("tournament-appeal", {"appeal": appeal.pk}),
    ]
    for number, (kind, data) in enumerate(kinds_and_data):
        row = Delivery.objects.create(
            player=player("bob"),
            kind=kind,
            dedup_key=f"test {number}",
            data={"tournament": world.tournament.code, **data},
            created_at=world.now,
        )
        mail = mail_sender.compose_mail(row, now=world.now)
        plain, page = get_body(mail, "plain"), get_body(mail, "html")
        assert "> hello" in plain, kind
        assert "evil.example" not in strip_quotes(plain), kind
        assert plain.splitlines().count("-- ") == 1, kind
        assert "evil.example" not in re.sub(r"<blockquote.*?</blockquote>", "", page, flags=re.S), kind
        assert len(mail.subject.splitlines()) == 1
