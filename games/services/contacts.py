"""Limits on whatever makes us write to somebody else: one table, counted in the database.

Who started a game or entered an event has asked for its mails: those are not counted. What is counted is what
one person does that makes a mail to another: see `Contact`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import ContactCount, Player, RefusedAddress
from games.selectors.contacts import digest_of_address, have_met
from games.spans import lasting

from .errors import Denied, LimitReached

PERIOD = timedelta(days=1)
TRIES = 3  # to find rows that are being cleared away at the same moment
UPDATED_AT_ONCE = 500  # rows


class Contact(StrEnum):
    """What somebody does that makes a mail to somebody else."""

    GAME_INVITATION = "game-invitation"  # by name; rematches, too
    MAILED_INVITATION = "mailed-invitation"  # to an address
    TOURNAMENT_INVITATION = "tournament-invitation"
    PARTNER = "partner"  # asked to play as a pair in a tournament or a league
    REPLACEMENT = "replacement"  # asked by an organiser to take a seat over
    CO_ORGANISER = "co-organiser"
    PAUSE_PROPOSAL = "pause-proposal"
    CORRECTION = "correction"  # of a result, by an organiser
    ROUND_END = "round-end"  # of a tournament's round that has begun: set by an organiser, or moved forward
    APPEAL = "appeal"
    LEAGUE_LINK = "league-link"  # to an address that somebody typed in
    HELD_EVENT = "held-event"  # an event waits for those who organise it; another start asks them anew
    CORRECTED_END = "corrected-end"  # an event ends once more, after an organiser's correction
    TABLE_CHANGE = "table-change"  # who plays at a table, whether it counts, or who is out, changes


@dataclass(frozen=True)
class Limit:
    """How many a day: of one sender in all, to one person they have met, to one they have not."""

    per_sender: int
    per_acquaintance: int
    per_stranger: int


LIMITS: dict[Contact, Limit] = {
    Contact.GAME_INVITATION: Limit(60, 12, 3),
    Contact.MAILED_INVITATION: Limit(20, 3, 3),
    Contact.TOURNAMENT_INVITATION: Limit(200, 6, 3),
    Contact.PARTNER: Limit(20, 4, 2),
    Contact.REPLACEMENT: Limit(40, 4, 3),
    Contact.CO_ORGANISER: Limit(20, 4, 2),
    Contact.PAUSE_PROPOSAL: Limit(100, 12, 12),
    Contact.CORRECTION: Limit(300, 12, 12),
    Contact.ROUND_END: Limit(20, 6, 6),  # here of one recipient in all, and about one event
    Contact.APPEAL: Limit(30, 12, 12),
    Contact.LEAGUE_LINK: Limit(60, 4, 4),
    Contact.HELD_EVENT: Limit(20, 6, 6),  # here of one recipient in all, and about one event
    Contact.CORRECTED_END: Limit(20, 6, 6),  # the same
    Contact.TABLE_CHANGE: Limit(20, 6, 6),  # the same
}
CONSENTED = {
    Contact.PAUSE_PROPOSAL,
    Contact.CORRECTION,
    Contact.APPEAL,
}  # within what the recipient takes part in
MAX_STRANGERS_PER_SENDER = 200
MAX_FROM_STRANGERS_PER_PLAYER = 20
MAX_FROM_STRANGERS_PER_ADDRESS = 6
MAX_ACCOUNT_MAILS_PER_ADDRESS = 10  # "is this your address?", however often somebody signs up with it
MAX_UNKNOWN_ACCOUNT_MAILS_PER_ADDRESS = 3  # "there is no account": must not use up what a sign-up needs


def count_contacts(
    *, kind: Contact, sender: Player | None, recipients: Iterable[Player], now: datetime
) -> None:
    """Count what a player does to others, all or nothing. Raises LimitReached or Denied.

    It belongs into the transaction of what is done, so that whatever is refused is not counted.
    """
    if sender is None:  # the site itself
        return
    limit = LIMITS[kind]
    most: dict[str, int] = {}
    others = [one for one in recipients if one.pk != sender.pk]
    for one in others:
        stranger = kind not in CONSENTED and not have_met(sender, one)
        if stranger:
            check_open_to_strangers(one)
        pair = f"{kind}:p{sender.pk}:p{one.pk}"
        most[pair] = limit.per_stranger if stranger else limit.per_acquaintance
        if stranger:
            most[f"stranger-from:p{sender.pk}"] = MAX_STRANGERS_PER_SENDER
            most[f"stranger-to:p{one.pk}"] = MAX_FROM_STRANGERS_PER_PLAYER
    if others:
        most[f"{kind}:p{sender.pk}"] = limit.per_sender
        use_up(most, now)


def check_open_to_strangers(player: Player) -> None:
    """Raise Denied if a player wants to be asked only by those whom they have met."""
    if not player.invitations_from_strangers:
        why = _("%(name)s only wants to be asked by people they have played with") % {"name": player.name}
        raise Denied(why, code="no-strangers")


def may_be_mailed(*, kind: Contact, about: str, recipient: Player, now: datetime) -> bool:
    """Count a mail about something to one of those who look after it; False where they have had enough today.

    Whoever made it due is not known, as a sweep writes it: what is counted is what the recipient gets.
    """
    return recipient.pk in count_mails(kind=kind, about=about, recipients=[recipient.pk], now=now)


@transaction.atomic
def count_mails(*, kind: Contact, about: str, recipients: Iterable[int], now: datetime) -> set[int]:
    """Count a mail about something to each of many, at once. Returns who may still be mailed today."""
    limit = LIMITS[kind]
    keys = {pk: (f"{kind}:to:p{pk}", f"{kind}:{about}:p{pk}") for pk in recipients}
    rows = {row.key: row for row in lock_counts([key for both in keys.values() for key in both], now)}
    allowed, counted = set(), []
    for pk, both in keys.items():
        in_all, of_one = (rows[key] for key in both)
        if in_all.count < limit.per_sender and of_one.count < limit.per_acquaintance:
            allowed.add(pk)
            counted += [in_all, of_one]
    for row in counted:
        row.count += 1
    ContactCount.objects.bulk_update(counted, ["count", "resets_at"], batch_size=UPDATED_AT_ONCE)
    return allowed


def count_mail_to_address(*, kind: Contact, sender: Player | str, email: str, now: datetime) -> None:
    """Count a mail to an address that somebody typed in; a sender without an account is named by a text.

    Raises LimitReached; belongs into the transaction of what is done.
    """
    limit, to = LIMITS[kind], f"e{digest_of_address(email)[:32]}"
    by = f"p{sender.pk}" if isinstance(sender, Player) else f"a{digest_of_address(sender)[:32]}"
    use_up(
        {
            f"{kind}:{by}": limit.per_sender,
            f"{kind}:{by}:{to}": limit.per_stranger,
            f"stranger-to:{to}": MAX_FROM_STRANGERS_PER_ADDRESS,
        },
        now,
    )


def count_account_mail(*, email: str, now: datetime, unknown: bool = False) -> None:
    """Count a mail about an account to an address that somebody typed in. Raises LimitReached.

    It asks whether the address is theirs or, if it is `unknown`, says that it has no account.
    """
    to = f"e{digest_of_address(email)[:32]}"
    if unknown:
        use_up({f"unknown-account:{to}": MAX_UNKNOWN_ACCOUNT_MAILS_PER_ADDRESS}, now)
    else:
        use_up({f"account:{to}": MAX_ACCOUNT_MAILS_PER_ADDRESS}, now)


@transaction.atomic
def use_up(most: Mapping[str, int], now: datetime) -> None:
    """Count each key once more, or none of them. Raises LimitReached where one is used up."""
    rows = lock_counts(most, now)
    waits = []
    for row in rows:
        if row.count >= most[row.key]:
            waits.append(row.resets_at - now)
        row.count += 1
    if waits:
        seconds = max(int(max(waits).total_seconds()), 1)
        said = _("that is a lot of mail to others for one day: try again in %(time)s")
        raise LimitReached(said % {"time": lasting(max(waits))}, retry_after=seconds)
    ContactCount.objects.bulk_update(rows, ["count", "resets_at"])


def lock_counts(wanted: Iterable[str], now: datetime) -> list[ContactCount]:
    """The rows of some keys, made where there are none; those of another day start anew.

    They are locked in the order of their keys: whoever counts the same ones at the same moment waits.
    """
    keys = sorted(wanted)
    rows: list[ContactCount] = []
    for _attempt in range(TRIES):
        fresh = [ContactCount(key=key, count=0, resets_at=now + PERIOD) for key in keys]
        ContactCount.objects.bulk_create(fresh, ignore_conflicts=True)
        rows = list(ContactCount.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
        if len(rows) == len(keys):
            break
    for row in rows:
        if row.resets_at <= now:
            row.count, row.resets_at = 0, now + PERIOD
    return rows


def clear_counts(*, now: datetime) -> int:
    """Counts whose time has passed are not kept. Returns how many."""
    return ContactCount.objects.filter(resets_at__lt=now - PERIOD).delete()[0]


# ------------------------------------------------------------------------------------- who wants no mail


def refuse_mail(*, digest: str, now: datetime) -> None:
    """No more mail to an address; to say it twice is the same as once."""
    RefusedAddress.objects.bulk_create([RefusedAddress(digest=digest, at=now)], ignore_conflicts=True)


def allow_mail(*, digest: str, now: datetime) -> None:
    """Mail may go there again."""
    RefusedAddress.objects.filter(pk=digest).delete()
