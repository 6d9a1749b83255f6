"""Whatever people write stays text: hostile words in every field, then every page, mail, picture and feed.

tests/games/test_letters.py and test_picture.py look at mails of games and at titles of pictures,
test_headers.py at the policy that would keep a script from running even so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from django.contrib import admin
from django.core import mail
from django.http import HttpResponse

from games.models import Player
from games.services import lobby, oauth_apps, social, tokens
from games.services.errors import Invalid
from tests.games.cast import player
from tests.games.linking import link
from tests.tournaments.mailing import send
from tournaments.models import Tournament
from tournaments.services import appeals, decisions, entries, leagues, sweep, tournaments

from .request_bodies import actions_of, form
from .test_others import ROUTES, text_of
from .walking import Walker, filled, taken_back
from .world import World

pytestmark = pytest.mark.django_db

RAW = re.compile(r"""<x\d|["']evil\d""")  # a tag, or the end of an attribute
SEEN = re.compile(r"<x(\d+)")
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


def evil(what: str, *, lines: bool = False) -> str:
    """Words that would be a tag, the end of an attribute or a header of their own, were they not text."""
    number = FIELDS.index(what)
    said = f"<x{number} '\"evil{number}'>"
    return f"{said}\r\nBcc: all@example.net\r\n\r\nX" if lines else said


@pytest.fixture
def poisoned(world: World) -> World:
    """Ada, bob and the rest write what they should not."""
    ada, bob, now = player("ada"), player("bob"), world.now
    social.post_chat_message(player=bob, code=world.game.code, text=evil("chat", lines=True), now=now)
    said = social.post_chat_message(player=bob, code=world.game.code, text=evil("chat"), now=now)
    social.report_message(
        player=ada, code=world.game.code, message_id=said.pk, reason=evil("report", lines=True), now=now
    )
    social.write_note(player=ada, code=world.game.code, text=evil("note", lines=True), now=now)
    tokens.create_token(player=ada, name=evil("name of a token"), scopes=("read",), now=now)
    back = f"https://back.example.org/{evil('address of an app').replace(' ', '')}"
    oauth_apps.register_app(player=ada, name=evil("name of an app"), addresses=[back], secret=False, now=now)
    game = lobby.create_game(player=ada, now=now, seats=2)
    for who in (ada, bob):
        lobby.join_game(player=who, code=game.code, now=now, client_seed=evil("client seed"))
    world.parts["seeded"] = game.code
    by = {"by": ada, "code": world.event.code, "now": now}
    name, text = evil("name of a tournament", lines=True), evil("text of a tournament", lines=True)
    with pytest.raises(Invalid):
        tournaments.edit_tournament(**by, name=name, text=text)
    tournaments.edit_tournament(**by, name=evil("name of a tournament"), text=text)
    Tournament.objects.filter(pk=world.event.pk).update(name=name)  # nor does what shows this one rely on it
    why = evil("reason of an organiser", lines=True)
    note = evil("public note of an organiser", lines=True)
    decisions.extend_round(**by, round_number=1, until=now + timedelta(days=40), why=why, public_note=note)
    table = world.event.tables.get(sittings__entrant__members__player=player("cleo"))
    objecting = appeals.file_appeal(
        player=player("cleo"), code=world.event.code, pairing_id=table.pk, text=evil("appeal"), now=now
    )
    world.parts["appeal_pk"] = objecting.pk
    appeals.answer_appeal(**by, appeal_id=objecting.pk, text=evil("answer", lines=True))
    leagues.edit_league(
        by=ada, code=world.league.code, now=now, name=evil("name of a league"), text=evil("text of a league")
    )
    # No door takes such a name; what shows one does not rely on it.
    Player.objects.filter(name="cleo").update(name=evil("name of a player"))
    return world


def answers(world: World, query: str = "") -> Iterator[tuple[str, HttpResponse]]:
    """Every page as ada sees it, who sees most; the table as bob does, and what operators have."""
    ada = Walker(world, "ada")
    for route, address, names in ROUTES:
        for deed in actions_of(route) if "deed" in names and "organise" in route else ("",):
            if "deed" not in names or deed:
                yield route, ada.ask("GET", filled(address, names, world, deed=deed) + query)
    yield (
        "seeds",
        ada.ask("GET", f"/games/{world.parts['seeded']}/fairness/" if "seeded" in world.parts else "/"),
    )
    yield "a mail's link", ada.ask("GET", link(world.game) + query)
    yield "bob's table", Walker(world, "bob").ask("GET", f"/games/{world.game.code}/{query}")
    Player.objects.filter(name="ada").update(is_staff=True, is_superuser=True)
    for model in admin.site._registry:
        list_of = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield list_of, ada.ask("GET", list_of)
        for one in model._default_manager.order_by("-pk")[:3]:
            yield list_of, ada.ask("GET", f"{list_of}{one.pk}/change/")


