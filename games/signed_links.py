"""Signed tokens of games in links and mail addresses: one salt per purpose, nothing stored.

A turn's link and reply address are bound to game, seat, turn and player. The player is part of the signature
only, so that old mails become invalid when a seat changes hands.
"""

from __future__ import annotations

from dataclasses import dataclass

from common.signed_tokens import compute_signatures, is_valid_signature, read_signed_text, sign_text

INVITATION_PURPOSE, MUTE_PURPOSE = "games.invitation", "games.mute"
TURN_PURPOSE, REPLY_PURPOSE, RESIGN_PURPOSE = "games.turn", "games.reply", "games.resign"


def make_invitation_token(invitation_id: int) -> str:
    """The token of an invitation's link."""
    return sign_text(INVITATION_PURPOSE, str(invitation_id))


def read_invitation(token: str) -> int | None:
    """The id of the invitation that a token belongs to, None if the token is invalid."""
    invitation_id = read_signed_text(INVITATION_PURPOSE, token)
    return int(invitation_id) if invitation_id and invitation_id.isdecimal() else None


@dataclass(frozen=True)
class TurnToken:
    """The claims of a turn token; `is_valid_turn_token` verifies them."""

    game_code: str
    seat_no: int
    turn_seq: int
    signature: str


def make_turn_token(*, purpose: str, game_code: str, seat_no: int, turn_seq: int, player_id: int) -> str:
    """The token of one turn of one seat, for a link, a reply or a confirmation to resign."""
    payload = f"{game_code}-{seat_no}-{turn_seq}"
    return f"{payload}-{compute_signatures(purpose, f'{payload}-{player_id}')[0]}"


def read_turn(token: str) -> TurnToken | None:
    """The claims of a token, not yet verified; None if it is malformed."""
    parts = token.lower().split("-")
    if len(parts) != 4 or not (parts[0].isalnum() and parts[1].isdecimal() and parts[2].isdecimal()):
        return None
    if len(token) > 60 or not token.isascii():
        return None
    return TurnToken(parts[0], int(parts[1]), int(parts[2]), parts[3])


def is_valid_turn_token(turn_token: TurnToken, *, purpose: str, player_id: int) -> bool:
    """True if a token was signed by this site for this purpose and this player."""
    payload = f"{turn_token.game_code}-{turn_token.seat_no}-{turn_token.turn_seq}-{player_id}"
    return is_valid_signature(purpose, payload, turn_token.signature)


def make_mute_token(mail_token: str, game_code: str) -> str:
    """The token that stops a player's mails about one game."""
    return sign_text(MUTE_PURPOSE, f"{mail_token}.{game_code}")


def read_mute(token: str) -> tuple[str, str] | None:
    """The player's mail token and the game's code, None if the token is invalid."""
    text = read_signed_text(MUTE_PURPOSE, token)
    if text is None:
        return None
    mail_token, _, game_code = text.partition(".")
    return mail_token, game_code
