"""The email message that notices are sent as."""

from __future__ import annotations

from typing import Any

from django.core.mail import EmailMultiAlternatives


class OutgoingEmail(EmailMultiAlternatives):
    """An email with inline pictures: multipart/related, as in multipart/mixed they show up as attachments."""

    mixed_subtype = "related"
    metadata: dict[str, str]  # django-anymail passes it to the provider
    data_when_sent: dict[str, Any]  # stored with the delivery once the mail is sent
