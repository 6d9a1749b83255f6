"""Checks before a mail or push message is sent: whether it is wanted and still needed."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import Player
from notifications.models import Delivery
from notifications.notice_kinds import PreferenceGroup, get_notice_kind, load_notice_kinds


def find_drop_reason(delivery: Delivery, now: datetime) -> str:
    """Return why a mail is no longer to be sent, in the active language; empty if it is."""
    player, kind = delivery.player, get_notice_kind(delivery.kind)
    if not player.is_active:
        return _("The account is closed.")
    if not kind.is_wanted_by_mail(player):
        return (
            _("You turned off mails.")
            if player.mail_frequency == Player.MailFrequency.NONE
            else _("You turned off these mails.")
        )
    if player.email_bounced_at and kind.group is not PreferenceGroup.REQUESTED:
        return _("Your address does not accept mail: %(why)s") % {"why": player.email_bounce_reason}
    return kind.find_drop_reason(delivery, now) or find_superseded_reason(delivery)


def find_push_drop_reason(delivery: Delivery, now: datetime) -> str:
    """Return why a push message is no longer to be sent, in the active language; empty if it is."""
    player, kind = delivery.player, get_notice_kind(delivery.kind)
    if not player.is_active:
        return _("The account is closed.")
    if not kind.is_wanted_by_push(player):
        return _("You turned off these notifications.")
    return kind.find_drop_reason(delivery, now)


def find_superseded_reason(delivery: Delivery) -> str:
    """Return why a mail is covered by one of another kind; empty if it is not."""
    reasons = (kind.find_superseded_reason(delivery) for kind in load_notice_kinds().values())
    return next((reason for reason in reasons if reason), "")
