"""An organiser who plays has no power over the tables at which they sit."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games.models import FeedEntry, Game, Player, Report, Seat, SeatHandover
from games.selectors import load_view_for
from games.services import seat_settings, social, turns
from games.services.errors import Conflict, Denied
from tests.tournaments.play import (
    DAY,
    NOW,
    QUICK,
    add_organiser,
    entrant,
    play,
    playing,
    published,
    replace,
    someone,
    started,
)
from tests.tournaments.programs import Program
from tournaments.models import Decision, Pairing, Tournament
from tournaments.services import (
    appeals,
    decision_undo,
    decisions,
    entries,
    leagues,
    proposals,
    replacements,
    seasons,
    sweep,
    tournaments,
)

pytestmark = pytest.mark.django_db


def cup(format: str = "round-robin", count: int = 3, **fields: Any) -> Tournament:
    """An event whose organiser p1 plays in it; ref organises it, too, and plays nowhere."""
    event = tournaments.create_tournament(
        organiser=someone("p1"), name="The cup", format=format, now=NOW, **QUICK | {"ask": False} | fields
    )
    add_organiser(event, "ref", by="p1")
    tournaments.publish_tournament(by=someone("p1"), code=event.code, now=NOW)
    for number in range(1, count + 1):
        entries.enter_tournament(player=someone(f"p{number}"), code=event.code, now=NOW)
    tournaments.start_tournament(by=someone("p1"), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    return event


def table_with(event: Tournament, *names: str) -> Pairing:
    """The table at which these sit."""
    found = event.tables.filter(game__isnull=False)
    for name in names:
        found = found.filter(sittings__entrant=entrant(event, name))
    return found.select_related("game").get()


def read_tournament_rows(event: Tournament) -> list[Any]:
    """All rows that a decision could change."""
    return [
        list(Pairing.objects.filter(event=event).order_by("pk").values()),
        list(event.entrants.order_by("pk").values()),
        list(event.members.order_by("pk").values()),
        list(event.published.order_by("pk").values()),
        list(Game.objects.order_by("pk").values("status", "rated", "seq")),
        list(Seat.objects.order_by("pk").values("player", "hand_hidden")),
        list(event.decisions.order_by("pk").values_list("pk")),
        list(event.proposals.values_list("pk")),
        Tournament.objects.get(pk=event.pk).status,
    ]


def test_every_decision_about_ones_own_table_is_refused_and_another_organiser_takes_it() -> None:
    event = cup(at_once=True)
    mine, rival = table_with(event, "p1", "p2"), entrant(event, "p2")
    appeal = appeals.file_appeal(
        player=someone("p2"), code=event.code, pairing_id=mine.pk, text="Look!", now=NOW
    )
    powers = {
        f"tournaments/{event.code}/replace/": {"entrant": rival.pk, "player": "ref"},
        f"tournaments/{event.code}/disqualify/": {"entrant": rival.pk},
        f"tournaments/{event.code}/correct/": {"table": mine.pk, "ranks": [1, 2]},
        f"tournaments/{event.code}/extend/": {"round": 1, "until": (NOW + DAY).isoformat()},
        f"tournaments/{event.code}/cancel/": {},
        f"tournaments/{event.code}/appeals/{appeal.pk}/answer/": {"text": "No."},
    }
    someone("new")
    program, before = Program("p1"), read_tournament_rows(event)
    for path, body in powers.items():
        assert program.refused(path, body) == (403, "own-table"), path
    own = {"entrant": entrant(event, "p1").pk, "player": "new"}
    assert program.refused(f"tournaments/{event.code}/replace/", own) == (403, "own-table")
    assert read_tournament_rows(event) == before
    said = program.send("POST", f"tournaments/{event.code}/disqualify/", {"entrant": rival.pk}).json()
    assert "another organiser" in said["detail"]
    powers[f"tournaments/{event.code}/extend/"]["until"] = "2999-01-01T00:00:00Z"
    powers[f"tournaments/{event.code}/replace/"]["player"] = "new"
    other = Program("ref")
    for path in sorted(powers, key=lambda one: "cancel" in one or "disqualify" in one):
        other.do(path, powers[path])


def test_an_organiser_takes_back_no_decision_about_their_own_table() -> None:
    event = cup(at_once=True)
    ref, mine = someone("ref"), table_with(event, "p1", "p2")
    made = [
        decisions.correct_result(by=ref, code=event.code, table=mine.pk, ranks=[2, 1], now=NOW),
        decisions.extend_round(by=ref, code=event.code, round_number=1, until=NOW + DAY, now=NOW),
        replaced_by_ref(event, "p3", "new"),
    ]
    for decision in made:
        assert Program("p1").refused(f"tournaments/{event.code}/decisions/{decision.pk}/undo/") == (
            403,
            "own-table",
        )
    for decision in reversed(made):
        decision_undo.undo_decision(by=ref, code=event.code, decision=decision.pk, now=NOW)


def replaced_by_ref(event: Tournament, old: str, new: str) -> Decision:
    asked = replacements.propose_replacement(
        by=someone("ref"), code=event.code, entrant=entrant(event, old).pk, player=someone(new), now=NOW
    )
    proposals.accept_proposal(player=someone(new), proposal_id=asked.pk, now=NOW)
    return event.decisions.order_by("-pk")[0]


def test_an_operator_who_plays_has_no_more_power_than_an_organiser() -> None:
    event = cup(at_once=True)
    for name in ("p2", "boss"):
        Player.objects.filter(pk=someone(name).pk).update(is_staff=True)
    table = table_with(event, "p2", "p3")
    with pytest.raises(Denied) as refused:
        decisions.correct_result(by=someone("p2"), code=event.code, table=table.pk, ranks=[1, 2], now=NOW)
    assert refused.value.code == "own-table"
    decisions.correct_result(by=someone("boss"), code=event.code, table=table.pk, ranks=[1, 2], now=NOW)


def test_tables_of_others_are_still_the_organisers_to_decide() -> None:
    event = cup(at_once=True)
    theirs = table_with(event, "p2", "p3")
    decisions.correct_result(by=someone("p1"), code=event.code, table=theirs.pk, ranks=[1, 2], now=NOW)
    assert event.decisions.filter(what="correct", by=someone("p1")).exists()


def test_who_sat_at_a_table_before_decides_nothing_there_either() -> None:
    event = cup(at_once=True)
    table = table_with(event, "p1", "p2")
    replaced_by_ref(event, "p1", "new")
    assert not event.members.filter(player=someone("p1")).exists()
    with pytest.raises(Denied, match="sit at this table"):
        decisions.correct_result(by=someone("p1"), code=event.code, table=table.pk, ranks=[1, 2], now=NOW)
    with pytest.raises(Denied):
        decisions.disqualify_entrant(
            by=someone("p1"), code=event.code, entrant=entrant(event, "p2").pk, now=NOW
        )


def test_a_round_that_would_throw_ones_own_table_away_comes_by_another_organiser() -> None:
    event = cup("knockout", 4, ask=True)
    for table in playing(event):
        play(table)
    sweep.sweep_tournaments(now=NOW)
    final = event.tables.get(match="R2.1")
    first = event.tables.exclude(pk=final.pk).filter(sittings__entrant__sittings__table=final).distinct()
    ref = someone("ref")
    names = {one.entrant.members.get().player.name for one in final.sittings.all()}
    finalist = someone(sorted(names)[0])
    if finalist.pk != event.organiser_id:
        add_organiser(event, finalist.name, by="ref")
    other = first.exclude(sittings__entrant=entrant(event, finalist.name)).get()
    ranks = list(reversed(other.result["ranks"]))  # type: ignore[index]
    decisions.correct_result(by=ref, code=event.code, table=other.pk, ranks=ranks, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.held == "stale-result"
    with pytest.raises(Denied) as refused:
        decisions.approve_round(by=finalist, code=event.code, now=NOW)
    assert refused.value.code == "own-table"
    decisions.approve_round(by=ref, code=event.code, now=NOW)


def test_the_organiser_of_a_league_replaces_nobody_at_their_own_table() -> None:
    league = leagues.create_league(
        organiser=someone("p1"), name="L", size=3, moves=1, now=NOW, at_once=True, **QUICK
    )
    for name in ("p1", "p2", "p3"):
        leagues.set_member_status(player=someone(name), code=league.code, now=NOW)
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    leagues.start_league(by=someone("p1"), code=league.code, now=NOW)
    seasons.process_league(league.pk, NOW)
    sweep.sweep_tournaments(now=NOW)
    assert Program("p1").refused(f"leagues/{league.code}/replace/", {"out": "p2"}) == (403, "own-table")
    client = Client()
    client.force_login(someone("p1"))
    page = client.post(f"/leagues/{league.code}/substitute/", {"out": "p2"}, follow=True).content.decode()
    assert "You sit at this table yourself" in page
    assert not SeatHandover.objects.exists()


def test_an_operator_takes_down_no_chat_of_their_own_table() -> None:
    event = cup(at_once=True)
    game = table_with(event, "p1", "p2").game
    assert game
    said = social.post_chat_message(player=someone("p2"), code=game.code, text="Too slow!", now=NOW)
    Report.objects.create(message=said, player=someone("p1"), why="rude", at=NOW)
    for name in ("p1", "boss"):
        Player.objects.filter(pk=someone(name).pk).update(is_staff=True, is_superuser=True)
    for name, hidden in (("p1", False), ("boss", True)):
        client = Client()
        client.force_login(someone(name))
        client.post(f"/admin/games/message/{said.pk}/change/", {"hidden": "on"})
        said.refresh_from_db()
        assert said.hidden is hidden, name


def test_pages_grey_the_buttons_and_say_why() -> None:
    event = cup(at_once=True)
    rival, mine = entrant(event, "p2"), table_with(event, "p1", "p2")
    client = Client()
    client.force_login(someone("p1"))
    at = f"/tournaments/{event.code}/organise/"
    for page in (f"{at}disqualify/?entrant={rival.pk}", f"{at}replace/?entrant={rival.pk}",
                 f"{at}correct/?table={mine.pk}", f"{at}extend/?round=1", f"{at}cancel/"):  # fmt: skip
        html = client.get(page).content.decode()
        assert "You sit at this table yourself" in html, page
        assert 'disabled aria-describedby="own-table"' in html, page
    for page in ("entrants/", "tables/"):
        html = client.get(at + page).content.decode()
        assert "You sit at this table yourself" in html
        assert "disabled" in html
    answer = client.post(f"{at}disqualify/", {"entrant": rival.pk, "why": "so"})
    assert answer.status_code == 422
    assert "You sit at this table yourself" in answer.content.decode()
    rival.refresh_from_db()
    assert rival.status == "entered"
    client.force_login(someone("ref"))
    html = client.get(f"{at}disqualify/?entrant={rival.pk}").content.decode()
    assert "You sit at this table" not in html
    assert "disabled" not in html


# ------------------------------------------------------------------------------------------ hands taken over


def hand(name: str, game: Game) -> Any:
    return load_view_for(someone(name), game.code).view["you"]["hand"]


def test_a_replacement_shows_no_hand_until_it_is_for_good_and_is_then_never_taken_back() -> None:
    event = started("knockout", 2, cards=True, target=24)
    game = playing(event)[0].game
    assert game
    cards = hand("p1", game)
    assert cards
    asked = replacements.propose_replacement(
        by=event.organiser, code=event.code, entrant=entrant(event, "p1").pk, player=someone("new"), now=NOW
    )
    before = load_view_for(someone("new"), game.code)
    assert (before.seat_no, "you" in before.view, before.legal_actions) == (None, False, ())
    assert hand("p1", game) == cards  # they stay until the newcomer agrees
    proposals.accept_proposal(player=someone("new"), proposal_id=asked.pk, now=NOW)
    seen = load_view_for(someone("new"), game.code)
    assert (seen.view["you"]["hand"], seen.view["you"]["hand_hidden"], seen.legal_actions) == ([], True, ())
    assert seen.view["you"]["legal_count"] == 0
    with pytest.raises(Denied) as refused:
        turns.play_action(player=someone("new"), code=game.code, text="draw", seq=0, key="", now=NOW)
    assert refused.value.code == "hand-hidden"
    assert Program("new").refused(f"games/{game.code}/resign/") == (403, "hand-hidden")
    assert Program("new").refused(f"games/{game.code}/eight/", {"eight": "keep"}) == (403, "hand-hidden")
    decision = event.decisions.get()
    decision_undo.undo_decision(by=event.organiser, code=event.code, decision=decision.pk, now=NOW)
    assert hand("p1", game) == cards
    assert Program("new").refused(f"games/{game.code}/take-seat/")[0] == 403
    replaced = replace(event, "p1", "newer")
    assert Program("newer").do(f"games/{game.code}/take-seat/")["you"]["hand"] == cards
    with pytest.raises(Conflict):
        decision_undo.undo_decision(by=event.organiser, code=event.code, decision=replaced.pk, now=NOW)
    assert Seat.objects.get(game=game, player=someone("newer")).hand_hidden is False


def test_nobody_who_sat_at_a_game_is_asked_to_play_on_there() -> None:
    event = started("knockout", 2, cards=True, target=24)
    game = playing(event)[0].game
    assert game
    replace(event, "p1", "new")
    seat_settings.take_seat(player=someone("new"), code=game.code, now=NOW)
    replace(event, "new", "newer")
    for name in ("p1", "new", "p2"):
        with pytest.raises(Conflict):
            replace(event, "newer", name)


def test_all_at_the_table_hear_of_it_and_the_log_names_both() -> None:
    event = started("knockout", 2)
    asked = replacements.propose_replacement(
        by=event.organiser, code=event.code, entrant=entrant(event, "p1").pk, player=someone("new"), now=NOW
    )
    assert not FeedEntry.objects.filter(kind="event-newcomer").exists()
    proposals.accept_proposal(player=someone("new"), proposal_id=asked.pk, now=NOW)
    line = FeedEntry.objects.get(kind="event-newcomer")
    assert line.player == someone("p2")
    (decision,) = Program(None).every(f"tournaments/{event.code}/decisions/")
    assert (decision["what"], decision["player"], decision["was"]) == ("replace", "new", "p1")


def test_the_page_of_the_game_and_of_the_turn_ask_before_they_show_the_hand() -> None:
    event = started("knockout", 2, cards=True, target=24)
    game = playing(event)[0].game
    assert game
    on_turn = load_view_for(None, game.code).view["to_act"][0]
    old = Seat.objects.get(game=game, number=on_turn).player
    assert old
    cards = hand(old.name, game)
    replace(event, old.name, "new")
    client = Client()
    client.force_login(someone("new"))
    html = client.get(f"/games/{game.code}/").content.decode()
    assert "Take the seat and show me the cards" in html
    assert not [card for card in cards if f">{card}</abbr>" in html]
    client.post(f"/games/{game.code}/take-seat/")
    html = client.get(f"/games/{game.code}/").content.decode()
    assert all(f">{card}</abbr>" in html for card in cards)
    assert "Take the seat and show me" not in html


def test_before_the_start_nobody_sits_anywhere() -> None:
    event = published("swiss", 2)
    assert event.organiser
    entries.enter_tournament(player=event.organiser, code=event.code, now=NOW + timedelta(minutes=1))
    replace(event, "p1", "new")
    tournaments.cancel_tournament(by=event.organiser, code=event.code, now=NOW)
