"""Co-organisers must accept their role, and the mails about it are limited."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as outgoing
from django.test import Client

from accounts.daily_limits import load_daily_limits
from accounts.models import Player
from accounts.services import contact_limits
from common.service_errors import Conflict, Denied, LimitReached, NotFound
from notifications.channels.email import mail_sender
from notifications.models import Delivery, FeedEntry
from notifications.services import notices
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    add_organiser,
    create_started_tournament,
    get_host,
    get_player,
    published,
)
from tests.helpers.tournament_programs import Program
from tournaments import links
from tournaments.contact_kinds import TournamentContactKind
from tournaments.leagues.services import leagues
from tournaments.models import League, Proposal, Tournament
from tournaments.selectors.tournaments import can_organise_league, can_organise_tournament
from tournaments.services import appeals, co_organisers, decisions, proposals, sweep, tournaments

pytestmark = pytest.mark.django_db


def ask_co_organiser(about: Tournament | League, name: str = "ref", by: str = "host") -> Proposal:
    service = (
        co_organisers.ask_tournament_co_organiser
        if isinstance(about, Tournament)
        else co_organisers.ask_league_co_organiser
    )
    return service(by=get_player(by), code=about.code, player=get_player(name), now=NOW)


def create_league() -> League:
    return leagues.create_league(organiser=get_host(), name="The league", division_size=4, now=NOW)


def can_organise(about: Tournament | League, name: str = "ref") -> bool:
    player = Player.objects.get(name=name)
    return (
        can_organise_tournament(player, about)
        if isinstance(about, Tournament)
        else can_organise_league(player, about)
    )


def list_mail_subjects(name: str) -> list[str]:
    later = NOW + 2 * DAY
    while notices.fan_out_notices(now=later):
        pass
    mail_sender.send_due_mails(now=later)
    return [str(message.subject) for message in outgoing.outbox if message.to == [get_player(name).email]]


@pytest.mark.parametrize("kind", ["tournament", "league"])
def test_who_is_asked_to_organise_can_do_nothing_until_they_agree(kind: str) -> None:
    about: Tournament | League = published("swiss", 2) if kind == "tournament" else create_league()
    request = ask_co_organiser(about)
    assert ask_co_organiser(about).pk == request.pk, "asked twice is asked once"
    assert not can_organise(about)
    assert not about.co_organisers.exists()
    action_name: Any = tournaments.start_tournament if isinstance(about, Tournament) else leagues.close_league
    with pytest.raises(Denied):
        action_name(by=get_player("ref"), code=about.code, now=NOW)
    with pytest.raises(Denied):  # the organiser who asked cannot accept either
        proposals.accept_proposal(player=get_host(), proposal_id=request.pk, now=NOW)
    with pytest.raises(NotFound):
        proposals.accept_proposal(player=get_player("p2"), proposal_id=request.pk, now=NOW)
    for _twice in range(2):
        proposals.accept_proposal(player=get_player("ref"), proposal_id=request.pk, now=NOW)
    assert can_organise(about)
    assert list(about.co_organisers.all()) == [get_player("ref")]
    if isinstance(about, Tournament):
        decision = about.decisions.get()
        assert (decision.action, decision.created_by, decision.after) == (
            "co-organiser",
            get_host(),
            {"player": get_player("ref").pk},
        )
    with pytest.raises(Conflict):
        ask_co_organiser(about)


@pytest.mark.parametrize("kind", ["tournament", "league"])
def test_who_declines_or_is_not_asked_any_more_never_organises_it(kind: str) -> None:
    about: Tournament | League = published("swiss", 2) if kind == "tournament" else create_league()
    declined = ask_co_organiser(about)
    proposals.decline_proposal(player=get_player("ref"), proposal_id=declined.pk, now=NOW)
    taken_back = ask_co_organiser(about, "second")
    if isinstance(about, Tournament):
        co_organisers.remove_tournament_co_organiser(
            by=get_host(), code=about.code, player=get_player("second"), now=NOW
        )
    else:
        co_organisers.remove_league_co_organiser(
            by=get_host(), code=about.code, player=get_player("second"), now=NOW
        )
    add_organiser(about, "third")
    fourth = ask_co_organiser(about, "fourth", by="third")
    proposals.withdraw_proposal(
        player=get_host(), proposal_id=fourth.pk, now=NOW
    )  # one organiser may decline what another asked
    for name, request in (("ref", declined), ("second", taken_back), ("fourth", fourth)):
        with pytest.raises(Conflict):
            proposals.accept_proposal(player=get_player(name), proposal_id=request.pk, now=NOW)
    assert list(about.co_organisers.all()) == [get_player("third")]


@pytest.mark.parametrize("kind", ["tournament", "league"])
def test_what_somebody_proposed_who_organises_no_more_cannot_be_accepted(kind: str) -> None:
    about: Tournament | League = published("swiss", 2) if kind == "tournament" else create_league()
    add_organiser(about, "third")
    request = ask_co_organiser(about, by="third")
    remove = (
        co_organisers.remove_tournament_co_organiser
        if kind == "tournament"
        else co_organisers.remove_league_co_organiser
    )
    remove(by=get_host(), code=about.code, player=get_player("third"), now=NOW)
    with pytest.raises(Conflict) as refused:
        proposals.accept_proposal(player=get_player("ref"), proposal_id=request.pk, now=NOW)
    assert refused.value.code == "lapsed"
    request.refresh_from_db()
    assert (request.status, about.co_organisers.count()) == ("open", 0), "nothing of it is left half done"


def test_who_has_not_agreed_gets_the_one_mail_that_asks_and_no_other() -> None:
    tournament = create_started_tournament("knockout", 2, hold_on_warnings=True)
    ask_co_organiser(tournament)
    table = tournament.pairings.get()
    appeals.file_appeal(
        player=get_player("p1"), code=tournament.code, pairing_id=table.pk, text="Look!", now=NOW
    )
    waiting = published("knockout", 1)
    ask_co_organiser(waiting)
    tournaments.start_tournament(by=get_host(), code=waiting.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    tournaments.cancel_tournament(by=get_host(), code=waiting.code, now=NOW)  # its open proposal lapses
    assert FeedEntry.objects.filter(kind="tournament-held", player=get_host()).exists()
    kinds = list(FeedEntry.objects.filter(player=get_player("ref")).values_list("kind", flat=True))
    assert kinds == ["tournament-co-organiser", "tournament-co-organiser"]
    assert list_mail_subjects("ref") == ["An invitation to co-organise on OTTO online"]
    assert Proposal.objects.get(tournament=waiting).status == "lapsed"
    league = create_league()
    ask_co_organiser(league, "other")
    leagues.close_league(by=get_host(), code=league.code, now=NOW)
    assert league.proposals.get().status == "lapsed"
    kinds = list(FeedEntry.objects.filter(player=get_player("other")).values_list("kind", flat=True))
    assert kinds == ["league-co-organiser"]


def test_a_draft_stays_hidden_from_who_is_only_asked() -> None:
    tournament = tournaments.create_tournament(organiser=get_host(), name="The cup", format="swiss", now=NOW)
    request = ask_co_organiser(tournament)
    browser = Client()
    browser.force_login(get_player("ref"))
    assert browser.get(f"/tournaments/{tournament.code}/").status_code == 404
    page = browser.get(f"/proposals/{request.pk}/").text
    assert "host asks you to co-organise The cup." in page
    assert f"/tournaments/{tournament.code}/" not in page
    assert 'name="client_seed"' not in page, "who organises brings nothing for the shuffles"
    browser.post(f"/proposals/{request.pk}/accept/")
    assert browser.get(f"/tournaments/{tournament.code}/organise/").status_code == 200


def test_the_pages_ask_and_the_link_of_the_mail_answers() -> None:
    tournament, league = published("swiss", 2), create_league()
    get_player("ref")
    browser = Client()
    browser.force_login(get_host())
    browser.post(f"/tournaments/{tournament.code}/organise/co-organiser/", {"name": "ref"})
    browser.post(f"/leagues/{league.code}/co-organiser/", {"name": "ref"})
    assert not can_organise(tournament)
    assert not can_organise(league)
    for path in (f"/tournaments/{tournament.code}/organise/people/", f"/leagues/{league.code}/organise/"):
        assert "host has asked ref to co-organise." in browser.get(path).text
    for request in Proposal.objects.all():
        token = links.make_link_token(
            links.ANSWER_PROPOSAL_PURPOSE, get_player("ref").mail_token, str(request.pk)
        )
        page = Client().get(f"/proposals/answer/{token}/").text
        assert "If you accept, you can decide everything the other organisers can" in page
        assert Proposal.objects.get(pk=request.pk).status == "open", "to look is not to agree"
        Client().post(f"/proposals/answer/{token}/", {"answer": "accept"})
    assert can_organise(tournament)
    assert can_organise(league)


@pytest.mark.parametrize("kind", ["tournaments", "leagues"])
def test_programs_ask_and_answer(kind: str) -> None:
    about: Tournament | League = published("swiss", 2) if kind == "tournaments" else create_league()
    ref, at = Program("ref"), f"{kind}/{about.code}/"
    request = Program("host").do(f"{at}co-organisers/", {"name": "ref"})
    assert (request["kind"], request["status"], request["commitment"]) == ("co-organiser", "open", None)
    assert Program(None).ask(at)["co_organisers"] == []
    assert ref.ask(at)["you"]["organiser"] is False
    assert [proposal["permissions"] for proposal in ref.list_all("proposals/")] == [["accept", "decline"]]
    ref.do(f"proposals/{request['id']}/accept/")
    assert ref.ask(at)["you"]["organiser"] is True
    assert Program(None).ask(at)["co_organisers"] == ["ref"]
    assert Program("host").refused(f"{at}co-organisers/", {"name": "ref"}) == (409, "already-joined")
    for _twice in range(2):
        Program("host").do(f"{at}co-organisers/ref/", method="DELETE")
    assert ref.ask(at)["you"]["organiser"] is False


def test_nobody_is_asked_without_end_to_organise_the_same() -> None:
    tournament = published("swiss", 2)
    for day in range(5):
        request = co_organisers.ask_tournament_co_organiser(
            by=get_host(), code=tournament.code, player=get_player("ref"), now=NOW + day * 2 * DAY
        )
        proposals.decline_proposal(player=get_player("ref"), proposal_id=request.pk, now=NOW)
    with pytest.raises(Conflict) as refused:
        co_organisers.ask_tournament_co_organiser(
            by=get_host(), code=tournament.code, player=get_player("ref"), now=NOW + 20 * DAY
        )
    assert refused.value.code == "too-many-proposals"
    Player.objects.filter(pk=get_player("shy").pk).update(invitations_from_strangers=False)
    with pytest.raises(Denied):
        ask_co_organiser(tournament, "shy")
    assert not Proposal.objects.filter(player__name="shy").exists()


# -------------------------------------------------------------------- a tournament that is held repeatedly


def hold_start(tournament: Tournament, minute: int, now: Any) -> None:
    """Set another start time at which the tournament cannot start, and sweep it."""
    tournaments.edit_tournament(
        by=get_player("ref"), code=tournament.code, now=now, starts_at=now + timedelta(minutes=minute)
    )
    sweep.sweep_tournaments(now=now + timedelta(minutes=minute))


def test_moving_the_start_again_and_again_makes_only_so_many_mails() -> None:
    tournament = published("knockout", 1)
    add_organiser(tournament, "ref")
    most, attempt_count = (
        load_daily_limits()[TournamentContactKind.HELD_TOURNAMENT].per_acquaintance,
        load_daily_limits()[TournamentContactKind.HELD_TOURNAMENT].per_acquaintance + 9,
    )
    for minute in range(1, attempt_count + 1):
        hold_start(tournament, minute, NOW)
        tournament.refresh_from_db()
        assert tournament.hold_reason == "too-few", "it waits all the same"
    while notices.fan_out_notices(now=NOW + HOUR):
        pass
    for name in ("host", "ref"):
        assert (
            FeedEntry.objects.filter(kind="tournament-held", player=get_player(name)).count() == attempt_count
        )
        assert Delivery.objects.filter(kind="tournament-held", player=get_player(name)).count() == most
    hold_start(tournament, attempt_count + 1, NOW + DAY + HOUR)
    while notices.fan_out_notices(now=NOW + 2 * DAY):
        pass
    assert Delivery.objects.filter(kind="tournament-held", player=get_host()).count() == most + 1, (
        "another day"
    )


def test_other_events_of_an_organiser_have_mails_of_their_own_up_to_a_limit() -> None:
    limit = load_daily_limits()[TournamentContactKind.HELD_TOURNAMENT]
    ada = get_player("ada")
    allowed = [
        contact_limits.count_mail_if_allowed(
            kind=TournamentContactKind.HELD_TOURNAMENT, subject=f"cup{number % 9}", recipient=ada, now=NOW
        )
        for number in range(limit.per_sender + 5)
    ]
    assert allowed == [True] * limit.per_sender + [False] * 5
    assert contact_limits.count_mail_if_allowed(
        kind=TournamentContactKind.HELD_TOURNAMENT, subject="cup1", recipient=get_player("bob"), now=NOW
    )


def test_a_round_that_waits_is_still_announced_to_everybody_who_organises() -> None:
    tournament = create_started_tournament("swiss", 3, hold_on_warnings=True, manual_approval=True)
    assert tournament.hold_reason == "review"
    assert (
        FeedEntry.objects.filter(kind="tournament-held", player=get_host(), notify_at__isnull=False).count()
        == 1
    )
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)


def test_asking_has_the_limits_of_the_table() -> None:
    cups = [
        published("swiss", 0)
        for _ in range(load_daily_limits()[TournamentContactKind.CO_ORGANISER].per_stranger + 1)
    ]
    for tournament in cups[:-1]:
        ask_co_organiser(tournament)
    with pytest.raises(LimitReached):
        ask_co_organiser(cups[-1])
