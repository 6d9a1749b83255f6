"""Deadlines of tournament games: the end of the round counts where it comes before the end of the turn."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import Player
from accounts.services import players
from games import clock
from games.models import Game
from games.services import lobby
from notifications.channels.webhook import webhook_sender
from notifications.models import FeedEntry, Webhook
from notifications.services import notices
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    get_host,
    get_player,
    list_running_pairings,
    play,
)
from tests.factories.leagues import create_started_league
from tests.helpers.listener import Listener
from tests.helpers.tournament_mails import (
    MINUTE,
    TWO_MINUTES_LATER,
    get_last_body,
    list_sent_kinds,
    mail_only_to,
    send_mails,
)
from tournaments.models import Pairing, Tournament
from tournaments.services import decision_undo, decisions, sweep, tournaments

pytestmark = pytest.mark.django_db
ENDS = NOW + DAY
# Allowance and bank are nine days together, longer than any round here.
LONG_TURNS = {"time_control": "custom", "allowance": 86_400, "bank": 8 * 86_400}
SAYS = "The cup ends on March 2, 2026, 12:00 UTC; then the points decide."


@pytest.fixture(autouse=True)
def configure_site(settings: LazySettings) -> None:
    settings.SITE_URL = "https://otto.example.org"


def start_cup(format: str = "swiss", **fields: Any) -> tuple[Tournament, Game, Player]:
    """Start a tournament with rounds of one day and turns of nine; return it, its game, the player to act."""
    tournament = create_started_tournament(format, 2, round_length=86_400, **(LONG_TURNS | fields))
    (table,) = list_running_pairings(tournament)
    assert table.game
    return tournament, table.game, get_player_to_act(table.game)


def get_player_to_act(game: Game) -> Player:
    seat = next(
        seat for seat in game.seats.select_related("player") if game.to_act_mask >> (seat.seat_no or 0) & 1
    )
    assert seat.player
    return seat.player


def open_signed_in_client(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def read_text(answer: Any) -> str:
    """Return the text of a page without tags."""
    return " ".join(strip_tags(answer.text).split())


@pytest.fixture
def freeze_at_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open pages shortly after the start of the round."""
    monkeypatch.setattr(timezone, "now", lambda: NOW + MINUTE)


# ----------------------------------------------------------------------------------------------------- pages


@pytest.mark.parametrize("page", ["/games/{code}/", "/games/", "/me/time/"])
def test_pages_say_when_the_round_ends_and_what_happens_then(page: str, freeze_at_start: None) -> None:
    _tournament, game, mover = start_cup()
    assert game.deadline == NOW + 9 * DAY + MINUTE, "the turn ends long after the round"
    page_text = read_text(open_signed_in_client(mover).get(page.format(code=game.code)))
    assert f"Round 1 of {SAYS}" in page_text
    assert "March 10" not in page_text, "nobody can play until then"


def test_the_page_of_a_turn_by_mail_says_it(freeze_at_start: None) -> None:
    _tournament, _game, mover = start_cup()
    mail_only_to(mover.name)
    send_mails()
    link = next(word for word in get_last_body(mover.name).split() if "/turn/" in word)
    page_text = read_text(Client().get(link.removeprefix("https://otto.example.org")))
    assert f"Round 1 of {SAYS}" in page_text
    assert "March 10" not in page_text


def test_a_knockout_names_no_number_that_nobody_knows(freeze_at_start: None) -> None:
    _tournament, game, mover = start_cup("knockout")
    assert f"This round of {SAYS}" in read_text(open_signed_in_client(mover).get(f"/games/{game.code}/"))


def test_the_name_of_a_tournament_is_text_on_every_page(freeze_at_start: None) -> None:
    tournament, game, mover = start_cup()
    Tournament.objects.filter(pk=tournament.pk).update(name="<b>Cup</b> & %s")
    tournament.refresh_from_db()
    tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW, name="<i>Cup</i> & %(n)s")
    for page in (f"/games/{game.code}/", "/games/", "/me/time/"):
        page_text = open_signed_in_client(mover).get(page).text
        assert "<i>Cup" not in page_text
        assert "&lt;i&gt;Cup&lt;/i&gt; &amp; %(n)s ends on" in page_text


