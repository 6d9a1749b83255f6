"""Mail that games take: replies that play a turn, and confirmations of a resignation."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext as _

from games import signed_links
from games.game_notice_kinds import GameNoticeKind
from games.selectors.turns import find_seat_for_token
from games.services import replies
from notifications.inbound.handlers import AddressClaim, InboundMailHandler
from notifications.models import InboundMail


def find_turn_claim(purpose: str, token: str) -> AddressClaim | None:
    """The claim of a turn's address: the seat's player may play the turn, or resign; None if not valid."""
    seat_and_turn = find_seat_for_token(token, purpose)
    if seat_and_turn is None:
        return None
    seat, turn = seat_and_turn
    assert seat.player
    assert seat.seat_no
    process_lines = replies.play_reply if purpose == signed_links.REPLY_PURPOSE else replies.resign_by_reply
    return AddressClaim(
        seat.player,
        seat.game.topic,
        partial(process_lines, player=seat.player, code=seat.game.code, seat_no=seat.seat_no, turn=turn),
    )


def describe_reply_outcome(inbound_mail: InboundMail) -> str:
    """Describe the outcome of a reply, for the page on which it was typed."""
    match inbound_mail.outcome:
        case replies.ReplyResult.PLAYED:
            return _("We played your reply: %(actions)s.") % {"actions": inbound_mail.outcome_reason}
        case InboundMail.Outcome.IGNORED:
            return _("We played nothing. This looks like an automatic reply, which we ignore.")
        case InboundMail.Outcome.UNKNOWN:
            return _("We played nothing. This reply address no longer belongs to a turn of yours.")
    return _("We received your reply, but played nothing.")


INBOUND_MAIL_HANDLERS = tuple(
    InboundMailHandler(
        purpose=purpose,
        prefix=prefix,
        answer_kind=GameNoticeKind.REPLY,
        find_claim=partial(find_turn_claim, purpose),
        success_outcome=replies.ReplyResult.PLAYED,
        describe_outcome=describe_reply_outcome,
    )
    for purpose, prefix in ((signed_links.REPLY_PURPOSE, "play"), (signed_links.RESIGN_PURPOSE, "resign"))
)
