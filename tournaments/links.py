"""URLs for mails and pages; links that act are signed for one player and one object, a salt per purpose."""

from __future__ import annotations

from common.signed_tokens import read_signed_text, sign_text
from common.site_urls import build_absolute_url

CONFIRM_PURPOSE, LEAVE_LEAGUE_PURPOSE, ANSWER_PROPOSAL_PURPOSE = (
    "tournaments.confirm",
    "tournaments.leave",
    "tournaments.answer",
)


def make_link_token(purpose: str, mail_token: str, code: str) -> str:
    """Sign the token of a mailed link for the player with this `mail_token`."""
    return sign_text(purpose, f"{mail_token}.{code}")


def read_link_token(purpose: str, token: str) -> tuple[str, str] | None:
    """Return mail token and code from a signed token, None if the signature is wrong."""
    text = read_signed_text(purpose, token)
    if text is None:
        return None
    mail_token, _, code = text.partition(".")
    return mail_token, code


def build_tournament_url(code: str) -> str:
    """Return the URL of a tournament's page."""
    return build_absolute_url(f"/tournaments/{code}/")


def build_pairing_url(code: str, pairing_id: int) -> str:
    """Return the URL of a pairing's page."""
    return build_absolute_url(f"/tournaments/{code}/tables/{pairing_id}/")


def build_organiser_url(code: str, part: str = "") -> str:
    """Return the URL of the organisers' dashboard, or of one part of it."""
    return build_absolute_url(f"/tournaments/{code}/organise/{part}")


def build_league_url(code: str) -> str:
    """Return the URL of a league's page."""
    return build_absolute_url(f"/leagues/{code}/")


def build_league_organiser_url(code: str) -> str:
    """Return the URL of a league's organiser dashboard."""
    return build_absolute_url(f"/leagues/{code}/organise/")


def build_confirm_url(mail_token: str, code: str) -> str:
    """Return the signed URL on which a player confirms that they will play."""
    return build_absolute_url(f"/tournaments/confirm/{make_link_token(CONFIRM_PURPOSE, mail_token, code)}/")


def build_leave_league_url(mail_token: str, code: str) -> str:
    """Return the signed URL on which a player leaves a league after the season."""
    return build_absolute_url(f"/leagues/leave/{make_link_token(LEAVE_LEAGUE_PURPOSE, mail_token, code)}/")


def build_answer_proposal_url(mail_token: str, proposal_id: int) -> str:
    """Return the signed URL on which a player answers a proposal."""
    return build_absolute_url(
        f"/proposals/answer/{make_link_token(ANSWER_PROPOSAL_PURPOSE, mail_token, str(proposal_id))}/"
    )
