"""Mails of tournaments and leagues: one per event, in the reader's language, never twice."""

from __future__ import annotations

import re

import pytest
from django.conf import LazySettings
from django.core import mail as outgoing
from django.test import Client

from notifications.models import Delivery, FeedEntry, Webhook
from notifications.notice_kinds import get_notice_kind
from notifications.services import notices
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    enter_pair,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    play,
    published,
    replace,
)
from tests.factories.leagues import create_started_league, play_season, season
from tests.helpers.notice_helpers import get_part
from tests.helpers.tournament_mails import (
    MINUTE,
    TWO_MINUTES_LATER,
    get_last_body,
    get_last_mail,
    list_entrants_at,
    list_sent,
    list_sent_kinds,
    mail_only_to,
    map_drop_reasons,
    send_mails,
    set_wishes,
)
from tournaments import links
from tournaments.models import LeagueMember
from tournaments.services import appeals, decisions, entries, sweep, tournaments

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def configure_site(settings: LazySettings) -> None:
    settings.REPLY_DOMAIN = "play.example.org"
    settings.SITE_URL = "https://otto.example.org"


# ----------------------------------------------------------------------------------------- one mail per event


def test_a_new_game_is_announced_in_one_mail_with_its_first_turn() -> None:
    tournament = create_started_tournament("knockout", 2, round_length=7 * 86_400)
    (table,) = list_running_pairings(tournament)
    send_mails()
    for name, other in (("p1", "p2"), ("p2", "p1")):
        assert list_sent(name) == [("tournament-pairing", f"The cup, Final: You play {other}")]
        mail_body = get_last_body(name)
        assert "number" in mail_body, "why they meet"
        assert "The round ends on Sunday 8 March, 12:00 (UTC)" in mail_body
        assert f"https://otto.example.org/tournaments/{tournament.code}/tables/{table.pk}/" in mail_body
        assert map_drop_reasons(name).keys() - {"tournament-start"} <= {"turn", "started"}
        assert "covers it" in map_drop_reasons(name)["tournament-start"]
    assert table.game
    mover = next(
        place.player.name
        for place in table.game.seats.select_related("player")
        if place.player and table.game.to_act_mask >> (place.seat_no or 0) & 1
    )
    assert "https://otto.example.org/turn/" in get_last_body(mover)
    assert get_last_mail(mover)["Reply-To"], "it can be played by reply"
    assert get_last_mail("p1" if mover == "p2" else "p2")["Reply-To"] is None


def test_webhooks_hear_of_the_turn_all_the_same() -> None:
    for name in ("p1", "p2"):
        Webhook.objects.create(
            player=get_player(name), url="https://x.example.org/", signing_secret="c2VjcmV0", created_at=NOW
        )
    tournament = create_started_tournament("knockout", 2)
    while notices.fan_out_notices(now=TWO_MINUTES_LATER):
        pass
    calls = Delivery.objects.filter(webhook__isnull=False)
    assert sorted(calls.values_list("kind", flat=True)) == sorted(
        ["tournament-start", "tournament-pairing"] * 2 + ["turn", "started"]
    )
    for call in calls.filter(kind="tournament-pairing").select_related("player"):
        payload = get_notice_kind(call.kind).build_webhook_payload(call, TWO_MINUTES_LATER)
        assert payload["text"].startswith("The cup, Final: You play p")
        assert payload["url"].startswith(f"https://otto.example.org/tournaments/{tournament.code}/tables/")
        assert payload["game"]


