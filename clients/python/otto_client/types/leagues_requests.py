"""Types of the API: leagues requests.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class LeagueEntry(TypedDict):
    """An entry into a league."""

    # your own part of the shuffles, without '|'; empty: the number of your entry as text; null: what you
    # brought before
    client_seed: NotRequired[str | None]
    partner: NotRequired[str | None]  # in pairs: whom you play with


class NewLeague(TypedDict):
    """The settings of a league."""

    mode: NotRequired[Literal["singles", "pairs"]]  # whether players enter alone or in pairs
    table_size: NotRequired[int]  # entrants at a table; in pairs 2
    edition: NotRequired[Literal["arcastudio-2.2", "bannan-nl"]]  # the rulebook by which it is played
    cards: NotRequired[bool]  # whether it is played with cards
    obligation: NotRequired[Literal["strict"]]  # strict: whoever can close a figure must
    target: NotRequired[int]  # the total of points that ends the game
    # the time control: one of the site's, or custom
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "live", "custom"]]
    allowance: NotRequired[int]  # seconds for a turn; for a custom clock
    bank: NotRequired[int]  # seconds in reserve; for a custom clock
    # seconds for a turn of a blind match; half the allowance if you say none
    blind_allowance: NotRequired[int | None]
    rematch_allowance: NotRequired[int]  # seconds for a turn of a rematch; a quarter if you say none
    rematch_bank: NotRequired[int]  # seconds in reserve for a rematch; a quarter if you say none
    timeouts: NotRequired[Literal["autoplay", "forfeit"]]  # what happens when time is up
    weekends: NotRequired[bool]  # clocks rest at the weekend
    # clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most
    nights: NotRequired[bool]
    vacation: NotRequired[bool]  # clocks rest on vacation; by default unless games are quick ones
    chat: NotRequired[bool]  # whether those at a table can talk
    rated: NotRequired[bool]  # Rated
    private: NotRequired[bool]  # games are for those who play them
    # seconds until what is still played in a round is decided by its points; null: never
    round_length: NotRequired[int | None]
    name: str  # Name
    text: NotRequired[str]  # what players should know
    format: NotRequired[Literal["round-robin", "swiss"]]  # How a season is played
    round_count: NotRequired[int | None]  # of Swiss
    division_size: int  # of a division
    promotion_count: NotRequired[int]  # how many go up, and down
    groups_per_division: NotRequired[int]  # in a division
    cycles: NotRequired[int]  # how often two meet in a season
    all_rounds_at_once: NotRequired[bool]  # all rounds of a season begin together
    newcomer_policy: NotRequired[Literal["bottom", "rating"]]  # Where new players begin
    season_pause: NotRequired[int]  # seconds between two seasons
    season_limit: NotRequired[int | None]  # null: for ever


class PatchedNewLeague(TypedDict):
    """The settings of a league."""

    mode: NotRequired[Literal["singles", "pairs"]]  # whether players enter alone or in pairs
    table_size: NotRequired[int]  # entrants at a table; in pairs 2
    edition: NotRequired[Literal["arcastudio-2.2", "bannan-nl"]]  # the rulebook by which it is played
    cards: NotRequired[bool]  # whether it is played with cards
    obligation: NotRequired[Literal["strict"]]  # strict: whoever can close a figure must
    target: NotRequired[int]  # the total of points that ends the game
    # the time control: one of the site's, or custom
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "live", "custom"]]
    allowance: NotRequired[int]  # seconds for a turn; for a custom clock
    bank: NotRequired[int]  # seconds in reserve; for a custom clock
    # seconds for a turn of a blind match; half the allowance if you say none
    blind_allowance: NotRequired[int | None]
    rematch_allowance: NotRequired[int]  # seconds for a turn of a rematch; a quarter if you say none
    rematch_bank: NotRequired[int]  # seconds in reserve for a rematch; a quarter if you say none
    timeouts: NotRequired[Literal["autoplay", "forfeit"]]  # what happens when time is up
    weekends: NotRequired[bool]  # clocks rest at the weekend
    # clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most
    nights: NotRequired[bool]
    vacation: NotRequired[bool]  # clocks rest on vacation; by default unless games are quick ones
    chat: NotRequired[bool]  # whether those at a table can talk
    rated: NotRequired[bool]  # Rated
    private: NotRequired[bool]  # games are for those who play them
    # seconds until what is still played in a round is decided by its points; null: never
    round_length: NotRequired[int | None]
    name: NotRequired[str]  # Name
    text: NotRequired[str]  # what players should know
    format: NotRequired[Literal["round-robin", "swiss"]]  # How a season is played
    round_count: NotRequired[int | None]  # of Swiss
    division_size: NotRequired[int]  # of a division
    promotion_count: NotRequired[int]  # how many go up, and down
    groups_per_division: NotRequired[int]  # in a division
    cycles: NotRequired[int]  # how often two meet in a season
    all_rounds_at_once: NotRequired[bool]  # all rounds of a season begin together
    newcomer_policy: NotRequired[Literal["bottom", "rating"]]  # Where new players begin
    season_pause: NotRequired[int]  # seconds between two seasons
    season_limit: NotRequired[int | None]  # null: for ever


class RemoveLeagueMember(TypedDict):
    """The member to remove from a league."""

    reason: NotRequired[str]  # the reason: only those who organise it, and the staff of the site, can read it
    public_note: NotRequired[str]  # they read it in the mail that tells them
    name: str  # of a player


class SubstitutePlayer(TypedDict):
    """A substitution in a league."""

    reason: NotRequired[str]  # the reason: only those who organise it, and the staff of the site, can read it
    # everybody can read it until the decision is undone; mails about the decision quote it
    public_note: NotRequired[str]
    out: str  # the name of whoever leaves
    player: NotRequired[str | None]  # a substitute; null: who has waited longest
