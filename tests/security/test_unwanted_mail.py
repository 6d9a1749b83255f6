"""Limits per sender, per pair and per recipient keep users from sending unwanted mails."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail as outgoing
from django.test import Client

from accounts.daily_limits import DailyLimit, load_daily_limits
from accounts.models import ContactCount, Player
from accounts.selectors.contacts import have_met
from accounts.services import contact_limits, players, retention
from common.service_errors import Denied, Invalid, LimitReached
from games.contact_kinds import GameContactKind
from games.models import Game, Invitation, Pause
from games.services import invitations, lobby, pauses
from notifications.models import FeedEntry
from tests.factories import events as play
from tests.factories.cast import Api, player, start_cast_game
from tests.factories.leagues import create_started_league
from tests.helpers.tournament_mails import list_sent, send_mails
from tournaments.contact_kinds import TournamentContactKind
from tournaments.leagues.services import join_requests, leagues
from tournaments.models import Appeal, Invite, JoinRequest, LeagueMember, Tournament
from tournaments.services import (
    co_organisers,
    decision_undo,
    decisions,
    entries,
    replacements,
    sweep,
    tournaments,
)

from .mail_helpers import DAY, VICTIM, create_invitation, expect_limit, publish_tournament
from .world import World

pytestmark = pytest.mark.django_db


# ------------------------------------------------------------------------------------------------- limits


def test_every_kind_of_contact_has_its_limits() -> None:
    assert set(load_daily_limits()) == {*GameContactKind, *TournamentContactKind}
    for limit in load_daily_limits().values():
        assert 0 < limit.per_stranger <= limit.per_acquaintance <= limit.per_sender <= 300


def test_one_stranger_asks_one_player_only_so_often(world: World) -> None:
    eve, now = player("eve"), world.now
    most = load_daily_limits()[GameContactKind.GAME_INVITATION].per_stranger
    expect_limit(most, lambda: create_invitation(eve, now, name="ada"))
    assert Invitation.objects.filter(inviter=eve, player=player("ada")).count() == most
    assert FeedEntry.objects.filter(player=player("ada"), kind="invited").count() == most
    create_invitation(eve, now, name="bob")
    assert create_invitation(eve, now + DAY + timedelta(seconds=1), name="ada")


def test_who_has_played_together_may_ask_more_often(world: World) -> None:
    bob, now = player("bob"), world.now
    assert have_met(bob, player("ada"))
    assert not have_met(player("eve"), player("ada"))
    most = load_daily_limits()[GameContactKind.GAME_INVITATION].per_acquaintance
    expect_limit(most, lambda: create_invitation(bob, now, name="ada"))


def test_who_has_met_whom(world: World) -> None:
    ada, bob, eve, fay = (player(name) for name in ("ada", "bob", "eve", "fay"))
    assert have_met(ada, ada)
    assert have_met(bob, ada), "at a game"
    assert have_met(bob, fay), "in a cup and in a league"
    assert not have_met(fay, ada), "who organises what runs is not known by that alone"
    assert not have_met(eve, ada)
    lobby.join_game(
        player=eve, code=lobby.create_game(player=ada, now=world.now, seat_count=3).code, now=world.now
    )
    assert not have_met(eve, ada), "a game that has not begun is none"
    Tournament.objects.filter(pk=world.tournament.pk).update(status="finished")
    assert have_met(fay, ada)
    assert have_met(ada, fay)


def test_one_player_asks_only_so_many_others(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_daily_limits(), GameContactKind.GAME_INVITATION, DailyLimit(5, 3, 3))
    eve, names = player("eve"), iter([f"somebody {n}" for n in range(9)])

    def invite_next() -> None:
        create_invitation(eve, world.now, name=player(next(names)).name)

    expect_limit(5, invite_next)


def test_one_player_is_asked_by_only_so_many_strangers(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contact_limits, "MAX_FROM_STRANGERS_PER_PLAYER", 4)
    names = iter([f"somebody {n}" for n in range(9)])
    expect_limit(4, lambda: create_invitation(player(next(names)), world.now, name="ada"))
    assert create_invitation(player("bob"), world.now, name="ada"), "whom ada knows can still ask"


def test_over_the_api_it_is_429_with_a_time_and_nothing_is_changed(world: World) -> None:
    api, eve = Api("eve"), player("eve")
    codes = [lobby.create_game(player=eve, now=world.now, seat_count=2).code for _game in range(5)]
    answers = [api.post(f"games/{code}/invite/", {"name": "ada"}) for code in codes]
    most = load_daily_limits()[GameContactKind.GAME_INVITATION].per_stranger
    assert [answer.status_code for answer in answers] == [201] * most + [429] * (5 - most)
    refused = answers[-1]
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["code"] == "too-many-mails"
    assert int(refused["Retry-After"]) == refused.json()["retry_after"] > 0
    assert Invitation.objects.filter(inviter=eve).count() == most
    contact_count = ContactCount.objects.get(pk=f"{GameContactKind.GAME_INVITATION}:p{eve.pk}")
    assert contact_count.count == most, "what is refused is not counted"


def test_on_the_page_it_is_a_message(world: World) -> None:
    eve = player("eve")
    expect_limit(
        load_daily_limits()[GameContactKind.GAME_INVITATION].per_stranger,
        lambda: create_invitation(eve, world.now, name="ada"),
    )
    game = lobby.create_game(player=eve, now=world.now, seat_count=2)
    page = world.browser("eve").post(f"/games/{game.code}/invite/", {"who": "ada"}, follow=True)
    assert "a lot of mail to others" in page.content.decode()
    assert not Invitation.objects.filter(game=game).exists()


def test_whatever_is_refused_for_another_reason_is_not_counted(world: World) -> None:
    game = lobby.create_game(player=player("eve"), now=world.now, seat_count=2)
    for _time in range(5):
        with pytest.raises(Invalid):
            invitations.invite_to_game(
                player=player("eve"), code=game.code, name="nobody at all", now=world.now
            )
    assert not ContactCount.objects.filter(key__contains=f"p{player('eve').pk}").exists()


def test_rematches_count_as_invitations(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_daily_limits(), GameContactKind.GAME_INVITATION, DailyLimit(2, 2, 2))
    bob, now = player("bob"), world.now

    def request_rematch() -> Game:
        old = start_cast_game("bob", "cleo", seat_count=2)
        Game.objects.filter(pk=old.pk).update(status="over")
        return invitations.request_rematch(player=bob, code=old.code, now=now)

    expect_limit(2, request_rematch)
    assert Invitation.objects.filter(inviter=bob).count() == 2
    assert Game.objects.filter(rematch_of__isnull=False).count() == 2, "nothing is left of the third"


def test_pauses_that_are_proposed_and_taken_back_do_not_go_on(world: World) -> None:
    bob, code = player("bob"), world.game.code

    def propose_and_decline() -> None:
        pauses.propose_pause(player=bob, code=code, until=world.now + DAY, now=world.now)
        pauses.decline_pause(player=bob, code=code, now=world.now)

    expect_limit(load_daily_limits()[GameContactKind.PAUSE_PROPOSAL].per_acquaintance, propose_and_decline)
    assert (
        Pause.objects.filter(game=world.game).count()
        == load_daily_limits()[GameContactKind.PAUSE_PROPOSAL].per_acquaintance
    )


def test_invitations_to_tournaments_have_limits(world: World) -> None:
    eve, ada, now = player("eve"), player("ada"), world.now
    most = load_daily_limits()[TournamentContactKind.TOURNAMENT_INVITATION].per_stranger
    expect_limit(
        most,
        lambda: tournaments.invite_player(
            by=eve, code=publish_tournament(eve, now).code, player=ada, now=now
        ),
    )
    assert Invite.objects.filter(player=ada).count() == most
    second_invite = Invite.objects.filter(player=ada).first()
    assert second_invite
    for _time in range(3):  # an invited player gets no second mail
        tournaments.invite_player(by=eve, code=second_invite.tournament.code, player=ada, now=now)


def test_an_organiser_invites_a_whole_club_in_one_go(world: World) -> None:
    eve, tournament = player("eve"), publish_tournament(player("eve"), world.now)
    for number in range(64):
        tournaments.invite_player(
            by=eve, code=tournament.code, player=player(f"member {number}"), now=world.now
        )
    assert Invite.objects.filter(tournament=tournament).count() == 64


def test_entering_others_as_partners_has_limits(world: World) -> None:
    eve, now = player("eve"), world.now
    most = load_daily_limits()[TournamentContactKind.PARTNER].per_stranger

    def ask_partner() -> None:
        code = publish_tournament(player("fay"), now, mode="pairs").code
        entries.ask_partner(player=eve, code=code, now=now, partner=player("ada"))

    expect_limit(most, ask_partner)
    assert not have_met(eve, player("ada")), "who was only asked to be a partner is no acquaintance"


def test_joining_a_league_in_pairs_again_and_again_has_limits(world: World) -> None:
    eve, now = player("eve"), world.now
    pairs = leagues.create_league(
        organiser=player("fay"), name="Pairs", division_size=4, mode="pairs", now=now
    )

    def join_and_leave() -> None:
        leagues.ask_partner(player=eve, code=pairs.code, now=now, partner=player("ada"))
        leagues.set_member_status(player=eve, code=pairs.code, now=now, status=LeagueMember.Status.OUT)

    expect_limit(load_daily_limits()[TournamentContactKind.PARTNER].per_stranger, join_and_leave)


def test_making_others_organisers_has_limits(world: World) -> None:
    eve, ada, now = player("eve"), player("ada"), world.now
    most = load_daily_limits()[TournamentContactKind.CO_ORGANISER].per_stranger
    ask = co_organisers.ask_tournament_co_organiser
    expect_limit(most, lambda: ask(by=eve, code=publish_tournament(eve, now).code, player=ada, now=now))
    league = leagues.create_league(organiser=eve, name="Mine", division_size=4, now=now)
    with pytest.raises(LimitReached):
        co_organisers.ask_league_co_organiser(by=eve, code=league.code, player=ada, now=now)
    assert not league.proposals.exists()


def test_asking_others_to_take_a_seat_over_has_limits(world: World) -> None:
    eve, now = player("eve"), world.now
    most = load_daily_limits()[TournamentContactKind.REPLACEMENT].per_stranger

    def propose_replacement() -> None:
        code = publish_tournament(eve, now).code
        entrant = entries.enter_tournament(player=player("fay"), code=code, now=now)
        replacements.propose_replacement(by=eve, code=code, entrant=entrant.pk, player=player("ada"), now=now)

    expect_limit(most, propose_replacement)


def test_results_that_are_corrected_all_day_tell_of_it_only_so_often(world: World) -> None:
    table = world.tournament.pairings.exclude(game=None).order_by("pk").first()
    assert table

    def correct_result() -> None:
        decisions.correct_result(
            by=player("ada"), code=world.tournament.code, pairing_id=table.pk, ranks=[1, 2], now=world.now
        )

    expect_limit(load_daily_limits()[TournamentContactKind.CORRECTION].per_acquaintance, correct_result)


def test_appeals_have_limits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from tournaments.services import appeals

    monkeypatch.setitem(load_daily_limits(), TournamentContactKind.APPEAL, DailyLimit(1, 1, 1))
    Appeal.objects.all().delete()
    ContactCount.objects.all().delete()
    table = world.tournament.pairings.filter(
        pairing_seats__entrant__entrant_players__player=player("bob")
    ).first()
    assert table

    def file_appeal() -> None:
        appeals.file_appeal(
            player=player("bob"), code=world.tournament.code, pairing_id=table.pk, text="Look", now=world.now
        )
        Appeal.objects.all().delete()

    expect_limit(1, file_appeal)


def test_an_address_gets_only_so_many_invitations_whoever_sends_them(world: World) -> None:
    hosts = iter([player(f"somebody {n}") for n in range(9)])
    most = contact_limits.MAX_FROM_STRANGERS_PER_ADDRESS
    expect_limit(most, lambda: create_invitation(next(hosts), world.now, email=VICTIM))
    assert not ContactCount.objects.filter(key__contains="victim").exists(), "no address is kept for it"


def test_links_to_join_leagues_have_limits(world: World) -> None:
    def ask_to_join(client: str = "192.0.2.1", email: str = VICTIM) -> None:
        join_requests.create_join_request(
            code=world.league.code, email=email, name="x", language="en", now=world.now, client_address=client
        )

    most = load_daily_limits()[TournamentContactKind.LEAGUE_LINK].per_stranger
    expect_limit(most, ask_to_join)
    assert JoinRequest.objects.filter(email=VICTIM).count() == most
    more_addresses = iter(f"192.0.2.{n}" for n in range(2, 99))
    expect_limit(
        contact_limits.MAX_FROM_STRANGERS_PER_ADDRESS - most, lambda: ask_to_join(next(more_addresses))
    )
    addresses = iter(f"p{n}@example.net" for n in range(99))
    left = load_daily_limits()[TournamentContactKind.LEAGUE_LINK].per_sender - most
    expect_limit(left, lambda: ask_to_join(email=next(addresses)))
    assert not ContactCount.objects.filter(key__contains="192.0.2").exists(), "nor of who asks"


def test_a_link_that_is_asked_for_too_often_is_refused_on_the_page(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(load_daily_limits(), TournamentContactKind.LEAGUE_LINK, DailyLimit(1, 1, 1))
    path, form = f"/leagues/{world.league.code}/ask/", {"email": VICTIM, "name": "zoe"}
    assert Client().post(path, form).status_code == 302
    answer = Client().post(path, form)
    assert answer.status_code == 422
    assert "a lot of mail" in answer.content.decode()
    assert len(outgoing.outbox) == 1


def test_a_league_of_64_starts_and_all_are_notified(world: World) -> None:
    """The mails follow from the members' own decision to join."""
    league = leagues.create_league(organiser=player("eve"), name="Many", division_size=8, now=world.now)
    for number in range(64):
        leagues.set_member_status(player=player(f"member {number}"), code=league.code, now=world.now)
    leagues.start_league(by=player("eve"), code=league.code, now=world.now)
    from tournaments.leagues.services import seasons

    seasons.process_league(league.pk, world.now)
    feed_entries = FeedEntry.objects.filter(kind="league-season", data__league=league.code)
    assert feed_entries.count() == 64


