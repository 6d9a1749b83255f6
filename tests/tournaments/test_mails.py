"""Mails of tournaments and leagues: one for each moment, in the reader's language, once."""

from __future__ import annotations

import re

import pytest
from django.conf import LazySettings
from django.core import mail as outgoing
from django.test import Client

from games.mail import webhook_sender
from games.models import Delivery, FeedEntry, Webhook
from games.services import notices
from tests.games.telling import part
from tournaments import links
from tournaments.models import LeagueMember
from tournaments.services import appeals, decisions, entries, sweep, tournaments

from .mailing import MINUTE, SOON, body, dropped, entrants_at, kinds_sent, last, only, send, sent, wish
from .play import (
    DAY,
    HOUR,
    NOW,
    enter_pair,
    entrant,
    host,
    play,
    playing,
    published,
    replace,
    someone,
    started,
)
from .test_leagues import begun, played, season

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def world(settings: LazySettings) -> None:
    settings.REPLY_DOMAIN = "play.example.org"
    settings.SITE_URL = "https://otto.example.org"


# --------------------------------------------------------------------------------------- one mail, one moment


def test_a_new_game_is_told_in_one_mail_with_its_first_turn() -> None:
    event = started("knockout", 2, round_length=7 * 86_400)
    (table,) = playing(event)
    send()
    for name, other in (("p1", "p2"), ("p2", "p1")):
        assert sent(name) == [("event-pairing", f"The cup, Final: You meet {other}")]
        told = body(name)
        assert "number" in told, "why they meet"
        assert "The round ends on Sunday 8 March, 12:00 (UTC)" in told
        assert f"https://otto.example.org/tournaments/{event.code}/tables/{table.pk}/" in told
        assert dropped(name).keys() - {"event-start"} <= {"turn", "started"}
        assert "says it, too" in dropped(name)["event-start"]
    assert table.game
    mover = next(
        place.player.name
        for place in table.game.places.select_related("player")
        if place.player and table.game.to_act >> (place.number or 0) & 1
    )
    assert "https://otto.example.org/turn/" in body(mover)
    assert last(mover)["Reply-To"], "it can be played by reply"
    assert last("p1" if mover == "p2" else "p2")["Reply-To"] is None


def test_webhooks_hear_of_the_turn_all_the_same() -> None:
    for name in ("p1", "p2"):
        Webhook.objects.create(player=someone(name), url="https://x.example.org/", secret="s", at=NOW)
    event = started("knockout", 2)
    while notices.fan_out_notices(now=SOON):
        pass
    calls = Delivery.objects.filter(webhook__isnull=False)
    assert sorted(calls.values_list("kind", flat=True)) == sorted(
        ["event-start", "event-pairing"] * 2 + ["turn", "started"]
    )
    for call in calls.filter(kind="event-pairing").select_related("player", "game"):
        facts = webhook_sender.build_payload(call, SOON)
        assert facts["text"].startswith("The cup, Final: You meet p")
        assert facts["url"].startswith(f"https://otto.example.org/tournaments/{event.code}/tables/")
        assert facts["game"]


