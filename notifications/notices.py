"""The test mail or test call that a player asks for."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from common.site_urls import build_absolute_url
from notifications.channels.email.message import build_note_email
from notifications.models import Delivery
from notifications.notice_kinds import TEST_KIND, NoticeKind, PreferenceGroup
from notifications.outgoing_email import OutgoingEmail


class TestNotice(NoticeKind):
    """A test of the player's address or webhook."""

    value, label, group = TEST_KIND, lazy("test message"), PreferenceGroup.REQUESTED

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        lead = [_("This is the test mail that you asked for."), _("Our mails reach you.")]
        return build_note_email(delivery.player, _("OTTO online: test mail"), _("It works"), lead)

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        text = _("This is a test from OTTO online. Your notifications will come here.")
        return text, build_absolute_url("/")


NOTICE_KINDS = (TestNotice(),)
