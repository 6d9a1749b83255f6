"""Inbound mails."""

from __future__ import annotations

from tests.helpers.reply_helpers import FOLDER

MAILS = sorted(path.stem for path in FOLDER.glob("*.eml"))