def test_who_wants_no_mails_of_tournaments_hears_of_the_games_themselves() -> None:
    wish("p1", tournament_mails="none")
    wish("p2", tournament_mails="duties")
    event = started("knockout", 2)
    send()
    assert set(kinds_sent("p1")) <= {"turn", "started"}
    assert len(kinds_sent("p1")) == 1
    assert kinds_sent("p2") == ["event-pairing"]
    play(playing(event)[0], NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    send(NOW + DAY + 2 * MINUTE)
    for name in ("p1", "p2"):
        assert "event-result" not in kinds_sent(name)
        assert "event-end" not in kinds_sent(name)


def test_who_wants_no_mails_at_all_gets_none() -> None:
    wish("p1", mails="none")
    started("knockout", 2)
    send()
    assert sent("p1") == []
    assert sent("p2")


def test_many_games_that_begin_at_once_are_one_mail() -> None:
    event = started("round-robin", 4, at_once=True)
    assert len(playing(event)) == 6
    only("p1")
    send()
    assert sent("p1") == [("event-pairing", "The cup: 3 new games")]
    told = body("p1")
    for other in ("p2", "p3", "p4"):
        assert f"OTTO with {other}" in told
    turns = sum(
        bool(table.game.to_act >> place.number & 1)
        for table in playing(event)
        if table.game
        for place in table.game.places.filter(player=someone("p1"))
    )
    assert told.count("/turn/") == turns
    assert "event-start" in dropped("p1")


def test_a_result_says_what_comes_next_and_the_next_game_takes_it_along() -> None:
    event = started("knockout", 4)
    send()
    outgoing.outbox.clear()
    first, second = playing(event)
    play(first, NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    send(NOW + DAY + 2 * MINUTE)
    first.refresh_from_db()
    ranks = (first.result or {})["ranks"]
    seats = [one.entrant.members.get().player.name for one in first.sittings.order_by("number")]  # type: ignore[union-attr]
    winner, loser = seats[ranks.index(1)], seats[ranks.index(2)]
    assert sent(winner) == [("event-result", f"The cup: You beat {loser}")]
    assert "You go on: Final. Who comes there is still being played." in body(winner)
    assert sent(loser) == [("event-result", f"The cup: You lost to {winner}")]
    assert "You are out. " in body(loser), "in which place depends on the other table"
    assert "over" not in kinds_sent(winner), "the game's own mail would say the same"

    outgoing.outbox.clear()
    play(second, NOW + 2 * DAY)
    sweep.sweep_tournaments(now=NOW + 2 * DAY)
    send(NOW + 2 * DAY + 2 * MINUTE)
    (finalist,) = {one.player.name for one in event.members.select_related("player")} - {  # type: ignore[union-attr]
        winner,
        loser,
        *(name for name in ("p1", "p2", "p3", "p4") if kinds_sent(name) == ["event-result"]),
    }
    (fourth,) = {"p1", "p2", "p3", "p4"} - {winner, loser, finalist}
    assert "You are out, in place 3 of 4." in body(fourth)
    assert sent(finalist) == [("event-pairing", f"The cup, Final: You meet {winner}")]
    assert "You beat" in body(finalist), "the result comes with the next game"
    assert sent(winner) == [("event-pairing", f"The cup, Final: You meet {finalist}")]
    assert "You beat" not in body(winner), "which was told before"

    outgoing.outbox.clear()
    play(playing(event)[0], NOW + 3 * DAY)
    sweep.sweep_tournaments(now=NOW + 3 * DAY)
    send(NOW + 3 * DAY + 2 * MINUTE)
    subjects = {name: sent(name) for name in (winner, finalist, loser)}
    assert all(kinds_sent(name) == ["event-end"] for name in subjects)
    assert subjects[loser][0][1] == "The cup: It is over: place 3 of 4 for you"
    heads = sorted(subjects[name][0][1] for name in (winner, finalist))
    assert heads == ["The cup: It is over: place 2 of 4 for you", "The cup: You have won"]


def test_a_swiss_result_says_where_one_stands() -> None:
    event = started("swiss", 4, rounds=2)
    send()
    first, _second = playing(event)
    outgoing.outbox.clear()
    play(first, NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    send(NOW + DAY + 2 * MINUTE)
    told = [body(one.player.name) for one in entrants_at(first)]
    assert all(re.search(r"You are in place \d of 4, with \d points?", text) for text in told)
    assert not any("last game" in text for text in told)


def test_a_bye_is_told_with_its_reason() -> None:
    event = started("swiss", 3, rounds=2)
    send()
    free = FeedEntry.objects.get(kind="event-bye").player
    assert [(kind, subject) for kind, subject in sent(free.name)] == [
        ("event-bye", "The cup: Round 1: you have no game")
    ]
    assert "An odd number plays" in body(free.name)
    assert event.tables.count() == 2


# ------------------------------------------------------------------------------------------- before the start


def test_an_invitation_a_partner_and_a_place_are_told_until_they_are_answered() -> None:
    event = published("knockout", 0, mode="pairs", by_invitation=True, capacity=2, starts_at=NOW + 9 * DAY)
    for name in ("ada", "bob", "cleo", "dirk", "eve", "fay"):
        tournaments.invite_player(by=host(), code=event.code, player=someone(name), now=NOW)
    asked = entries.ask_partner(player=someone("ada"), partner=someone("bob"), code=event.code, now=NOW)
    send()
    assert sent("cleo") == [("event-invited", "You are invited to a tournament on OTTO online")]
    assert "> The cup." in body("cleo"), "they have not met"
    assert "host invites you." in body("cleo")
    assert "It begins on Tuesday 10 March, 12:00 (UTC)." in body("cleo")
    assert ("event-partner", "You are asked to play as a pair on OTTO online") in sent("bob")
    assert "a player who goes by “ada”" in body("bob")
    assert "no place is taken" in body("bob")
    assert not event.entrants.exists()
    answer = re.search(r"https://otto.example.org(/proposals/answer/\S+)", body("bob"))
    assert answer
    client = Client()
    assert "ada asks you to play in The cup as a pair." in client.get(answer[1]).content.decode()
    assert not event.entrants.exists()
    assert client.post(answer[1], {"answer": "accept"}).status_code == 200
    asked.refresh_from_db()
    assert (asked.status, entrant(event, "ada").members.count()) == ("accepted", 2)
    enter_pair(event, "cleo", "dirk")
    enter_pair(event, "eve", "fay")
    assert entrant(event, "eve").status == "waiting"
    entries.leave_tournament(player=someone("ada"), code=event.code, now=NOW + HOUR)
    send(NOW + HOUR + 2 * MINUTE)
    for name in ("eve", "fay"):
        assert sent(name)[-1] == ("event-place", "The cup: You have a place")


def test_who_is_to_confirm_is_asked_a_day_before_once_and_confirms_from_the_mail(client: Client) -> None:
    start = NOW + 5 * DAY
    event = published("knockout", 3, confirmation=True, starts_at=start)
    sweep.sweep_tournaments(now=NOW + 3 * DAY)
    send(NOW + 3 * DAY)
    assert sent("p1") == []
    entries.confirm_entry(player=someone("p3"), code=event.code, now=NOW)
    for _twice in range(2):
        sweep.sweep_tournaments(now=start - DAY)
    entries.confirm_entry(player=someone("p2"), code=event.code, now=start - DAY)
    send(start - DAY + 2 * MINUTE)
    assert sent("p1") == [("event-confirm", "The cup: Please confirm that you play")]
    assert sent("p2") == sent("p3") == [], "who has confirmed by then is not asked"
    found = re.search(r"https://otto.example.org(/tournaments/confirm/\S+/)", part(last("p1"), "plain"))
    assert found
    assert "Will you play in The cup?" in client.get(found[1]).text
    assert entrant(event, "p1").confirmed_at is None, "to look changes nothing"
    for _twice in range(2):
        answer = client.post(found[1])
        assert "You are expected" in answer.text
    assert answer["Referrer-Policy"] == "no-referrer"
    assert entrant(event, "p1").confirmed_at
    assert client.get("/tournaments/confirm/x/").status_code == 404
    forged = links.make_link_token(links.LEAVE_LEAGUE_PURPOSE, someone("p1").mail_key, event.code)
    assert client.get(f"/tournaments/confirm/{forged}/").status_code == 404
    tournaments.cancel_tournament(by=host(), code=event.code, now=start)
    assert (
        "nothing to confirm"
        in client.get(links.build_confirm_url(someone("host").mail_key, event.code)[24:]).text
    )


def test_where_the_start_is_not_known_one_is_asked_on_entering_and_who_did_not_is_told() -> None:
    event = published("knockout", 3, confirmation=True)
    sweep.sweep_tournaments(now=NOW)
    send()
    assert kinds_sent("p1") == ["event-confirm"]
    for name in ("p1", "p2"):
        entries.confirm_entry(player=someone(name), code=event.code, now=NOW)
    tournaments.start_tournament(by=host(), code=event.code, now=NOW + HOUR)
    sweep.sweep_tournaments(now=NOW + HOUR)
    send(NOW + HOUR + 2 * MINUTE)
    assert sent("p3")[-1] == ("event-start", "The cup: It has begun without you")
    assert "You had not confirmed" in body("p3")
    assert kinds_sent("p1") == ["event-confirm", "event-pairing"]


# -------------------------------------------------------------------------------------------- what is decided


def test_organisers_are_told_what_is_asked_of_them_and_players_what_was_decided() -> None:
    event = started("knockout", 4)
    first, second = playing(event)
    send()
    outgoing.outbox.clear()
    name = entrants_at(first)[0].player.name
    made = appeals.file_appeal(
        player=someone(name), code=event.code, pairing_id=first.pk, text="It was\nnot so.", now=NOW
    )
    send()
    assert sent("host") == [("event-appeal", f"The cup: {name} appeals")]
    assert "\n> It was\n> not so.\n" in part(last("host"), "plain")
    assert f"/tournaments/{event.code}/organise/appeals/" in body("host")
    appeals.answer_appeal(by=host(), code=event.code, appeal_id=made.pk, text="It was.", now=NOW)
    other = entrants_at(second)[0].player.name
    decisions.disqualify_entrant(
        by=host(),
        code=event.code,
        entrant=entrant(event, other).pk,
        now=NOW,
        why="A program played.",
        public_note="Three\nwarnings",
    )
    send()
    assert sent(name) == [("event-appeal", "The cup: Your appeal was answered")]
    assert "\nThe answer:\n> It was.\n" in part(last(name), "plain")
    assert sent(other) == [("event-out", "The cup: You are out")]
    assert "\n> Three\n> warnings\n" in part(last(other), "plain")
    assert "A program" not in last(other).as_string()
    tournaments.cancel_tournament(
        by=host(), code=event.code, now=NOW, why="No money is left.", public_note="The hall burnt down."
    )
    send()
    assert sent(name)[-1] == ("event-cancelled", "The cup: It was cancelled")
    assert "\n> The hall burnt down.\n" in part(last(name), "plain")
    assert "No money" not in last(name).as_string()


def test_an_event_that_waits_asks_its_organiser_with_a_link_to_the_desk() -> None:
    event = published("knockout", 1)
    tournaments.start_tournament(by=host(), code=event.code, now=NOW)
    for _twice in range(2):
        sweep.sweep_tournaments(now=NOW)
    send()
    assert sent("host") == [("event-held", "The cup: It waits for you")]
    assert "Fewer than two can play" in body("host")
    assert f"https://otto.example.org/tournaments/{event.code}/organise/" in body("host")


def test_who_takes_over_a_seat_gets_one_mail_with_the_game_in_it() -> None:
    event = started("knockout", 2)
    send()
    table = playing(event)[0]
    replace(event, "p1", "new", NOW + HOUR)
    send(NOW + HOUR + 2 * MINUTE)
    assert sent("new")[-1] == ("event-replaced", "The cup: You play for somebody who has left")
    assert table.game
    assert table.game.code in part(last("new"), "html")
    assert "with everything that is there" in body("new")
    assert sent("p1")[-1] == ("event-out", "The cup: Somebody else plays for you now")


# ---------------------------------------------------------------------------------------------------- leagues


def test_a_season_is_told_from_its_beginning_to_its_end_with_a_way_out(client: Client) -> None:
    league = begun(8, pause=7 * 86_400)
    only("p1")
    send()
    place = season(league).places.select_related("division").get(player=someone("p1"))
    assert kinds_sent("p1") == ["event-pairing"], "the first game says it all"
    assert f"Season 1 has begun: you play in division {place.division.number} (starts here" in body("p1")
    assert {"league-season", "event-start"} <= dropped("p1").keys()
    outgoing.outbox.clear()
    ended = played(league, NOW + DAY)
    send(NOW + DAY + 2 * MINUTE)
    place.refresh_from_db()
    assert sent("p1")[-1] == (
        "league-season-end",
        f"The league: Season 1 is over: place {place.rank} of 4 in division {place.division.number}",
    )
    assert "event-end" not in kinds_sent("p1")
    assert place.rank == 1
    assert "By this place you" in body("p1")
    assert "The next season begins on Monday 9 March, 12:00 (UTC). You stay in" in body("p1")
    found = re.search(r"https://otto.example.org(/leagues/leave/\S+/)", part(last("p1"), "plain"))
    assert found
    assert "Leave The league?" in client.get(found[1]).text
    mine = LeagueMember.objects.get(league=league, player=someone("p1"))
    assert mine.status == "member"
    for _twice in range(2):
        assert "You do not play the next season" in client.post(found[1]).text
    mine.refresh_from_db()
    assert mine.status == "out"
    assert "You stay in The league" in client.post(found[1], {"undo": "1"}).text
    mine.refresh_from_db()
    assert mine.status == "member"
    assert ended.number == 1
    assert client.get("/leagues/leave/x/").status_code == 404


def test_a_closed_league_says_that_it_was_the_last_season() -> None:
    league = begun(3, size=3, seasons=1)
    only("p1")
    played(league, NOW + DAY)
    send(NOW + DAY + 2 * MINUTE)
    assert "It was the last season." in body("p1")
    assert "/leagues/leave/" not in body("p1")
