"""What a game of a tournament says of time: the end of its round, wherever that comes before the turn's."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from games import clock
from games.mail import webhook_sender
from games.models import FeedEntry, Game, Player, Webhook
from games.services import lobby, notices, players
from tests.games.listener import Listener
from tournaments.models import Pairing, Tournament
from tournaments.services import decision_undo, decisions, sweep, tournaments

from .mailing import MINUTE, SOON, body, kinds_sent, only, send
from .play import DAY, HOUR, NOW, host, play, playing, someone, started
from .test_leagues import begun

pytestmark = pytest.mark.django_db
ENDS = NOW + DAY
# A turn and the reserve last for nine days together, however short the round is.
LONG_TURNS = {"clock_name": "custom", "allowance": 86_400, "bank": 8 * 86_400}
SAYS = "The cup ends on March 2, 2026, 12:00 UTC; then the points decide."


@pytest.fixture(autouse=True)
def world(settings: LazySettings) -> None:
    settings.SITE_URL = "https://otto.example.org"


def begun_cup(format: str = "swiss", **fields: Any) -> tuple[Tournament, Game, Player]:
    """A cup whose rounds last a day, while a turn has nine; its game, and who is to act in it."""
    event = started(format, 2, round_length=86_400, **(LONG_TURNS | fields))
    (table,) = playing(event)
    assert table.game
    return event, table.game, mover_of(table.game)


def mover_of(game: Game) -> Player:
    seat = next(one for one in game.places.select_related("player") if game.to_act >> (one.number or 0) & 1)
    assert seat.player
    return seat.player


def signed_in(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def words_of(answer: Any) -> str:
    """The text of a page, without what marks it."""
    return " ".join(strip_tags(answer.text).split())


@pytest.fixture
def at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are looked at when the round has just begun."""
    monkeypatch.setattr(timezone, "now", lambda: NOW + MINUTE)


# ----------------------------------------------------------------------------------------------------- pages


@pytest.mark.parametrize("page", ["/games/{code}/", "/games/", "/me/time/"])
def test_pages_say_when_the_round_ends_and_what_happens_then(page: str, at_the_start: None) -> None:
    _event, game, mover = begun_cup()
    assert game.deadline == NOW + 9 * DAY + MINUTE, "the turn ends long after the round"
    told = words_of(signed_in(mover).get(page.format(code=game.code)))
    assert f"Round 1 of {SAYS}" in told
    assert "March 10" not in told, "nobody can play until then"


def test_the_page_of_a_turn_by_mail_says_it(at_the_start: None) -> None:
    _event, _game, mover = begun_cup()
    only(mover.name)
    send()
    link = next(word for word in body(mover.name).split() if "/turn/" in word)
    told = words_of(Client().get(link.removeprefix("https://otto.example.org")))
    assert f"Round 1 of {SAYS}" in told
    assert "March 10" not in told


def test_a_knock_out_names_no_number_that_nobody_knows(at_the_start: None) -> None:
    _event, game, mover = begun_cup("knockout")
    assert f"This round of {SAYS}" in words_of(signed_in(mover).get(f"/games/{game.code}/"))


def test_the_name_of_a_tournament_is_text_on_every_page(at_the_start: None) -> None:
    event, game, mover = begun_cup()
    Tournament.objects.filter(pk=event.pk).update(name="<b>Cup</b> & %s")
    event.refresh_from_db()
    tournaments.edit_tournament(by=host(), code=event.code, now=NOW, name="<i>Cup</i> & %(n)s")
    for page in (f"/games/{game.code}/", "/games/", "/me/time/"):
        told = signed_in(mover).get(page).text
        assert "<i>Cup" not in told
        assert "&lt;i&gt;Cup&lt;/i&gt; &amp; %(n)s ends on" in told