def test_a_game_that_ends_before_its_round_shows_its_own_deadline(freeze_at_start: None) -> None:
    tournament = create_started_tournament("swiss", 2, round_length=30 * 86_400)
    (table,) = list_running_pairings(tournament)
    assert table.game
    mover = get_player_to_act(table.game)
    page_text = read_text(open_signed_in_client(mover).get("/games/"))
    assert "March 10, 2026, 12:01 UTC" in page_text
    assert "the points decide" not in page_text
    # The game page shows both the clocks and the end of the round.
    page_text = read_text(open_signed_in_client(mover).get(f"/games/{table.game.code}/"))
    assert "March 10, 2026, 12:01 UTC" in page_text
    assert "Round 1 of The cup ends on March 31, 2026, 12:00 UTC; then the points decide." in page_text


def test_a_game_of_a_league_names_the_division_it_is_played_in(freeze_at_start: None) -> None:
    league = create_started_league(4, division_size=4, round_length=86_400, time_control="12h")
    game = Game.objects.filter(status="running").order_by("pk")[0]
    name = Pairing.objects.get(game=game).tournament.name
    assert name.startswith(league.name)
    page_text = read_text(open_signed_in_client(get_player_to_act(game)).get(f"/games/{game.code}/"))
    assert f"{name} ends on March 2, 2026, 12:00 UTC; then the points decide." in page_text


# ------------------------------------------------------------------------------------------ mails and feeds


def test_mails_say_it_in_the_readers_zone() -> None:
    _tournament, _game, mover = start_cup()
    players.change_profile(player=mover, now=NOW, time_zone="Asia/Tokyo")
    mail_only_to(mover.name)
    send_mails()
    mail_body = get_last_body(mover.name)
    assert (
        "Round 1 of The cup ends on Monday 2 March, 21:00 (Asia/Tokyo); then the points decide." in mail_body
    )
    assert "10 March" not in mail_body
    assert "for this turn" not in mail_body, "the allowance is of no use beyond the end of the round"


def test_a_reminder_comes_before_the_end_of_the_round() -> None:
    _tournament, _game, mover = start_cup()
    mail_only_to(mover.name)
    Player.objects.filter(pk=mover.pk).update(remind_at_used_percent=None, remind_at_left_percent=25)
    send_mails()
    assert list_sent_kinds(mover.name) == ["tournament-pairing"]
    send_mails(NOW + 17 * HOUR)
    assert list_sent_kinds(mover.name) == ["tournament-pairing"]
    send_mails(NOW + 18 * HOUR)
    assert list_sent_kinds(mover.name) == ["tournament-pairing", "reminder"], "a quarter of the day is left"
    assert "Round 1 of The cup ends on" in get_last_body(mover.name)


def test_a_reminder_follows_the_organiser_who_moves_the_end() -> None:
    tournament, _game, mover = start_cup()
    mail_only_to(mover.name)
    Player.objects.filter(pk=mover.pk).update(remind_at_used_percent=None, remind_at_left_percent=50)
    send_mails()
    decisions.extend_round(
        by=get_host(), code=tournament.code, round_number=1, until=NOW + 4 * DAY, now=NOW + HOUR
    )
    send_mails(NOW + DAY)
    assert list_sent_kinds(mover.name) == ["tournament-pairing"], "it would have come after half a day"
    send_mails(NOW + 2 * DAY)
    assert list_sent_kinds(mover.name)[1:] == ["reminder"]
    assert "Thursday 5 March, 12:00" in get_last_body(mover.name)


def test_a_clock_that_rests_does_not_put_off_the_end_of_the_round() -> None:
    _tournament, _game, mover = start_cup()
    Player.objects.filter(pk=mover.pk).update(
        vacation_start=NOW,
        vacation_end=NOW + 20 * DAY,
        remind_at_used_percent=None,
        remind_at_left_percent=25,
    )
    mover.refresh_from_db()
    mail_only_to(mover.name)
    send_mails()
    send_mails(NOW + 18 * HOUR)
    assert list_sent_kinds(mover.name) == ["tournament-pairing", "reminder"]


def test_daily_mails_calendars_and_atom_say_it(client: Client) -> None:
    _tournament, game, mover = start_cup()
    mail_only_to(mover.name)
    wanted = {"mail_frequency": "digest", "digest_hour": 20, "tournament_mails": "none"}
    Player.objects.filter(pk=mover.pk).update(**wanted)
    send_mails()
    send_mails(NOW + 9 * HOUR)
    assert list_sent_kinds(mover.name) == ["digest"]
    assert "Round 1 of The cup ends on Monday 2 March, 12:00 (UTC); then the points decide." in get_last_body(
        mover.name
    )
    atom = client.get(f"/feeds/{mover.feed_token}/turns.atom").text
    assert f"Round 1 of {SAYS}" in atom
    calendar = client.get(f"/feeds/{mover.feed_token}/deadlines.ics").text.replace("\r\n ", "")
    turn = next(entry for entry in calendar.split("BEGIN:VEVENT") if f"UID:{game.code}@" in entry)
    assert "DTSTART:20260302T120000Z" in turn
    assert "then the points decide" in turn


