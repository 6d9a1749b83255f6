"""An organiser removes somebody before anything is played, or lets them in again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import Conflict, NotFound
from tournaments.models import Decision, Entrant, Event, League, Membership, Removal
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.selectors.removals import is_removed

from . import leagues
from .decisions import entrant_of
from .events import before_start, organised
from .lapsing import lapse_of_entrants
from .notices import tell, tell_league
from .record import logged
from .waiting import move_up


@transaction.atomic
def remove_entrant(
    *, by: Player, code: str, entrant: int, now: datetime, why: str = "", public_note: str = ""
) -> Decision:
    """Take an entrant off the list before the start, or off the waiting list; who waits longest moves up.

    Those who played for it are told, and cannot enter again unless they are invited. After the start an
    entrant is disqualified instead. Raises NotFound, Denied or Conflict.
    """
    public_note = public_note[:MAX_REASON_LENGTH]
    event = organised(by=by, code=code)
    found = entrant_of(event, entrant)
    if event.division_id:
        raise Conflict(_("Who plays in a season is decided in its league."))
    if event.status in (Event.Status.FINISHED, Event.Status.CANCELLED):
        raise Conflict(_("The event is over."))
    if found.status != Entrant.Status.WAITING:
        before_start(event)
    players = [pk for pk in found.members.order_by("number").values_list("player_id", flat=True) if pk]
    lapse_of_entrants([found.pk], now)
    # They stay, as the mail that says what became of them is written later.
    event.proposals.filter(member__entrant=found).update(member=None)
    tell(event, "event-out", f"removed:{found.pk}", players, now, why="removed", text=public_note)
    event.invites.filter(player__in=players).delete()
    write_removals(players, by=by, why=why, now=now, event=event)
    found.delete()
    move_up(event, now)
    before = {"players": players}
    return logged(event, by, "remove", now, why=why, public_note=public_note, before=before)


@transaction.atomic
def remove_member(
    *, by: Player, code: str, player: Player, now: datetime, why: str = "", public_note: str = ""
) -> League:
    """Take somebody out of a league from the next season on; in pairs the partner is out, too, and told.

    A season that runs is played to its end. They are told, with the `public_note`, and cannot join again
    until they are let in. Raises NotFound, Denied or Conflict.
    """
    league = leagues.locked(code, by)
    leagues.check_alive(league)
    mine = league.memberships.filter(player=player).exclude(status=Membership.Status.OUT).first()
    if mine is None:
        if is_removed(player, league):
            return league
        raise NotFound(_("They are not in this league."))
    leagues.withdraw_requests(league, [player], now)
    leagues.part_from_partner(league, mine, now)
    leagues.put(league, player.pk, Membership.Status.OUT, None, now)
    note = public_note[:MAX_REASON_LENGTH]
    [removal] = write_removals([player.pk], by=by, why=why, now=now, league=league)
    tell_league(league, "league-out", f"removed:{removal.pk}", [player.pk], now, text=note)
    return league


@transaction.atomic
def readmit_member(*, by: Player, code: str, player: Player, now: datetime) -> League:
    """Let somebody join a league again who was removed; twice is the same as once.

    Raises NotFound or Denied.
    """
    league = leagues.locked(code, by)
    league.removals.filter(player=player, lifted_at=None).update(lifted_at=now)
    return league


def write_removals(
    players: Iterable[int],
    *,
    by: Player,
    why: str,
    now: datetime,
    event: Event | None = None,
    league: League | None = None,
) -> list[Removal]:
    """Note that these cannot come back; the caller holds the event or the league."""
    facts = {"by": by, "why": why[:MAX_REASON_LENGTH], "at": now}
    return [
        Removal.objects.update_or_create(
            event=event, league=league, player_id=pk, lifted_at=None, defaults=facts
        )[0]
        for pk in players
    ]