def test_who_wants_no_strangers_is_asked_by_none(world: World) -> None:
    ada, now = player("ada"), world.now
    players.change_profile(player=Player.objects.get(pk=ada.pk), now=now, invitations_from_strangers=False)
    eve = player("eve")
    action_names = [
        lambda: create_invitation(eve, now, name="ada"),
        lambda: tournaments.invite_player(
            by=eve, code=publish_tournament(eve, now).code, player=Player.objects.get(name="ada"), now=now
        ),
        lambda: entries.ask_partner(
            player=eve,
            code=publish_tournament(eve, now, mode="pairs").code,
            now=now,
            partner=Player.objects.get(name="ada"),
        ),
    ]
    for action_name in action_names:
        with pytest.raises(Denied) as refused:
            action_name()
        assert refused.value.code == "no-strangers"
    assert not FeedEntry.objects.filter(player=ada, kind__in=("invited", "tournament-invited")).exists()
    assert create_invitation(player("bob"), now, name="ada"), "bob is no stranger"


def test_who_is_blocked_by_an_operator_asks_nobody(world: World) -> None:
    api = Api("eve")
    game = lobby.create_game(player=player("eve"), now=world.now, seat_count=2)
    players.block_player(player=player("eve"), now=world.now)
    assert api.post(f"games/{game.code}/invite/", {"name": "ada"}).status_code == 401
    assert not Invitation.objects.filter(game=game).exists()


