"""Players who were notified of a decision are notified when it is undone."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.conf import LazySettings

from games.models import Game
from games.selectors import load_game
from notifications.models import Delivery, FeedEntry
from notifications.services import notices
from tests.factories.events import (
    NOW,
    create_started_tournament,
    decide,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    name_at,
    play,
    replace,
)
from tests.factories.leagues import create_started_league
from tests.helpers.tournament_mails import (
    TWO_MINUTES_LATER,
    get_last_body,
    list_sent,
    list_sent_kinds,
    map_drop_reasons,
    send_mails,
)
from tournaments.leagues.services import leagues
from tournaments.models import Pairing, Tournament
from tournaments.services import decision_undo, decisions, sweep

pytestmark = pytest.mark.django_db
FIVE_MINUTES_LATER = NOW + timedelta(minutes=5)


@pytest.fixture(autouse=True)
def configure_site(settings: LazySettings) -> None:
    settings.REPLY_DOMAIN = "play.example.org"
    settings.SITE_URL = "https://otto.example.org"


def get_name_to_act(game: Game) -> str:
    """Return the name of the player to act."""
    loaded_game = load_game(game.code)
    player = loaded_game.seat_by_no(loaded_game.to_act[0]).player
    assert player
    return player.name


def undo_last_decision(tournament: Tournament, now: datetime = FIVE_MINUTES_LATER) -> None:
    decision = tournament.decisions.order_by("-pk")[0]
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=now)


def list_names(table: Pairing) -> list[str]:
    return [name_at(table, place) for place in range(2)]


# ----------------------------------------------------------------------------------------- replacements


def test_who_plays_again_is_notified_with_their_games() -> None:
    tournament = create_started_tournament("knockout", 2)
    game = list_running_pairings(tournament)[0].game
    assert game
    name = get_name_to_act(game)
    send_mails()
    replace(tournament, name, "new", TWO_MINUTES_LATER)
    send_mails(TWO_MINUTES_LATER + timedelta(minutes=2))
    assert list_sent(name)[-1] == ("tournament-out", "The cup: Somebody else plays for you now")
    undo_last_decision(tournament)
    line = FeedEntry.objects.filter(player=get_player(name), kind="tournament-replaced").get()
    assert (line.data["reason"], line.data["games"]) == ("put-back", [game.code])
    turns = FeedEntry.objects.filter(player=get_player(name), kind="turn", topic=game.topic).order_by("pk")
    assert turns.count() == 2, "their feed says anew that it is their turn"
    assert turns[1].at == FIVE_MINUTES_LATER
    assert turns[0].notify_at is None, "one line reminds, not two"
    send_mails(FIVE_MINUTES_LATER + timedelta(minutes=2))
    assert list_sent(name)[-1] == ("tournament-replaced", "The cup: You play again")
    assert "nobody else plays for you" in get_last_body(name)
    assert "/turn/" in get_last_body(name), "it shows the game, with the turn"
    assert list_sent("new")[-1] == ("tournament-out", "The cup: You are no longer taking over the seat")


def test_who_plays_again_is_reminded_of_the_turn_that_waits() -> None:
    tournament = create_started_tournament("knockout", 2)
    game = list_running_pairings(tournament)[0].game
    assert game
    name = get_name_to_act(game)
    replace(tournament, name, "new")
    notices.fan_out_notices(now=FIVE_MINUTES_LATER)
    undo_last_decision(tournament)
    later = FIVE_MINUTES_LATER
    for _hour in range(24 * 30):
        later += timedelta(hours=1)
        notices.fan_out_notices(now=later)
    reminders = Delivery.objects.filter(player=get_player(name), topic=game.topic, kind="reminder")
    assert 1 <= reminders.count() <= 2
    assert not Delivery.objects.filter(player=get_player("new"), topic=game.topic, kind="reminder").exists()


def test_a_replacement_and_its_end_within_a_minute_leave_no_wrong_mail() -> None:
    tournament = create_started_tournament("knockout", 2)
    (table,) = list_running_pairings(tournament)
    first, other = list_names(table)
    send_mails()
    replace(tournament, first, "new", TWO_MINUTES_LATER)
    undo_last_decision(tournament, TWO_MINUTES_LATER)
    send_mails(TWO_MINUTES_LATER + timedelta(minutes=2))
    assert "tournament-out" in map_drop_reasons(first)
    assert "tournament-out" not in list_sent_kinds(first)
    assert "tournament-replaced" not in list_sent_kinds("new")
    assert [subject for kind, subject in list_sent(other) if kind == "tournament-newcomer"] == [
        f"The cup: {first} replaces new"
    ]


def test_who_plays_again_in_a_league_is_notified() -> None:
    league = create_started_league(3, all_rounds_at_once=True)
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    tournament = Tournament.objects.get(division__season__league=league)
    leagues.replace_with_substitute(by=get_host(), code=league.code, leaver=get_player("p1"), now=NOW)
    undo_last_decision(tournament)
    line = FeedEntry.objects.filter(player=get_player("p1"), kind="tournament-replaced").get()
    assert (line.data["reason"], len(line.data["games"])) == ("put-back", 2)


# --------------------------------------------------------------------------------------- disqualifications


def decide_first_round() -> Tournament:
    """Start a Swiss tournament and decide its first round without playing."""
    tournament = create_started_tournament("swiss", 4, round_count=2)
    for table in list_running_pairings(tournament):
        decide(table, *list_names(table))
    send_mails()
    return tournament


def test_who_is_in_again_after_a_disqualification_is_notified_of_that_and_not_of_being_out() -> None:
    tournament = decide_first_round()
    decisions.disqualify_entrant(
        by=get_host(), code=tournament.code, entrant=entrant(tournament, "p1").pk, now=TWO_MINUTES_LATER
    )
    undo_last_decision(tournament, TWO_MINUTES_LATER + timedelta(seconds=10))
    send_mails(TWO_MINUTES_LATER + timedelta(minutes=2))
    assert "tournament-out" in map_drop_reasons("p1")
    assert "tournament-out" not in list_sent_kinds("p1")
    assert list_sent("p1")[-1] == ("tournament-place", "The cup: You are back in")
    assert "lifted your disqualification" in get_last_body("p1")


def test_who_is_disqualified_twice_is_notified_twice() -> None:
    tournament = decide_first_round()
    for minute in (5, 15):
        at = NOW + timedelta(minutes=minute)
        decisions.disqualify_entrant(
            by=get_host(), code=tournament.code, entrant=entrant(tournament, "p1").pk, now=at
        )
        send_mails(at + timedelta(minutes=2))
        assert list_sent_kinds("p1")[-1] == "tournament-out"
        if minute == 5:
            undo_last_decision(tournament, at + timedelta(minutes=4))
            send_mails(at + timedelta(minutes=6))
            assert list_sent_kinds("p1")[-1] == "tournament-place"


def test_who_is_out_once_more_gets_no_mail_that_they_are_in() -> None:
    tournament = decide_first_round()
    decisions.disqualify_entrant(
        by=get_host(), code=tournament.code, entrant=entrant(tournament, "p1").pk, now=TWO_MINUTES_LATER
    )
    undo_last_decision(tournament, TWO_MINUTES_LATER)
    decisions.disqualify_entrant(
        by=get_host(), code=tournament.code, entrant=entrant(tournament, "p1").pk, now=TWO_MINUTES_LATER
    )
    send_mails(TWO_MINUTES_LATER + timedelta(minutes=2))
    assert "tournament-place" not in list_sent_kinds("p1")
    assert list_sent_kinds("p1")[-1] == "tournament-out"


# -------------------------------------------------------------------------------------------- corrections


def test_those_at_a_table_are_notified_that_its_correction_was_taken_back() -> None:
    tournament = create_started_tournament("round-robin", 3)
    (table,) = list_running_pairings(tournament)
    play(table)
    sweep.sweep_tournaments(now=NOW)
    table.refresh_from_db()
    assert table.result
    first, second = sorted(
        list_names(table), key=lambda name: table.result["ranks"][list_names(table).index(name)]
    )
    decision = decisions.correct_result(
        by=get_host(),
        code=tournament.code,
        pairing_id=table.pk,
        ranks=[2 if name == first else 1 for name in list_names(table)],
        now=NOW,
        public_note="a slip",
        confirmed=True,
    )
    FeedEntry.objects.filter(kind="tournament-pairing").delete()  # its mail would contain this result, too
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)
    lines = FeedEntry.objects.filter(kind="tournament-result", data__taken_back=True)
    assert {line.player.name for line in lines} == {first, second}
    send_mails()
    subjects = [subject for kind, subject in list_sent(first) if kind == "tournament-result"]
    assert subjects == [f"The cup: You beat {second}"], "one mail, of what is true now"
    assert "withdrawn a correction of this result" in get_last_body(first)
    assert "a slip" not in get_last_body(first)


def test_those_whose_game_counts_again_are_notified() -> None:
    tournament = create_started_tournament("knockout", 4)
    first, _second = list_running_pairings(tournament)
    first_name, other = list_names(first)
    send_mails()
    decide(first, first_name, other, now=TWO_MINUTES_LATER)
    send_mails(TWO_MINUTES_LATER + timedelta(minutes=2))
    assert list_sent_kinds(other)[-1] == "tournament-result"
    undo_last_decision(tournament)
    send_mails(FIVE_MINUTES_LATER + timedelta(minutes=2))
    for name in (first_name, other):
        assert list_sent(name)[-1] == ("tournament-result", "The cup: Your game counts again")
    assert "It continues where it stopped." in get_last_body(other)
    assert Game.objects.get(pk=first.game_id).rated
