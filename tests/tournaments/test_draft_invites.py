"""Players invited to a draft are notified once it is published, and mailed within the limits."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from accounts.daily_limits import DailyLimit, load_daily_limits
from accounts.models import ContactCount, Player
from common.service_errors import Conflict, Denied
from notifications.models import FeedEntry
from tests.factories.events import DAY, NOW, add_organiser, get_host, get_player
from tests.helpers.tournament_mails import (
    TWO_MINUTES_LATER,
    get_last_body,
    list_sent,
    map_drop_reasons,
    send_mails,
)
from tournaments.contact_kinds import TournamentContactKind
from tournaments.models import Invite, Tournament
from tournaments.services import invites, tournaments

pytestmark = pytest.mark.django_db
INVITED = ("tournament-invited", "You are invited to a tournament on OTTO online")


def create_draft(**fields: object) -> Tournament:
    return tournaments.create_tournament(
        organiser=get_host(), name="The cup", format="swiss", now=NOW, starts_at=NOW + 9 * DAY, **fields
    )


def invite_players(tournament: Tournament, *names: str) -> None:
    for name in names:
        tournaments.invite_player(by=get_host(), code=tournament.code, player=get_player(name), now=NOW)


def count_lines(name: str) -> int:
    return FeedEntry.objects.filter(kind="tournament-invited", player=get_player(name)).count()


def test_whoever_is_invited_to_a_draft_is_notified_when_it_is_published() -> None:
    tournament = create_draft(by_invitation=True)
    for _twice in range(2):
        invite_players(tournament, "ada", "bob")
    send_mails()
    assert (count_lines("ada"), list_sent("ada")) == (0, []), "nobody can see a draft"
    assert not ContactCount.objects.exists(), "nobody was written to"
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    send_mails()
    for name in ("ada", "bob"):
        assert list_sent(name) == [INVITED]
        assert map_drop_reasons(name) == {}
    assert "host invites you." in get_last_body("ada")
    assert "It begins on Tuesday 10 March, 12:00 (UTC)." in get_last_body("ada")
    with pytest.raises(Conflict):
        tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    invite_players(tournament, "ada")
    send_mails(TWO_MINUTES_LATER + timedelta(hours=1))
    assert (count_lines("ada"), list_sent("ada")) == (1, [INVITED])
    assert (
        ContactCount.objects.get(pk=f"{TournamentContactKind.TOURNAMENT_INVITATION}:p{get_host().pk}").count
        == 2
    )


def test_whose_invitation_is_taken_back_before_is_not_notified() -> None:
    tournament = create_draft()
    invite_players(tournament, "ada", "bob")
    tournaments.withdraw_invite(by=get_host(), code=tournament.code, player=get_player("ada"), now=NOW)
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    send_mails()
    assert (list_sent("ada"), list_sent("bob")) == ([], [INVITED])


def test_the_limits_of_invitations_hold_when_a_draft_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_daily_limits(), TournamentContactKind.TOURNAMENT_INVITATION, DailyLimit(2, 6, 3))
    tournament = create_draft()
    invite_players(tournament, "ada", "bob", "cleo")
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    send_mails()
    assert [list_sent(name) for name in ("ada", "bob", "cleo")] == [[INVITED], [INVITED], []]
    assert count_lines("cleo") == 1, "it is in the feed, without a mail"


def test_who_publishes_is_who_has_invited() -> None:
    """The mails count for the player who publishes, possibly another organiser."""
    tournament = create_draft()
    add_organiser(tournament, "ref")
    invite_players(tournament, "ada")
    tournaments.publish_tournament(by=get_player("ref"), code=tournament.code, now=NOW)
    assert ContactCount.objects.filter(
        pk=f"{TournamentContactKind.TOURNAMENT_INVITATION}:p{get_player('ref').pk}"
    ).exists()
    assert not ContactCount.objects.filter(
        pk=f"{TournamentContactKind.TOURNAMENT_INVITATION}:p{get_host().pk}"
    ).exists()


def test_whoever_wants_to_hear_from_no_strangers_does_not() -> None:
    tournament = create_draft()
    ada, bob = get_player("ada"), get_player("bob")
    Player.objects.filter(pk=ada.pk).update(invitations_from_strangers=False)
    with pytest.raises(Denied) as refused:
        invite_players(tournament, "ada")
    assert refused.value.code == "no-strangers"
    invite_players(tournament, "bob")
    Player.objects.filter(pk=bob.pk).update(invitations_from_strangers=False)
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    assert count_lines("bob") == 0
    with pytest.raises(Denied):
        invite_players(tournament, "bob")
    Player.objects.filter(pk=bob.pk).update(invitations_from_strangers=True)
    invite_players(tournament, "bob")
    assert count_lines("bob") == 1, "who was not told then is told now"


def test_a_draft_has_no_more_invited_than_can_be_notified_in_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        load_daily_limits()[TournamentContactKind.TOURNAMENT_INVITATION].per_sender
        == invites.MAX_INVITED_PER_DRAFT
    )
    monkeypatch.setattr(invites, "MAX_INVITED_PER_DRAFT", 2)
    tournament = create_draft()
    invite_players(tournament, "ada", "bob", "ada")
    with pytest.raises(Conflict) as refused:
        invite_players(tournament, "cleo")
    assert (refused.value.code, refused.value.extra) == ("too-many-invited", {"limit": 2})
    assert Invite.objects.count() == 2
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    invite_players(tournament, "cleo")
    assert count_lines("cleo") == 1


@pytest.mark.parametrize("by_invitation", [False, True])
def test_the_page_says_when_they_are_notified(by_invitation: bool) -> None:
    tournament, client = create_draft(by_invitation=by_invitation), Client()
    client.force_login(get_host())
    address = f"/tournaments/{tournament.code}/organise/people/"
    later = "We send invitations when you publish the tournament."
    assert later in client.get(address).text
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    text = client.get(address).text
    assert later not in text
    assert ("We tell the players whom you invite." in text) is not by_invitation
