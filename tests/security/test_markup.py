"""User text stays text: markup in every field, then every page, mail, picture and feed is checked.

tests/games/test_messages.py and test_picture.py cover mails of games and titles of pictures, test_headers.py
the CSP that would block such a script anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from html.parser import HTMLParser
from itertools import chain
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from django.contrib import admin
from django.core import mail
from django.http import HttpResponse

from accounts.models import Player
from accounts.services import oauth_apps, tokens
from common.service_errors import Invalid
from games.services import lobby, social
from tests.factories.cast import player
from tests.factories.linking import make_turn_link
from tests.helpers.tournament_mails import send_mails
from tournaments.leagues.services import leagues
from tournaments.models import Tournament
from tournaments.services import appeals, decisions, entries, sweep, tournaments

from .request_bodies import build_form
from .route_table import ROUTES, read_text
from .route_walker import Walker, fill_address, roll_back_afterwards
from .world import World

pytestmark = pytest.mark.django_db

RAW = re.compile(r"""<x\d|["']evil\d""")  # a tag, or the end of an attribute
EVIL_TAG_PATTERN = re.compile(r"<x(\d+)")


class MarkupNames(HTMLParser):
    """Collects the names of all tags and attributes of a page, as a mail program parses them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(name for name, _value in attrs)}


CALENDAR = {
    *("BEGIN", "END", "VERSION", "PRODID", "CALSCALE", "METHOD", "X-WR-CALNAME", "REFRESH-INTERVAL"),
    *("X-PUBLISHED-TTL", "UID", "DTSTAMP", "SEQUENCE", "DTSTART", "SUMMARY", "DESCRIPTION", "URL", "TRANSP"),
}
FIELDS = (
    *(
        "name of a player",
        "chat",
        "note",
        "client seed",
        "name of a token",
        "name of an app",
        "address of an app",
    ),
    *("report", "name of a tournament", "text of a tournament", "reason of an organiser", "appeal", "answer"),
    *("name of a league", "text of a league", "public note of an organiser"),
)


def build_evil_text(field_name: str, *, lines: bool = False) -> str:
    """Return text that would become a tag, the end of an attribute or a header if it were not escaped."""
    number = FIELDS.index(field_name)
    evil_text = f"<x{number} '\"evil{number}'>"
    return f"{evil_text}\r\nBcc: all@example.net\r\n\r\nX" if lines else evil_text


@pytest.fixture
def poisoned_world(world: World) -> World:
    """The world with markup in every text field."""
    ada, bob, now = player("ada"), player("bob"), world.now
    social.post_chat_message(
        player=bob, code=world.game.code, text=build_evil_text("chat", lines=True), now=now
    )
    chat_message = social.post_chat_message(
        player=bob, code=world.game.code, text=build_evil_text("chat"), now=now
    )
    social.report_message(
        player=ada,
        code=world.game.code,
        message_id=chat_message.pk,
        reason=build_evil_text("report", lines=True),
        now=now,
    )
    social.write_note(player=ada, code=world.game.code, text=build_evil_text("note", lines=True), now=now)
    tokens.create_token(player=ada, name=build_evil_text("name of a token"), scopes=("read",), now=now)
    back = f"https://back.example.org/{build_evil_text('address of an app').replace(' ', '')}"
    oauth_apps.register_app(
        player=ada, name=build_evil_text("name of an app"), addresses=[back], secret=False, now=now
    )
    game = lobby.create_game(player=ada, now=now, seat_count=2)
    for who in (ada, bob):
        lobby.join_game(player=who, code=game.code, now=now, client_seed=build_evil_text("client seed"))
    world.parts["seeded"] = game.code
    by = {"by": ada, "code": world.tournament.code, "now": now}
    name, text = (
        build_evil_text("name of a tournament", lines=True),
        build_evil_text("text of a tournament", lines=True),
    )
    with pytest.raises(Invalid):
        tournaments.edit_tournament(**by, name=name, text=text)
    tournaments.edit_tournament(**by, name=build_evil_text("name of a tournament"), text=text)
    Tournament.objects.filter(pk=world.tournament.pk).update(
        name=name
    )  # stored without validation, because its display does not rely on that
    reason = build_evil_text("reason of an organiser", lines=True)
    note = build_evil_text("public note of an organiser", lines=True)
    decisions.extend_round(
        **by, round_number=1, until=now + timedelta(days=40), reason=reason, public_note=note
    )
    table = world.tournament.pairings.get(pairing_seats__entrant__entrant_players__player=player("cleo"))
    objecting = appeals.file_appeal(
        player=player("cleo"),
        code=world.tournament.code,
        pairing_id=table.pk,
        text=build_evil_text("appeal"),
        now=now,
    )
    world.parts["appeal_pk"] = objecting.pk
    appeals.answer_appeal(**by, appeal_id=objecting.pk, text=build_evil_text("answer", lines=True))
    leagues.edit_league(
        by=ada,
        code=world.league.code,
        now=now,
        name=build_evil_text("name of a league"),
        text=build_evil_text("text of a league"),
    )
    # No form accepts such a name; its display does not rely on that.
    Player.objects.filter(name="cleo").update(name=build_evil_text("name of a player"))
    return world


def iter_answers(world: World, query: str = "") -> Iterator[tuple[str, HttpResponse]]:
    """Yield every page for ada, who sees the most, and the table for bob."""
    ada = Walker(world, "ada")
    for route, address, names in ROUTES:
        if not (query and route.endswith(".pdf")):  # drawn again each time, and contains no markup
            yield route, ada.ask("GET", fill_address(address, names, world) + query)
    yield (
        "seeds",
        ada.ask("GET", f"/games/{world.parts['seeded']}/fairness/" if "seeded" in world.parts else "/"),
    )
    yield "a mail's link", ada.ask("GET", make_turn_link(world.game) + query)
    yield "bob's table", Walker(world, "bob").ask("GET", f"/games/{world.game.code}/{query}")


def iter_operators_answers(world: World) -> Iterator[tuple[str, HttpResponse]]:
    """Yield the pages of operators."""
    ada = Walker(world, "ada")
    Player.objects.filter(name="ada").update(is_staff=True, is_superuser=True)
    for model in admin.site._registry:
        list_of = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield list_of, ada.ask("GET", list_of)
        for row in model._default_manager.order_by("-pk")[:3]:
            yield list_of, ada.ask("GET", f"{list_of}{row.pk}/change/")


def is_markup(answer: HttpResponse) -> bool:
    kind = answer.get("Content-Type", "").partition(";")[0]
    return kind == "text/html" or kind.endswith("xml")


def test_every_page_shows_words_as_words(poisoned_world: World) -> None:
    wrong, seen_fields = [], set()
    for where, answer in chain(iter_answers(poisoned_world), iter_operators_answers(poisoned_world)):
        text = read_text(answer)
        if not is_markup(answer):
            assert answer.get("Content-Type", "").partition(";")[0] != "", where
            continue
        if RAW.search(text):
            wrong.append((where, text[max(0, RAW.search(text).start() - 80) :][:160]))  # type: ignore[union-attr]
        seen_fields |= {FIELDS[int(number)] for number in EVIL_TAG_PATTERN.findall(unescape(text))}
    assert not wrong, "\n".join(map(str, wrong))
    assert set(FIELDS) - seen_fields == set(), "each of them is shown somewhere, else nothing was looked at"


def test_what_stands_in_an_address_or_in_a_form_comes_back_as_words(world: World) -> None:
    evil_text = "<x1 '\"evil1'>\"evil1"
    names = (
        "page",
        "name",
        "show",
        "preset",
        "next",
        "q",
        "at",
        "mode",
        "to",
        "cell",
        "card",
        "action",
        "played",
    )
    query = "?" + "&".join(f"{name}={quote(evil_text)}" for name in names)
    wrong = []
    for where, answer in iter_answers(world, query):
        if is_markup(answer) and RAW.search(read_text(answer)):
            wrong.append(("GET", where))
    ada = Walker(world, "ada")
    for route, address, parts in ROUTES:
        if route.startswith("api/v1/"):
            continue
        with roll_back_afterwards():
            answer = ada.ask(
                "POST",
                fill_address(address, parts, world),
                dict.fromkeys([*build_form(world), *names], evil_text),
            )
        if is_markup(answer) and RAW.search(read_text(answer)):
            wrong.append(("POST", route))
    for path in (f"/{quote(evil_text)}/", f"/games/{quote(evil_text)}/", f"/players/{quote(evil_text)}/"):
        assert not RAW.search(read_text(ada.ask("GET", path)))
    assert wrong == []


def test_pictures_are_sound_and_hold_no_foreign_element(poisoned_world: World) -> None:
    ada, now = player("ada"), poisoned_world.now
    by = {"by": ada, "now": now}
    tournament = tournaments.create_tournament(
        organiser=ada, name=build_evil_text("name of a tournament"), format="knockout", now=now
    )
    tournaments.publish_tournament(**by, code=tournament.code)
    for entrant_player in (Player.objects.get(name=build_evil_text("name of a player")), player("bob")):
        entries.enter_tournament(player=entrant_player, code=tournament.code, now=now)
    tournaments.start_tournament(**by, code=tournament.code)
    sweep.process_tournament(tournament.pk, now)
    client = Walker(poisoned_world, "ada").client
    for path in (
        f"/games/{poisoned_world.game.code}/board.svg",
        f"/api/v1/games/{poisoned_world.game.code}/board.svg",
        f"/tournaments/{tournament.code}/bracket.svg",
    ):
        answer = client.get(path)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml"), path
        tags = {
            element.tag.rpartition("}")[2].lower()
            for element in ElementTree.fromstring(answer.content).iter()
        }
        assert not tags & {"script", "foreignobject", "a", "image", "iframe", "animate", "set", "x0", "x8"}
        assert "<x" not in answer.content.decode()


def test_feeds_hold_words_in_their_place(poisoned_world: World) -> None:
    anonymous = Walker(poisoned_world, "nobody")
    feed = ElementTree.fromstring(
        anonymous.ask("GET", f"/feeds/{player('ada').feed_token}/turns.atom").content
    )
    assert not {element.tag for element in feed.iter()} & {f"x{number}" for number in range(len(FIELDS))}
    for path in (
        f"/feeds/{player('dirk').feed_token}/deadlines.ics",
        f"/tournaments/{poisoned_world.tournament.code}/calendar.ics",
    ):
        text = anonymous.ask("GET", path).content.decode()
        lines = [line for line in text.split("\r\n") if line and not line.startswith(" ")]
        assert {line.partition(":")[0].partition(";")[0] for line in lines} <= CALENDAR
        assert "\n" not in text.replace("\r\n", ""), "no line ends but those of the calendar"
        assert text.count("BEGIN:VCALENDAR") == 1


def test_every_mail_shows_words_as_words_and_has_its_own_headers_only(poisoned_world: World) -> None:
    send_mails(poisoned_world.now + timedelta(hours=1))
    assert len(mail.outbox) > 5
    seen_fields = set()
    for outgoing in mail.outbox:
        message = outgoing.message()
        assert message["Bcc"] is None
        assert "all@example.net" not in str(message["Subject"]).replace(" ", "").partition("Bcc")[0]
        assert "\n" not in outgoing.subject
        assert [address for address in outgoing.recipients() if "all@" in address] == []
        for part in message.walk():
            if part.get_content_type() == "text/html":
                html = part.get_payload(decode=True).decode()  # type: ignore[union-attr]
                # In text, quotation marks are harmless, and css-inline leaves them unescaped.
                assert not re.search(r"<x\d", html), outgoing.subject
                names = MarkupNames(html).names
                assert not [name for name in names if re.search(r"^x\d|evil", name)], outgoing.subject
                seen_fields |= {FIELDS[int(number)] for number in EVIL_TAG_PATTERN.findall(unescape(html))}
    assert {"name of a player", "chat", "name of a tournament"} <= seen_fields
