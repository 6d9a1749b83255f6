"""Who organises an event or a league with others: asked first, and only then able to do anything there."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Player
from games.services import contacts
from games.services.contacts import Contact
from games.services.errors import Conflict, Denied
from tournaments.models import Decision, Event, League, Proposal
from tournaments.selectors.events import may_organise, may_run

from .events import organised
from .lapsing import check_not_pestered
from .leagues import check_alive, locked
from .notices import tell, tell_league

S, KIND = Proposal.Status, Proposal.Kind


@transaction.atomic
def ask_for_event(*, by: Player, code: str, player: Player, now: datetime) -> Proposal:
    """Ask somebody to organise an event, too; until they agree they can do nothing, and get no other mail.

    The same proposal made twice is one. Raises NotFound, Denied, Conflict or LimitReached.
    """
    event = organised(by=by, code=code)
    if event.status == Event.Status.CANCELLED:
        raise Conflict(_("The event is over."))
    if event.organiser_id == player.pk or event.helpers.filter(pk=player.pk).exists():
        raise Conflict(_("They organise it already."), code="already-joined")
    asked = Proposal.objects.filter(event=event, kind=KIND.CO_ORGANISER)
    if same := asked.filter(player=player, status=S.OPEN).first():
        return same
    check_contact(asked, by, player, now)
    made = asked.create(kind=KIND.CO_ORGANISER, event=event, by=by, player=player, at=now)
    tell(event, "event-co-organiser", f"proposal:{made.pk}", [player.pk], now, proposal=made.pk)
    return made


@transaction.atomic
def ask_for_league(*, by: Player, code: str, player: Player, now: datetime) -> Proposal:
    """The same for a league, with all that its divisions play.

    Raises NotFound, Denied, Conflict or LimitReached.
    """
    league = locked(code, by)
    check_alive(league)
    if league.organiser_id == player.pk or league.helpers.filter(pk=player.pk).exists():
        raise Conflict(_("They organise it already."), code="already-joined")
    asked = Proposal.objects.filter(league=league, kind=KIND.CO_ORGANISER)
    if same := asked.filter(player=player, status=S.OPEN).first():
        return same
    check_contact(asked, by, player, now)
    made = asked.create(kind=KIND.CO_ORGANISER, league=league, by=by, player=player, at=now)
    tell_league(league, "league-co-organiser", f"proposal:{made.pk}", [player.pk], now, proposal=made.pk)
    return made


def check_contact(asked: QuerySet[Proposal], by: Player, player: Player, now: datetime) -> None:
    """Count that somebody is asked, which is a mail. Raises Denied, Conflict or LimitReached."""
    if player.guest or not player.is_active:
        raise Denied(_("Sign up to organise something."))
    check_not_pestered(asked.filter(by=by), player)
    contacts.count_contacts(kind=Contact.CO_ORGANISER, sender=by, recipients=[player], now=now)


def withdraw_requests(asked: QuerySet[Proposal], player: Player, now: datetime) -> None:
    """Nobody asks a player to organise this any more."""
    open_ones = asked.filter(kind=KIND.CO_ORGANISER, player=player, status=S.OPEN)
    open_ones.update(status=S.WITHDRAWN, answered_at=now)


def add_co_organiser(proposal: Proposal, now: datetime) -> None:
    """Whoever has agreed organises it from now on; the caller holds the event or league. Raises Conflict."""
    asker, player = proposal.by, proposal.player
    if proposal.league:
        check_alive(proposal.league)
        if not may_run(asker, proposal.league):
            raise asker_has_left()
        proposal.league.helpers.add(player)
        return
    event = proposal.event
    assert event
    if event.status == Event.Status.CANCELLED:
        raise Conflict(_("The event is over."), code="lapsed")
    if not may_organise(asker, event):
        raise asker_has_left()
    event.helpers.add(player)
    Decision.objects.create(event=event, by=asker, at=now, what="helper", after={"player": player.pk})


def asker_has_left() -> Conflict:
    """The refusal where whoever asked may ask nobody any more."""
    return Conflict(_("Whoever asked you does not organise it any more."), code="lapsed")


@transaction.atomic
def remove_from_event(*, by: Player, code: str, player: Player, now: datetime) -> Event:
    """Somebody organises it no more, or is not asked to any more; one may go by oneself.

    Raises NotFound or Denied.
    """
    event = organised(by=by, code=code)
    withdraw_requests(Proposal.objects.filter(event=event), player, now)
    if event.helpers.filter(pk=player.pk).exists():
        event.helpers.remove(player)
        Decision.objects.create(event=event, by=by, at=now, what="helper", before={"player": player.pk})
    return event


@transaction.atomic
def remove_from_league(*, by: Player, code: str, player: Player, now: datetime) -> League:
    """The same for a league. Raises NotFound or Denied."""
    league = locked(code, by)
    withdraw_requests(Proposal.objects.filter(league=league), player, now)
    league.helpers.remove(player)
    return league
