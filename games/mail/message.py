"""Builds email messages: headers, threading and inline pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.mime.image import MIMEImage
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.translation import get_language

from games import signed_links
from games.models import Delivery, Player
from games.selectors.contacts import digest_of_address

MESSAGE_ID_SALT, THREAD_ID_SALT = "games.message", "games.thread"  # salts
MESSAGE_ID_PATTERN = re.compile(r"<[^\s<>]{1,200}>")
MAX_SUBJECT_LENGTH = 150


class GameEmail(EmailMultiAlternatives):
    """An email with inline pictures: multipart/related, as in multipart/mixed they show up as attachments."""

    mixed_subtype = "related"
    metadata: dict[str, str]  # django-anymail passes it to the provider
    shown_turns: dict[str, int | None]  # game code to playable turn, None if not on turn


def get_mail_domain() -> str:
    """The domain for Message-IDs and Content-IDs."""
    return (
        settings.REPLY_DOMAIN or parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    )


def make_message_id(local_part: str) -> str:
    """A deterministic Message-ID: a mail that is sent again after a crash keeps its Message-ID."""
    signature = signed_links.compute_signatures(MESSAGE_ID_SALT, local_part)[0]
    return f"<{local_part}.{signature}@{get_mail_domain()}>"


def message_id_of(delivery: Delivery) -> str:
    """The Message-ID of a delivery."""
    return make_message_id(f"{delivery.kind}.{delivery.pk}")


def thread_id_of(player: Player, code: str) -> str:
    """The thread's Message-ID, to which all mails to a player about a game refer; it is never sent."""
    signature = signed_links.compute_signatures(THREAD_ID_SALT, f"{code}.{player.pk}")[0]
    return f"<game.{code}.{signature}@{get_mail_domain()}>"


def build_unsubscribe_link(player: Player) -> str:
    """The URL of the page that ends all mails to a player."""
    return signed_links.build_absolute_url(
        f"/unsubscribe/{signed_links.make_unsubscribe_token(player.mail_key)}/"
    )


def build_refusal_link(email: str) -> str:
    """The URL of the page on which the owner of an address refuses all mail from us."""
    return signed_links.build_absolute_url(
        f"/no-mail/{signed_links.make_refusal_token(digest_of_address(email))}/"
    )


def build_email_to_address(
    email: str, subject: str, context_data: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> GameEmail:
    """Build a mail to an address that another player entered; its owner can refuse further mail."""
    refusal_url = build_refusal_link(email)
    list_headers = {
        "List-Unsubscribe": f"<{refusal_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    all_headers = build_auto_submitted_headers() | list_headers | dict(headers or {})
    return assemble_email(
        email, subject, "note", {"refuse": refusal_url, **context_data}, all_headers, {}, ""
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
) -> GameEmail:
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
        "unsubscribe": build_unsubscribe_link(player),
        "settings": signed_links.build_absolute_url("/me/notices/"),
    }
    return assemble_email(
        player.email, subject, template, {**footer_links, **context_data}, headers, pictures or {}, reply_to
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
) -> GameEmail:
    """Render the templates and assemble the message."""
    context = {"language": get_language(), "site": signed_links.build_absolute_url("/"), **context_data}
    mail = GameEmail(
        " ".join(subject.split())[:MAX_SUBJECT_LENGTH],
        tidy_text(render_to_string(f"mail/{template}.txt", context)),
        to=[address],
        reply_to=[reply_to] if reply_to else None,
        headers=headers,
    )
    mail.shown_turns = {}
    mail.attach_alternative(render_to_string(f"mail/{template}.html", context), "text/html")
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


def add_delivery_headers(mail: GameEmail, delivery: Delivery) -> GameEmail:
    """Add Message-ID, provider metadata and bounce address of a delivery to its mail."""
    mail.extra_headers["Message-ID"] = message_id_of(delivery)
    mail.metadata = {"delivery": str(delivery.pk)}  # comes back with tracking events
    bounce_address = signed_links.build_address(
        signed_links.BOUNCE_PURPOSE, signed_links.make_bounce_token(delivery.pk)
    )
    if bounce_address:
        mail.from_email = bounce_address
        mail.extra_headers["From"] = settings.DEFAULT_FROM_EMAIL
    return mail
