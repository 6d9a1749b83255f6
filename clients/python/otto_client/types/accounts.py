"""Types of the API: accounts.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from .games_3 import RoundEnd


class Delivery(TypedDict):
    """A mail, webhook call or push message, and its status."""

    id: int  # The number of the delivery.
    by: Literal["mail", "webhook", "push"]  # The channel that it goes through.
    webhook: int | None  # The `id` of the webhook that is called; null for other channels.
    # The kind of notification, such as `turn`, `reminder`, `started`, `timeout`, `over`, `digest` or `test`.
    kind: str
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    status: Literal["waiting", "sent", "dropped", "failed", "bounced", "uncertain"]  # Its status.
    status_reason: str | None  # Why it has this status, in your language.
    attempts: int  # The number of attempts.
    to: str  # Your email address, or the host of your webhook.
    created_at: str  # When it was planned.
    sent_at: str | None  # When the other side accepted it.
    submitted_at: str | None  # When the other side may have accepted it; null if it certainly has not.
    delivered_at: str | None  # When the mail provider reported that it arrived.
    next_attempt_at: str | None  # When we try again; null if we do not.


class FailingCall(TypedDict):
    """A webhook call that failed and will be tried again."""

    id: int  # Names the delivery; the header `webhook-id` of the call.
    kind: str  # The kind of notification.
    game: str | None  # The game that it is about, if any: its later calls wait for this one.
    attempts: int  # The number of attempts.
    last_error: str  # Why the last attempt failed, in your language.
    next_attempt_at: str  # When we try again.


class FeedAddresses(TypedDict):
    """The private addresses of your feeds."""

    turns: str  # The address of an Atom feed with the turns that wait for you.
    deadlines: str  # The address of an iCalendar file with your deadlines.


class FirstLoss(TypedDict):
    """The first game you would lose on time."""

    game: str  # The `id` of the game.
    at: str  # When you would lose it.


class OwnerCode(TypedDict):
    """A code by which an account can name you as its owner."""

    owner_code: str  # The code. Send it as `owner_code` with the bot's token.
    expires_at: str  # When the code expires.


class Profile(TypedDict):
    """Your profile and notification settings."""

    name: str  # Your public name.
    email: str | None  # Your email address; null without the scope `email`.
    language: Literal["en", "it", "nl"]  # The language of pages and mails.
    # Your time zone, as `Europe/Rome`. Where clocks stop by hours, a change counts from your next turn in
    # each game.
    time_zone: str
    # When you get mails about turns: for `each` turn, `once` until you visit the site, in a daily `digest`,
    # or `none`.
    mail_frequency: Literal["each", "once", "digest", "none"]
    # Which mails you get about tournaments and leagues: `all`, only `duties`, or `none`.
    tournament_mails: Literal["all", "duties", "none"]
    digest_hour: int  # The hour of the daily mail in your time zone, 0 to 23.
    # Remind you when this percentage of a turn's time has passed; null for no such reminder.
    remind_at_used_percent: int | None
    # Remind you when this percentage of all your time is left; null for no such reminder.
    remind_at_left_percent: int | None
    # When your quiet hours begin, in your time zone, as `22:30`; null for none. You get no notifications in
    # them.
    quiet_from: str | None
    # When your quiet hours end, at most twelve hours later. Where clocks stop at night, a change counts from
    # your next turn in each game.
    quiet_until: str | None
    # Whether replies by mail count from any address; null without the scope `account`.
    allow_any_sender: bool | None
    # Whether people you have not played with may invite you; null without the scope `account`.
    invitations_from_strangers: bool | None
    # When mails to you first bounced; null if they arrive, and without the scope `email`.
    email_bounced_at: str | None
    email_bounce_reason: str | None  # Why mails to you bounce; null without the scope `email`.
    joined_at: str  # When you signed up.
    is_bot: bool  # Whether your account is declared a bot.


class PublicPlayer(TypedDict):
    """The public profile of a player."""

    name: str  # The name, in the player's own spelling.
    joined_at: str  # When they signed up.
    lookalike: bool  # Whether the name looks like that of another player or of the site itself.
    is_bot: bool  # Whether a program plays for this account.
    owner: str | None  # Of a bot: the player who runs it; null if their account was deleted.
    bots: list[str]  # The names of the bots that this player runs.


class RankedPlayer(TypedDict):
    """A player in the ranking."""

    place: int  # The place in the ranking; 1 is the strongest.
    name: str  # The name of the player.
    rating: int  # The rating; a beginner has 1500.
    uncertainty: int  # The uncertainty of the rating.
    games: int  # How many rated games of this mode they have played.
    is_bot: bool  # Whether a program plays for the account.


class Ranking(TypedDict):
    """The ranking of a mode."""

    mode: Literal["singles", "pairs"]  # Whether the ratings are those of `singles` or of `pairs`.
    bots: bool  # Whether the ranking is of bots.
    results: list[RankedPlayer]  # The players, the strongest first.


class Rating(TypedDict):
    """A rating of a player."""

    mode: Literal["singles", "pairs"]  # Whether the ratings are those of `singles` or of `pairs`.
    rating: int  # The rating; a beginner has 1500.
    uncertainty: int  # The uncertainty of the rating.
    games: int  # How many rated games of this mode they have played.


class RatingChange(TypedDict):
    """The change of a rating by one game."""

    mode: Literal["singles", "pairs"]  # Whether the ratings are those of `singles` or of `pairs`.
    game: str  # The `id` of the game.
    at: str | None  # When the game ended.
    before: int  # The rating before the game.
    rating: int  # The rating after the game.
    uncertainty: int  # The uncertainty of the rating after the game.


class RatingHistory(TypedDict):
    """The ratings of a player and their changes, in pages."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    ratings: list[Rating]  # The current ratings, one for each mode.
    results: list[RatingChange]  # How each game changed the rating, newest first.


