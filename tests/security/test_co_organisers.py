"""Nobody organises anything because somebody else said so, and nobody is written to without end for it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as outgoing
from django.test import Client

from games.mail import mail_sender
from games.models import Delivery, FeedEntry, Player
from games.services import contact_limits, notices
from games.services.contact_limits import DAILY_LIMITS, ContactKind
from games.services.errors import Conflict, Denied, LimitReached, NotFound
from tests.tournaments.play import DAY, HOUR, NOW, add_organiser, host, published, someone, started
from tests.tournaments.programs import Program
from tournaments import links
from tournaments.models import League, Proposal, Tournament
from tournaments.selectors.tournaments import can_organise_league, can_organise_tournament
from tournaments.services import appeals, co_organisers, decisions, leagues, proposals, sweep, tournaments

pytestmark = pytest.mark.django_db


def ask(about: Tournament | League, name: str = "ref", by: str = "host") -> Proposal:
    service = (
        co_organisers.ask_tournament_co_organiser
        if isinstance(about, Tournament)
        else co_organisers.ask_league_co_organiser
    )
    return service(by=someone(by), code=about.code, player=someone(name), now=NOW)


def a_league() -> League:
    return leagues.create_league(organiser=host(), name="The league", size=4, now=NOW)


def powers(about: Tournament | League, name: str = "ref") -> bool:
    player = Player.objects.get(name=name)
    return (
        can_organise_tournament(player, about)
        if isinstance(about, Tournament)
        else can_organise_league(player, about)
    )


def mails(name: str) -> list[str]:
    later = NOW + 2 * DAY
    while notices.fan_out_notices(now=later):
        pass
    mail_sender.send_due_mails(now=later)
    return [str(one.subject) for one in outgoing.outbox if one.to == [someone(name).email]]


@pytest.mark.parametrize("kind", ["event", "league"])
def test_who_is_asked_to_organise_can_do_nothing_until_they_agree(kind: str) -> None:
    about: Tournament | League = published("swiss", 2) if kind == "event" else a_league()
    asked = ask(about)
    assert ask(about).pk == asked.pk, "asked twice is asked once"
    assert not powers(about)
    assert not about.helpers.exists()
    deed: Any = tournaments.start_tournament if isinstance(about, Tournament) else leagues.close_league
    with pytest.raises(Denied):
        deed(by=someone("ref"), code=about.code, now=NOW)
    with pytest.raises(Denied):  # not even by whoever asked
        proposals.accept_proposal(player=host(), proposal_id=asked.pk, now=NOW)
    with pytest.raises(NotFound):
        proposals.accept_proposal(player=someone("p2"), proposal_id=asked.pk, now=NOW)
    for _twice in range(2):
        proposals.accept_proposal(player=someone("ref"), proposal_id=asked.pk, now=NOW)
    assert powers(about)
    assert list(about.helpers.all()) == [someone("ref")]
    if isinstance(about, Tournament):
        decision = about.decisions.get()
        assert (decision.what, decision.by, decision.after) == (
            "helper",
            host(),
            {"player": someone("ref").pk},
        )
    with pytest.raises(Conflict):
        ask(about)


@pytest.mark.parametrize("kind", ["event", "league"])
def test_who_declines_or_is_not_asked_any_more_never_organises_it(kind: str) -> None:
    about: Tournament | League = published("swiss", 2) if kind == "event" else a_league()
    declined = ask(about)
    proposals.decline_proposal(player=someone("ref"), proposal_id=declined.pk, now=NOW)
    taken_back = ask(about, "second")
    if isinstance(about, Tournament):
        co_organisers.remove_tournament_co_organiser(
            by=host(), code=about.code, player=someone("second"), now=NOW
        )
    else:
        co_organisers.remove_league_co_organiser(
            by=host(), code=about.code, player=someone("second"), now=NOW
        )
    add_organiser(about, "third")
    fourth = ask(about, "fourth", by="third")
    proposals.withdraw_proposal(
        player=host(), proposal_id=fourth.pk, now=NOW
    )  # organisers may for each other
    for name, asked in (("ref", declined), ("second", taken_back), ("fourth", fourth)):
        with pytest.raises(Conflict):
            proposals.accept_proposal(player=someone(name), proposal_id=asked.pk, now=NOW)
    assert list(about.helpers.all()) == [someone("third")]


@pytest.mark.parametrize("kind", ["event", "league"])
def test_what_somebody_proposed_who_organises_no_more_cannot_be_accepted(kind: str) -> None:
    about: Tournament | League = published("swiss", 2) if kind == "event" else a_league()
    add_organiser(about, "third")
    asked = ask(about, by="third")
    remove = (
        co_organisers.remove_tournament_co_organiser
        if kind == "event"
        else co_organisers.remove_league_co_organiser
    )
    remove(by=host(), code=about.code, player=someone("third"), now=NOW)
    with pytest.raises(Conflict) as refused:
        proposals.accept_proposal(player=someone("ref"), proposal_id=asked.pk, now=NOW)
    assert refused.value.code == "lapsed"
    asked.refresh_from_db()
    assert (asked.status, about.helpers.count()) == ("open", 0), "nothing of it is left half done"


def test_who_has_not_agreed_gets_the_one_mail_that_asks_and_no_other() -> None:
    event = started("knockout", 2, ask=True)
    ask(event)
    table = event.tables.get()
    appeals.file_appeal(player=someone("p1"), code=event.code, pairing_id=table.pk, text="Look!", now=NOW)
    waiting = published("knockout", 1)
    ask(waiting)
    tournaments.start_tournament(by=host(), code=waiting.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    tournaments.cancel_tournament(by=host(), code=waiting.code, now=NOW)  # what was asked there lapses
    assert FeedEntry.objects.filter(kind="event-held", player=host()).exists()
    kinds = list(FeedEntry.objects.filter(player=someone("ref")).values_list("kind", flat=True))
    assert kinds == ["event-co-organiser", "event-co-organiser"]
    assert mails("ref") == ["You are asked to organise something on OTTO online"]
    assert Proposal.objects.get(event=waiting).status == "lapsed"
    league = a_league()
    ask(league, "other")
    leagues.close_league(by=host(), code=league.code, now=NOW)
    assert league.proposals.get().status == "lapsed"
    kinds = list(FeedEntry.objects.filter(player=someone("other")).values_list("kind", flat=True))
    assert kinds == ["league-co-organiser"]


def test_a_draft_stays_hidden_from_who_is_only_asked() -> None:
    event = tournaments.create_tournament(organiser=host(), name="The cup", format="swiss", now=NOW)
    asked = ask(event)
    browser = Client()
    browser.force_login(someone("ref"))
    assert browser.get(f"/tournaments/{event.code}/").status_code == 404
    page = browser.get(f"/proposals/{asked.pk}/").text
    assert "host asks you to organise The cup with them." in page
    assert f"/tournaments/{event.code}/" not in page
    assert 'name="client_seed"' not in page, "who organises brings nothing for the shuffles"
    browser.post(f"/proposals/{asked.pk}/", {"answer": "accept"})
    assert browser.get(f"/tournaments/{event.code}/organise/").status_code == 200


def test_the_pages_ask_and_the_link_of_the_mail_answers() -> None:
    event, league = published("swiss", 2), a_league()
    someone("ref")
    browser = Client()
    browser.force_login(host())
    browser.post(f"/tournaments/{event.code}/organise/helper/", {"name": "ref"})
    browser.post(f"/leagues/{league.code}/helper/", {"name": "ref"})
    assert not powers(event)
    assert not powers(league)
    for path in (f"/tournaments/{event.code}/organise/people/", f"/leagues/{league.code}/organise/"):
        assert "ref is asked to organise it, too." in browser.get(path).text
    for asked in Proposal.objects.all():
        token = links.make_link_token(links.ANSWER_PROPOSAL_PURPOSE, someone("ref").mail_key, str(asked.pk))
        page = Client().get(f"/proposals/answer/{token}/").text
        assert "If you agree you can decide all that its other organisers can" in page
        assert Proposal.objects.get(pk=asked.pk).status == "open", "to look is not to agree"
        Client().post(f"/proposals/answer/{token}/", {"answer": "accept"})
    assert powers(event)
    assert powers(league)


@pytest.mark.parametrize("kind", ["tournaments", "leagues"])
def test_programs_ask_and_answer(kind: str) -> None:
    about: Tournament | League = published("swiss", 2) if kind == "tournaments" else a_league()
    ref, at = Program("ref"), f"{kind}/{about.code}/"
    asked = Program("host").do(f"{at}helpers/", {"name": "ref"})
    assert (asked["kind"], asked["status"], asked["commitment"]) == ("co-organiser", "open", None)
    assert Program(None).ask(at)["helpers"] == []
    assert ref.ask(at)["you"]["organiser"] is False
    assert [one["may"] for one in ref.every("proposals/")] == [["accept", "decline"]]
    ref.do(f"proposals/{asked['id']}/accept/")
    assert ref.ask(at)["you"]["organiser"] is True
    assert Program(None).ask(at)["helpers"] == ["ref"]
    assert Program("host").refused(f"{at}helpers/", {"name": "ref"}) == (409, "already-joined")
    for _twice in range(2):
        Program("host").do(f"{at}helpers/ref/", method="DELETE")
    assert ref.ask(at)["you"]["organiser"] is False


def test_nobody_is_asked_without_end_to_organise_the_same() -> None:
    event = published("swiss", 2)
    for day in range(5):
        asked = co_organisers.ask_tournament_co_organiser(
            by=host(), code=event.code, player=someone("ref"), now=NOW + day * 2 * DAY
        )
        proposals.decline_proposal(player=someone("ref"), proposal_id=asked.pk, now=NOW)
    with pytest.raises(Conflict) as refused:
        co_organisers.ask_tournament_co_organiser(
            by=host(), code=event.code, player=someone("ref"), now=NOW + 20 * DAY
        )
    assert refused.value.code == "asked-too-often"
    Player.objects.filter(pk=someone("shy").pk).update(invitations_from_strangers=False)
    with pytest.raises(Denied):
        ask(event, "shy")
    assert not Proposal.objects.filter(player__name="shy").exists()


# --------------------------------------------------------------------- an event that waits again and again


def hold(event: Tournament, minute: int, now: Any) -> None:
    """Another time for a start that cannot be, and the sweep that finds so."""
    tournaments.edit_tournament(
        by=someone("ref"), code=event.code, now=now, starts_at=now + timedelta(minutes=minute)
    )
    sweep.sweep_tournaments(now=now + timedelta(minutes=minute))


def test_moving_the_start_again_and_again_makes_only_so_many_mails() -> None:
    event = published("knockout", 1)
    add_organiser(event, "ref")
    most, tries = (
        DAILY_LIMITS[ContactKind.HELD_TOURNAMENT].per_acquaintance,
        DAILY_LIMITS[ContactKind.HELD_TOURNAMENT].per_acquaintance + 9,
    )
    for minute in range(1, tries + 1):
        hold(event, minute, NOW)
        event.refresh_from_db()
        assert event.held == "too-few", "it waits all the same"
    while notices.fan_out_notices(now=NOW + HOUR):
        pass
    for name in ("host", "ref"):
        assert FeedEntry.objects.filter(kind="event-held", player=someone(name)).count() == tries
        assert Delivery.objects.filter(kind="event-held", player=someone(name)).count() == most
    hold(event, tries + 1, NOW + DAY + HOUR)
    while notices.fan_out_notices(now=NOW + 2 * DAY):
        pass
    assert Delivery.objects.filter(kind="event-held", player=host()).count() == most + 1, "another day"


def test_other_events_of_an_organiser_have_mails_of_their_own_up_to_a_limit() -> None:
    limit = DAILY_LIMITS[ContactKind.HELD_TOURNAMENT]
    ada = someone("ada")
    allowed = [
        contact_limits.count_mail_if_allowed(
            kind=ContactKind.HELD_TOURNAMENT, subject=f"cup{number % 9}", recipient=ada, now=NOW
        )
        for number in range(limit.per_sender + 5)
    ]
    assert allowed == [True] * limit.per_sender + [False] * 5
    assert contact_limits.count_mail_if_allowed(
        kind=ContactKind.HELD_TOURNAMENT, subject="cup1", recipient=someone("bob"), now=NOW
    )


def test_a_round_that_waits_is_still_told_to_everybody_who_organises() -> None:
    event = started("swiss", 3, ask=True, review=True)
    assert event.held == "review"
    assert FeedEntry.objects.filter(kind="event-held", player=host(), due_at__isnull=False).count() == 1
    decisions.approve_round(by=host(), code=event.code, now=NOW)


def test_asking_has_the_limits_of_the_table() -> None:
    cups = [published("swiss", 0) for _ in range(DAILY_LIMITS[ContactKind.CO_ORGANISER].per_stranger + 1)]
    for event in cups[:-1]:
        ask(event)
    with pytest.raises(LimitReached):
        ask(cups[-1])
