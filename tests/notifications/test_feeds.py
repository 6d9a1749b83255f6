"""Private feeds: a program without a session reads a player's turns and deadlines, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Player
from accounts.services import players
from games.models import Game, GameSecrets, Incident, Seat
from games.selectors.waiting_turns import list_waiting_turns
from games.services import vacation
from notifications.web import feeds
from tests.factories.cast import NOW, Api, player, start_cast_game
from tests.helpers.calendars import unfold_lines
from tests.helpers.tokens import ask_api, check_problem, create_token

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def get_player_to_act(game: Game) -> Player:
    seat = next(
        place for place in game.seats.select_related("player") if game.to_act_mask >> place.seat_no & 1
    )
    assert seat.player
    return seat.player


def read_atom_feed(client: Client, who: Player) -> ElementTree.Element:
    return ElementTree.fromstring(client.get(f"/feeds/{who.feed_token}/turns.atom").content)


def read_calendar(client: Client, who: Player) -> str:
    answer = client.get(f"/feeds/{who.feed_token}/deadlines.ics")
    assert answer.status_code == 200
    return answer.content.decode()


def build_calendar_text(name: str, empty_text: str = "", **entry: str) -> str:
    """Build a calendar with one entry of these texts, or with none."""
    texts = {"uid": "one", "title": "", "text": "", "url": "https://otto.example.org/", **entry}
    entries = [feeds.CalendarEntry(created_at=NOW, starts_at=NOW, **texts)] if entry else []  # type: ignore[arg-type]
    return feeds.calendar_response(name, entries, empty_text=empty_text).content.decode()


# ------------------------------------------------------------------------------------------------------ Atom


def test_the_turns_that_wait_are_a_feed(client: Client) -> None:
    game = start_cast_game("ada", "bob")
    mover = get_player_to_act(game)
    other = "bob" if mover.name == "ada" else "ada"
    answer = client.get(f"/feeds/{mover.feed_token}/turns.atom")
    assert answer["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    assert feed.tag == f"{ATOM}feed"
    for needed in ("id", "title", "updated", "author"):
        assert feed.find(f"{ATOM}{needed}") is not None, needed
    [entry] = feed.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == f"OTTO: your turn (against {other})"
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href", "").endswith(f"/games/{game.code}/")
    assert entry.findtext(f"{ATOM}updated") == "2026-03-01T12:00:00+00:00"
    assert (entry.findtext(f"{ATOM}summary") or "").startswith("Move by March 10, 2026")
    assert not read_atom_feed(client, player(other)).findall(f"{ATOM}entry")


def test_an_entry_keeps_its_id_for_as_long_as_the_turn_lasts(client: Client) -> None:
    game = start_cast_game("ada", "bob")
    mover = get_player_to_act(game)
    api = Api(mover.name)

    def list_ids(who: Player) -> list[str | None]:
        return [entry.findtext(f"{ATOM}id") for entry in read_atom_feed(client, who).findall(f"{ATOM}entry")]

    [first] = list_ids(mover)
    api.play(game.code, "draw", 0)
    assert list_ids(mover) == [first], "the turn goes on"
    api.play(game.code, api.get(f"games/{game.code}/actions/legal/").json()[0], 1)
    game.refresh_from_db()
    [second] = list_ids(get_player_to_act(game))
    assert second != first


# ------------------------------------------------------------------------------------------------- iCalendar


def test_the_deadlines_are_a_calendar(client: Client, settings: Any) -> None:
    settings.SITE_URL = "https://otto.example.org"
    game = start_cast_game("ada", "bob")
    mover = get_player_to_act(game)
    answer = client.get(f"/feeds/{mover.feed_token}/deadlines.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    lines = unfold_lines(answer.content.decode())
    assert lines[0] == ("BEGIN", "VCALENDAR")
    assert lines[-1] == ("END", "VCALENDAR")
    fields = dict(lines)
    assert fields["VERSION"] == "2.0"
    assert fields["X-WR-CALNAME"] == "OTTO deadlines"
    assert {"PRODID", "DTSTAMP", "SUMMARY"} <= fields.keys()
    assert fields["UID"] == f"{game.code}@otto.example.org"
    assert fields["URL"] == f"https://otto.example.org/games/{game.code}/"
    until = datetime.strptime(fields["DTSTART"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    assert until == game.deadline
    assert "VALARM" not in answer.content.decode()
    assert [name for name, _ in lines].count("BEGIN") == 2


def test_the_next_deadline_of_a_game_takes_the_place_of_the_last(client: Client) -> None:
    game = start_cast_game("ada", "bob", cards=False)
    calendars = []
    for _turn in range(3):
        mover = get_player_to_act(game)
        api = Api(mover.name)
        calendars.append(dict(unfold_lines(read_calendar(client, mover))))
        api.play(game.code, api.get(f"games/{game.code}/actions/legal/").json()[0], game.seq)
        game.refresh_from_db()
    assert len({calendar["UID"] for calendar in calendars}) == 1
    numbers = [int(calendar["SEQUENCE"]) for calendar in calendars]
    assert numbers == sorted(set(numbers))


def test_the_deadline_is_the_players_own_and_knows_of_rests(client: Client) -> None:
    game = start_cast_game("ada", "bob")
    mover = get_player_to_act(game)
    first = dict(unfold_lines(read_calendar(client, mover)))["DTSTART"]
    vacation.plan_vacation(player=mover, start=NOW, end=NOW + timedelta(days=3), now=NOW)
    mover.refresh_from_db()
    game.refresh_from_db()
    second = dict(unfold_lines(read_calendar(client, mover)))["DTSTART"]
    assert first < second == game.deadline.strftime("%Y%m%dT%H%M%SZ")


def test_without_a_known_deadline_there_is_a_turn_but_no_date(client: Client) -> None:
    mover = get_player_to_act(start_cast_game("ada", "bob"))
    Incident.objects.create(started_at=NOW, reason="the database is away")
    assert "VEVENT" not in read_calendar(client, mover)
    [entry] = read_atom_feed(client, mover).findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}summary") == "Your clock has stopped."


def test_most_urgent_first() -> None:
    slow, quick = (
        start_cast_game("ada", "bob", time_control="7d"),
        start_cast_game("ada", "cleo", time_control="12h"),
    )
    for game in (slow, quick):  # make it ada's turn in both games
        seat = Seat.objects.get(game=game, player=player("ada")).seat_no
        running = next(seat_clock for seat_clock in game.seat_clocks.values() if "at" in seat_clock)
        Game.objects.filter(pk=game.pk).update(to_act_mask=1 << seat, seat_clocks={str(seat): running})
    assert [turn.game.code for turn in list_waiting_turns(player("ada"))] == [quick.code, slow.code]


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a, b; c", "a\\, b\\; c"),
        ("back\\slash", "back\\\\slash"),
        ("two\nlines\r\nor three\rfour", "two\\nlines\\nor three\\nfour"),
        ("END:VEVENT\r\nX-EVIL:1", "END:VEVENT\\nX-EVIL:1"),
    ],
)
def test_text_cannot_break_out_of_its_line(text: str, safe: str) -> None:
    lines = dict(unfold_lines(build_calendar_text(text, title=text, text=text)))
    assert lines["X-WR-CALNAME"] == lines["SUMMARY"] == safe
    assert lines["DESCRIPTION"] == f"{safe} https://otto.example.org/"
    assert dict(unfold_lines(build_calendar_text("a calendar", text)))["X-WR-CALDESC"] == safe


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=400))
def test_a_folded_line_unfolds_to_itself(line: str) -> None:
    folded = build_calendar_text("a calendar", title=line)
    assert all(len(piece.encode()) <= 75 for piece in folded.split("\r\n"))
    summary = dict(unfold_lines(folded))["SUMMARY"]
    # The library takes \\N for a line break, as some calendars write it.
    assert re.sub(r"\\([\\;,])", r"\1", summary) == line.replace("\\N", "\\n")


def test_long_lines_are_folded(client: Client) -> None:
    text = read_calendar(client, get_player_to_act(start_cast_game("ada", "bob", "cleo", "dirk")))
    assert "\r\n " in text
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))


# ---------------------------------------------------------------------------------------------------- access


@pytest.mark.parametrize("name", ["turns.atom", "deadlines.ics"])
def test_a_wrong_key_finds_nothing(client: Client, name: str) -> None:
    ada = player("ada")
    assert client.get(f"/feeds/{ada.feed_token}/{name}").status_code == 200
    for wrong in (
        "0" * 24,
        ada.feed_token[:-1],
        ada.feed_token.upper() + "x",
        "%00",
        "%ED%A0%80",
        "ada",
        "..",
        "é",
        "x" * 500,
    ):
        assert client.get(f"/feeds/{wrong}/{name}").status_code == 404, wrong
    Player.objects.filter(pk=ada.pk).update(is_active=False)
    assert client.get(f"/feeds/{ada.feed_token}/{name}").status_code == 404, "a closed account has no feed"


@pytest.mark.parametrize("name", ["turns.atom", "deadlines.ics"])
def test_a_feed_is_private_and_asked_for_again_only_if_it_changed(client: Client, name: str) -> None:
    game = start_cast_game("ada", "bob")
    for who in (get_player_to_act(game), player("cleo")):  # a player with a turn and one without
        first = client.get(f"/feeds/{who.feed_token}/{name}")
        assert "private" in first["Cache-Control"]
        assert "public" not in first["Cache-Control"]
        assert first["X-Robots-Tag"] == "noindex"
        assert first["Referrer-Policy"] == "no-referrer"
        response = client.get(f"/feeds/{who.feed_token}/{name}", headers={"If-None-Match": first["ETag"]})
        assert (response.status_code, response.content) == (304, b"")
        assert "Set-Cookie" not in first
    assert client.post(f"/feeds/{player('ada').feed_token}/{name}").status_code == 405


@pytest.mark.parametrize("name", ["turns.atom", "deadlines.ics"])
def test_nothing_secret_is_read_for_a_feed(client: Client, name: str) -> None:
    game = start_cast_game("ada", "bob")
    mover = get_player_to_act(game)
    before = client.get(f"/feeds/{mover.feed_token}/{name}").content
    GameSecrets.objects.filter(game=game).update(state="nobody can read this", server_seed=b"\x00")
    assert client.get(f"/feeds/{mover.feed_token}/{name}").content == before


def test_a_feed_speaks_the_players_language_in_the_players_zone(client: Client) -> None:
    mover = get_player_to_act(start_cast_game("ada", "bob"))
    players.change_profile(player=mover, now=NOW, language="it", time_zone="Asia/Tokyo")
    answer = client.get(f"/feeds/{mover.feed_token}/turns.atom", headers={"Accept-Language": "nl"})
    assert answer["Content-Language"] == "it"
    feed = ElementTree.fromstring(answer.content)
    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == "it"
    summary = feed.findtext(f"{ATOM}entry/{ATOM}summary") or ""
    assert "10 marzo 2026, 21:01" in summary
    assert "21:01 JST" in summary


def test_many_turns_cost_few_questions(client: Client, django_assert_max_num_queries: Any) -> None:
    movers = [get_player_to_act(start_cast_game("ada", "bob")).name for _number in range(7)]
    name, turn_count = Counter(movers).most_common(1)[0]
    with django_assert_max_num_queries(6):
        answer = client.get(f"/feeds/{player(name).feed_token}/deadlines.ics")
    assert answer.content.count(b"BEGIN:VEVENT") == turn_count > 3


# --------------------------------------------------------------------------------------------- URLs of feeds


def test_new_addresses_make_the_old_ones_worthless(client: Client) -> None:
    ada = player("ada")
    client.force_login(ada)
    page = client.get("/me/webhooks/").text
    old = re.search(rf"/feeds/{ada.feed_token}/turns\.atom", page)
    assert old
    assert f"/feeds/{ada.feed_token}/deadlines.ics" in page
    assert client.get(old[0]).status_code == 200
    assert client.get("/me/feeds/new/").status_code == 405
    assert client.post("/me/feeds/new/")["Location"] == "/me/webhooks/"
    assert client.get(old[0]).status_code == 404
    ada.refresh_from_db()
    assert client.get(f"/feeds/{ada.feed_token}/turns.atom").status_code == 200


def test_the_addresses_are_shown_and_renewed_over_rest(client: Client) -> None:
    api = Api("ada", in_person=True)
    data = api.get("me/feeds/").json()
    assert data.keys() == {"turns", "deadlines"}
    for address in data.values():
        assert client.get(re.sub(r"^https?://[^/]+", "", address)).status_code == 200
    renewed = api.post("me/feeds/").json()
    assert not set(renewed.values()) & set(data.values())
    assert api.get("me/feeds/").json() == renewed
    _row, plain = create_token("ada")
    check_problem(ask_api(plain, "me/feeds/", "POST"), 403, "session-only")
    assert api.get("me/feeds/").json() == renewed


# ------------------------------------------------------------------------------------------ dates of the apps


def test_the_calendar_has_the_dates_that_every_app_declares(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def list_birthdays(who: Player) -> list[feeds.CalendarEntry]:
        return [feeds.CalendarEntry("birthday", NOW, NOW, f"{who.name} is older", "", "https://example.org/")]

    mover = get_player_to_act(start_cast_game("ada", "bob"))
    declared = "tournaments.calendar_dates.CALENDAR_SOURCES"
    monkeypatch.setattr(declared, (feeds.CalendarSource(list_birthdays),))
    titles = [value for name, value in unfold_lines(read_calendar(client, mover)) if name == "SUMMARY"]
    assert len(titles) == 2
    assert titles[0].startswith("OTTO: your move is due")
    assert titles[1] == f"{mover.name} is older"
    monkeypatch.setattr(declared, list_birthdays)
    with pytest.raises(ImproperlyConfigured, match="CalendarSource"):
        read_calendar(client, mover)
