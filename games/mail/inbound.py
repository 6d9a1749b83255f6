"""Mail that comes in, by whichever door: replies that play, mails of ours that come back, everything else.

A stranger's mail is never answered and never believed. One that comes twice does nothing twice.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.utils import getaddresses, parseaddr
from functools import cached_property

from django.conf import settings

from games import links, tasks
from games.email_addresses import comparable_address
from games.models import Delivery, Player, Received
from games.selectors import replies as found
from games.selectors.turns import seat_of
from games.services import bounces, replies

from . import inbound_html, inbound_lines, inbound_mime, inbound_reports
from .inbound_mime import Mail

log = logging.getLogger(__name__)
LARGEST = 20_000_000  # bytes of a mail; a larger one is refused at the door
MAX_RECIPIENTS_PER_MAIL = 10  # a reply has one
ADDRESS = 300  # characters of a sender that are read
TEXTS = 5  # text parts that are read one after the other

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,190}>")
_AUTOMATIC = re.compile(
    r"(?:re:\s*)?(?:auto(?:matic)?[ -]?(?:reply|response|matisch antwoord)|out of (?:the )?office|autoreply"
    r"|risposta automatica|fuori (?:sede|ufficio)|automatisch(?:e)? (?:antwoord|afwezigheid)|afwezig"
    r"|abwesenheitsnotiz|automatische antwort|réponse automatique|undeliver|mail delivery|delivery status"
    r"|returned mail|failure notice)",
    re.IGNORECASE,
)
_MACHINES = ("x-autoreply", "x-autorespond", "x-auto-response", "x-autoreply-from", "x-mail-autoreply")
_BOUNCE = re.compile(rb"\bbounce-(\d{1,18}-[a-z2-7]{16})@", re.IGNORECASE)


def receive(raw: bytes | Message, *, recipient: str, sender: str | None, now: datetime) -> Received:
    """Take in one mail for one address of ours. `sender` is the envelope's; None if nobody knows it.

    Gives the row of the log. Raises only what the database raises: whoever brought the mail brings it again.
    """
    [taken] = receive_all(raw, recipients=[recipient], sender=sender, now=now).values()
    if isinstance(taken, Exception):
        raise taken
    return taken


def receive_all(
    raw: bytes | Message, *, recipients: Sequence[str], sender: str | None, now: datetime
) -> dict[str, Received | Exception]:
    """Take in one mail for several addresses: it is read once, and each address has a row of its own.

    Gives what came of each: a row of the log, or what the database raised.
    """
    mail = ReadMail(inbound_mime.read(raw if isinstance(raw, bytes) else raw.as_bytes()))
    taken: dict[str, Received | Exception] = {}
    for recipient in dict.fromkeys(recipients):
        try:
            taken[recipient] = take(mail, recipient, sender, now)
        except Exception as error:
            taken[recipient] = error
    return taken


@dataclass
class ReadMail:
    """A mail, and its writer's own lines once they were looked for."""

    mail: Mail

    @cached_property
    def lines(self) -> list[str]:
        return own_lines(self.mail)


def take(read: ReadMail, recipient: str, sender: str | None, now: datetime) -> Received:
    """Do what a mail asks for at one address. Raises what the database raises."""
    mail = read.mail
    row = replies.received(
        digest=digest(mail, recipient),
        sender=stored(sender_of(mail) or sender or ""),
        recipient=stored(recipient),
        now=now,
    )
    if row.outcome:
        return row
    purpose, token = links.read_address(recipient) or ("", "")
    if purpose == links.BOUNCE:
        return take_report(row, mail, token, now)
    if purpose in (links.REPLY, links.RESIGN):
        return take_reply(row, read, purpose, token, sender, now)
    return replies.finished(row=row, outcome="unknown", why="no such address", now=now)


def digest(mail: Mail, recipient: str) -> str:
    """What makes a mail the same mail, whichever way it came and whatever servers wrote on top of it."""
    facts = [recipient.strip().lower()]
    facts += [mail.get(name) for name in ("message-id", "date", "from", "subject")]
    return hashlib.sha256("\0".join(facts).encode() + b"\0" + mail.raw[mail.body :]).hexdigest()