def test_a_game_that_ends_before_its_round_shows_its_own_deadline(at_the_start: None) -> None:
    event = started("swiss", 2, round_length=30 * 86_400)
    (table,) = playing(event)
    assert table.game
    mover = mover_of(table.game)
    told = words_of(signed_in(mover).get("/games/"))
    assert "March 10, 2026, 12:01 UTC" in told
    assert "the points decide" not in told
    # The table says both: its clocks, and when the points decide.
    told = words_of(signed_in(mover).get(f"/games/{table.game.code}/"))
    assert "March 10, 2026, 12:01 UTC" in told
    assert "Round 1 of The cup ends on March 31, 2026, 12:00 UTC; then the points decide." in told


def test_a_game_of_a_league_names_the_division_it_is_played_in(at_the_start: None) -> None:
    league = begun(4, size=4, round_length=86_400, clock_name="12h")
    game = Game.objects.filter(status="running").order_by("pk")[0]
    name = Pairing.objects.get(game=game).event.name
    assert name.startswith(league.name)
    told = words_of(signed_in(mover_of(game)).get(f"/games/{game.code}/"))
    assert f"{name} ends on March 2, 2026, 12:00 UTC; then the points decide." in told


# ------------------------------------------------------------------------------------------ mails and feeds


def test_mails_say_it_in_the_readers_zone() -> None:
    _event, _game, mover = begun_cup()
    players.change_profile(player=mover, now=NOW, time_zone="Asia/Tokyo")
    only(mover.name)
    send()
    told = body(mover.name)
    assert "Round 1 of The cup ends on Monday 2 March, 21:00 (Asia/Tokyo); then the points decide." in told
    assert "10 March" not in told
    assert "for this turn" not in told, "the allowance is of no use beyond the end of the round"


def test_a_reminder_comes_before_the_end_of_the_round() -> None:
    _event, _game, mover = begun_cup()
    only(mover.name)
    Player.objects.filter(pk=mover.pk).update(remind_used=None, remind_left=25)
    send()
    assert kinds_sent(mover.name) == ["event-pairing"]
    send(NOW + 17 * HOUR)
    assert kinds_sent(mover.name) == ["event-pairing"]
    send(NOW + 18 * HOUR)
    assert kinds_sent(mover.name) == ["event-pairing", "reminder"], "a quarter of the day is left"
    assert "Round 1 of The cup ends on" in body(mover.name)


def test_a_reminder_follows_the_organiser_who_moves_the_end() -> None:
    event, _game, mover = begun_cup()
    only(mover.name)
    Player.objects.filter(pk=mover.pk).update(remind_used=None, remind_left=50)
    send()
    decisions.extend_round(by=host(), code=event.code, round_number=1, until=NOW + 4 * DAY, now=NOW + HOUR)
    send(NOW + DAY)
    assert kinds_sent(mover.name) == ["event-pairing"], "it would have come after half a day"
    send(NOW + 2 * DAY)
    assert kinds_sent(mover.name)[1:] == ["reminder"]
    assert "Thursday 5 March, 12:00" in body(mover.name)


def test_a_clock_that_rests_does_not_put_off_the_end_of_the_round() -> None:
    _event, _game, mover = begun_cup()
    Player.objects.filter(pk=mover.pk).update(
        away_from=NOW, away_until=NOW + 20 * DAY, remind_used=None, remind_left=25
    )
    mover.refresh_from_db()
    only(mover.name)
    send()
    send(NOW + 18 * HOUR)
    assert kinds_sent(mover.name) == ["event-pairing", "reminder"]


def test_daily_mails_calendars_and_atom_say_it(client: Client) -> None:
    _event, game, mover = begun_cup()
    only(mover.name)
    wanted = {"mails": "digest", "digest_hour": 20, "tournament_mails": "none"}
    Player.objects.filter(pk=mover.pk).update(**wanted)
    send()
    send(NOW + 9 * HOUR)
    assert kinds_sent(mover.name) == ["digest"]
    assert "Round 1 of The cup ends on Monday 2 March, 12:00 (UTC); then the points decide." in body(
        mover.name
    )
    atom = client.get(f"/feeds/{mover.key}/turns.atom").text
    assert f"Round 1 of {SAYS}" in atom
    calendar = client.get(f"/feeds/{mover.key}/deadlines.ics").text.replace("\r\n ", "")
    turn = next(one for one in calendar.split("BEGIN:VEVENT") if f"UID:{game.code}@" in one)
    assert "DTSTART:20260302T120000Z" in turn
    assert "then the points decide" in turn


