"""The mail to an address for which a player keeps a seat."""

from __future__ import annotations

from datetime import UTC, datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.selectors.contacts import is_refused_address
from common.site_urls import build_absolute_url
from games import signed_links
from games.game_notice_kinds import GameNoticeKind
from games.models import Game, Invitation
from games.services import invitations
from notifications.channels.email.message import build_email_to_address, make_message_id
from notifications.models import Delivery
from notifications.notice_kinds import NothingToSend, NoticeKind, PreferenceGroup
from notifications.outgoing_email import OutgoingEmail

from .game_context import format_local_time


class MailedInvitationNotice(NoticeKind):
    """An invitation to an address, in the inviter's language; the delivery's player is the inviter."""

    value, label = GameNoticeKind.MAILED_INVITATION, lazy("invitation")
    group, has_webhook_calls, goes_to_player = PreferenceGroup.REQUESTED, False, False

    def find_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        invitation = find_invitation(delivery)
        if (
            invitation is None
            or invitation.status != Invitation.Status.OPEN
            or invitation.game.status != Game.Status.OPEN
            or invitation.game.expires_at <= now
        ):
            return _("The invitation is answered or has expired.")
        return _("This address does not want our mail.") if is_refused_address(invitation.email) else ""

    def handle_unsent(self, delivery: Delivery) -> None:
        """Give the invitation up: the seat is free, and the host sees the reason."""
        invitations.mark_invitation_lost(delivery=delivery)

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        invitation = find_invitation(delivery)
        if invitation is None:
            raise NothingToSend
        with timezone.override(UTC):
            return compose_invitation(invitation)

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        return str(self.label), build_absolute_url("/")


def find_invitation(delivery: Delivery) -> Invitation | None:
    """Return the invitation that a delivery carries, or None if it was deleted."""
    return Invitation.objects.select_related("game", "inviter").filter(delivery=delivery).first()


def compose_invitation(invitation: Invitation) -> OutgoingEmail:
    """Compose the mail of an invitation in the active language and time zone."""
    token = signed_links.make_invitation_token(invitation.pk)
    invitation_url = build_absolute_url(f"/invitations/{token}/")
    placeholders = {"who": invitation.inviter.display_name}
    # The subject has no player name in it: the recipient may know neither us nor the inviter.
    subject = _("You are invited to play OTTO")
    lead = [
        _("A player called “%(who)s” on OTTO online gave us your address.") % placeholders,
        _("%(who)s has saved you a seat in a game of OTTO.") % placeholders,
        _("No account yet? You create one on the way."),
        _("Your seat is saved until %(when)s.") % {"when": format_local_time(invitation.game.expires_at)},
        _("If you do not want to play, ignore this mail."),
    ]
    context_data = {"headline": subject, "lead": lead, "button": (_("Take your seat"), invitation_url)}
    context_data["preview"] = " ".join(lead)
    headers = {"Message-ID": make_message_id(f"invitation.{invitation.pk}")}
    return build_email_to_address(invitation.email, subject, context_data, headers)