def test_who_wants_no_mails_of_tournaments_hears_of_the_games_themselves() -> None:
    set_wishes("p1", tournament_mails="none")
    set_wishes("p2", tournament_mails="duties")
    tournament = create_started_tournament("knockout", 2)
    send_mails()
    assert set(list_sent_kinds("p1")) <= {"turn", "started"}
    assert len(list_sent_kinds("p1")) == 1
    assert list_sent_kinds("p2") == ["tournament-pairing"]
    play(list_running_pairings(tournament)[0], NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    send_mails(NOW + DAY + 2 * MINUTE)
    for name in ("p1", "p2"):
        assert "tournament-result" not in list_sent_kinds(name)
        assert "tournament-end" not in list_sent_kinds(name)


def test_who_wants_no_mails_at_all_gets_none() -> None:
    set_wishes("p1", mail_frequency="none")
    create_started_tournament("knockout", 2)
    send_mails()
    assert list_sent("p1") == []
    assert list_sent("p2")


def test_many_games_that_begin_at_once_are_one_mail() -> None:
    tournament = create_started_tournament("round-robin", 4, all_rounds_at_once=True)
    assert len(list_running_pairings(tournament)) == 6
    mail_only_to("p1")
    send_mails()
    assert list_sent("p1") == [("tournament-pairing", "The cup: 3 new games")]
    mail_body = get_last_body("p1")
    for other in ("p2", "p3", "p4"):
        assert f"OTTO against {other}" in mail_body
    turns = sum(
        bool(table.game.to_act_mask >> place.seat_no & 1)
        for table in list_running_pairings(tournament)
        if table.game
        for place in table.game.seats.filter(player=get_player("p1"))
    )
    assert mail_body.count("/turn/") == turns
    assert "tournament-start" in map_drop_reasons("p1")


def test_a_result_says_what_comes_next_and_the_next_game_takes_it_along() -> None:
    tournament = create_started_tournament("knockout", 4)
    send_mails()
    outgoing.outbox.clear()
    first, second = list_running_pairings(tournament)
    play(first, NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    send_mails(NOW + DAY + 2 * MINUTE)
    first.refresh_from_db()
    ranks = (first.result or {})["ranks"]
    seats = [
        pairing_seat.entrant.entrant_players.get().player.name
        for pairing_seat in first.pairing_seats.order_by("seat_no")
    ]  # type: ignore[union-attr]
    winner, loser = seats[ranks.index(1)], seats[ranks.index(2)]
    assert list_sent(winner) == [("tournament-result", f"The cup: You beat {loser}")]
    assert "You advance: Final. Your opponent is not known yet." in get_last_body(winner)
    assert list_sent(loser) == [("tournament-result", f"The cup: You lost to {winner}")]
    assert "You are out. " in get_last_body(loser), "in which place depends on the other table"
    assert "over" not in list_sent_kinds(winner), "the game's own mail would say the same"

    outgoing.outbox.clear()
    play(second, NOW + 2 * DAY)
    sweep.sweep_tournaments(now=NOW + 2 * DAY)
    send_mails(NOW + 2 * DAY + 2 * MINUTE)
    (finalist,) = {
        entrant_player.player.name for entrant_player in tournament.entrant_players.select_related("player")
    } - {  # type: ignore[union-attr]
        winner,
        loser,
        *(name for name in ("p1", "p2", "p3", "p4") if list_sent_kinds(name) == ["tournament-result"]),
    }
    (fourth,) = {"p1", "p2", "p3", "p4"} - {winner, loser, finalist}
    assert "You are out. Your place: 3 of 4." in get_last_body(fourth)
    assert list_sent(finalist) == [("tournament-pairing", f"The cup, Final: You play {winner}")]
    assert "You beat" in get_last_body(finalist), "the result comes with the next game"
    assert list_sent(winner) == [("tournament-pairing", f"The cup, Final: You play {finalist}")]
    assert "You beat" not in get_last_body(winner), "which was told before"

    outgoing.outbox.clear()
    play(list_running_pairings(tournament)[0], NOW + 3 * DAY)
    sweep.sweep_tournaments(now=NOW + 3 * DAY)
    send_mails(NOW + 3 * DAY + 2 * MINUTE)
    subjects = {name: list_sent(name) for name in (winner, finalist, loser)}
    assert all(list_sent_kinds(name) == ["tournament-end"] for name in subjects)
    assert subjects[loser][0][1] == "The cup: Your final place: 3 of 4"
    heads = sorted(subjects[name][0][1] for name in (winner, finalist))
    assert heads == ["The cup: You have won", "The cup: Your final place: 2 of 4"]


def test_a_swiss_result_says_where_one_stands() -> None:
    tournament = create_started_tournament("swiss", 4, round_count=2)
    send_mails()
    first, _second = list_running_pairings(tournament)
    outgoing.outbox.clear()
    play(first, NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    send_mails(NOW + DAY + 2 * MINUTE)
    mail_bodies = [get_last_body(entrant_player.player.name) for entrant_player in list_entrants_at(first)]
    assert all(re.search(r"Your place: \d of 4, with \d points?", text) for text in mail_bodies)
    assert not any("last game" in text for text in mail_bodies)


def test_a_bye_is_announced_with_its_reason() -> None:
    tournament = create_started_tournament("swiss", 3, round_count=2)
    send_mails()
    free = FeedEntry.objects.get(kind="tournament-bye").player
    assert [(kind, subject) for kind, subject in list_sent(free.name)] == [
        ("tournament-bye", "The cup: Round 1: you have no game")
    ]
    assert "An odd number of entrants" in get_last_body(free.name)
    assert tournament.pairings.count() == 2


# ------------------------------------------------------------------------------------------- before the start


def test_an_invitation_a_partner_and_a_place_are_announced_until_they_are_answered() -> None:
    tournament = published(
        "knockout", 0, mode="pairs", by_invitation=True, capacity=2, starts_at=NOW + 9 * DAY
    )
    for name in ("ada", "bob", "cleo", "dirk", "eve", "fay"):
        tournaments.invite_player(by=get_host(), code=tournament.code, player=get_player(name), now=NOW)
    request = entries.ask_partner(
        player=get_player("ada"), partner=get_player("bob"), code=tournament.code, now=NOW
    )
    send_mails()
    assert list_sent("cleo") == [("tournament-invited", "You are invited to a tournament on OTTO online")]
    assert "> The cup." in get_last_body("cleo"), "they have not met"
    assert "host invites you." in get_last_body("cleo")
    assert "It begins on Tuesday 10 March, 12:00 (UTC)." in get_last_body("cleo")
    assert ("tournament-partner", "An invitation to play as a pair on OTTO online") in list_sent("bob")
    assert "A player called “ada” asked us" in get_last_body("bob")
    assert "no place is taken" in get_last_body("bob")
    assert not tournament.entrants.exists()
    answer = re.search(r"https://otto.example.org(/proposals/answer/\S+)", get_last_body("bob"))
    assert answer
    client = Client()
    assert "ada invites you to play in The cup as a pair." in client.get(answer[1]).content.decode()
    assert not tournament.entrants.exists()
    assert client.post(answer[1], {"answer": "accept"}).status_code == 200
    request.refresh_from_db()
    assert (request.status, entrant(tournament, "ada").entrant_players.count()) == ("accepted", 2)
    enter_pair(tournament, "cleo", "dirk")
    enter_pair(tournament, "eve", "fay")
    assert entrant(tournament, "eve").status == "waiting"
    entries.leave_tournament(player=get_player("ada"), code=tournament.code, now=NOW + HOUR)
    send_mails(NOW + HOUR + 2 * MINUTE)
    for name in ("eve", "fay"):
        assert list_sent(name)[-1] == ("tournament-place", "The cup: You have a place")


def test_who_is_to_confirm_is_asked_a_day_before_once_and_confirms_from_the_mail(client: Client) -> None:
    start = NOW + 5 * DAY
    tournament = published("knockout", 3, confirmation=True, starts_at=start)
    sweep.sweep_tournaments(now=NOW + 3 * DAY)
    send_mails(NOW + 3 * DAY)
    assert list_sent("p1") == []
    entries.confirm_entry(player=get_player("p3"), code=tournament.code, now=NOW)
    for _twice in range(2):
        sweep.sweep_tournaments(now=start - DAY)
    entries.confirm_entry(player=get_player("p2"), code=tournament.code, now=start - DAY)
    send_mails(start - DAY + 2 * MINUTE)
    assert list_sent("p1") == [("tournament-confirm", "The cup: Confirm that you will play")]
    assert list_sent("p2") == list_sent("p3") == [], "who has confirmed by then is not asked"
    match = re.search(
        r"https://otto.example.org(/tournaments/confirm/\S+/)", get_part(get_last_mail("p1"), "plain")
    )
    assert match
    assert "Will you play in The cup?" in client.get(match[1]).text
    assert entrant(tournament, "p1").confirmed_at is None, "to look changes nothing"
    for _twice in range(2):
        answer = client.post(match[1])
        assert "Your place is confirmed" in answer.text
    assert answer["Referrer-Policy"] == "no-referrer"
    assert entrant(tournament, "p1").confirmed_at
    assert client.get("/tournaments/confirm/x/").status_code == 404
    forged = links.make_link_token(links.LEAVE_LEAGUE_PURPOSE, get_player("p1").mail_token, tournament.code)
    assert client.get(f"/tournaments/confirm/{forged}/").status_code == 404
    tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=start)
    assert (
        "Nothing left to confirm"
        in client.get(links.build_confirm_url(get_player("host").mail_token, tournament.code)[24:]).text
    )


def test_where_the_start_is_not_known_one_is_asked_on_entering_and_who_did_not_is_notified() -> None:
    tournament = published("knockout", 3, confirmation=True)
    sweep.sweep_tournaments(now=NOW)
    send_mails()
    assert list_sent_kinds("p1") == ["tournament-confirm"]
    for name in ("p1", "p2"):
        entries.confirm_entry(player=get_player(name), code=tournament.code, now=NOW)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW + HOUR)
    sweep.sweep_tournaments(now=NOW + HOUR)
    send_mails(NOW + HOUR + 2 * MINUTE)
    assert list_sent("p3")[-1] == ("tournament-start", "The cup: It has begun without you")
    assert "You did not confirm" in get_last_body("p3")
    assert list_sent_kinds("p1") == ["tournament-confirm", "tournament-pairing"]


# -------------------------------------------------------------------------------------------------- decisions


def test_organisers_read_what_is_asked_of_them_and_players_what_was_decided() -> None:
    tournament = create_started_tournament("knockout", 4)
    first, second = list_running_pairings(tournament)
    send_mails()
    outgoing.outbox.clear()
    name = list_entrants_at(first)[0].player.name
    appeal = appeals.file_appeal(
        player=get_player(name), code=tournament.code, pairing_id=first.pk, text="It was\nnot so.", now=NOW
    )
    send_mails()
    assert list_sent("host") == [("tournament-appeal", f"The cup: {name} appeals")]
    assert "\n> It was\n> not so.\n" in get_part(get_last_mail("host"), "plain")
    assert f"/tournaments/{tournament.code}/organise/appeals/" in get_last_body("host")
    appeals.answer_appeal(by=get_host(), code=tournament.code, appeal_id=appeal.pk, text="It was.", now=NOW)
    other = list_entrants_at(second)[0].player.name
    decisions.disqualify_entrant(
        by=get_host(),
        code=tournament.code,
        entrant=entrant(tournament, other).pk,
        now=NOW,
        reason="A program played.",
        public_note="Three\nwarnings",
    )
    send_mails()
    assert list_sent(name) == [("tournament-appeal", "The cup: The organiser answered your appeal")]
    assert "\nThe organiser’s answer:\n> It was.\n" in get_part(get_last_mail(name), "plain")
    assert list_sent(other) == [("tournament-out", "The cup: You are out")]
    assert "\n> Three\n> warnings\n" in get_part(get_last_mail(other), "plain")
    assert "A program" not in get_last_mail(other).as_string()
    tournaments.cancel_tournament(
        by=get_host(),
        code=tournament.code,
        now=NOW,
        reason="No money is left.",
        public_note="The hall burnt down.",
    )
    send_mails()
    assert list_sent(name)[-1] == ("tournament-cancelled", "The cup: Tournament cancelled")
    assert "\n> The hall burnt down.\n" in get_part(get_last_mail(name), "plain")
    assert "No money" not in get_last_mail(name).as_string()


def test_an_event_that_waits_asks_its_organiser_with_a_link_to_the_dashboard() -> None:
    tournament = published("knockout", 1)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    for _twice in range(2):
        sweep.sweep_tournaments(now=NOW)
    send_mails()
    assert list_sent("host") == [("tournament-held", "The cup: The start needs your decision")]
    assert "It cannot start with fewer than two players" in get_last_body("host")
    assert f"https://otto.example.org/tournaments/{tournament.code}/organise/" in get_last_body("host")


def test_who_takes_over_a_seat_gets_one_mail_with_the_game_in_it() -> None:
    tournament = create_started_tournament("knockout", 2)
    send_mails()
    table = list_running_pairings(tournament)[0]
    replace(tournament, "p1", "new", NOW + HOUR)
    send_mails(NOW + HOUR + 2 * MINUTE)
    assert list_sent("new")[-1] == ("tournament-replaced", "The cup: You take over a seat")
    assert table.game
    assert table.game.code in get_part(get_last_mail("new"), "html")
    assert "comes with its cards" in get_last_body("new")
    assert list_sent("p1")[-1] == ("tournament-out", "The cup: Somebody else plays for you now")


# ---------------------------------------------------------------------------------------------------- leagues


def test_a_season_is_announced_from_its_beginning_to_its_end_with_a_way_out(client: Client) -> None:
    league = create_started_league(8, season_pause=7 * 86_400)
    mail_only_to("p1")
    send_mails()
    place = season(league).placements.select_related("division").get(player=get_player("p1"))
    assert list_sent_kinds("p1") == ["tournament-pairing"], "the first game says it all"
    assert f"Season 1 has begun: you play in division {place.division.number} (starts here" in get_last_body(
        "p1"
    )
    assert {"league-season", "tournament-start"} <= map_drop_reasons("p1").keys()
    outgoing.outbox.clear()
    first_season = play_season(league, NOW + DAY)
    send_mails(NOW + DAY + 2 * MINUTE)
    place.refresh_from_db()
    assert list_sent("p1")[-1] == (
        "league-season-end",
        f"The league: Season 1 is over: place {place.rank} of 4 in division {place.division.number}",
    )
    assert "tournament-end" not in list_sent_kinds("p1")
    assert place.rank == 1
    assert "With this place you" in get_last_body("p1")
    assert "The next season begins on Monday 9 March, 12:00 (UTC). You stay in" in get_last_body("p1")
    match = re.search(
        r"https://otto.example.org(/leagues/leave/\S+/)", get_part(get_last_mail("p1"), "plain")
    )
    assert match
    assert "Leave The league?" in client.get(match[1]).text
    own_member = LeagueMember.objects.get(league=league, player=get_player("p1"))
    assert own_member.status == "member"
    for _twice in range(2):
        assert "You will not play the next season" in client.post(match[1]).text
    own_member.refresh_from_db()
    assert own_member.status == "out"
    assert "You stay in The league" in client.post(match[1], {"undo": "1"}).text
    own_member.refresh_from_db()
    assert own_member.status == "member"
    assert first_season.number == 1
    assert client.get("/leagues/leave/x/").status_code == 404


def test_a_closed_league_says_that_it_was_the_last_season() -> None:
    league = create_started_league(3, division_size=3, season_limit=1)
    mail_only_to("p1")
    play_season(league, NOW + DAY)
    send_mails(NOW + DAY + 2 * MINUTE)
    assert "This was the last season." in get_last_body("p1")
    assert "/leagues/leave/" not in get_last_body("p1")
