"""The base classes of notices about games: what they are about, who gets them, and how their mail looks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from common.instants import format_instant
from common.site_urls import build_absolute_url
from games.mail.compose import build_game_email
from games.mail.game_context import GameContext, build_game_context, build_reply_address
from games.mail.headlines import MailHeadlines
from games.models import Game, Seat
from games.selectors import NoSuchGame
from games.selectors.clocks import find_round_end_data
from games.selectors.deadlines import find_round_no
from games.selectors.notices import GameSubject, find_derived_seed, find_seat_of, load_game_subjects
from games.selectors.turns import time_left_for
from games.selectors.waiting_turns import describe_other_players
from notifications.models import Delivery, FeedEntry
from notifications.notice_kinds import NothingToSend, NoticeKind, SubjectData, attach_subjects
from notifications.outgoing_email import OutgoingEmail
from notifications.topics import find_topic_code


def find_subject(row: FeedEntry | Delivery) -> GameSubject | None:
    """Return the game of a feed entry or delivery with its seats, loaded if it is not; None without one."""
    if row.subject is None:
        attach_subjects([row])
    subject: GameSubject | None = row.subject
    return subject


def find_seat(row: FeedEntry | Delivery) -> Seat | None:
    """Return the player's seat in the game of a feed entry or delivery, or None."""
    subject = find_subject(row)
    return subject.find_seat(row.player_id) if subject else None


def find_game_code(delivery: Delivery) -> str | None:
    """Return the code of the game that a delivery is about, or None."""
    return find_topic_code(delivery.topic, Game.TOPIC_FAMILY)


def get_game_code(delivery: Delivery) -> str:
    """Return the code of the game that a delivery is about. Raises NothingToSend."""
    if code := find_game_code(delivery):
        return code
    raise NothingToSend


def build_game_url(code: str) -> str:
    """Return the absolute URL of a game's page."""
    return build_absolute_url(f"/games/{code}/")


class GameNotice(NoticeKind):
    """A notice whose topic may be a game; muting the game mutes it."""

    load_subjects = staticmethod(load_game_subjects)

    def is_muted(self, entry: FeedEntry) -> bool:
        """Return whether the player has muted the game of an entry."""
        seat = find_seat(entry)
        return bool(seat and seat.muted)

    def build_subject_data(self, delivery: Delivery, now: datetime) -> SubjectData:
        """Build the members of the webhook's payload about the game, the player's seat and its deadline."""
        subject, seat = find_subject(delivery), find_seat(delivery)
        remaining = time_left_for(seat, now) if seat and seat.seat_no else None
        derived_seed = find_derived_seed(subject.game) if subject else None
        return {
            "tournament": derived_seed.tournament_seed_id if derived_seed else None,
            "league": None,
            "round": find_round_no(subject.game) if subject else None,
            "match": derived_seed.match if derived_seed else None,
            "game": subject.game.code if subject else None,
            "seat": seat.seat_no if seat else None,
            "seq": delivery.data.get("seq"),
            "deadline": format_instant(remaining.deadline if remaining else None),
            "deadline_kind": remaining.deadline_kind if remaining else None,
            "round_end": find_round_end_data(subject.game) if subject else None,
        }

    def find_page(self, delivery: Delivery) -> tuple[str, str] | None:
        code = find_game_code(delivery)
        return (code, reverse("game", args=[code])) if code else None


class SeatNotice(GameNotice):
    """A notice for those who sit in a game; its mail shows the board."""

    sentence: str | Promise = lazy("Something happened in your game (%(who)s).")
    build_headlines: Callable[[GameContext, dict[str, Any]], MailHeadlines]

    def find_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        """Return why the mail is obsolete: the player has left or muted the game, or it has gone on."""
        seat = find_seat_of(delivery.player, get_game_code(delivery))
        if seat is None:
            return _("You no longer play in this game.")
        if seat.muted:
            return _("You muted this game.")
        return self.find_seat_drop_reason(delivery, seat)

    def find_seat_drop_reason(self, delivery: Delivery, seat: Seat) -> str:
        """Return why the mail is obsolete for a player who still sits there, or ""."""
        return ""

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        """Compose a mail with the board, to be answered while it is the reader's turn."""
        try:
            game_context = build_game_context(delivery.player, get_game_code(delivery), now)
        except NoSuchGame:
            raise NothingToSend from None
        if not self.fits_game(delivery, game_context):
            raise NothingToSend
        return build_game_email(
            delivery.player,
            game_context,
            self.build_headlines(game_context, delivery.data),
            reply_to=build_reply_address(delivery.player, game_context),
        )

    def fits_game(self, delivery: Delivery, game_context: GameContext) -> bool:
        """Return whether the mail still fits the game as it was just read, later than the drop reason."""
        return True

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        """Return one or two sentences and the game's page. Raises NothingToSend without a game."""
        subject = find_subject(delivery)
        if subject is None:
            raise NothingToSend
        seat, who = find_seat(delivery), describe_other_players(subject.game.seats.all(), delivery.player)
        text = self.describe(delivery, subject.game, seat, who)
        return text, build_game_url(subject.game.code)

    def describe(self, delivery: Delivery, game: Game, seat: Seat | None, who: str) -> str:
        """Describe what happened in one sentence; `who` names the other players."""
        return str(self.sentence) % {"who": who}