def stored(text: str) -> str:
    """An address as the database can keep it."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()[:254]


# ---------------------------------------------------------------------------------------------------- replies


def take_reply(
    row: Received, read: ReadMail, purpose: str, token: str, sender: str | None, now: datetime
) -> Received:
    """A mail to the address of a turn: play it, if its player wrote it."""
    mail = read.mail
    claimed = seat_of(token, purpose)
    if claimed is None:
        return replies.finished(row=row, outcome="unknown", why="no such turn", now=now)
    seat, turn = claimed
    player, game = seat.player, seat.game
    assert player is not None
    assert seat.number is not None
    outcome, why = trouble(mail, player, sender)
    if outcome:
        return replies.finished(row=row, outcome=outcome, why=why, player=player, game=game, now=now)
    act = replies.play_lines if purpose == links.REPLY else replies.resign
    done = act(
        player=player,
        code=game.code,
        seat=seat.number,
        turn=turn,
        lines=read.lines,
        key=f"mail:{row.digest[:64]}",
        now=now,
    )
    row = replies.finished(
        row=row,
        outcome=done.outcome,
        why=done.why,
        player=player,
        game=game,
        text=done.text,
        in_reply_to=message_id(mail),
        now=now,
    )
    if done.bot_turn:
        tasks.nudge_code(game.code)
    return row


def trouble(mail: Mail, player: Player, sender: str | None) -> tuple[str, str]:
    """Why a mail to a turn's address is not read: a machine wrote it, or somebody else."""
    if why := automatic(mail, sender):
        return "ignored", why
    author = sender_of(mail)
    if ours(author) or found.delivery_by_message(mail.get("message-id")):
        return "ignored", "a mail of ours"
    if not player.any_sender and comparable_address(author) != comparable_address(player.email):
        return "unknown", "not the player's address"
    return "", ""


def automatic(mail: Mail, sender: str | None) -> str:
    """What shows that no person wrote a mail (RFC 3834, and what is found in the wild); empty if nothing."""
    submitted = mail.get("auto-submitted").lower()
    if submitted and not submitted.startswith("no"):
        return f"auto-submitted: {submitted[:40]}"
    if mail.get("precedence").lower() in ("bulk", "junk", "list", "auto_reply"):
        return f"precedence: {mail.get('precedence')[:40]}"
    for name in _MACHINES:
        if mail.all(name):
            return name
    if sender is not None and sender.strip() in ("", "<>"):
        return "no sender"
    if mail.kind == "multipart/report":
        return "a report"
    return "an automatic subject" if _AUTOMATIC.match(mail.get("subject")) else ""


def sender_of(mail: Mail) -> str:
    """The one address in the one From of a mail; empty if there is none, or more."""
    written = mail.all("from")
    if len(written) != 1 or len(written[0]) > ADDRESS:
        return ""
    addresses = [address for _, address in getaddresses(written)]
    return addresses[0] if len(addresses) == 1 and "@" in addresses[0] else ""


def ours(address: str) -> bool:
    """Whether a mail with this sender can only be our own."""
    own = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return bool(address) and (address.lower() == own.lower() or links.read_address(address) is not None)


def message_id(mail: Mail) -> str:
    """The Message-ID to answer to; empty if it is none that can stand in a header."""
    match = _MESSAGE_ID.fullmatch(mail.get("message-id"))
    return match[0] if match and match[0].isascii() and match[0].isprintable() else ""


def own_lines(mail: Mail) -> list[str]:
    """The lines that the writer of a mail wrote themselves; none if they cannot be found."""
    try:
        texts: list[str] = []
        html, flowed = "", False
        for part in mail.parts():
            if part.attached:
                continue
            if part.kind == "text/plain" and len(texts) < TEXTS:
                texts.append(mail.text(part))
                flowed = flowed or part.flowed
            elif part.kind == "text/html" and not html:
                html = mail.text(part)
        text = "\n".join(texts)
        if not text.strip():
            text, flowed = inbound_html.as_text(html), False
        marks = [settings.SITE_URL, f"@{settings.REPLY_DOMAIN}", parseaddr(settings.DEFAULT_FROM_EMAIL)[1]]
        return inbound_lines.own_lines(text, flowed=flowed, ours=marks)
    except Exception:
        # Any bytes may come from outside. What cannot be read now could not be read later either.
        log.exception("a mail could not be read")
        return []


# ---------------------------------------------------------------------------------------------------- reports


def take_report(row: Received, mail: Mail, token: str, now: datetime) -> Received:
    """A mail to where ours come back to: a report about one of them, or an absent person's program."""
    delivery = delivery_of(token, mail)
    if delivery is None:
        return replies.finished(row=row, outcome="unknown", why="no such mail", now=now)
    report = inbound_reports.read(mail)
    player = delivery.player
    if report is None:
        return replies.finished(row=row, outcome="ignored", why="no report", player=player, now=now)
    if report.what == "failed":
        bounces.came_back(delivery=delivery, why=report.why, permanent=report.permanent, now=now)
    elif report.what == "spam":
        bounces.complained(delivery=delivery, why=report.why, now=now)
    else:
        bounces.noted(delivery=delivery, why=report.why, now=now)
    why = f"{report.what}: {bounces.line(report.why)}"
    return replies.finished(row=row, outcome="bounce", why=why, player=player, game=delivery.game, now=now)


def delivery_of(token: str, mail: Mail) -> Delivery | None:
    """The mail of ours that a report is about; one to the address for all reports names it inside."""
    tokens = [token]
    if links.read_bounce(token) == links.NO_DELIVERY:
        tokens = [match.decode().lower() for match in _BOUNCE.findall(mail.raw[:LARGEST])[:10]]
    numbers = (links.read_bounce(one) for one in tokens)
    return next((one for number in numbers if number and (one := found.delivery(number))), None)