def test_webhooks_say_it(settings: LazySettings) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True
    with Listener() as server:
        for name in ("p1", "p2"):
            Webhook.objects.create(
                player=get_player(name), url=server.url, signing_secret="c2VjcmV0", created_at=NOW
            )
        tournament, game, _mover = start_cup()
        while notices.fan_out_notices(now=TWO_MINUTES_LATER):
            pass
        while webhook_sender.send_due_webhooks(now=TWO_MINUTES_LATER):
            pass
        payloads = [json.loads(call.body) for call in server.calls]
    (turn,) = [payload for payload in payloads if payload["kind"] == "turn"]
    assert turn["deadline"] == "2026-03-02T12:00:00Z"
    assert turn["round_end"] == {
        "at": "2026-03-02T12:00:00Z",
        "name": "The cup",
        "round": 1,
        "url": f"https://otto.example.org/tournaments/{tournament.code}/",
    }
    assert f"Round 1 of {SAYS}" in turn["text"]
    pairing = Pairing.objects.get(game=game)
    for payload in payloads:
        ids = [payload[name] for name in ("tournament", "league", "round", "match", "game")]
        if payload["kind"] != "tournament-start":
            assert ids == [tournament.code, None, 1, pairing.match, game.code], payload["kind"]
        else:
            assert ids == [tournament.code, None, None, None, None]
    assert {"turn", "tournament-pairing"} <= {payload["kind"] for payload in payloads}


# ------------------------------------------------------------------------------------------------------ API


def test_programs_read_the_deadline_that_comes_first(freeze_at_start: None) -> None:
    tournament, game, mover = start_cup()
    client = open_signed_in_client(mover)

    def get(path: str) -> Any:
        return client.get(f"/api/v1/{path}").json()

    end = {
        "at": "2026-03-02T12:00:00Z",
        "name": "The cup",
        "round": 1,
        "url": f"https://otto.example.org/tournaments/{tournament.code}/",
    }
    data = get(f"games/{game.code}/")
    assert (data["deadline"], data["round_end"]) == (end["at"], end)
    assert [seat["deadline"] for seat in data["seats"] if seat["seat"] in data["to_act"]] == [end["at"]]
    (listed,) = get("games/?status=running")["results"]
    assert (listed["deadline"], listed["round_end"]) == (end["at"], end)
    (turn,) = get("me/turns/")
    assert (turn["deadline"], turn["round_end"]) == (end["at"], end)
    (line,) = get("me/time/")["clocks"]
    assert (line["deadline"], line["round_end"], line["lost_at"]) == (end["at"], end, None)
    assert get("me/time/")["first_loss"] is None, "it is decided, not lost by time"
    entry_data = [feed_entry.data for feed_entry in FeedEntry.objects.filter(player=mover, kind="turn")]
    assert [(data["deadline"], data["round_ends_at"]) for data in entry_data] == [(end["at"], end["at"])]


def test_turns_are_in_the_order_of_what_ends_first(freeze_at_start: None) -> None:
    """A turn of nine days in a round of one day comes before a turn of five days."""
    _tournament, game, mover = start_cup()
    rival = get_player("p9")
    for _attempt in range(20):  # the starting player is drawn by lot
        other = lobby.create_game(
            player=rival, now=NOW, seat_count=2, time_control="custom", allowance=2 * 86_400, bank=3 * 86_400
        )
        for player in (mover, rival):
            lobby.join_game(player=player, code=other.code, now=NOW)
        other.refresh_from_db()
        if get_player_to_act(other) == mover:
            break
    assert other.deadline
    assert game.deadline
    assert other.deadline < game.deadline, "by its turn alone it would be first"
    client = open_signed_in_client(mover)
    assert [turn_row["game"] for turn_row in client.get("/api/v1/me/turns/").json()] == [
        game.code,
        other.code,
    ]
    assert client.get("/next/")["Location"] == f"/games/{game.code}/"


# ------------------------------------------------------------------------------------- changes of deadlines


def get_round_end(game: Game) -> tuple[datetime | None, Any]:
    game.refresh_from_db()
    return game.round_ends_at, game.round_info


