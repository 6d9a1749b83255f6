"""Take in mail: replies that play, mails of ours that come back."""

from __future__ import annotations

import asyncio
import logging
import signal
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import links
from games.mail import inbound_server

ENDING = (signal.SIGTERM, signal.SIGINT)


class Command(BaseCommand):
    """The door to games.mail.inbound for a mail server beside us."""

    help = "Take in mail for REPLY_DOMAIN, by SMTP or LMTP, from a mail server that hands it to us."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host", default="127.0.0.1", help="where to listen; nobody is asked who they are"
        )
        parser.add_argument("--port", type=int, default=8025, help="0 takes any that is free")
        parser.add_argument("--lmtp", action="store_true", help="speak LMTP instead of SMTP")
        parser.add_argument(
            "--reports-address",
            action="store_true",
            help="only say where providers may send reports of unwanted mail (feedback loops), and end",
        )
        parser.add_argument(
            "--or-wait", action="store_true", help="without REPLY_DOMAIN, do nothing until asked to end"
        )

    def handle(
        self, *, host: str, port: int, lmtp: bool, or_wait: bool, reports_address: bool, **options: Any
    ) -> None:
        if not settings.REPLY_DOMAIN:
            if or_wait:
                return self.wait()
            raise CommandError(
                "REPLY_DOMAIN is empty, so no address is ours: name the domain of replies there"
            )
        if reports_address:
            self.stdout.write(links.reports_address())
            return
        logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd writes every line of a dialogue
        try:
            asyncio.run(inbound_server.serve(host, port, lmtp=lmtp, ready=self.told(lmtp)))
        except OSError as error:
            raise CommandError(f"cannot listen on {host}:{port}: {error}") from None
        self.stdout.write("no longer listening")

    def wait(self) -> None:
        """Stay and take nothing in: whoever restarts what ends would start us again and again."""
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        self.stdout.write("REPLY_DOMAIN is empty: nobody plays by reply, and no mail is taken in")
        self.stdout.flush()
        signal.sigwait(ENDING)

    def told(self, lmtp: bool) -> Any:
        """Says where we listen, once we do."""

        def tell(host: str, port: int) -> None:
            kind = "LMTP" if lmtp else "SMTP"
            self.stdout.write(f"{kind} for {settings.REPLY_DOMAIN} on {host}:{port}")
            self.stdout.flush()

        return tell
