"""What nobody needs any more goes, some rows at a time. Games and what was played in them stay for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Q, QuerySet
from oauth2_provider.models import clear_expired

from games.batches import SIZE, batches
from games.models import (
    Delivery,
    Event,
    Game,
    IdempotentResponse,
    Invitation,
    Received,
    SpentCommitment,
    Tally,
    Token,
)
from games.offers import OFFER_LIFETIME

from . import addresses, contacts, tallies
from .budget import Budget

KEYS = "clear:keys"  # how far through the feeds keys are cleared
KIND_SECONDS = 4.0  # of a run for each kind of row
LIVING = (Game.Status.OPEN, Game.Status.RUNNING, Game.Status.TIEBREAK)
# What other apps say of deliveries that somebody may still ask for: a condition on their rows.
EVIDENCE: list[Callable[..., Exists]] = []


def clear(*, now: datetime, budget: Budget | None = None) -> Counter[str]:
    """All of it; says how many rows of each kind are gone. Doing it twice does it once.

    What does not fit into the budget is left to the next run, which finds the rest.
    """
    clear_expired()  # of apps: tokens and codes that have run out
    budget = budget or Budget.unlimited()
    done: Counter[str] = Counter()
    for kind in (
        *(deliveries, received, tokens, keys, responses),
        *(invitations, unconfirmed, contact_counts, commitments),
    ):
        # A share for each: what is walked over again and again and kept must not stand before the others.
        share = budget.share(KIND_SECONDS)
        done[kind.__name__] = kind(now=now, budget=share)
        budget.work_left |= share.work_left and done[kind.__name__] > 0
    return done


def until(name: str, now: datetime) -> datetime:
    """What is older than this goes."""
    return now - timedelta(days=settings.KEPT_DAYS[name])


def deliveries(*, now: datetime, budget: Budget | None = None) -> int:
    """Mails and calls that are done with. Those of a game that goes on say what its players know already."""
    old, done = Q(made_at__lt=until("deliveries", now)), 0
    budget = budget or Budget.unlimited()
    for some in batches(Delivery.objects.all()):  # oldest first, as they were made
        if not budget.allows_more():
            break
        page = Delivery.objects.filter(old, pk__in=some)
        if not page.exists():
            break
        gone = page.filter(due_at=None).exclude(game__status__in=LIVING)
        for evidence in EVIDENCE:
            gone = gone.exclude(evidence(now=now))
        done += gone.delete()[0]
    return done


def delete(old: QuerySet[Any], budget: Budget | None) -> int:
    """Delete rows, a batch at a time. Returns how many."""
    done, budget = 0, budget or Budget.unlimited()
    for some in batches(old):
        if not budget.allows_more():
            break
        done += old.model._default_manager.filter(pk__in=some).delete()[0]
    return done


def received(*, now: datetime, budget: Budget | None = None) -> int:
    """Mails that came in; of their words nothing was ever kept."""
    old = Received.objects.filter(at__lt=until("received", now))
    return delete(old, budget)


def tokens(*, now: datetime, budget: Budget | None = None) -> int:
    """Personal tokens that open nothing any more."""
    limit = until("tokens", now)
    old = Token.objects.filter(Q(revoked_at__lt=limit) | Q(expires_at__lt=limit))
    return delete(old, budget)


def keys(*, now: datetime, budget: Budget | None = None) -> int:
    """Idempotency-Keys and the answers kept for them; the lines of the feeds stay.

    Goes through the feeds in their order, once: an hour's work is that of an hour.
    """
    Tally.objects.get_or_create(pk=KEYS, defaults={"at": now})
    limit, done = until("keys", now), 0
    budget = budget or Budget.unlimited()
    while budget.allows_more():
        with transaction.atomic():
            at = Tally.objects.select_for_update().get(pk=KEYS).count  # one goes on where another stopped
            following = Event.objects.filter(pk__gt=at).order_by("pk").values_list("pk", "at")[:SIZE]
            old = [pk for pk, _at in takewhile(lambda row: row[1] < limit, following)]
            if not old:
                return done
            kept = Event.objects.filter(pk__gt=at, pk__lte=old[-1]).exclude(key="")
            done += kept.update(key="", asked="", answer="")
            tallies.add(name=KEYS, now=now, count=old[-1] - at)
    return done


def responses(*, now: datetime, budget: Budget | None = None) -> int:
    """Answers that were kept for Idempotency-Keys of other requests than actions."""
    return delete(IdempotentResponse.objects.filter(at__lt=until("keys", now)), budget)


def commitments(*, now: datetime, budget: Budget | None = None) -> int:
    """Commitments that were spent; an offer of the same age is refused for its age."""
    return delete(SpentCommitment.objects.filter(at__lt=now - 2 * OFFER_LIFETIME), budget)


def invitations(*, now: datetime, budget: Budget | None = None) -> int:
    """Addresses of people who have no account here, once their game does not wait for them."""
    old = Invitation.objects.filter(player=None, at__lt=until("invitations", now)).exclude(
        game__status=Game.Status.OPEN
    )
    return delete(old, budget)


def unconfirmed(*, now: datetime, budget: Budget | None = None) -> int:
    """Accounts whose address nobody has confirmed."""
    return addresses.remove_stale_claims(limit=until("unconfirmed", now), now=now, budget=budget)


def contact_counts(*, now: datetime, budget: Budget | None = None) -> int:
    """What was counted of mails to others, once no limit looks at it any more."""
    return contacts.clear_counts(now=now)
