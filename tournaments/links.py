"""What acts from a mailbox: signed, with a salt for each purpose, for one player and one event or league."""

from __future__ import annotations

from django.core import signing

from games import links

CONFIRM, LEAVE, ANSWER = "tournaments.confirm", "tournaments.leave", "tournaments.answer"


def token(purpose: str, key: str, code: str) -> str:
    """The token of a link, for the player with this key."""
    return signing.Signer(salt=purpose).sign(f"{key}.{code}")


def read(purpose: str, token: str) -> tuple[str, str] | None:
    """Player's key and code, None if the token was not made here for this."""
    try:
        key, _, code = signing.Signer(salt=purpose).unsign(token).partition(".")
    except (signing.BadSignature, ValueError):
        return None
    return key, code


def tournament(code: str) -> str:
    """The page of a tournament."""
    return links.page(f"/tournaments/{code}/")


def table(code: str, table: int) -> str:
    """The page of one of its tables."""
    return links.page(f"/tournaments/{code}/tables/{table}/")


def desk(code: str, part: str = "") -> str:
    """Where its organisers decide."""
    return links.page(f"/tournaments/{code}/organise/{part}")


def league(code: str) -> str:
    """The page of a league."""
    return links.page(f"/leagues/{code}/")


def league_desk(code: str) -> str:
    """Where its organisers decide."""
    return links.page(f"/leagues/{code}/organise/")


def confirm(key: str, code: str) -> str:
    """Where whoever got a mail says that they will be there."""
    return links.page(f"/tournaments/confirm/{token(CONFIRM, key, code)}/")


def leave(key: str, code: str) -> str:
    """Where whoever got a mail leaves a league after the season."""
    return links.page(f"/leagues/leave/{token(LEAVE, key, code)}/")


def answer(key: str, number: int) -> str:
    """Where whoever got a mail answers a proposal."""
    return links.page(f"/proposals/answer/{token(ANSWER, key, str(number))}/")
