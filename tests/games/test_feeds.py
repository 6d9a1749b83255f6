"""Private feeds: a program that cannot sign in reads my turns and my deadlines, and nothing else."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from games.models import Game, GameSecrets, Incident, Player, Seat
from games.selectors.deliveries import list_waiting_turns
from games.services import players, vacation
from games.web import feeds

from .cast import NOW, Api, game_of, player
from .test_tokens import ask, check_problem, made

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def mover_of(game: Game) -> Player:
    seat = next(place for place in game.places.select_related("player") if game.to_act >> place.number & 1)
    assert seat.player
    return seat.player


def atom(client: Client, who: Player) -> ElementTree.Element:
    return ElementTree.fromstring(client.get(f"/feeds/{who.key}/turns.atom").content)


def ics(client: Client, who: Player) -> str:
    answer = client.get(f"/feeds/{who.key}/deadlines.ics")
    assert answer.status_code == 200
    return answer.content.decode()


def lines_of(text: str) -> list[tuple[str, str]]:
    """Names and values of a calendar, unfolded as RFC 5545 says."""
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    unfolded = text.replace("\r\n ", "")
    return [tuple(line.split(":", 1)) for line in unfolded.split("\r\n")[:-1]]  # type: ignore[misc]


# ------------------------------------------------------------------------------------------------------ Atom


def test_the_turns_that_wait_are_a_feed(client: Client) -> None:
    game = game_of("ada", "bob")
    mover = mover_of(game)
    other = "bob" if mover.name == "ada" else "ada"
    answer = client.get(f"/feeds/{mover.key}/turns.atom")
    assert answer["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    assert feed.tag == f"{ATOM}feed"
    for needed in ("id", "title", "updated", "author"):
        assert feed.find(f"{ATOM}{needed}") is not None, needed
    [entry] = feed.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == f"Your turn in OTTO (with {other})"
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href", "").endswith(f"/games/{game.code}/")
    assert entry.findtext(f"{ATOM}updated") == "2026-03-01T12:00:00+00:00"
    assert (entry.findtext(f"{ATOM}summary") or "").startswith("You have until March 10, 2026")
    assert not atom(client, player(other)).findall(f"{ATOM}entry")


def test_an_entry_keeps_its_id_for_as_long_as_the_turn_lasts(client: Client) -> None:
    game = game_of("ada", "bob")
    mover = mover_of(game)
    api = Api(mover.name)

    def ids(who: Player) -> list[str | None]:
        return [entry.findtext(f"{ATOM}id") for entry in atom(client, who).findall(f"{ATOM}entry")]

    [first] = ids(mover)
    api.play(game.code, "draw", 0)
    assert ids(mover) == [first], "the turn goes on"
    api.play(game.code, api.get(f"games/{game.code}/actions/legal/").json()[0], 1)
    game.refresh_from_db()
    [second] = ids(mover_of(game))
    assert second != first


# ------------------------------------------------------------------------------------------------- iCalendar


def test_the_deadlines_are_a_calendar(client: Client, settings: Any) -> None:
    settings.SITE_URL = "https://otto.example.org"
    game = game_of("ada", "bob")
    mover = mover_of(game)
    answer = client.get(f"/feeds/{mover.key}/deadlines.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    lines = lines_of(answer.content.decode())
    assert lines[0] == ("BEGIN", "VCALENDAR")
    assert lines[-1] == ("END", "VCALENDAR")
    found = dict(lines)
    assert found["VERSION"] == "2.0"
    assert found["X-WR-CALNAME"] == "OTTO deadlines"
    assert {"PRODID", "DTSTAMP", "SUMMARY"} <= found.keys()
    assert found["UID"] == f"{game.code}@otto.example.org"
    assert found["URL"] == f"https://otto.example.org/games/{game.code}/"
    until = datetime.strptime(found["DTSTART"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    assert until == game.deadline
    assert "VALARM" not in answer.content.decode()
    assert [name for name, _ in lines].count("BEGIN") == 2


def test_the_next_deadline_of_a_game_takes_the_place_of_the_last(client: Client) -> None:
    game = game_of("ada", "bob", cards=False)
    seen = []
    for _turn in range(3):
        mover = mover_of(game)
        api = Api(mover.name)
        seen.append(dict(lines_of(ics(client, mover))))
        api.play(game.code, api.get(f"games/{game.code}/actions/legal/").json()[0], game.seq)
        game.refresh_from_db()
    assert len({one["UID"] for one in seen}) == 1
    numbers = [int(one["SEQUENCE"]) for one in seen]
    assert numbers == sorted(set(numbers))


def test_the_deadline_is_the_players_own_and_knows_of_rests(client: Client) -> None:
    game = game_of("ada", "bob")
    mover = mover_of(game)
    first = dict(lines_of(ics(client, mover)))["DTSTART"]
    vacation.plan_vacation(player=mover, start=NOW, end=NOW + timedelta(days=3), now=NOW)
    mover.refresh_from_db()
    game.refresh_from_db()
    second = dict(lines_of(ics(client, mover)))["DTSTART"]
    assert first < second == game.deadline.strftime("%Y%m%dT%H%M%SZ")


def test_without_a_known_deadline_there_is_a_turn_but_no_date(client: Client) -> None:
    mover = mover_of(game_of("ada", "bob"))
    Incident.objects.create(started_at=NOW, why="the database is away")
    assert "VEVENT" not in ics(client, mover)
    [entry] = atom(client, mover).findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}summary") == "Your clock does not run at present."


def test_most_urgent_first() -> None:
    slow, quick = game_of("ada", "bob", clock_name="7d"), game_of("ada", "cleo", clock_name="12h")
    for game in (slow, quick):  # whoever began, now it is ada's turn in both
        seat = Seat.objects.get(game=game, player=player("ada")).number
        running = next(watch for watch in game.clocks.values() if "at" in watch)
        Game.objects.filter(pk=game.pk).update(to_act=1 << seat, clocks={str(seat): running})
    assert [turn.game.code for turn in list_waiting_turns(player("ada"))] == [quick.code, slow.code]


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a, b; c", "a\\, b\\; c"),
        ("back\\slash", "back\\\\slash"),
        ("two\nlines\r\nor three\r", "two\\nlines\\nor three"),
        ("END:VEVENT\r\nX-EVIL:1", "END:VEVENT\\nX-EVIL:1"),
    ],
)
def test_text_cannot_break_out_of_its_line(text: str, safe: str) -> None:
    assert feeds.escape_ical_text(text) == safe


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=400))
def test_a_folded_line_unfolds_to_itself(line: str) -> None:
    pieces = list(feeds.fold_line(line))
    assert all(len(piece.encode()) <= 75 for piece in pieces)
    assert all(piece.startswith(" ") for piece in pieces[1:])
    assert pieces[0] + "".join(piece[1:] for piece in pieces[1:]) == line


def test_long_lines_are_folded(client: Client) -> None:
    text = ics(client, mover_of(game_of("ada", "bob", "cleo", "dirk")))
    assert "\r\n " in text
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))


# ----------------------------------------------------------------------------------------- who may read them


@pytest.mark.parametrize("name", ["turns.atom", "deadlines.ics"])
def test_a_wrong_key_finds_nothing(client: Client, name: str) -> None:
    ada = player("ada")
    assert client.get(f"/feeds/{ada.key}/{name}").status_code == 200
    for wrong in (
        "0" * 24,
        ada.key[:-1],
        ada.key.upper() + "x",
        "%00",
        "%ED%A0%80",
        "ada",
        "..",
        "é",
        "x" * 500,
    ):
        assert client.get(f"/feeds/{wrong}/{name}").status_code == 404, wrong
    Player.objects.filter(pk=ada.pk).update(is_active=False)
    assert client.get(f"/feeds/{ada.key}/{name}").status_code == 404, "a closed account has no feed"


@pytest.mark.parametrize("name", ["turns.atom", "deadlines.ics"])
def test_a_feed_is_private_and_asked_for_again_only_if_it_changed(client: Client, name: str) -> None:
    game = game_of("ada", "bob")
    for who in (mover_of(game), player("cleo")):  # one with a turn, one without
        first = client.get(f"/feeds/{who.key}/{name}")
        assert "private" in first["Cache-Control"]
        assert "public" not in first["Cache-Control"]
        assert first["X-Robots-Tag"] == "noindex"
        assert first["Referrer-Policy"] == "no-referrer"
        again = client.get(f"/feeds/{who.key}/{name}", headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert "Set-Cookie" not in first
    assert client.post(f"/feeds/{player('ada').key}/{name}").status_code == 405


@pytest.mark.parametrize("name", ["turns.atom", "deadlines.ics"])
def test_nothing_secret_is_read_for_a_feed(client: Client, name: str) -> None:
    game = game_of("ada", "bob")
    mover = mover_of(game)
    before = client.get(f"/feeds/{mover.key}/{name}").content
    GameSecrets.objects.filter(game=game).update(state="nobody can read this", server_seed=b"\x00")
    assert client.get(f"/feeds/{mover.key}/{name}").content == before


def test_a_feed_speaks_the_players_language_in_the_players_zone(client: Client) -> None:
    mover = mover_of(game_of("ada", "bob"))
    players.change_profile(player=mover, now=NOW, language="it", time_zone="Asia/Tokyo")
    answer = client.get(f"/feeds/{mover.key}/turns.atom", headers={"Accept-Language": "nl"})
    assert answer["Content-Language"] == "it"
    feed = ElementTree.fromstring(answer.content)
    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == "it"
    summary = feed.findtext(f"{ATOM}entry/{ATOM}summary") or ""
    assert "10 Marzo 2026 21:01" in summary
    assert "21:01 JST" in summary


def test_many_turns_cost_few_questions(client: Client, django_assert_max_num_queries: Any) -> None:
    for _number in range(5):
        game_of("ada", "bob")
    with django_assert_max_num_queries(6):
        client.get(f"/feeds/{player('ada').key}/deadlines.ics")


# ------------------------------------------------------------------------------------------- their addresses


def test_new_addresses_make_the_old_ones_worthless(client: Client) -> None:
    ada = player("ada")
    client.force_login(ada)
    page = client.get("/me/webhooks/").text
    old = re.search(rf"/feeds/{ada.key}/turns\.atom", page)
    assert old
    assert f"/feeds/{ada.key}/deadlines.ics" in page
    assert client.get(old[0]).status_code == 200
    assert client.get("/me/feeds/new/").status_code == 405
    assert client.post("/me/feeds/new/")["Location"] == "/me/webhooks/"
    assert client.get(old[0]).status_code == 404
    ada.refresh_from_db()
    assert client.get(f"/feeds/{ada.key}/turns.atom").status_code == 200


def test_the_addresses_are_told_and_renewed_over_rest(client: Client) -> None:
    api = Api("ada", in_person=True)
    told = api.get("me/feeds/").json()
    assert told.keys() == {"turns", "deadlines"}
    for address in told.values():
        assert client.get(re.sub(r"^https?://[^/]+", "", address)).status_code == 200
    renewed = api.post("me/feeds/").json()
    assert not set(renewed.values()) & set(told.values())
    assert api.get("me/feeds/").json() == renewed
    _row, plain = made("ada")
    check_problem(ask(plain, "me/feeds/", "POST"), 403, "in-person")
    assert api.get("me/feeds/").json() == renewed