def test_counts_are_cleared_when_their_time_has_passed(world: World) -> None:
    create_invitation(player("eve"), world.now, name="ada")
    assert ContactCount.objects.exists()
    retention.delete_expired_rows(now=world.now + DAY)
    assert ContactCount.objects.exists()
    retention.delete_expired_rows(now=world.now + 3 * DAY)
    assert not ContactCount.objects.exists()


# ------------------------------------------------------------------------------ decisions that are undone


def count_mails_to(name: str) -> int:
    """Count the feed entries of a player that make a mail: changes of pairings and handovers."""
    kinds = (
        "tournament-newcomer",
        "tournament-out",
        "tournament-replaced",
        "tournament-place",
        "tournament-table",
        "tournament-pairing",
    )
    feed_entries = FeedEntry.objects.filter(
        player=play.get_player(name), kind__in=(*kinds, "tournament-result")
    )
    turns = FeedEntry.objects.filter(
        player=play.get_player(name), kind__in=("turn", "started"), notice_stage="pending"
    )
    taken_over = turns.filter(dedup_key__contains=":taken-over:", notify_at__isnull=False)
    return feed_entries.filter(notify_at__isnull=False).count() + taken_over.count()


MAX_TABLE_CHANGES_PER_DAY = load_daily_limits()[TournamentContactKind.TABLE_CHANGE].per_acquaintance


