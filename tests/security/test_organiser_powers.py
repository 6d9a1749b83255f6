"""An organiser who plays has no power over their own pairings."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import Player
from common.service_errors import Conflict, Denied
from games.models import Game, Report, Seat, SeatHandover
from games.selectors import load_view_for
from games.services import seat_settings, social, turns
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    NOW,
    QUICK,
    add_organiser,
    create_started_tournament,
    entrant,
    get_player,
    list_running_pairings,
    play,
    published,
    replace,
)
from tests.helpers.tournament_programs import Program
from tournaments.leagues.services import leagues, seasons
from tournaments.models import Decision, Pairing, Tournament
from tournaments.services import (
    appeals,
    decision_undo,
    decisions,
    entries,
    proposals,
    replacements,
    sweep,
    tournaments,
)

pytestmark = pytest.mark.django_db


def start_cup(format: str = "round-robin", count: int = 3, **fields: Any) -> Tournament:
    """Start a tournament in which organiser p1 plays; ref organises it, too, and does not play."""
    tournament = tournaments.create_tournament(
        organiser=get_player("p1"),
        name="The cup",
        format=format,
        now=NOW,
        **QUICK | {"hold_on_warnings": False} | fields,
    )
    add_organiser(tournament, "ref", by="p1")
    tournaments.publish_tournament(by=get_player("p1"), code=tournament.code, now=NOW)
    for number in range(1, count + 1):
        entries.enter_tournament(player=get_player(f"p{number}"), code=tournament.code, now=NOW)
    tournaments.start_tournament(by=get_player("p1"), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    return tournament


def get_table_with(tournament: Tournament, *names: str) -> Pairing:
    """Return the pairing of these players."""
    pairings = tournament.pairings.filter(game__isnull=False)
    for name in names:
        pairings = pairings.filter(pairing_seats__entrant=entrant(tournament, name))
    return pairings.select_related("game").get()


def read_tournament_rows(tournament: Tournament) -> list[Any]:
    """Return all rows that a decision could change."""
    return [
        list(Pairing.objects.filter(tournament=tournament).order_by("pk").values()),
        list(tournament.entrants.order_by("pk").values()),
        list(tournament.entrant_players.order_by("pk").values()),
        list(tournament.rounds.order_by("pk").values()),
        list(Game.objects.order_by("pk").values("status", "rated", "seq")),
        list(Seat.objects.order_by("pk").values("player", "hand_hidden")),
        list(tournament.decisions.order_by("pk").values_list("pk")),
        list(tournament.proposals.values_list("pk")),
        Tournament.objects.get(pk=tournament.pk).status,
    ]


def test_every_decision_about_ones_own_table_is_refused_and_another_organiser_takes_it() -> None:
    tournament = start_cup(all_rounds_at_once=True)
    own_table, rival = get_table_with(tournament, "p1", "p2"), entrant(tournament, "p2")
    appeal = appeals.file_appeal(
        player=get_player("p2"), code=tournament.code, pairing_id=own_table.pk, text="Look!", now=NOW
    )
    powers = {
        f"tournaments/{tournament.code}/replace/": {"entrant": rival.pk, "player": "ref"},
        f"tournaments/{tournament.code}/disqualify/": {"entrant": rival.pk},
        f"tournaments/{tournament.code}/correct/": {"pairing": own_table.pk, "ranks": [1, 2]},
        f"tournaments/{tournament.code}/extend/": {"round": 1, "until": (NOW + DAY).isoformat()},
        f"tournaments/{tournament.code}/cancel/": {},
        f"tournaments/{tournament.code}/appeals/{appeal.pk}/answer/": {"text": "No."},
    }
    get_player("new")
    program, before = Program("p1"), read_tournament_rows(tournament)
    for path, body in powers.items():
        assert program.refused(path, body) == (403, "own-table"), path
    own = {"entrant": entrant(tournament, "p1").pk, "player": "new"}
    assert program.refused(f"tournaments/{tournament.code}/replace/", own) == (403, "own-table")
    assert read_tournament_rows(tournament) == before
    data = program.send("POST", f"tournaments/{tournament.code}/disqualify/", {"entrant": rival.pk}).json()
    assert "another organiser" in data["detail"]
    powers[f"tournaments/{tournament.code}/extend/"]["until"] = "2999-01-01T00:00:00Z"
    powers[f"tournaments/{tournament.code}/replace/"]["player"] = "new"
    other = Program("ref")
    for path in sorted(powers, key=lambda path: "cancel" in path or "disqualify" in path):
        other.do(path, powers[path])


def test_an_organiser_takes_back_no_decision_about_their_own_table() -> None:
    tournament = start_cup(all_rounds_at_once=True)
    ref, own_table = get_player("ref"), get_table_with(tournament, "p1", "p2")
    own_decisions = [
        decisions.correct_result(
            by=ref, code=tournament.code, pairing_id=own_table.pk, ranks=[2, 1], now=NOW
        ),
        decisions.extend_round(by=ref, code=tournament.code, round_number=1, until=NOW + DAY, now=NOW),
        replace_by_ref(tournament, "p3", "new"),
    ]
    for decision in own_decisions:
        assert Program("p1").refused(f"tournaments/{tournament.code}/decisions/{decision.pk}/undo/") == (
            403,
            "own-table",
        )
    for decision in reversed(own_decisions):
        decision_undo.undo_decision(by=ref, code=tournament.code, decision=decision.pk, now=NOW)


def replace_by_ref(tournament: Tournament, old: str, new: str) -> Decision:
    proposal = replacements.propose_replacement(
        by=get_player("ref"),
        code=tournament.code,
        entrant=entrant(tournament, old).pk,
        player=get_player(new),
        now=NOW,
    )
    proposals.accept_proposal(player=get_player(new), proposal_id=proposal.pk, now=NOW)
    return tournament.decisions.order_by("-pk")[0]


def test_an_operator_who_plays_has_no_more_power_than_an_organiser() -> None:
    tournament = start_cup(all_rounds_at_once=True)
    for name in ("p2", "boss"):
        Player.objects.filter(pk=get_player(name).pk).update(is_staff=True)
    table = get_table_with(tournament, "p2", "p3")
    with pytest.raises(Denied) as refused:
        decisions.correct_result(
            by=get_player("p2"), code=tournament.code, pairing_id=table.pk, ranks=[1, 2], now=NOW
        )
    assert refused.value.code == "own-table"
    decisions.correct_result(
        by=get_player("boss"), code=tournament.code, pairing_id=table.pk, ranks=[1, 2], now=NOW
    )


def test_tables_of_others_are_still_the_organisers_to_decide() -> None:
    tournament = start_cup(all_rounds_at_once=True)
    other_table = get_table_with(tournament, "p2", "p3")
    decisions.correct_result(
        by=get_player("p1"), code=tournament.code, pairing_id=other_table.pk, ranks=[1, 2], now=NOW
    )
    assert tournament.decisions.filter(action="correct", created_by=get_player("p1")).exists()


def test_who_sat_at_a_table_before_decides_nothing_there_either() -> None:
    tournament = start_cup(all_rounds_at_once=True)
    table = get_table_with(tournament, "p1", "p2")
    replace_by_ref(tournament, "p1", "new")
    assert not tournament.entrant_players.filter(player=get_player("p1")).exists()
    with pytest.raises(Denied, match="play at this table"):
        decisions.correct_result(
            by=get_player("p1"), code=tournament.code, pairing_id=table.pk, ranks=[1, 2], now=NOW
        )
    with pytest.raises(Denied):
        decisions.disqualify_entrant(
            by=get_player("p1"), code=tournament.code, entrant=entrant(tournament, "p2").pk, now=NOW
        )


def test_a_round_that_would_throw_ones_own_table_away_comes_by_another_organiser() -> None:
    tournament = start_cup("knockout", 4, hold_on_warnings=True)
    for table in list_running_pairings(tournament):
        play(table)
    sweep.sweep_tournaments(now=NOW)
    final = tournament.pairings.get(match="R2.1")
    first = (
        tournament.pairings.exclude(pk=final.pk)
        .filter(pairing_seats__entrant__pairing_seats__pairing=final)
        .distinct()
    )
    ref = get_player("ref")
    names = {
        pairing_seat.entrant.entrant_players.get().player.name for pairing_seat in final.pairing_seats.all()
    }
    finalist = get_player(sorted(names)[0])
    if finalist.pk != tournament.organiser_id:
        add_organiser(tournament, finalist.name, by="ref")
    other = first.exclude(pairing_seats__entrant=entrant(tournament, finalist.name)).get()
    ranks = list(reversed(other.result["ranks"]))  # type: ignore[index]
    decisions.correct_result(by=ref, code=tournament.code, pairing_id=other.pk, ranks=ranks, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.hold_reason == "stale-result"
    with pytest.raises(Denied) as refused:
        decisions.approve_round(by=finalist, code=tournament.code, now=NOW)
    assert refused.value.code == "own-table"
    decisions.approve_round(by=ref, code=tournament.code, now=NOW)


def test_the_organiser_of_a_league_replaces_nobody_at_their_own_table() -> None:
    league = leagues.create_league(
        organiser=get_player("p1"),
        name="L",
        division_size=3,
        promotion_count=1,
        now=NOW,
        all_rounds_at_once=True,
        **QUICK,
    )
    for name in ("p1", "p2", "p3"):
        leagues.set_member_status(player=get_player(name), code=league.code, now=NOW)
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    leagues.start_league(by=get_player("p1"), code=league.code, now=NOW)
    seasons.process_league(league.pk, NOW)
    sweep.sweep_tournaments(now=NOW)
    assert Program("p1").refused(f"leagues/{league.code}/replace/", {"out": "p2"}) == (403, "own-table")
    client = Client()
    client.force_login(get_player("p1"))
    page = client.post(f"/leagues/{league.code}/substitute/", {"out": "p2"}, follow=True).content.decode()
    assert "You play at this table" in page
    assert not SeatHandover.objects.exists()


def test_an_operator_takes_down_no_chat_of_their_own_table() -> None:
    tournament = start_cup(all_rounds_at_once=True)
    game = get_table_with(tournament, "p1", "p2").game
    assert game
    chat_message = social.post_chat_message(
        player=get_player("p2"), code=game.code, text="Too slow!", now=NOW
    )
    Report.objects.create(message=chat_message, player=get_player("p1"), reason="rude", created_at=NOW)
    for name in ("p1", "boss"):
        Player.objects.filter(pk=get_player(name).pk).update(is_staff=True, is_superuser=True)
    for name, hidden in (("p1", False), ("boss", True)):
        client = Client()
        client.force_login(get_player(name))
        client.post(f"/admin/games/message/{chat_message.pk}/change/", {"hidden": "on"})
        chat_message.refresh_from_db()
        assert chat_message.hidden is hidden, name


def test_pages_grey_the_buttons_and_give_the_reason() -> None:
    tournament = start_cup(all_rounds_at_once=True)
    rival, own_table = entrant(tournament, "p2"), get_table_with(tournament, "p1", "p2")
    client = Client()
    client.force_login(get_player("p1"))
    at = f"/tournaments/{tournament.code}/organise/"
    for page in (f"{at}disqualify/?entrant={rival.pk}", f"{at}replace/?entrant={rival.pk}",
                 f"{at}correct/?pairing={own_table.pk}", f"{at}extend/?round=1", f"{at}cancel/"):  # fmt: skip
        html = client.get(page).content.decode()
        assert "You play at this table" in html, page
        assert 'disabled aria-describedby="own-table"' in html, page
    for page in ("entrants/", "tables/"):
        html = client.get(at + page).content.decode()
        assert "You play at this table" in html
        assert "disabled" in html
    answer = client.post(f"{at}disqualify/", {"entrant": rival.pk, "reason": "so"})
    assert answer.status_code == 422
    assert "You play at this table" in answer.content.decode()
    rival.refresh_from_db()
    assert rival.status == "entered"
    client.force_login(get_player("ref"))
    html = client.get(f"{at}disqualify/?entrant={rival.pk}").content.decode()
    assert "You play at this table" not in html
    assert "disabled" not in html


# --------------------------------------------------------------------------------------- hands in a handover


def get_hand(name: str, game: Game) -> Any:
    return load_view_for(get_player(name), game.code).view["you"]["hand"]


def test_a_replacement_shows_no_hand_until_it_is_for_good_and_is_then_never_taken_back() -> None:
    tournament = create_started_tournament("knockout", 2, cards=True, target=24)
    game = list_running_pairings(tournament)[0].game
    assert game
    cards = get_hand("p1", game)
    assert cards
    proposal = replacements.propose_replacement(
        by=tournament.organiser,
        code=tournament.code,
        entrant=entrant(tournament, "p1").pk,
        player=get_player("new"),
        now=NOW,
    )
    before = load_view_for(get_player("new"), game.code)
    assert (before.seat_no, "you" in before.view, before.legal_actions) == (None, False, ())
    assert get_hand("p1", game) == cards  # hidden until the newcomer accepts
    proposals.accept_proposal(player=get_player("new"), proposal_id=proposal.pk, now=NOW)
    game_view = load_view_for(get_player("new"), game.code)
    assert (game_view.view["you"]["hand"], game_view.view["you"]["hand_hidden"], game_view.legal_actions) == (
        [],
        True,
        (),
    )
    assert game_view.view["you"]["legal_count"] == 0
    with pytest.raises(Denied) as refused:
        turns.play_action(player=get_player("new"), code=game.code, text="draw", seq=0, key="", now=NOW)
    assert refused.value.code == "hand-hidden"
    assert Program("new").refused(f"games/{game.code}/resign/") == (403, "hand-hidden")
    assert Program("new").refused(f"games/{game.code}/eight/", {"eight_policy": "keep"}) == (
        403,
        "hand-hidden",
    )
    decision = tournament.decisions.get()
    decision_undo.undo_decision(by=tournament.organiser, code=tournament.code, decision=decision.pk, now=NOW)
    assert get_hand("p1", game) == cards
    assert Program("new").refused(f"games/{game.code}/take-seat/")[0] == 403
    replaced = replace(tournament, "p1", "newer")
    assert Program("newer").do(f"games/{game.code}/take-seat/")["you"]["hand"] == cards
    with pytest.raises(Conflict):
        decision_undo.undo_decision(
            by=tournament.organiser, code=tournament.code, decision=replaced.pk, now=NOW
        )
    assert Seat.objects.get(game=game, player=get_player("newer")).hand_hidden is False


def test_nobody_who_sat_at_a_game_is_asked_to_play_on_there() -> None:
    tournament = create_started_tournament("knockout", 2, cards=True, target=24)
    game = list_running_pairings(tournament)[0].game
    assert game
    replace(tournament, "p1", "new")
    seat_settings.take_seat(player=get_player("new"), code=game.code, now=NOW)
    replace(tournament, "new", "newer")
    for name in ("p1", "new", "p2"):
        with pytest.raises(Conflict):
            replace(tournament, "newer", name)


def test_all_at_the_table_hear_of_it_and_the_log_names_both() -> None:
    tournament = create_started_tournament("knockout", 2)
    proposal = replacements.propose_replacement(
        by=tournament.organiser,
        code=tournament.code,
        entrant=entrant(tournament, "p1").pk,
        player=get_player("new"),
        now=NOW,
    )
    assert not FeedEntry.objects.filter(kind="tournament-newcomer").exists()
    proposals.accept_proposal(player=get_player("new"), proposal_id=proposal.pk, now=NOW)
    line = FeedEntry.objects.get(kind="tournament-newcomer")
    assert line.player == get_player("p2")
    (decision,) = Program(None).list_all(f"tournaments/{tournament.code}/decisions/")
    assert (decision["action"], decision["player"], decision["was"]) == ("replace", "new", "p1")


def test_the_page_of_the_game_and_of_the_turn_ask_before_they_show_the_hand() -> None:
    tournament = create_started_tournament("knockout", 2, cards=True, target=24)
    game = list_running_pairings(tournament)[0].game
    assert game
    on_turn = load_view_for(None, game.code).view["to_act"][0]
    old = Seat.objects.get(game=game, seat_no=on_turn).player
    assert old
    cards = get_hand(old.name, game)
    replace(tournament, old.name, "new")
    client = Client()
    client.force_login(get_player("new"))
    html = client.get(f"/games/{game.code}/").content.decode()
    assert "Take seat and see cards" in html
    assert not [card for card in cards if f">{card}</abbr>" in html]
    client.post(f"/games/{game.code}/take-seat/")
    html = client.get(f"/games/{game.code}/").content.decode()
    assert all(f">{card}</abbr>" in html for card in cards)
    assert "Take seat and see cards" not in html


def test_before_the_start_nobody_sits_anywhere() -> None:
    tournament = published("swiss", 2)
    assert tournament.organiser
    entries.enter_tournament(
        player=tournament.organiser, code=tournament.code, now=NOW + timedelta(minutes=1)
    )
    replace(tournament, "p1", "new")
    tournaments.cancel_tournament(by=tournament.organiser, code=tournament.code, now=NOW)
