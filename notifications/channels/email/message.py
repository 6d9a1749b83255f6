"""Builds email messages: headers, threading and inline pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.mime.image import MIMEImage
from email.utils import parseaddr
from typing import Any

from css_inline import CSSInliner
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language

from accounts.mail_refusals import build_refusal_link
from accounts.models import Player
from common.signed_tokens import compute_signatures
from common.site_urls import build_absolute_url
from notifications.channels.email.quoting import join_own_sentences
from notifications.inbound.addresses import BOUNCE_PURPOSE, build_address, make_bounce_token
from notifications.models import Delivery
from notifications.outgoing_email import OutgoingEmail
from notifications.unsubscribe_links import build_unsubscribe_link

MESSAGE_ID_SALT, THREAD_ID_SALT = "games.message", "games.thread"  # salts
MESSAGE_ID_PATTERN = re.compile(r"<[^\s<>]{1,200}>")
MAX_SUBJECT_LENGTH = 150
CSS_INLINER = CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def get_mail_domain() -> str:
    """The domain for Message-IDs and Content-IDs."""
    return (
        settings.REPLY_DOMAIN or parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    )


def make_message_id(local_part: str) -> str:
    """A deterministic Message-ID: a mail that is sent again after a crash keeps its Message-ID."""
    signature = compute_signatures(MESSAGE_ID_SALT, local_part)[0]
    return f"<{local_part}.{signature}@{get_mail_domain()}>"


def message_id_of(delivery: Delivery) -> str:
    """The Message-ID of a delivery."""
    return make_message_id(f"{delivery.kind}.{delivery.pk}")


def thread_id_of(player: Player, code: str) -> str:
    """The thread's Message-ID, to which all mails to a player about a game refer; it is never sent."""
    signature = compute_signatures(THREAD_ID_SALT, f"{code}.{player.pk}")[0]
    return f"<game.{code}.{signature}@{get_mail_domain()}>"


def build_email_to_address(
    email: str, subject: str, context_data: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> OutgoingEmail:
    """Build a mail to an address that another player entered; its owner can refuse further mail."""
    refusal_url = build_refusal_link(email)
    list_headers = {
        "List-Unsubscribe": f"<{refusal_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    all_headers = build_auto_submitted_headers() | list_headers | dict(headers or {})
    return assemble_email(
        email, subject, "note", {"refusal_url": refusal_url, **context_data}, all_headers, {}, ""
    )


def build_player_email(
    *,
    player: Player,
    template: str,
    subject: str,
    context_data: Mapping[str, Any],
    pictures: Mapping[str, bytes] | None = None,
    code: str = "",
    reply_to: str = "",
    in_reply_to: str = "",
) -> OutgoingEmail:
    """Build a mail to a player in the active language; `pictures` are keyed by Content-ID."""
    message_id_match = MESSAGE_ID_PATTERN.search(in_reply_to)
    headers = build_auto_submitted_headers(is_answer=bool(in_reply_to)) | {
        "List-Unsubscribe": f"<{build_unsubscribe_link(player)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if code:
        headers["References"] = headers["In-Reply-To"] = thread_id_of(player, code)
    if message_id_match:
        headers["In-Reply-To"] = message_id_match[0]
        headers["References"] = " ".join([headers.get("References", ""), message_id_match[0]]).strip()
    footer_links = {
        "unsubscribe_url": build_unsubscribe_link(player),
        "settings_url": build_absolute_url("/me/notices/"),
    }
    return assemble_email(
        player.email, subject, template, {**footer_links, **context_data}, headers, pictures or {}, reply_to
    )


def build_note_email(
    player: Player,
    subject: str,
    headline: str,
    lead: list[str],
    button: tuple[str, str] | None = None,
    code: str = "",
) -> OutgoingEmail:
    """Build a short mail: some sentences and at most one button."""
    context_data = {"headline": headline, "lead": lead, "button": button, "preview": join_own_sentences(lead)}
    return build_player_email(
        player=player, template="note", subject=subject, context_data=context_data, code=code
    )


def build_auto_submitted_headers(*, is_answer: bool = False) -> dict[str, str]:
    """The headers that keep auto-responders from answering."""
    return {
        "Auto-Submitted": "auto-replied" if is_answer else "auto-generated",
        "X-Auto-Response-Suppress": "All",
    }


def assemble_email(
    address: str,
    subject: str,
    template: str,
    context_data: Mapping[str, Any],
    headers: dict[str, str],
    pictures: Mapping[str, bytes],
    reply_to: str,
) -> OutgoingEmail:
    """Render the templates and assemble the message."""
    context = {"language": get_language(), "site": build_absolute_url("/"), **context_data}
    mail = OutgoingEmail(
        " ".join(subject.split())[:MAX_SUBJECT_LENGTH],
        tidy_text(render_to_string(f"mail/{template}.txt", context)),
        to=[address],
        reply_to=[reply_to] if reply_to else None,
        headers=headers,
    )
    mail.data_when_sent = {}
    mail.attach_alternative(
        CSS_INLINER.inline(render_to_string(f"mail/{template}.html", context)), "text/html"
    )
    for cid, content in pictures.items():
        picture = MIMEImage(content, "png")
        picture["Content-ID"] = f"<{cid}>"
        picture["Content-Disposition"] = "inline"
        mail.attach(picture)
    return mail


def tidy_text(text: str) -> str:
    """Clean up rendered text: no trailing spaces, no more than one blank line in a row."""
    lines = [line.rstrip() for line in text.replace("\xa0", " ").splitlines()]
    joined_text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
    return joined_text.replace(
        "\n--\n", "\n-- \n"
    )  # the signature separator: most mail programs drop what follows


def add_delivery_headers(mail: OutgoingEmail, delivery: Delivery) -> OutgoingEmail:
    """Add Message-ID, provider metadata and bounce address of a delivery to its mail."""
    mail.extra_headers["Message-ID"] = message_id_of(delivery)
    mail.metadata = {"delivery": str(delivery.pk)}  # comes back with tracking events
    bounce_address = build_address(BOUNCE_PURPOSE, make_bounce_token(delivery.pk))
    if bounce_address:
        mail.from_email = bounce_address
        mail.extra_headers["From"] = settings.DEFAULT_FROM_EMAIL
    return mail
