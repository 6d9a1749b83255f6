"""What nobody needs any more goes, some rows at a time. Games and what was played in them stay for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import takewhile

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Q
from oauth2_provider.models import clear_expired

from games.batches import SIZE, batches
from games.models import Delivery, Event, Game, Invitation, Received, SpentCommitment, Tally, Token
from games.offers import OFFER_LIFETIME

from . import tallies

KEYS = "clear:keys"  # how far through the feeds keys are cleared
LIVING = (Game.Status.OPEN, Game.Status.RUNNING, Game.Status.TIEBREAK)
# What other apps say of deliveries that somebody may still ask for: a condition on their rows.
EVIDENCE: list[Callable[..., Exists]] = []


def clear(*, now: datetime) -> Counter[str]:
    """All of it; says how many rows of each kind are gone. Doing it twice does it once."""
    clear_expired()  # of apps: tokens and codes that have run out
    return Counter(
        {
            "deliveries": deliveries(now=now),
            "received": received(now=now),
            "tokens": tokens(now=now),
            "keys": keys(now=now),
            "invitations": invitations(now=now),
            "commitments": commitments(now=now),
        }
    )


def until(name: str, now: datetime) -> datetime:
    """What is older than this goes."""
    return now - timedelta(days=settings.KEPT_DAYS[name])


def deliveries(*, now: datetime) -> int:
    """Mails and calls that are done with. Those of a game that goes on say what its players know already."""
    old, done = Q(made_at__lt=until("deliveries", now)), 0
    for some in batches(Delivery.objects.all()):  # oldest first, as they were made
        page = Delivery.objects.filter(old, pk__in=some)
        if not page.exists():
            break
        gone = page.filter(due_at=None).exclude(game__status__in=LIVING)
        for evidence in EVIDENCE:
            gone = gone.exclude(evidence(now=now))
        done += gone.delete()[0]
    return done


def received(*, now: datetime) -> int:
    """Mails that came in; of their words nothing was ever kept."""
    old = Received.objects.filter(at__lt=until("received", now))
    return sum(Received.objects.filter(pk__in=some).delete()[0] for some in batches(old))


def tokens(*, now: datetime) -> int:
    """Personal tokens that open nothing any more."""
    limit = until("tokens", now)
    old = Token.objects.filter(Q(revoked_at__lt=limit) | Q(expires_at__lt=limit))
    return sum(Token.objects.filter(pk__in=some).delete()[0] for some in batches(old))


def keys(*, now: datetime) -> int:
    """Idempotency-Keys and the answers kept for them; the lines of the feeds stay.

    Goes through the feeds in their order, once: an hour's work is that of an hour.
    """
    Tally.objects.get_or_create(pk=KEYS, defaults={"at": now})
    limit, done = until("keys", now), 0
    while True:
        with transaction.atomic():
            at = Tally.objects.select_for_update().get(pk=KEYS).count  # one goes on where another stopped
            following = Event.objects.filter(pk__gt=at).order_by("pk").values_list("pk", "at")[:SIZE]
            old = [pk for pk, _at in takewhile(lambda row: row[1] < limit, following)]
            if not old:
                return done
            kept = Event.objects.filter(pk__gt=at, pk__lte=old[-1]).exclude(key="")
            done += kept.update(key="", asked="", answer="")
            tallies.add(name=KEYS, now=now, count=old[-1] - at)


def commitments(*, now: datetime) -> int:
    """Commitments that were spent; an offer of the same age is refused for its age."""
    old = SpentCommitment.objects.filter(at__lt=now - 2 * OFFER_LIFETIME)
    return sum(SpentCommitment.objects.filter(pk__in=some).delete()[0] for some in batches(old))


def invitations(*, now: datetime) -> int:
    """Addresses of people who have no account here, once their game does not wait for them."""
    old = Invitation.objects.filter(player=None, at__lt=until("invitations", now)).exclude(
        game__status=Game.Status.OPEN
    )
    return sum(Invitation.objects.filter(pk__in=some).delete()[0] for some in batches(old))
