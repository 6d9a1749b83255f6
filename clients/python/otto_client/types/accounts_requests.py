"""Types of the API: accounts requests.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class NewToken(TypedDict):
    """Request to create a personal token."""

    name: str  # for you, to know it by
    scopes: list[Literal["read", "email", "play", "organise", "account"]]  # what it may do
    expires_in_days: NotRequired[int | None]  # when it ends; null: not by itself


_NewVacationKeywords = TypedDict("_NewVacationKeywords", {"from": NotRequired[str | None]})


class NewVacation(_NewVacationKeywords):
    """Request to plan a vacation."""

    until: str  # when you are back


class NewWebhook(TypedDict):
    """Request to create a webhook."""

    url: str  # what is called: https, and public
    preset: NotRequired[Literal["json", "discord", "slack"]]  # the format of the body


class PatchedProfile(TypedDict):
    """Your profile and notice settings."""

    language: NotRequired[Literal["en", "it", "nl"]]  # of pages and mails
    # where clocks rest by hours, a change counts from your next turn in each game
    time_zone: NotRequired[str]
    # how many mails about turns you get
    mail_frequency: NotRequired[Literal["each", "once", "digest", "none"]]
    tournament_mails: NotRequired[Literal["all", "duties", "none"]]  # of tournaments and leagues
    digest_hour: NotRequired[int]  # of the daily mail, in your time zone
    remind_at_used_percent: NotRequired[int | None]  # remind at this percentage of a turn's time
    remind_at_left_percent: NotRequired[int | None]  # remind when so many percent of all time are left
    quiet_from: NotRequired[str | None]  # no notices from then on, in your time zone
    # until then, twelve hours later at most; where clocks rest at night, other hours count from your next
    # turn in each game
    quiet_until: NotRequired[str | None]
    # replies by mail count from any address; null without the scope account
    allow_any_sender: NotRequired[bool]
    # people you have not played with may invite you; null without the scope account
    invitations_from_strangers: NotRequired[bool]


class PatchedSwitchWebhook(TypedDict):
    """Request to switch a webhook on or off."""

    active: NotRequired[bool]  # whether it is called
