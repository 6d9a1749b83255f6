"""A mail server with moods: tests.smtp's, and it may lie."""

from __future__ import annotations

import asyncio
import smtplib
from collections import Counter
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from typing import Any

from tests.smtp import Mail, Sink

SILENT_SECONDS = 60.0


@dataclass
class MailServer(Sink):
    """Takes mail, unless its mood is another: `hangs up` takes a mail and ends the call before it says so,
    `is silent` takes one and says nothing for a long time, `loses` says that it took a mail and has not."""

    mood: str = ""
    relay_port: int = 0  # of another server on this machine that gets every mail, too
    request_count: int = 0  # mails that were brought, whatever became of them
    lost: int = 0
    known_ids: list[tuple[str, str]] = field(default_factory=list)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.request_count += 1
        if self.mood in ("hangs up", "is silent"):
            message = message_from_bytes(envelope.content, policy=policy.default)
            self.mails.append(Mail(envelope.mail_from, list(envelope.rcpt_tos), envelope.content, message))
            if self.mood == "is silent":
                await asyncio.sleep(SILENT_SECONDS)
            server.transport.abort()
            return "250 never heard"
        if self.mood == "loses":
            self.lost += 1
            return "250 OK"
        if self.relay_port:
            await asyncio.to_thread(self.relay, envelope)
        return await super().handle_DATA(server, session, envelope)

    def relay(self, envelope: Any) -> None:
        with smtplib.SMTP(self.host, self.relay_port) as server:
            server.sendmail(envelope.mail_from, envelope.rcpt_tos, envelope.content)

    def reset(self) -> None:
        """Take every mail again, at once."""
        self.mood, self.slow, self.relay_port = "", 0.0, 0
        self.refuse, self.reject = (lambda address: ""), (lambda message: "")

    def read(self) -> list[tuple[str, str]]:
        """Message-ID and References of every mail that came; each is read once, because that takes long."""
        for mail in list(self.mails)[len(self.known_ids) :]:
            self.known_ids.append((str(mail.message["Message-ID"]), str(mail.message["References"])))
        return self.known_ids

    def names(self) -> Counter[str]:
        """How often each mail came, by its Message-ID."""
        return Counter(name for name, _references in self.read())

    def list_ids_about(self, codes: list[str]) -> list[str]:
        """The Message-IDs of the mails about some games."""
        return [name for name, thread in self.read() if any(f"<game.{code}." in thread for code in codes)]