def test_games_know_the_end_of_their_round_whatever_the_organiser_does() -> None:
    tournament, game, _mover = start_cup()
    page = f"/tournaments/{tournament.code}/"
    whose = {"tournament": "The cup", "number": 1, "page": page}
    assert get_round_end(game) == (ENDS, whose)
    moved = decisions.extend_round(
        by=get_host(), code=tournament.code, round_number=1, until=NOW + 3 * DAY, now=NOW
    )
    assert get_round_end(game) == (NOW + 3 * DAY, whose)
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=moved.pk, now=NOW)
    assert get_round_end(game) == (ENDS, whose)
    tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW, name="Another cup")
    assert get_round_end(game) == (ENDS, whose | {"tournament": "Another cup"})
    (table,) = list_running_pairings(tournament)
    corrected = decisions.correct_result(
        by=get_host(), code=tournament.code, pairing_id=table.pk, ranks=[1, 2], now=NOW
    )
    assert get_round_end(game) == (None, None), "it is decided: who plays on plays for nothing"
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=corrected.pk, now=NOW)
    assert get_round_end(game)[0] == ENDS
    sweep.sweep_tournaments(now=ENDS)
    assert table.__class__.objects.get(pk=table.pk).result["by"] == "adjudication"
    assert get_round_end(game) == (None, None), "the points have decided"


def test_a_round_without_an_end_gets_one_and_games_of_a_cancelled_event_lose_it() -> None:
    tournament = create_started_tournament("swiss", 2)
    (table,) = list_running_pairings(tournament)
    assert table.game
    assert get_round_end(table.game) == (None, None)
    decisions.extend_round(by=get_host(), code=tournament.code, round_number=1, until=NOW + DAY, now=NOW)
    assert get_round_end(table.game)[0] == NOW + DAY
    tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=NOW)
    assert get_round_end(table.game) == (None, None)


def test_an_open_page_hears_of_another_end(freeze_at_start: None) -> None:
    tournament, game, mover = start_cup()
    client = open_signed_in_client(mover)
    before = client.get(f"/games/{game.code}/version/")["ETag"]
    body_before = client.get(f"/api/v1/games/{game.code}/")["ETag"]
    decisions.extend_round(by=get_host(), code=tournament.code, round_number=1, until=NOW + 3 * DAY, now=NOW)
    assert client.get(f"/games/{game.code}/version/")["ETag"] != before
    assert client.get(f"/api/v1/games/{game.code}/")["ETag"] != body_before


def test_a_game_that_is_over_has_no_end_of_a_round_before_it() -> None:
    tournament, game, mover = start_cup()
    (table,) = list_running_pairings(tournament)
    play(table, NOW + HOUR)
    data = open_signed_in_client(mover).get(f"/api/v1/games/{game.code}/").json()
    assert (data["deadline"], data["round_end"]) == (None, None)


# ------------------------------------------------------------------------------------------------ arithmetic


def build_seat_clock(left: timedelta, bank: timedelta) -> clock.SeatClock:
    return clock.SeatClock(bank=bank, allowance_left=left, runs_from=NOW, turn_began_at=NOW, turn_seq=1)


@pytest.mark.parametrize(
    ("used", "left", "expected"),
    [
        (50, None, [12 * HOUR]),  # half of the round's day, not of the two days of the allowance
        (None, 25, [18 * HOUR]),
        (50, 25, [12 * HOUR, 18 * HOUR]),
        (None, None, []),
    ],
)
def test_reminders_share_out_the_time_until_the_round_ends(
    used: int | None, left: int | None, expected: list[timedelta]
) -> None:
    times = clock.reminder_times(
        build_seat_clock(2 * DAY, 7 * DAY),
        allowance=2 * 86_400,
        calendar=clock.ALWAYS_RUNNING,
        used_percent=used,
        left_percent=left,
        round_ends_at=NOW + DAY,
    )
    assert times == [NOW + time_at for time_at in expected]


def test_a_round_that_ends_after_the_turn_changes_no_reminder() -> None:
    reminder_args: dict[str, Any] = {
        "allowance": 2 * 86_400,
        "calendar": clock.ALWAYS_RUNNING,
        "used_percent": 50,
        "left_percent": 10,
    }
    turn = build_seat_clock(2 * DAY, 7 * DAY)
    assert clock.reminder_times(turn, **reminder_args, round_ends_at=NOW + 10 * DAY) == clock.reminder_times(
        turn, **reminder_args
    )
