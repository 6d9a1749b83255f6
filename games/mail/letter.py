"""A mail as such: its headers, its thread, its pictures."""

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

from games import links
from games.models import Delivery, Player
from games.selectors.contacts import digest_of_address

MESSAGE, THREAD = "games.message", "games.thread"  # salts
MESSAGE_ID = re.compile(r"<[^\s<>]{1,200}>")
LONGEST_SUBJECT = 150


class Letter(EmailMultiAlternatives):
    """A mail whose pictures belong to its page: in a "mixed" one, programs list them as files beneath it."""

    mixed_subtype = "related"
    metadata: dict[str, str]  # what a provider is given to carry, through django-anymail
    shown_turns: dict[str, int | None]  # the games in it, each with the turn that its reader can play by it


def domain() -> str:
    """Where our mails come from, for what must be unique in the world."""
    return (
        settings.REPLY_DOMAIN or parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    )


def known_as(said: str) -> str:
    """A Message-ID that is always the same: a mail that goes out again after a crash is known as the same."""
    return f"<{said}.{links.signatures(MESSAGE, said)[0]}@{domain()}>"


def message_id(delivery: Delivery) -> str:
    """The Message-ID of a delivery."""
    return known_as(f"{delivery.kind}.{delivery.pk}")


def thread(player: Player, code: str) -> str:
    """What all mails to a player about a game refer to; it is never sent itself."""
    return f"<game.{code}.{links.signatures(THREAD, f'{code}.{player.pk}')[0]}@{domain()}>"


def unsubscribe_link(player: Player) -> str:
    """The page that ends all mails."""
    return links.page(f"/unsubscribe/{links.unsubscribe_token(player.mail_key)}/")


def refusal_link(email: str) -> str:
    """The page on which the owner of an address that somebody gave us refuses all mail."""
    return links.page(f"/no-mail/{links.refusal_token(digest_of_address(email))}/")


def letter_to_address(
    email: str, subject: str, facts: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> Letter:
    """A mail to an address that somebody else gave us; its owner can refuse all further ones."""
    refuse = refusal_link(email)
    listed = {"List-Unsubscribe": f"<{refuse}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    every = machine_headers() | listed | dict(headers or {})
    return built(email, subject, "note", {"refuse": refuse, **facts}, every, {}, "")


def letter(
    *,
    player: Player,
    template: str,
    subject: str,
    facts: Mapping[str, Any],
    pictures: Mapping[str, bytes] | None = None,
    code: str = "",
    reply_to: str = "",
    in_reply_to: str = "",
) -> Letter:
    """A mail to a player, in the active language: a text, an HTML page, pictures by their Content-ID."""
    found = MESSAGE_ID.search(in_reply_to)
    headers = machine_headers(answer=bool(in_reply_to)) | {
        "List-Unsubscribe": f"<{unsubscribe_link(player)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if code:
        headers["References"] = headers["In-Reply-To"] = thread(player, code)
    if found:
        headers["In-Reply-To"] = found[0]
        headers["References"] = " ".join([headers.get("References", ""), found[0]]).strip()
    more = {"unsubscribe": unsubscribe_link(player), "settings": links.page("/me/notices/")}
    return built(player.email, subject, template, {**more, **facts}, headers, pictures or {}, reply_to)


def machine_headers(*, answer: bool = False) -> dict[str, str]:
    """What keeps other machines from answering."""
    return {
        "Auto-Submitted": "auto-replied" if answer else "auto-generated",
        "X-Auto-Response-Suppress": "All",
    }


def built(
    address: str,
    subject: str,
    template: str,
    facts: Mapping[str, Any],
    headers: dict[str, str],
    pictures: Mapping[str, bytes],
    reply_to: str,
) -> Letter:
    """The parts put together."""
    context = {"language": get_language(), "site": links.page("/"), **facts}
    mail = Letter(
        " ".join(subject.split())[:LONGEST_SUBJECT],
        tidy(render_to_string(f"mail/{template}.txt", context)),
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


def tidy(text: str) -> str:
    """A text without the traces of its template: no line ends in spaces, no more than one line is empty."""
    lines = [line.rstrip() for line in text.replace("\xa0", " ").splitlines()]
    whole = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
    return whole.replace("\n--\n", "\n-- \n")  # what follows is left out of a reply by most programs


def stamped(mail: Letter, delivery: Delivery) -> Letter:
    """The mail of a delivery: known by its number, and coming back to it if nobody takes it."""
    mail.extra_headers["Message-ID"] = message_id(delivery)
    mail.metadata = {"delivery": str(delivery.pk)}  # told back with whatever becomes of the mail
    back = links.address(links.BOUNCE, links.bounce_token(delivery.pk))
    if back:
        mail.from_email = back
        mail.extra_headers["From"] = settings.DEFAULT_FROM_EMAIL
    return mail
