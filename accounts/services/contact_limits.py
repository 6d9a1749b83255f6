"""Daily limits on actions that make the site send mail to somebody else, counted in the database.

Each app declares its kinds of contacts with their limits (`accounts.daily_limits`); here they are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.daily_limits import load_daily_limits
from accounts.models import ContactCount, Player, RefusedAddress
from accounts.selectors.contacts import digest_of_address, have_met
from common.duration_format import format_duration
from common.service_errors import Denied, LimitReached

LIMIT_PERIOD = timedelta(days=1)
MAX_LOCK_ATTEMPTS = 3  # when rows are deleted concurrently
UPDATE_BATCH_SIZE = 500  # rows


MAX_STRANGERS_PER_SENDER = 200
MAX_FROM_STRANGERS_PER_PLAYER = 20
MAX_FROM_STRANGERS_PER_ADDRESS = 6
MAX_ACCOUNT_MAILS_PER_ADDRESS = 10  # "is this your address?"
MAX_UNKNOWN_ACCOUNT_MAILS_PER_ADDRESS = 3  # "there is no account"; separate, so that sign-up is not blocked


def count_contacts(*, kind: str, sender: Player | None, recipients: Iterable[Player], now: datetime) -> None:
    """Count a player's contacts to others, all or nothing. Raises LimitReached or Denied.

    Call it in the transaction of the action, so that a refused action is not counted.
    """
    if sender is None:  # sent by the site itself
        return
    limit = load_daily_limits()[kind]
    limits_by_key: dict[str, int] = {}
    other_recipients = [recipient for recipient in recipients if recipient.pk != sender.pk]
    for recipient in other_recipients:
        is_stranger = not limit.is_consented and not have_met(sender, recipient)
        if is_stranger:
            check_open_to_strangers(recipient)
        pair_key = f"{kind}:p{sender.pk}:p{recipient.pk}"
        limits_by_key[pair_key] = limit.per_stranger if is_stranger else limit.per_acquaintance
        if is_stranger:
            limits_by_key[f"stranger-from:p{sender.pk}"] = MAX_STRANGERS_PER_SENDER
            limits_by_key[f"stranger-to:p{recipient.pk}"] = MAX_FROM_STRANGERS_PER_PLAYER
    if other_recipients:
        limits_by_key[f"{kind}:p{sender.pk}"] = limit.per_sender
        increment_counts_within_limits(limits_by_key, now)


def check_open_to_strangers(player: Player) -> None:
    """Raise Denied if a player wants to be asked only by those whom they have met."""
    if not player.invitations_from_strangers:
        message = _("%(name)s only accepts invitations from people they have played with") % {
            "name": player.name
        }
        raise Denied(message, code="no-strangers")


def count_mail_if_allowed(*, kind: str, subject: str, recipient: Player, now: datetime) -> bool:
    """Count a mail about a subject to one of its organisers; return False if their daily limit is reached.

    Such mails are written by sweeps without a known sender, so the recipient's total is counted.
    """
    return recipient.pk in count_mails_if_allowed(
        kind=kind, subject=subject, recipients=[recipient.pk], now=now
    )


@transaction.atomic
def count_mails_if_allowed(*, kind: str, subject: str, recipients: Iterable[int], now: datetime) -> set[int]:
    """Count a mail about a subject to each recipient. Returns the ids of those below their daily limit."""
    limit = load_daily_limits()[kind]
    keys = {pk: (f"{kind}:to:p{pk}", f"{kind}:{subject}:p{pk}") for pk in recipients}
    rows = {row.key: row for row in lock_counts([key for key_pair in keys.values() for key in key_pair], now)}
    allowed_ids, rows_to_update = set(), []
    for pk, key_pair in keys.items():
        total_count, subject_count = (rows[key] for key in key_pair)
        if total_count.count < limit.per_sender and subject_count.count < limit.per_acquaintance:
            allowed_ids.add(pk)
            rows_to_update += [total_count, subject_count]
    for row in rows_to_update:
        row.count += 1
    ContactCount.objects.bulk_update(rows_to_update, ["count", "resets_at"], batch_size=UPDATE_BATCH_SIZE)
    return allowed_ids


def count_mail_to_address(*, kind: str, sender: Player | str, email: str, now: datetime) -> None:
    """Count a mail to a typed-in address; a sender without an account is identified by a text.

    Raises LimitReached. Call it in the transaction of the action.
    """
    limit, recipient_key = load_daily_limits()[kind], f"e{digest_of_address(email)[:32]}"
    sender_key = f"p{sender.pk}" if isinstance(sender, Player) else f"a{digest_of_address(sender)[:32]}"
    increment_counts_within_limits(
        {
            f"{kind}:{sender_key}": limit.per_sender,
            f"{kind}:{sender_key}:{recipient_key}": limit.per_stranger,
            f"stranger-to:{recipient_key}": MAX_FROM_STRANGERS_PER_ADDRESS,
        },
        now,
    )


def count_account_mail(*, email: str, now: datetime, account_unknown: bool = False) -> None:
    """Count an account mail to a typed-in address. Raises LimitReached.

    It asks to confirm the address or, with `account_unknown`, says that the address has no account.
    """
    recipient_key = f"e{digest_of_address(email)[:32]}"
    if account_unknown:
        increment_counts_within_limits(
            {f"unknown-account:{recipient_key}": MAX_UNKNOWN_ACCOUNT_MAILS_PER_ADDRESS}, now
        )
    else:
        increment_counts_within_limits({f"account:{recipient_key}": MAX_ACCOUNT_MAILS_PER_ADDRESS}, now)


@transaction.atomic
def increment_counts_within_limits(limits_by_key: Mapping[str, int], now: datetime) -> None:
    """Increment every count, or none. Raises LimitReached if one is at its limit."""
    rows = lock_counts(limits_by_key, now)
    wait_times = []
    for row in rows:
        if row.count >= limits_by_key[row.key]:
            wait_times.append(row.resets_at - now)
        row.count += 1
    if wait_times:
        seconds = max(int(max(wait_times).total_seconds()), 1)
        message = _("you have sent a lot of mail to others today: try again in %(time)s")
        raise LimitReached(message % {"time": format_duration(max(wait_times))}, retry_after=seconds)
    ContactCount.objects.bulk_update(rows, ["count", "resets_at"])


def lock_counts(requested_keys: Iterable[str], now: datetime) -> list[ContactCount]:
    """Return the locked rows of some keys, creating missing ones and resetting those of an earlier period.

    Rows are locked in key order, which avoids deadlocks.
    """
    keys = sorted(requested_keys)
    rows: list[ContactCount] = []
    for _attempt in range(MAX_LOCK_ATTEMPTS):
        new_rows = [ContactCount(key=key, count=0, resets_at=now + LIMIT_PERIOD) for key in keys]
        ContactCount.objects.bulk_create(new_rows, ignore_conflicts=True)
        rows = list(ContactCount.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
        if len(rows) == len(keys):
            break
    for row in rows:
        if row.resets_at <= now:
            row.count, row.resets_at = 0, now + LIMIT_PERIOD
    return rows


def delete_expired_counts(*, now: datetime) -> int:
    """Delete counts of past periods. Returns how many."""
    return ContactCount.objects.filter(resets_at__lt=now - LIMIT_PERIOD).delete()[0]


# --------------------------------------------------------------------------------- addresses that refuse mail


def refuse_mail(*, digest: str, now: datetime) -> None:
    """Stop all mail to an address, given by its digest. Idempotent."""
    RefusedAddress.objects.bulk_create([RefusedAddress(digest=digest, refused_at=now)], ignore_conflicts=True)


def allow_mail(*, digest: str, now: datetime) -> None:
    """Allow mail to an address again."""
    RefusedAddress.objects.filter(pk=digest).delete()