def test_webhooks_say_it(settings: LazySettings) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True
    with Listener() as server:
        for name in ("p1", "p2"):
            Webhook.objects.create(player=someone(name), url=server.url, secret="s", at=NOW)
        event, _game, _mover = begun_cup()
        while notices.fan_out_notices(now=SOON):
            pass
        while webhook_sender.send_due_webhooks(now=SOON):
            pass
        told = [json.loads(call.body) for call in server.calls]
    (turn,) = [one for one in told if one["kind"] == "turn"]
    assert turn["deadline"] == "2026-03-02T12:00:00Z"
    assert turn["round_end"] == {
        "at": "2026-03-02T12:00:00Z",
        "tournament": "The cup",
        "round": 1,
        "url": f"https://otto.example.org/tournaments/{event.code}/",
    }
    assert f"Round 1 of {SAYS}" in turn["text"]


# ------------------------------------------------------------------------------------------------- programs


def test_programs_read_the_deadline_that_comes_first(at_the_start: None) -> None:
    event, game, mover = begun_cup()
    client = signed_in(mover)

    def get(path: str) -> Any:
        return client.get(f"/api/v1/{path}").json()

    end = {
        "at": "2026-03-02T12:00:00Z",
        "tournament": "The cup",
        "round": 1,
        "url": f"https://otto.example.org/tournaments/{event.code}/",
    }
    seen = get(f"games/{game.code}/")
    assert (seen["deadline"], seen["round_end"]) == (end["at"], end)
    assert [seat["deadline"] for seat in seen["seats"] if seat["seat"] in seen["to_act"]] == [end["at"]]
    (listed,) = get("games/?status=running")["results"]
    assert (listed["deadline"], listed["round_end"]) == (end["at"], end)
    (turn,) = get("me/turns/")
    assert (turn["deadline"], turn["round_end"]) == (end["at"], end)
    (line,) = get("me/time/")["clocks"]
    assert (line["deadline"], line["round_end"], line["lost_at"]) == (end["at"], end, None)
    assert get("me/time/")["first_loss"] is None, "it is decided, not lost by time"
    told = [one.data for one in FeedEntry.objects.filter(player=mover, kind="turn")]
    assert [(one["deadline"], one["round_ends_at"]) for one in told] == [(end["at"], end["at"])]


def test_turns_are_in_the_order_of_what_ends_first(at_the_start: None) -> None:
    """A turn of nine days in a round of one goes before one of five days."""
    _event, game, mover = begun_cup()
    rival = someone("p9")
    for _attempt in range(20):  # lots say who begins
        other = lobby.create_game(
            player=rival, now=NOW, seats=2, clock_name="custom", allowance=2 * 86_400, bank=3 * 86_400
        )
        for player in (mover, rival):
            lobby.join_game(player=player, code=other.code, now=NOW)
        other.refresh_from_db()
        if mover_of(other) == mover:
            break
    assert other.deadline
    assert game.deadline
    assert other.deadline < game.deadline, "by its turn alone it would be first"
    client = signed_in(mover)
    assert [one["game"] for one in client.get("/api/v1/me/turns/").json()] == [game.code, other.code]
    assert client.get("/next/")["Location"] == f"/games/{game.code}/"


# -------------------------------------------------------------------------------------- whatever changes it


def end_of(game: Game) -> tuple[datetime | None, Any]:
    game.refresh_from_db()
    return game.round_ends_at, game.round_of


