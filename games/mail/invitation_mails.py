"""The mail to an address for which a player keeps a seat."""

from __future__ import annotations

from django.utils.translation import gettext as _

from common.site_urls import build_absolute_url
from games import signed_links
from games.models import Invitation
from notifications.channels.email.message import build_email_to_address, make_message_id
from notifications.models import Delivery
from notifications.outgoing_email import OutgoingEmail

from .game_context import format_local_time


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
        _("No account yet? The link takes you to where you can create one."),
        _("We are holding your seat until %(when)s.")
        % {"when": format_local_time(invitation.game.expires_at)},
        _("If you do not want to play, ignore this mail."),
    ]
    context_data = {"headline": subject, "lead": lead, "button": (_("Take your seat"), invitation_url)}
    context_data["preview"] = " ".join(lead)
    headers = {"Message-ID": make_message_id(f"invitation.{invitation.pk}")}
    return build_email_to_address(invitation.email, subject, context_data, headers)