def is_markup(answer: HttpResponse) -> bool:
    kind = answer.get("Content-Type", "").partition(";")[0]
    return kind == "text/html" or kind.endswith("xml")


def test_every_page_shows_words_as_words(poisoned: World) -> None:
    wrong, seen = [], set()
    for where, answer in answers(poisoned):
        text = text_of(answer)
        if not is_markup(answer):
            assert answer.get("Content-Type", "").partition(";")[0] != "", where
            continue
        if RAW.search(text):
            wrong.append((where, text[max(0, RAW.search(text).start() - 80) :][:160]))  # type: ignore[union-attr]
        seen |= {FIELDS[int(number)] for number in SEEN.findall(unescape(text))}
    assert not wrong, "\n".join(map(str, wrong))
    assert set(FIELDS) - seen == set(), "each of them is shown somewhere, else nothing was looked at"


def test_what_stands_in_an_address_or_in_a_form_comes_back_as_words(world: World) -> None:
    said = "<x1 '\"evil1'>\"evil1"
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
    query = "?" + "&".join(f"{name}={quote(said)}" for name in names)
    wrong = []
    for where, answer in answers(world, query):
        if is_markup(answer) and RAW.search(text_of(answer)):
            wrong.append(("GET", where))
    ada = Walker(world, "ada")
    for route, address, parts in ROUTES:
        if route.startswith("api/v1/") or "deed" in parts:
            continue
        with taken_back():
            answer = ada.ask(
                "POST", filled(address, parts, world), dict.fromkeys([*form(world), *names], said)
            )
        if is_markup(answer) and RAW.search(text_of(answer)):
            wrong.append(("POST", route))
    for path in (f"/{quote(said)}/", f"/games/{quote(said)}/", f"/players/{quote(said)}/"):
        assert not RAW.search(text_of(ada.ask("GET", path)))
    assert wrong == []


def test_pictures_are_sound_and_hold_no_foreign_element(poisoned: World) -> None:
    ada, now = player("ada"), poisoned.now
    by = {"by": ada, "now": now}
    event = tournaments.create_tournament(
        organiser=ada, name=evil("name of a tournament"), format="knockout", now=now
    )
    tournaments.publish_tournament(**by, code=event.code)
    for one in (Player.objects.get(name=evil("name of a player")), player("bob")):
        entries.enter_tournament(player=one, code=event.code, now=now)
    tournaments.start_tournament(**by, code=event.code)
    sweep.process_tournament(event.pk, now)
    client = Walker(poisoned, "ada").client
    for path in (
        f"/games/{poisoned.game.code}/board.svg",
        f"/api/v1/games/{poisoned.game.code}/board.svg",
        f"/tournaments/{event.code}/bracket.svg",
    ):
        answer = client.get(path)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml"), path
        tags = {one.tag.rpartition("}")[2].lower() for one in ElementTree.fromstring(answer.content).iter()}
        assert not tags & {"script", "foreignobject", "a", "image", "iframe", "animate", "set", "x0", "x8"}
        assert "<x" not in answer.content.decode()


def test_feeds_hold_words_in_their_place(poisoned: World) -> None:
    nobody = Walker(poisoned, "nobody")
    feed = ElementTree.fromstring(nobody.ask("GET", f"/feeds/{player('ada').key}/turns.atom").content)
    assert not {one.tag for one in feed.iter()} & {f"x{number}" for number in range(len(FIELDS))}
    for path in (
        f"/feeds/{player('dirk').key}/deadlines.ics",
        f"/tournaments/{poisoned.event.code}/calendar.ics",
    ):
        text = nobody.ask("GET", path).content.decode()
        lines = [line for line in text.split("\r\n") if line and not line.startswith(" ")]
        assert {line.partition(":")[0].partition(";")[0] for line in lines} <= CALENDAR
        assert "\n" not in text.replace("\r\n", ""), "no line ends but those of the calendar"
        assert text.count("BEGIN:VCALENDAR") == 1


def test_every_mail_shows_words_as_words_and_has_its_own_headers_only(poisoned: World) -> None:
    send(poisoned.now + timedelta(hours=1))
    assert len(mail.outbox) > 5
    told = set()
    for one in mail.outbox:
        message = one.message()
        assert message["Bcc"] is None
        assert "all@example.net" not in str(message["Subject"]).replace(" ", "").partition("Bcc")[0]
        assert "\n" not in one.subject
        assert [address for address in one.recipients() if "all@" in address] == []
        for part in message.walk():
            if part.get_content_type() == "text/html":
                html = part.get_payload(decode=True).decode()  # type: ignore[union-attr]
                assert not RAW.search(html), one.subject
                told |= {FIELDS[int(number)] for number in SEEN.findall(unescape(html))}
    assert {"name of a player", "chat", "name of a tournament"} <= told
