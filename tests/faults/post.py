"""A mail server with moods: tests.smtp's, and it may lie."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from email import message_from_bytes, policy
from typing import Any

from tests.smtp import Mail, Sink


@dataclass
class Post(Sink):
    """Takes mail, unless its mood is another: `hangs up` takes a mail and ends the call before it says so,
    `loses` says that it took a mail and has not."""

    mood: str = ""
    asked: int = 0  # mails that were brought, whatever became of them
    lost: int = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.asked += 1
        if self.mood == "hangs up":
            message = message_from_bytes(envelope.content, policy=policy.default)
            self.mails.append(Mail(envelope.mail_from, list(envelope.rcpt_tos), envelope.content, message))
            server.transport.abort()
            return "250 never heard"
        if self.mood == "loses":
            self.lost += 1
            return "250 OK"
        return await super().handle_DATA(server, session, envelope)

    def names(self) -> Counter[str]:
        """How often each mail came, by its Message-ID."""
        return Counter(str(mail.message["Message-ID"]) for mail in list(self.mails))

    def about(self, codes: list[str]) -> list[str]:
        """The Message-IDs of the mails about some games."""
        return [
            str(mail.message["Message-ID"])
            for mail in list(self.mails)
            if any(f"<game.{code}." in str(mail.message["References"]) for code in codes)
        ]
