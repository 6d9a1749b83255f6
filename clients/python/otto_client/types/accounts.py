"""Types of the API: accounts.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from .games import RoundEnd


class Delivery(TypedDict):
    """A mail, webhook call or push message, and its status."""

    id: int  # names the delivery
    by: Literal["mail", "webhook", "push"]  # the channel
    webhook: int | None  # the webhook that is called
    kind: str  # turn, reminder, started, timeout, over, digest, test, ...
    game: str | None  # the game that it is about, if any
    status: Literal["waiting", "sent", "dropped", "failed", "bounced", "uncertain"]  # how far it has come
    status_reason: str  # the reason of its status, in your language
    attempts: int  # how often it was tried
    to: str  # your address, or the host of your webhook
    created_at: str  # when it was planned
    sent_at: str | None  # when the other side took it
    submitted_at: str | None  # when the other side may have taken it; null while it surely has not
    delivered_at: str | None  # when the mail provider reported that it arrived
    next_attempt_at: str | None  # when it is tried next


class FeedAddresses(TypedDict):
    """The private addresses of your feeds."""

    turns: str  # Atom: the turns that wait for you
    deadlines: str  # iCalendar: when they end


class FirstLoss(TypedDict):
    """The first game you would lose on time."""

    game: str  # the id of the game
    at: str  # when you would lose it


class Profile(TypedDict):
    """Your profile and notice settings."""

    name: str  # by which others know you
    email: str | None  # your address; null without the scope email
    language: Literal["en", "it", "nl"]  # of pages and mails
    time_zone: str  # where clocks rest by hours, a change counts from your next turn in each game
    mail_frequency: Literal["each", "once", "digest", "none"]  # how many mails about turns you get
    tournament_mails: Literal["all", "duties", "none"]  # of tournaments and leagues
    digest_hour: int  # of the daily mail, in your time zone
    remind_at_used_percent: int | None  # remind at this percentage of a turn's time
    remind_at_left_percent: int | None  # remind when so many percent of all time are left
    quiet_from: str | None  # no notices from then on, in your time zone
    # until then, twelve hours later at most; where clocks rest at night, other hours count from your next
    # turn in each game
    quiet_until: str | None
    allow_any_sender: bool | None  # replies by mail count from any address; null without the scope account
    # people you have not played with may invite you; null without the scope account
    invitations_from_strangers: bool | None
    email_bounced_at: str | None  # since when mails to you come back; null without the scope email
    email_bounce_reason: str | None  # why they come back; null without the scope email
    joined_at: str  # since when you are a member


class PublicPlayer(TypedDict):
    """What everybody may know of a player."""

    name: str  # in its own spelling
    since: str  # member since
    lookalike: bool  # the name looks like another player's, or like one of the site's own


class RankedPlayer(TypedDict):
    """A player in the ranking."""

    place: int  # 1 is the strongest
    name: str  # of the player
    rating: int  # a beginner has 1500
    uncertainty: int  # by how much it may be wrong
    games: int  # rated games of this mode


class Ranking(TypedDict):
    """The ranking of a mode."""

    mode: Literal["singles", "pairs"]  # everybody alone, or in pairs
    results: list[RankedPlayer]  # the strongest first


class Rating(TypedDict):
    """A rating of a player."""

    mode: Literal["singles", "pairs"]  # everybody alone, or in pairs
    rating: int  # a beginner has 1500
    uncertainty: int  # by how much it may be wrong
    games: int  # rated games of this mode


class RatingChange(TypedDict):
    """The change of a rating by one game."""

    mode: Literal["singles", "pairs"]  # everybody alone, or in pairs
    game: str  # the id of the game
    at: str | None  # when the game ended
    before: int  # the rating before
    rating: int  # the rating after
    uncertainty: int  # by how much it may be wrong, after


class RatingHistory(TypedDict):
    """The ratings of a player and their changes, in pages."""

    next: str | None  # the next page; null: this is the last
    previous: str | None  # the page before; null: this is the first
    ratings: list[Rating]  # now, one for each mode
    results: list[RatingChange]  # what each game did, newest first


class SeatClock(TypedDict):
    """Your clock in one game."""

    game: str  # the id of the game
    seat: int  # your seat
    on_turn: bool  # whether you are to act
    deadline: str | None  # the end of the turn, or that of the tournament's round if it comes first
    deadline_kind: str | None  # what ends at the deadline: `turn` or `round`; null without one
    bank: int  # seconds in reserve
    stop_reasons: list[str]  # why the clock rests now
    lost_at: str | None  # if you never come back; null if the points decide before
    round_end: RoundEnd | None  # in a tournament: when points decide


class TimeOverview(TypedDict):
    """Your clocks and vacation."""

    first_loss: FirstLoss | None  # what you lose first if you stop now
    vacation: Vacation  # planned, and saved up
    clocks: list[SeatClock]  # of all your running games, the first to be lost first


class Token(TypedDict):
    """A personal token, without its secret."""

    id: int  # names the token in URLs
    name: str  # as you called it
    scopes: list[str]  # what it may do
    parent: int | None  # the token that made this one; it ends with it
    created_at: str  # when it was made
    expires_at: str | None  # when it ends; null if it does not by itself
    last_used_at: str | None  # when it was last used, roughly
    revoked_at: str | None  # when it was revoked


class TokenWithSecret(TypedDict):
    """A new personal token with its secret."""

    id: int  # names the token in URLs
    name: str  # as you called it
    scopes: list[str]  # what it may do
    parent: int | None  # the token that made this one; it ends with it
    created_at: str  # when it was made
    expires_at: str | None  # when it ends; null if it does not by itself
    last_used_at: str | None  # when it was last used, roughly
    revoked_at: str | None  # when it was revoked
    token: str  # shown this once


class Turn(TypedDict):
    """A turn that waits for you."""

    game: str  # the id of the game
    seat: int  # your seat
    seq: int  # of the game, as you send it with your action
    phase: str  # start, stolen, place or react
    deadline: str | None  # the end of the turn, or that of the tournament's round if it comes first
    deadline_kind: str | None  # what ends at the deadline: `turn` or `round`; null without one
    round_end: RoundEnd | None  # in a tournament: when points decide


_VacationKeywords = TypedDict("_VacationKeywords", {"from": str | None})


class Vacation(_VacationKeywords):
    """Your vacation."""

    left: int  # seconds saved up
    until: str | None  # the end of the one that you are on or have planned


class Webhook(TypedDict):
    """A webhook, without its secret."""

    id: int  # names the webhook in URLs
    url: str  # what is called
    preset: Literal["json", "discord", "slack"]  # the format of the body
    active: bool  # whether it is called
    disabled_reason: str  # why it was switched off
    created_at: str  # when it was made


class WebhookWithSecret(TypedDict):
    """A webhook with its secret."""

    id: int  # names the webhook in URLs
    url: str  # what is called
    preset: Literal["json", "discord", "slack"]  # the format of the body
    active: bool  # whether it is called
    disabled_reason: str  # why it was switched off
    created_at: str  # when it was made
    signing_secret: str  # what signs the calls, as standardwebhooks.com describes; shown this once