class SeatClock(TypedDict):
    """Your clock in one game."""

    game: str  # The `id` of the game.
    seat: int  # Your seat.
    on_turn: bool  # Whether it is your turn.
    # The end of the turn, or of the tournament's round if that comes first; null if no clock runs.
    deadline: str | None
    # What ends at the deadline: `turn` or `round`; null without a deadline.
    deadline_kind: Literal["turn", "round"] | None
    bank_seconds: int  # The reserve that is left.
    stop_reasons: list[str]  # Why the clock is stopped now; empty if it runs.
    lost_at: str | None  # When you lose the game if you never come back; null if points decide it before.
    round_end: RoundEnd | None  # In a tournament: when points decide the game. Null otherwise.


class TimeOverview(TypedDict):
    """Your clocks and vacation."""

    # The game that you would lose first if you stopped playing now; null if there is none.
    first_loss: FirstLoss | None
    vacation: Vacation  # Your vacation, planned and saved up.
    clocks: list[SeatClock]  # Your clocks in all running games, the first to be lost first.


class Token(TypedDict):
    """A personal token, without its secret."""

    id: int  # The number by which addresses of the API name the token.
    name: str  # The name that you gave it.
    scopes: list[str]  # What the token may do.
    # The `id` of the token that created this one, and is revoked together with it; null if you created it
    # yourself.
    parent: int | None
    created_at: str  # When it was made.
    expires_at: str | None  # When it expires; null if it does not.
    last_used_at: str | None  # When it was last used, roughly; null if never.
    revoked_at: str | None  # When it was revoked; null if it was not.


class TokenWithSecret(TypedDict):
    """A new personal token with its secret."""

    id: int  # The number by which addresses of the API name the token.
    name: str  # The name that you gave it.
    scopes: list[str]  # What the token may do.
    # The `id` of the token that created this one, and is revoked together with it; null if you created it
    # yourself.
    parent: int | None
    created_at: str  # When it was made.
    expires_at: str | None  # When it expires; null if it does not.
    last_used_at: str | None  # When it was last used, roughly; null if never.
    revoked_at: str | None  # When it was revoked; null if it was not.
    token: str  # The token itself. It is shown only this once.


class Turn(TypedDict):
    """A turn that waits for you."""

    game: str  # The `id` of the game.
    seat: int  # Your seat.
    seq: int  # The `seq` of the game. Send it with your action.
    # What kind of action is expected: `start`, `stolen`, `place` or `react`.
    phase: Literal["start", "stolen", "place", "react", "over"]
    # The end of the turn, or of the tournament's round if that comes first; null if no clock runs.
    deadline: str | None
    # What ends at the deadline: `turn` or `round`; null without a deadline.
    deadline_kind: Literal["turn", "round"] | None
    round_end: RoundEnd | None  # In a tournament: when points decide the game. Null otherwise.


_VacationKeywords = TypedDict("_VacationKeywords", {"from": str | None})


class Vacation(_VacationKeywords):
    """Your vacation."""

    left_seconds: int  # The vacation that you have saved up.
    until: str | None  # When your current or planned vacation ends; null if there is none.


class Webhook(TypedDict):
    """A webhook, without its secret."""

    id: int  # Its number in addresses of the API.
    url: str  # The address that we call.
    # The format of the body: plain JSON, or what Discord or Slack understand.
    preset: Literal["json", "discord", "slack"]
    kinds: list[str] | None  # The kinds of notifications that it is called with; null: all.
    immediate: bool  # Whether it is called within seconds, in quiet hours too; else when the mail is due.
    active: bool  # Whether it is called.
    disabled_reason: str | None  # Why the webhook is off; null while it is on.
    waiting_calls: int  # How many calls wait, or will be repeated.
    failing_calls: list[FailingCall]  # Failed calls that we will repeat; ten at most.
    created_at: str  # When it was made.


class WebhookWithSecret(TypedDict):
    """A webhook with its secret."""

    id: int  # Its number in addresses of the API.
    url: str  # The address that we call.
    # The format of the body: plain JSON, or what Discord or Slack understand.
    preset: Literal["json", "discord", "slack"]
    kinds: list[str] | None  # The kinds of notifications that it is called with; null: all.
    immediate: bool  # Whether it is called within seconds, in quiet hours too; else when the mail is due.
    active: bool  # Whether it is called.
    disabled_reason: str | None  # Why the webhook is off; null while it is on.
    waiting_calls: int  # How many calls wait, or will be repeated.
    failing_calls: list[FailingCall]  # Failed calls that we will repeat; ten at most.
    created_at: str  # When it was made.
    # The secret that signs the calls, as Standard Webhooks describes. It is shown only this once.
    signing_secret: str
