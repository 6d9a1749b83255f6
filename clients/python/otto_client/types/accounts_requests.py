"""Types of the API: accounts requests.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class BotDeclaration(TypedDict):
    """Request to declare your account a bot."""

    owner_code: str  # The owner code, from the player who runs the bot.
    confirmation: str  # The name of your account, to confirm.


class NewToken(TypedDict):
    """Request to create a personal token."""

    name: str  # A name by which you recognise the token.
    scopes: list[Literal["read", "email", "play", "organise", "account"]]  # What the token may do.
    expires_in_days: NotRequired[int | None]  # The days until the token expires. Null for no expiry.


_NewVacationKeywords = TypedDict("_NewVacationKeywords", {"from": NotRequired[str | None]})


class NewVacation(_NewVacationKeywords):
    """Request to plan a vacation."""

    until: str  # When you are back.


class NewWebhook(TypedDict):
    """Request to create a webhook."""

    url: str  # The address that is called: https, with a public host, at most 500 characters.
    # The format of the body: plain JSON, or what Discord or Slack understand.
    preset: NotRequired[Literal["json", "discord", "slack"]]
    # The kinds of notifications that it is called with, as the guide lists them; null: all.
    kinds: NotRequired[list[str] | None]
    # Whether it is called within seconds, in quiet hours too, and not when the mail is due; null: if the
    # preset is json.
    immediate: NotRequired[bool | None]


class PatchedBotSettings(TypedDict):
    """The settings of a bot."""

    takes_challenges: NotRequired[bool]  # Whether it is in the list of bots and takes challenges.
    about: NotRequired[str]  # How the bot plays, in its owner's words.
    plays_cards: NotRequired[bool]  # Whether it plays with secret cards.
    # The most unfinished games and invitations with which it still takes challenges.
    max_games: NotRequired[int]


class PatchedChangeWebhook(TypedDict):
    """Request to change a webhook, or to turn it on or off. Omitted fields keep their value."""

    active: NotRequired[bool]  # Whether it is called.
    # The kinds of notifications that it is called with, as the guide lists them; null: all.
    kinds: NotRequired[list[str] | None]
    immediate: NotRequired[bool]  # Whether it is called within seconds, instead of when the mail is due.


class PatchedProfile(TypedDict):
    """Your profile and notification settings."""

    language: NotRequired[Literal["en", "it", "nl"]]  # The language of pages and mails.
    # Your time zone, as `Europe/Rome`. Where clocks stop by hours, a change counts from your next turn in
    # each game.
    time_zone: NotRequired[str]
    # When you get mails about turns: for `each` turn, `once` until you visit the site, in a daily `digest`,
    # or `none`.
    mail_frequency: NotRequired[Literal["each", "once", "digest", "none"]]
    # Which mails you get about tournaments and leagues: `all`, only `duties`, or `none`.
    tournament_mails: NotRequired[Literal["all", "duties", "none"]]
    digest_hour: NotRequired[int]  # The hour of the daily mail in your time zone, 0 to 23.
    # Remind you when this percentage of a turn's time has passed; null for no such reminder.
    remind_at_used_percent: NotRequired[int | None]
    # Remind you when this percentage of all your time is left; null for no such reminder.
    remind_at_left_percent: NotRequired[int | None]
    # When your quiet hours begin, in your time zone, as `22:30`; null for none. You get no notifications in
    # them.
    quiet_from: NotRequired[str | None]
    # When your quiet hours end, at most twelve hours later. Where clocks stop at night, a change counts from
    # your next turn in each game.
    quiet_until: NotRequired[str | None]
    # Whether replies by mail count from any address; null without the scope `account`.
    allow_any_sender: NotRequired[bool]
    # Whether people you have not played with may invite you; null without the scope `account`.
    invitations_from_strangers: NotRequired[bool]
