"""Hashes and secrets for checking a draw."""

from __future__ import annotations

import hashlib
import hmac

from tournaments.models import Tournament, TournamentSecret


def compute_hmac(key: bytes, message: str) -> bytes:
    return hmac.new(key, message.encode("utf-8"), hashlib.sha256).digest()


def compute_sha256(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


def get_secret(tournament: Tournament) -> bytes:
    return bytes(TournamentSecret.objects.get(tournament=tournament).seed)
