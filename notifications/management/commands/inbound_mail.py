"""Receive mail: replies that play, and bounces."""

from __future__ import annotations

import asyncio
import logging
import signal
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from notifications.inbound import mail_server
from notifications.inbound.addresses import build_reports_address

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Command(BaseCommand):
    """Runs notifications.inbound.mail_server for a mail server on the same network."""

    help = "Receive mail for REPLY_DOMAIN by SMTP or LMTP from your mail server."
    requires_system_checks: list[str] = []  # `migrate` has run them, and they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on; senders are not authenticated"
        )
        parser.add_argument("--port", type=int, default=8025, help="0 for any free port")
        parser.add_argument("--lmtp", action="store_true", help="speak LMTP instead of SMTP")
        parser.add_argument(
            "--reports-address",
            action="store_true",
            help="print the address for spam reports of providers (feedback loops), and exit",
        )
        parser.add_argument(
            "--or-wait", action="store_true", help="without REPLY_DOMAIN, wait idle instead of exiting"
        )

    def handle(
        self, *, host: str, port: int, lmtp: bool, or_wait: bool, reports_address: bool, **options: Any
    ) -> None:
        """Listen for mail until a signal. Raises CommandError."""
        if not settings.REPLY_DOMAIN:
            if or_wait:
                return self.wait_for_stop_signal()
            raise CommandError("REPLY_DOMAIN is empty. Set it to the domain that receives replies.")
        if reports_address:
            self.stdout.write(build_reports_address())
            return
        logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd logs every line of a dialogue
        try:
            asyncio.run(
                mail_server.serve_inbound_mail(host, port, lmtp=lmtp, on_ready=self.listening_callback(lmtp))
            )
        except OSError as error:
            raise CommandError(f"Cannot listen on {host}:{port}: {error}") from None
        self.stdout.write("Stopped.")

    def wait_for_stop_signal(self) -> None:
        """Wait for a signal without listening; if it exited, a supervisor would restart it forever."""
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        self.stdout.write("REPLY_DOMAIN is empty: playing by reply is off, and no mail is received.")
        self.stdout.flush()
        signal.sigwait(STOP_SIGNALS)

    def listening_callback(self, lmtp: bool) -> Any:
        """Return a callback that prints the address once the server listens."""

        def announce_address(host: str, port: int) -> None:
            protocol = "LMTP" if lmtp else "SMTP"
            self.stdout.write(f"{protocol} for {settings.REPLY_DOMAIN} on {host}:{port}")
            self.stdout.flush()

        return announce_address