def test_games_know_the_end_of_their_round_whatever_the_organiser_does() -> None:
    event, game, _mover = begun_cup()
    page = f"/tournaments/{event.code}/"
    whose = {"tournament": "The cup", "number": 1, "page": page}
    assert end_of(game) == (ENDS, whose)
    moved = decisions.extend_round(by=host(), code=event.code, round_number=1, until=NOW + 3 * DAY, now=NOW)
    assert end_of(game) == (NOW + 3 * DAY, whose)
    decision_undo.undo_decision(by=host(), code=event.code, decision=moved.pk, now=NOW)
    assert end_of(game) == (ENDS, whose)
    tournaments.edit_tournament(by=host(), code=event.code, now=NOW, name="Another cup")
    assert end_of(game) == (ENDS, whose | {"tournament": "Another cup"})
    (table,) = playing(event)
    corrected = decisions.correct_result(by=host(), code=event.code, table=table.pk, ranks=[1, 2], now=NOW)
    assert end_of(game) == (None, None), "it is decided: who plays on plays for nothing"
    decision_undo.undo_decision(by=host(), code=event.code, decision=corrected.pk, now=NOW)
    assert end_of(game)[0] == ENDS
    sweep.sweep_tournaments(now=ENDS)
    assert table.__class__.objects.get(pk=table.pk).result["by"] == "adjudication"
    assert end_of(game) == (None, None), "the points have decided"


def test_a_round_without_an_end_gets_one_and_games_of_a_cancelled_event_lose_it() -> None:
    event = started("swiss", 2)
    (table,) = playing(event)
    assert table.game
    assert end_of(table.game) == (None, None)
    decisions.extend_round(by=host(), code=event.code, round_number=1, until=NOW + DAY, now=NOW)
    assert end_of(table.game)[0] == NOW + DAY
    tournaments.cancel_tournament(by=host(), code=event.code, now=NOW)
    assert end_of(table.game) == (None, None)


def test_an_open_page_hears_of_another_end(at_the_start: None) -> None:
    event, game, mover = begun_cup()
    client = signed_in(mover)
    before = client.get(f"/games/{game.code}/pulse/")["ETag"]
    body_before = client.get(f"/api/v1/games/{game.code}/")["ETag"]
    decisions.extend_round(by=host(), code=event.code, round_number=1, until=NOW + 3 * DAY, now=NOW)
    assert client.get(f"/games/{game.code}/pulse/")["ETag"] != before
    assert client.get(f"/api/v1/games/{game.code}/")["ETag"] != body_before


def test_a_game_that_is_over_has_no_end_of_a_round_before_it() -> None:
    event, game, mover = begun_cup()
    (table,) = playing(event)
    play(table, NOW + HOUR)
    seen = signed_in(mover).get(f"/api/v1/games/{game.code}/").json()
    assert (seen["deadline"], seen["round_end"]) == (None, None)


# ------------------------------------------------------------------------------------------- pure arithmetic


def watch(left: timedelta, bank: timedelta) -> clock.SeatClock:
    return clock.SeatClock(bank=bank, allowance_left=left, runs_from=NOW, turn_began_at=NOW, turn_seq=1)


@pytest.mark.parametrize(
    ("used", "left", "expected"),
    [
        (50, None, [12 * HOUR]),  # half of the day, not half of the two days of the allowance
        (None, 25, [18 * HOUR]),
        (50, 25, [12 * HOUR, 18 * HOUR]),
        (None, None, []),
    ],
)
def test_reminders_share_out_the_time_until_the_round_ends(
    used: int | None, left: int | None, expected: list[timedelta]
) -> None:
    found = clock.reminder_times(
        watch(2 * DAY, 7 * DAY),
        allowance=2 * 86_400,
        calendar=clock.ALWAYS_RUNNING,
        used_percent=used,
        left_percent=left,
        round_ends_at=NOW + DAY,
    )
    assert found == [NOW + one for one in expected]


def test_a_round_that_ends_after_the_turn_changes_no_reminder() -> None:
    facts: dict[str, Any] = {
        "allowance": 2 * 86_400,
        "calendar": clock.ALWAYS_RUNNING,
        "used_percent": 50,
        "left_percent": 10,
    }
    turn = watch(2 * DAY, 7 * DAY)
    assert clock.reminder_times(turn, **facts, round_ends_at=NOW + 10 * DAY) == clock.reminder_times(
        turn, **facts
    )
