"""Mails caused by strangers use the site's words, and anybody can refuse them."""

from __future__ import annotations

import re
from datetime import datetime
from email.message import EmailMessage
from io import StringIO

import pytest
from django.core import mail as outgoing
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils import translation

from accounts.mail_refusals import make_refusal_token
from accounts.models import Player, RefusedAddress
from accounts.selectors.contacts import digest_of_address, is_refused_address
from accounts.services import contact_limits
from games.services import invitations, lobby
from notifications.channels.email import mail_sender
from notifications.channels.email.quoting import QuotedText, format_as_plain_text, wrap_quote_lines
from notifications.inbound.reply_lines import extract_own_lines
from notifications.models import Delivery, FeedEntry
from notifications.unsubscribe_links import make_unsubscribe_token
from tests.factories.cast import player
from tests.helpers.notice_helpers import get_part, parse_mail
from tests.markup import normalise_html
from tournaments.leagues.services import leagues
from tournaments.models import League
from tournaments.services import co_organisers, entries, replacements, tournaments

from .mail_helpers import DAY, VICTIM, create_invitation, list_mails_to, publish_tournament, send_mails
from .world import World

pytestmark = pytest.mark.django_db
ENDS = ("\n", "\r", "\r\n", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85")


# -------------------------------------------------------------------------------- first mails from strangers


def test_an_invitation_by_mail_has_our_subject_and_says_who_asks_and_how_to_refuse(world: World) -> None:
    mail_sender.send_due_mails(now=world.now)  # sends the world's pending mails
    outgoing.outbox.clear()
    host = player("Prince of Nigeria")
    game = lobby.create_game(player=host, now=world.now, seat_count=2)
    invitations.invite_to_game(player=host, code=game.code, email=VICTIM, now=world.now)
    for language, subject in {
        "en": "You are invited to play OTTO",
        "it": None,
        "nl": None,
    }.items():
        Player.objects.filter(pk=host.pk).update(language=language)
        composed_mail = mail_sender.compose_mail(Delivery.objects.get(invitation__game=game), now=world.now)
        assert "Prince" not in composed_mail.subject
        assert subject in (None, composed_mail.subject)
    mail_sender.send_due_mails(now=world.now)
    [mail] = list_mails_to(VICTIM)
    for kind in ("plain", "html"):
        assert "Prince of Nigeria" in get_part(mail, kind)
        assert "/no-mail/" in get_part(mail, kind)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_link_to_join_a_league_has_our_subject_and_its_name_is_quoted(world: World) -> None:
    League.objects.filter(pk=world.league.pk).update(name="YOU WON A PRIZE")
    Client().post(f"/leagues/{world.league.code}/ask/", {"email": VICTIM, "name": "PRIZE"})
    [mail] = list_mails_to(VICTIM)
    assert mail["Subject"] == "Your link to join a league on OTTO online"
    plain = get_part(mail, "plain")
    assert "\n> YOU WON A PRIZE\n" in plain
    assert plain.count("PRIZE") == 1
    assert re.search(r"<blockquote[^>]*>YOU WON A PRIZE</blockquote>", normalise_html(get_part(mail, "html")))
    assert "/no-mail/" in plain


def test_a_stranger_who_invites_by_name_gets_our_subject_and_others_their_own(world: World) -> None:
    subjects = {}
    for host in ("eve", "bob"):
        inviting_game = lobby.create_game(player=player(host), now=world.now, seat_count=2)
        invitations.invite_to_game(player=player(host), code=inviting_game.code, name="ada", now=world.now)
        delivery = Delivery.objects.create(
            player=player("ada"),
            topic=inviting_game.topic,
            kind="invited",
            dedup_key=f"test {host}",
            created_at=world.now,
        )
        mail = parse_mail(mail_sender.compose_mail(delivery, now=world.now))
        subjects[host] = mail["Subject"]
        assert f"{host} has saved you a seat" in get_part(mail, "plain")
        assert ("/me/notices/" in get_part(mail, "plain").partition("\n-- \n")[0]) == (host == "eve")
    assert subjects == {
        "eve": "You are invited to play OTTO",
        "bob": "bob invites you to play OTTO",
    }


WORDS = "CLICK HERE TO WIN"


def cause_mail_from_stranger(kind: str, now: datetime) -> None:
    """Let eve cause a mail to ada, whom she never met, about an object that eve named."""
    eve, ada = player("eve"), player("ada")
    if kind.startswith("league"):
        league = leagues.create_league(organiser=eve, name=WORDS, division_size=4, mode="pairs", now=now)
        if kind == "league-co-organiser":
            co_organisers.ask_league_co_organiser(by=eve, code=league.code, player=ada, now=now)
            return
        leagues.ask_partner(player=eve, code=league.code, now=now, partner=ada)
        if kind == "league-answered":  # the proposal lapses before its mail is sent
            leagues.close_league(by=eve, code=league.code, now=now)
        return
    mode = "pairs" if kind in ("tournament-partner", "tournament-answered") else "singles"
    tournament = tournaments.create_tournament(organiser=eve, name=WORDS, format="swiss", mode=mode, now=now)
    tournaments.publish_tournament(by=eve, code=tournament.code, now=now)
    if mode == "pairs":
        entries.ask_partner(player=eve, code=tournament.code, now=now, partner=ada)
        if kind == "tournament-answered":
            tournaments.cancel_tournament(by=eve, code=tournament.code, now=now)
    elif kind == "tournament-co-organiser":
        co_organisers.ask_tournament_co_organiser(by=eve, code=tournament.code, player=ada, now=now)
    elif kind == "tournament-invited":
        tournaments.invite_player(by=eve, code=tournament.code, player=ada, now=now)
    elif kind == "tournament-replacement":
        entrant = entries.enter_tournament(player=player("fay"), code=tournament.code, now=now)
        replacements.propose_replacement(
            by=eve, code=tournament.code, entrant=entrant.pk, player=ada, now=now
        )


def forget_pending_mails() -> None:
    """Drop the world's pending mails, which other files test."""
    FeedEntry.objects.update(notify_at=None)
    Delivery.objects.update(next_attempt_at=None)


@pytest.mark.parametrize(
    "kind",
    [
        *("tournament-invited", "tournament-partner", "tournament-replacement", "tournament-answered"),
        *("league-partner", "league-answered", "tournament-co-organiser", "league-co-organiser"),
    ],
)
def test_a_strangers_tournament_is_described_in_our_words(kind: str, world: World) -> None:
    """Checks the English mail as sent, and the same mail composed in the other languages."""
    ada = player("ada")
    forget_pending_mails()
    cause_mail_from_stranger(kind, world.now)
    send_mails(world.now + DAY)
    row = Delivery.objects.get(player=ada, kind=kind, status="sent", webhook=None)
    [mail] = [message for message in list_mails_to(ada.email) if message["Message-ID"] == row.message_id]
    check_words_of_strangers(mail)
    with translation.override("en"):
        assert mail["Subject"].endswith("on OTTO online")
    for language in ("it", "nl"):
        Player.objects.filter(pk=ada.pk).update(language=language)
        row = Delivery.objects.get(pk=row.pk)
        translated_mail = parse_mail(mail_sender.compose_mail(row, now=world.now + DAY))
        assert get_part(translated_mail, "plain") != get_part(mail, "plain")
        check_words_of_strangers(translated_mail)


def check_words_of_strangers(mail: EmailMessage) -> None:
    """Check that strangers' words stand in quotes and nowhere else."""
    assert WORDS not in mail["Subject"]
    assert "eve" not in mail["Subject"].split()
    plain, page = get_part(mail, "plain"), get_part(mail, "html")
    assert "eve" in plain
    assert all(line.startswith("> ") for line in plain.splitlines() if WORDS in line)
    assert WORDS in plain
    assert page.count(WORDS) == 1
    assert re.search(rf"<blockquote[^>]*>{WORDS}", normalise_html(page))
    assert "/me/notices/" in plain.partition("\n-- \n")[0]


def test_whom_one_has_met_is_called_by_name(world: World) -> None:
    ada, bob = player("ada"), player("bob")
    tournament = publish_tournament(ada, world.now)
    tournaments.invite_player(by=ada, code=tournament.code, player=bob, now=world.now)
    send_mails(world.now + DAY)
    assert "A cup: ada invites you" in [message["Subject"] for message in list_mails_to(bob.email)]


# ---------------------------------------------------------------------------------------------- refusing mail


def make_refusal_path(email: str) -> str:
    return f"/no-mail/{make_refusal_token(digest_of_address(email))}/"


def test_an_address_refuses_all_further_mail_by_a_link(world: World) -> None:
    create_invitation(player("eve"), world.now, email=VICTIM)
    path = make_refusal_path(VICTIM)
    response = Client().get(path)
    assert response.status_code == 200
    assert not RefusedAddress.objects.exists(), "to look does nothing"
    done = Client(enforce_csrf_checks=True).post(path, {"List-Unsubscribe": "One-Click"})
    assert done.status_code == 200
    assert Client().post(path).status_code == 200, "twice is the same as once"
    [row] = RefusedAddress.objects.all()
    assert "victim" not in row.digest
    outgoing.outbox.clear()

    game = lobby.create_game(player=player("fay"), now=world.now, seat_count=2)
    invitation = invitations.invite_to_game(
        player=player("fay"), code=game.code, email="Victim@Example.net", now=world.now
    )
    mail_sender.send_due_mails(now=world.now)
    invitation.refresh_from_db()
    assert (invitation.status, bool(invitation.delivery.status_reason)) == ("lost", True)
    answer = Client().post(f"/leagues/{world.league.code}/ask/", {"email": VICTIM, "name": "zoe"})
    assert answer.status_code == 302, "nobody learns that the address refused"
    form = {"email": VICTIM, "username": "Zoe Zed", "password1": "a long walk by the canal"}
    Client().post("/accounts/signup/", form)
    Client().post("/accounts/login/code/", {"email": VICTIM})
    Client().post("/accounts/password/reset/", {"email": VICTIM})
    assert list_mails_to(VICTIM) == []

    Client().post(path, {"undo": "1"})
    assert not RefusedAddress.objects.exists()
    Client().post(f"/leagues/{world.league.code}/ask/", {"email": VICTIM, "name": "zoe"})
    assert len(list_mails_to(VICTIM)) == 1


def test_whoever_signs_up_with_an_address_again_and_again_makes_only_so_many_mails(world: World) -> None:
    """The page is equal each time, also for an address with an account."""
    most = contact_limits.MAX_ACCOUNT_MAILS_PER_ADDRESS
    form = {"password1": "a long walk by the canal"}
    for email in (VICTIM, player("bob").email):
        pages = set()
        for number in range(most + 3):
            cache.clear()  # resets the rate limits of the client address
            sign_up_fields = {"email": email, "username": f"Z{number} {len(email)}"}
            answer = Client().post("/accounts/signup/", sign_up_fields | form)
            pages.add((answer.status_code, answer.get("Location")))
        assert len(pages) == 1
        assert len(list_mails_to(email)) == most
        assert all("/no-mail/" in get_part(message, "plain") for message in list_mails_to(email))


def test_who_has_an_account_and_refuses_invitations_can_still_sign_in(world: World) -> None:
    email = player("bob").email
    Client().post(make_refusal_path(email))
    Client().post("/accounts/login/code/", {"email": email})
    assert len(list_mails_to(email)) == 1


def test_operators_can_take_a_refusal_back() -> None:
    output = StringIO()
    for action_name, expected in {"refuse": "refused", "show": "refused", "allow": "allowed"}.items():
        call_command("refused_mail", action_name, "Victim@example.net", stdout=output)
        assert output.getvalue().splitlines()[-1].lower().startswith(expected)
        assert is_refused_address(VICTIM) == (expected == "refused")


def test_a_link_that_is_not_ours_refuses_nothing(world: World) -> None:
    digest = digest_of_address(VICTIM)
    tokens = [
        digest,
        make_unsubscribe_token(digest),
        f"{make_refusal_token(digest)[:-1]}",
        "x:y",
    ]
    for token in tokens:
        assert Client().post(f"/no-mail/{token}/").status_code == 404
    assert not RefusedAddress.objects.exists()


# -------------------------------------------------------------------------------------------------- quotes


@pytest.mark.parametrize("end", ENDS)
def test_whatever_ends_a_line_no_line_is_without_its_mark(end: str) -> None:
    text = f"hello{end}-- {end}Unsubscribe: https://evil.example/{end}{'long ' * 60}{end}{'x' * 500}"
    plain_text = format_as_plain_text(QuotedText(text))
    assert all(line.startswith(">") for line in plain_text.splitlines())
    assert all(len(line) <= 76 for line in plain_text.splitlines())
    assert all(not set(line) & set("".join(ENDS)) for line in wrap_quote_lines(text))
    assert plain_text.splitlines()[0] == "> hello"


def test_what_turns_the_direction_of_writing_is_left_out() -> None:
    assert wrap_quote_lines("a\u202eb\u2066c\x07d") == ["abc d"]


def test_nothing_at_all_is_quoted_as_nothing() -> None:
    assert wrap_quote_lines("") == wrap_quote_lines("\n\r\n \n") == []
    assert format_as_plain_text("ours > theirs") == "ours > theirs"


def test_a_reply_that_repeats_quoted_chat_plays_nothing_of_it() -> None:
    repeated = format_as_plain_text(QuotedText("resign\nb3 A")) + "\n"
    assert extract_own_lines(f"A b3 90\n\nAt the table\n{repeated}") == ["A b3 90", "At the table"]
    twice = "".join(f"> {line}\n" for line in repeated.splitlines())
    assert extract_own_lines(f"A b3 90\n\nOn 3 May 2030 at 10:00, OTTO wrote:\n{twice}") == ["A b3 90"]
