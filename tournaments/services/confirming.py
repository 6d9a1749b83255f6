"""Where only those play who have confirmed, everybody is asked in time, once."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games.models import Event as Line
from tournaments.models import Entrant, Event, Member

from .notices import tell

BEFORE = timedelta(days=1)  # the start; where nobody knows when that will be, one is asked on entering


def sweep(*, now: datetime) -> Counter[str]:
    """Ask where the start is near. Returns what was done, by its name."""
    done: Counter[str] = Counter()
    unconfirmed = Member.objects.filter(
        event=OuterRef("pk"), entrant__status=Entrant.Status.ENTERED, entrant__confirmed_at=None
    )
    near = Event.objects.filter(
        Q(starts_at=None) | Q(starts_at__lte=now + BEFORE),
        Exists(unconfirmed),
        status=Event.Status.PUBLISHED,
        confirmation=True,
    )
    for pk in near.order_by("pk").values_list("pk", flat=True):
        done["asked"] += ask(pk, now)
    return +done


@transaction.atomic
def ask(pk: int, now: datetime) -> bool:
    """Ask those of an event who have neither confirmed nor been asked for this day; whether any were."""
    mine = Event.objects.select_for_update(skip_locked=True, of=("self",))
    event = mine.filter(pk=pk, status=Event.Status.PUBLISHED).first()
    if event is None:
        return False
    reason = f"confirm:{event.starts_at:%Y-%m-%d}" if event.starts_at else "confirm"
    asked = Line.objects.filter(player=OuterRef("player"), reason=f"{event.code}:{reason}")
    waiting = event.members.filter(
        ~Exists(asked),
        entrant__status=Entrant.Status.ENTERED,
        entrant__confirmed_at=None,
        player__isnull=False,
    )
    players = list(waiting.values_list("player_id", flat=True))
    tell(event, "event-confirm", reason, players, now)
    return bool(players)
