"""Whoever is invited to a draft hears of it when it is published: once, and by mail as often as one may."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from games.models import ContactCount, FeedEntry, Player
from games.services import contact_limits
from games.services.contact_limits import ContactKind, DailyLimit
from games.services.errors import Conflict, Denied
from tournaments.models import Invite, Tournament
from tournaments.services import invites, tournaments

from .mailing import SOON, body, dropped, send, sent
from .play import DAY, NOW, add_organiser, host, someone

pytestmark = pytest.mark.django_db
INVITED = ("event-invited", "You are invited to a tournament on OTTO online")


def draft(**fields: object) -> Tournament:
    return tournaments.create_tournament(
        organiser=host(), name="The cup", format="swiss", now=NOW, starts_at=NOW + 9 * DAY, **fields
    )


def invite(event: Tournament, *names: str) -> None:
    for name in names:
        tournaments.invite_player(by=host(), code=event.code, player=someone(name), now=NOW)


def lines_of(name: str) -> int:
    return FeedEntry.objects.filter(kind="event-invited", player=someone(name)).count()


def test_whoever_is_invited_to_a_draft_is_told_when_it_is_published() -> None:
    event = draft(by_invitation=True)
    for _twice in range(2):
        invite(event, "ada", "bob")
    send()
    assert (lines_of("ada"), sent("ada")) == (0, []), "nobody can see a draft"
    assert not ContactCount.objects.exists(), "nobody was written to"
    tournaments.publish_tournament(by=host(), code=event.code, now=NOW)
    send()
    for name in ("ada", "bob"):
        assert sent(name) == [INVITED]
        assert dropped(name) == {}
    assert "host invites you." in body("ada")
    assert "It begins on Tuesday 10 March, 12:00 (UTC)." in body("ada")
    with pytest.raises(Conflict):
        tournaments.publish_tournament(by=host(), code=event.code, now=NOW)
    invite(event, "ada")
    send(SOON + timedelta(hours=1))
    assert (lines_of("ada"), sent("ada")) == (1, [INVITED])
    assert ContactCount.objects.get(pk=f"{ContactKind.TOURNAMENT_INVITATION}:p{host().pk}").count == 2


def test_whose_invitation_is_taken_back_before_is_not_told() -> None:
    event = draft()
    invite(event, "ada", "bob")
    tournaments.withdraw_invite(by=host(), code=event.code, player=someone("ada"), now=NOW)
    tournaments.publish_tournament(by=host(), code=event.code, now=NOW)
    send()
    assert (sent("ada"), sent("bob")) == ([], [INVITED])


def test_the_limits_of_invitations_hold_when_a_draft_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(contact_limits.DAILY_LIMITS, ContactKind.TOURNAMENT_INVITATION, DailyLimit(2, 6, 3))
    event = draft()
    invite(event, "ada", "bob", "cleo")
    tournaments.publish_tournament(by=host(), code=event.code, now=NOW)
    send()
    assert [sent(name) for name in ("ada", "bob", "cleo")] == [[INVITED], [INVITED], []]
    assert lines_of("cleo") == 1, "it is in the feed, without a mail"


def test_who_publishes_is_who_has_invited() -> None:
    """The limit is that of whoever makes the mails: another organiser, perhaps."""
    event = draft()
    add_organiser(event, "ref")
    invite(event, "ada")
    tournaments.publish_tournament(by=someone("ref"), code=event.code, now=NOW)
    assert ContactCount.objects.filter(
        pk=f"{ContactKind.TOURNAMENT_INVITATION}:p{someone('ref').pk}"
    ).exists()
    assert not ContactCount.objects.filter(pk=f"{ContactKind.TOURNAMENT_INVITATION}:p{host().pk}").exists()


def test_whoever_wants_to_hear_from_no_strangers_does_not() -> None:
    event = draft()
    ada, bob = someone("ada"), someone("bob")
    Player.objects.filter(pk=ada.pk).update(invitations_from_strangers=False)
    with pytest.raises(Denied) as refused:
        invite(event, "ada")
    assert refused.value.code == "no-strangers"
    invite(event, "bob")
    Player.objects.filter(pk=bob.pk).update(invitations_from_strangers=False)
    tournaments.publish_tournament(by=host(), code=event.code, now=NOW)
    assert lines_of("bob") == 0
    with pytest.raises(Denied):
        invite(event, "bob")
    Player.objects.filter(pk=bob.pk).update(invitations_from_strangers=True)
    invite(event, "bob")
    assert lines_of("bob") == 1, "who was not told then is told now"


def test_a_draft_has_no_more_invited_than_can_be_told_in_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        contact_limits.DAILY_LIMITS[ContactKind.TOURNAMENT_INVITATION].per_sender
        == invites.MAX_INVITED_PER_DRAFT
    )
    monkeypatch.setattr(invites, "MAX_INVITED_PER_DRAFT", 2)
    event = draft()
    invite(event, "ada", "bob", "ada")
    with pytest.raises(Conflict) as refused:
        invite(event, "cleo")
    assert (refused.value.code, refused.value.extra) == ("too-many-invited", {"limit": 2})
    assert Invite.objects.count() == 2
    tournaments.publish_tournament(by=host(), code=event.code, now=NOW)
    invite(event, "cleo")
    assert lines_of("cleo") == 1


@pytest.mark.parametrize("by_invitation", [False, True])
def test_the_page_says_when_they_are_told(by_invitation: bool) -> None:
    event, client = draft(by_invitation=by_invitation), Client()
    client.force_login(host())
    address = f"/tournaments/{event.code}/organise/people/"
    later = "Whom you invite is told of it when you publish the tournament."
    assert later in client.get(address).text
    tournaments.publish_tournament(by=host(), code=event.code, now=NOW)
    text = client.get(address).text
    assert later not in text
    assert ("Whom you invite is told of it." in text) is not by_invitation
