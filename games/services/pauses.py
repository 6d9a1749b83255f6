"""Pauses that all sides of a game agree on. One can always move while paused."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games import clock
from games.models import Event, Game, Pause, Player
from games.selectors import Table, instant
from games.selectors.clocks import proposal

from . import clocks, contacts, turns
from .contacts import Contact
from .errors import Conflict, Denied, Invalid


@transaction.atomic
def propose(*, player: Player, code: str, until: datetime, now: datetime) -> Pause | None:
    """Propose to let the clocks rest until then; a time that has passed means: let them run again.

    Gives the proposal, or None if it holds at once because nobody else has to agree. Raises NotFound, Denied,
    Invalid, Conflict or LimitReached.
    """
    found, side = running(player, code)
    until = max(until, now)
    if until - now > clock.LONGEST_PAUSE:
        raise Invalid(_("a pause lasts at most %(days)s days") % {"days": clock.LONGEST_PAUSE.days})
    if until > now and paused_so_far(found.game, now) + (until - now) > clock.LONGEST_PAUSE_OF_GAME:
        most = {"days": clock.LONGEST_PAUSE_OF_GAME.days}
        raise Invalid(_("all pauses of a game together last at most %(days)s days") % most)
    if until == now and not (found.game.paused_until and found.game.paused_until > now):
        raise Conflict(_("the game is not paused"), code="not-paused")
    if until > now and not has_others_in_play(found):
        raise Conflict(_("only bots play with you: nobody is there to agree with"), code="only-bots")
    if proposal(found.game) is not None:
        raise Conflict(_("a pause is proposed already: agree to it or decline it"), code="pause-proposed")
    asked = [place.player for place in found.places if place.player]
    contacts.count_contacts(kind=Contact.PAUSE_PROPOSAL, sender=player, recipients=asked, now=now)
    made = Pause.objects.create(game=found.game, by=player, until=until, agreed=1 << side, at=now)
    if settled(found, made, now):
        return None
    data = {"until": instant(until), "rests": until > now, "by": player.name}
    tell(found, player, "pause", f"pause:{made.pk}", data, now)
    return made


@transaction.atomic
def agree(*, player: Player, code: str, now: datetime) -> bool:
    """Agree to what is proposed; True if the pause holds now. Raises NotFound, Denied or Conflict."""
    found, side = running(player, code)
    made = waiting(found.game)
    if made.at < made.until <= now:  # it would have been over by now
        made.ended_at = now
        made.save(update_fields=["ended_at"])
        return False
    made.agreed |= 1 << side
    made.save(update_fields=["agreed"])
    return settled(found, made, now)


@transaction.atomic
def decline(*, player: Player, code: str, now: datetime) -> None:
    """Say no, or take one's own proposal back. Raises NotFound, Denied or Conflict."""
    found, _side = running(player, code)
    made = waiting(found.game)
    made.ended_at = now
    made.save(update_fields=["ended_at"])
    if made.by_id != player.pk:
        tell(found, player, "pause-declined", f"pause:{made.pk}:declined", {"by": player.name}, now)


def paused_so_far(game: Game, now: datetime) -> timedelta:
    """How long the clocks of a game have rested by agreement; a pause ends where the next one begins."""
    agreed = Pause.objects.filter(game=game, began_at__isnull=False).order_by("began_at", "pk")
    times = [(start, until) for start, until in agreed.values_list("began_at", "until") if start]
    ends = [*(start for start, _until in times[1:]), now]
    lengths = (min(until, end) - start for (start, until), end in zip(times, ends, strict=False))
    return sum((max(length, timedelta()) for length in lengths), timedelta())


def running(player: Player, code: str) -> tuple[Table, int]:
    """A running game, locked, and the side of the player who asks. Raises NotFound, Denied or Conflict."""
    Game.objects.select_for_update().filter(code=code).first()
    found, place = turns.seated(player, code)
    if found.game.status not in (Game.Status.RUNNING, Game.Status.TIEBREAK) or found.state is None:
        raise Conflict(_("the game is not running"), code="not-running")
    assert place.number is not None
    side = found.state.setup.sides[place.number]
    if side in found.state.out:  # whoever resigned has no say in the others' time
        raise Denied(_("you do not sit at this game"), code="not-seated")
    return found, side


def has_others_in_play(found: Table) -> bool:
    """Whether more than one person has a say in when the clocks rest."""
    assert found.state is not None
    sides, out = found.state.setup.sides, found.state.out
    people = [sides[place.number] for place in found.places if place.number and place.player_id]
    return len([one for one in people if one not in out]) > 1


def waiting(game: Game) -> Pause:
    """The proposal that waits for agreement. Raises Conflict."""
    made = proposal(game)
    if made is None:
        raise Conflict(_("no pause is proposed"), code="no-pause-proposed")
    return made


def settled(found: Table, made: Pause, now: datetime) -> bool:
    """Begin the pause if every side with a person in it has agreed."""
    state = found.state
    assert state is not None
    sides = {
        state.setup.sides[place.number]
        for place in found.places
        if place.number and place.player_id and state.setup.sides[place.number] not in state.out
    }
    if any(not made.agreed >> side & 1 for side in sides):
        return False
    made.began_at = now
    made.save(update_fields=["began_at"])
    clocks.rewind(code=found.game.code, now=now, settle_at=now, stopped=clocks.incidents())
    Game.objects.filter(pk=found.game.pk).update(paused_from=now, paused_until=max(made.until, now))
    clocks.rewind(code=found.game.code, now=now)
    data = {"until": instant(made.until), "rests": made.until > now}
    tell(found, None, "paused", f"paused:{made.pk}", data, now)
    return True


def tell(
    found: Table, but: Player | None, kind: str, reason: str, data: Mapping[str, object], now: datetime
) -> None:
    """A line in the feed, and a notice, for the others at the table."""
    game = found.game
    Event.objects.bulk_create(
        [
            Event(
                player_id=place.player_id,
                game=game,
                kind=kind,
                reason=f"{game.code}:{reason}",
                data={"game": game.code, **data},
                at=now,
                due_at=None
                if place.muted
                else clock.notice_due(now, game.allowance, clocks.quiet(place.player)),
            )
            for place in found.places
            if place.player_id and (but is None or place.player_id != but.pk)
        ],
        ignore_conflicts=True,
    )