def test_a_substitute_who_is_put_in_and_out_all_day_makes_few_mails() -> None:
    league = create_started_league(3, all_rounds_at_once=True)
    leagues.set_member_status(
        player=play.get_player("spare"), code=league.code, now=play.NOW, status="substitute"
    )
    tournament = Tournament.objects.get(division__season__league=league)
    names = list(tournament.entrant_players.values_list("player__name", flat=True))
    FeedEntry.objects.all().delete()
    for _time in range(20):
        replacement = leagues.replace_with_substitute(
            by=play.get_host(), code=league.code, leaver=play.get_player(names[0]), now=play.NOW
        )
        decision_undo.undo_decision(
            by=play.get_host(), code=tournament.code, decision=replacement.pk, now=play.NOW
        )
    for name in names[1:]:
        assert count_mails_to(name) == MAX_TABLE_CHANGES_PER_DAY
    for name in (names[0], "spare"):  # at most one series for the tournament and one for each of two games
        assert MAX_TABLE_CHANGES_PER_DAY <= count_mails_to(name) <= MAX_TABLE_CHANGES_PER_DAY * 3
    entries = FeedEntry.objects.filter(player=play.get_player(names[1]), kind="tournament-newcomer")
    assert entries.count() == 40, "their feeds tell all of it"
    assert FeedEntry.objects.filter(player=play.get_player(names[0]), kind="tournament-out").count() == 20
    send_mails(play.NOW + DAY)
    assert max(len(list_sent(name)) for name in (*names, "spare")) <= MAX_TABLE_CHANGES_PER_DAY


def test_replacements_that_are_taken_back_all_day_make_few_mails() -> None:
    tournament = play.create_started_tournament("knockout", 2)
    (table,) = play.list_running_pairings(tournament)
    FeedEntry.objects.all().delete()
    for number in range(10):
        decision = play.replace(tournament, "p1", f"new {number}")
        decision_undo.undo_decision(
            by=play.get_host(), code=tournament.code, decision=decision.pk, now=play.NOW
        )
    assert count_mails_to("p2") == MAX_TABLE_CHANGES_PER_DAY
    assert FeedEntry.objects.filter(player=play.get_player("p2"), kind="tournament-newcomer").count() == 20
    assert MAX_TABLE_CHANGES_PER_DAY <= count_mails_to("p1") <= MAX_TABLE_CHANGES_PER_DAY * 2
    waiting = FeedEntry.objects.filter(player=play.get_player("p1"), topic=table.game.topic, kind="turn")
    seat = table.game.seats.get(player=play.get_player("p1"))
    table.game.refresh_from_db()
    notice_count = waiting.filter(notify_at__isnull=False).count()
    assert notice_count == table.game.is_turn_of(seat.seat_no), "one turn has one notice and its reminders"


def test_a_disqualification_that_is_taken_back_all_day_makes_few_mails() -> None:
    tournament = play.create_started_tournament("swiss", 3, round_count=2)
    for table in play.list_running_pairings(tournament):
        play.decide(table, *(play.name_at(table, place) for place in range(2)))
    out = play.entrant(tournament, "p1")
    FeedEntry.objects.all().delete()
    for _time in range(10):
        decision = decisions.disqualify_entrant(
            by=play.get_host(), code=tournament.code, entrant=out.pk, now=play.NOW
        )
        decision_undo.undo_decision(
            by=play.get_host(), code=tournament.code, decision=decision.pk, now=play.NOW
        )
    assert count_mails_to("p1") == MAX_TABLE_CHANGES_PER_DAY
    feed_entries = FeedEntry.objects.filter(
        player=play.get_player("p1"), kind__in=("tournament-out", "tournament-place")
    )
    assert feed_entries.count() == 20


def test_a_table_that_becomes_void_and_comes_back_all_day_makes_few_mails() -> None:
    tournament = play.create_started_tournament("knockout", 4)
    first, second = play.list_running_pairings(tournament)
    for table in (first, second):
        play.decide(table, *(play.name_at(table, place) for place in range(2)))
    sweep.sweep_tournaments(now=play.NOW)
    winner, loser = (play.name_at(first, place) for place in range(2))
    rival = play.name_at(second, 0)
    ContactCount.objects.all().delete()
    for _time in range(6):
        play.decide(first, loser, winner)
        sweep.sweep_tournaments(now=play.NOW)
        play.decide(first, winner, loser)
        sweep.sweep_tournaments(now=play.NOW)
    entries = FeedEntry.objects.filter(
        player=play.get_player(rival), kind__in=("tournament-table", "tournament-pairing")
    )
    # Three mails for started games, as in every tournament, and a limited number for the changes.
    assert entries.filter(notify_at__isnull=False).count() == 3 + MAX_TABLE_CHANGES_PER_DAY
    assert entries.count() == 3 + 12 + 11
