"""Types of the API: leagues requests.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class LeagueEntry(TypedDict):
    """An entry into a league."""

    # Your part of the shuffles: 1 to 64 characters without `|`. If it is empty, we use the number of your
    # entry. Null: the one that you brought before.
    client_seed: NotRequired[str | None]
    partner: NotRequired[str | None]  # In pairs: the name of the player you want to play with.


class NewLeague(TypedDict):
    """The settings of a league."""

    mode: NotRequired[Literal["singles", "pairs"]]  # Whether players enter alone or in pairs.
    table_size: NotRequired[int]  # How many entrants sit at a table, 2 to 4; in pairs always 2.
    edition: NotRequired[Literal["arcastudio-2.2", "bannan-nl", "pergioco-72"]]  # The edition of the rules.
    cards: NotRequired[bool]  # Whether secret cards are played. The default depends on the edition.
    cards_from: NotRequired[int]  # The first match with cards: 1, or 2 to learn the tiles first.
    # Always `strict`: a placement must make an 8 or close a figure where it can.
    obligation: NotRequired[Literal["strict"]]
    target: NotRequired[int]  # The points that a side needs to end the game.
    # How the oldest player is found: by the age of the account, or by lot. The default depends on the
    # edition.
    seniority: NotRequired[Literal["account", "lot"]]
    # Whether pages and mails show where a figure can be closed. The API always lists the legal actions.
    hints: NotRequired[bool]
    # The time control: the name of a preset, or `custom` with `allowance_seconds` and `bank_seconds`.
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "fast", "live", "custom"]]
    allowance_seconds: NotRequired[int]  # The time for each turn, in seconds. Only with the clock `custom`.
    # The reserve for the whole game, in seconds. Only with the clock `custom`.
    bank_seconds: NotRequired[int]
    # The time for a turn of a blind match, in seconds. Null means half the usual time.
    blind_allowance_seconds: NotRequired[int | None]
    # The time for a turn of a rematch, in seconds. Null means a quarter of the usual time.
    rematch_allowance_seconds: NotRequired[int]
    # The reserve for a rematch, in seconds. Null means a quarter of the usual reserve.
    rematch_bank_seconds: NotRequired[int]
    # What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns.
    timeouts: NotRequired[Literal["autoplay", "forfeit"]]
    weekends: NotRequired[bool]  # Whether clocks stop at the weekend.
    # Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next
    # turn.
    nights: NotRequired[bool]
    # Whether clocks stop while a player is on vacation. The default is true, except for quick games.
    vacation: NotRequired[bool]
    chat: NotRequired[bool]  # Whether the players at a table can chat.
    rated: NotRequired[bool]  # Whether its games count for ratings.
    private: NotRequired[bool]  # Whether only the players of a game can see it.
    # How long a round lasts, in seconds. Points then decide the games that still run. Null for no limit.
    round_length_seconds: NotRequired[int | None]
    name: str  # The name, as players read it.
    text: NotRequired[str]  # A text for the players, without formatting.
    # How a season is played: everybody against everybody else in the division, or Swiss rounds.
    format: NotRequired[Literal["round-robin", "swiss"]]
    round_count: NotRequired[int | None]  # Swiss: the number of rounds.
    division_size: int  # How many players or pairs a division has.
    promotion_count: NotRequired[int]  # How many are promoted, and relegated, after a season.
    groups_per_division: NotRequired[int]  # How many groups a division has.
    cycles: NotRequired[int]  # How many times two members meet in a season.
    all_rounds_at_once: NotRequired[bool]  # Whether all rounds of a season begin together.
    # Where new members begin: in the lowest division, or by their rating.
    newcomer_policy: NotRequired[Literal["bottom", "rating"]]
    season_pause_seconds: NotRequired[int]  # The time between two seasons, in seconds.
    season_limit: NotRequired[int | None]  # How many seasons are played; null for no limit.


class PatchedNewLeague(TypedDict):
    """The settings of a league."""

    mode: NotRequired[Literal["singles", "pairs"]]  # Whether players enter alone or in pairs.
    table_size: NotRequired[int]  # How many entrants sit at a table, 2 to 4; in pairs always 2.
    edition: NotRequired[Literal["arcastudio-2.2", "bannan-nl", "pergioco-72"]]  # The edition of the rules.
    cards: NotRequired[bool]  # Whether secret cards are played. The default depends on the edition.
    cards_from: NotRequired[int]  # The first match with cards: 1, or 2 to learn the tiles first.
    # Always `strict`: a placement must make an 8 or close a figure where it can.
    obligation: NotRequired[Literal["strict"]]
    target: NotRequired[int]  # The points that a side needs to end the game.
    # How the oldest player is found: by the age of the account, or by lot. The default depends on the
    # edition.
    seniority: NotRequired[Literal["account", "lot"]]
    # Whether pages and mails show where a figure can be closed. The API always lists the legal actions.
    hints: NotRequired[bool]
    # The time control: the name of a preset, or `custom` with `allowance_seconds` and `bank_seconds`.
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "fast", "live", "custom"]]
    allowance_seconds: NotRequired[int]  # The time for each turn, in seconds. Only with the clock `custom`.
    # The reserve for the whole game, in seconds. Only with the clock `custom`.
    bank_seconds: NotRequired[int]
    # The time for a turn of a blind match, in seconds. Null means half the usual time.
    blind_allowance_seconds: NotRequired[int | None]
    # The time for a turn of a rematch, in seconds. Null means a quarter of the usual time.
    rematch_allowance_seconds: NotRequired[int]
    # The reserve for a rematch, in seconds. Null means a quarter of the usual reserve.
    rematch_bank_seconds: NotRequired[int]
    # What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns.
    timeouts: NotRequired[Literal["autoplay", "forfeit"]]
    weekends: NotRequired[bool]  # Whether clocks stop at the weekend.
    # Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next
    # turn.
    nights: NotRequired[bool]
    # Whether clocks stop while a player is on vacation. The default is true, except for quick games.
    vacation: NotRequired[bool]
    chat: NotRequired[bool]  # Whether the players at a table can chat.
    rated: NotRequired[bool]  # Whether its games count for ratings.
    private: NotRequired[bool]  # Whether only the players of a game can see it.
    # How long a round lasts, in seconds. Points then decide the games that still run. Null for no limit.
    round_length_seconds: NotRequired[int | None]
    name: NotRequired[str]  # The name, as players read it.
    text: NotRequired[str]  # A text for the players, without formatting.
    # How a season is played: everybody against everybody else in the division, or Swiss rounds.
    format: NotRequired[Literal["round-robin", "swiss"]]
    round_count: NotRequired[int | None]  # Swiss: the number of rounds.
    division_size: NotRequired[int]  # How many players or pairs a division has.
    promotion_count: NotRequired[int]  # How many are promoted, and relegated, after a season.
    groups_per_division: NotRequired[int]  # How many groups a division has.
    cycles: NotRequired[int]  # How many times two members meet in a season.
    all_rounds_at_once: NotRequired[bool]  # Whether all rounds of a season begin together.
    # Where new members begin: in the lowest division, or by their rating.
    newcomer_policy: NotRequired[Literal["bottom", "rating"]]
    season_pause_seconds: NotRequired[int]  # The time between two seasons, in seconds.
    season_limit: NotRequired[int | None]  # How many seasons are played; null for no limit.


class RemoveLeagueMember(TypedDict):
    """The member to remove from a league."""

    reason: NotRequired[str]  # The reason. Only the organisers and the site's operators can read it.
    public_note: NotRequired[str]  # A note that the player reads in the mail about the removal.
    name: str  # The name of a player.


class SubstitutePlayer(TypedDict):
    """A substitution in a league."""

    reason: NotRequired[str]  # The reason. Only the organisers and the site's operators can read it.
    # A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone.
    public_note: NotRequired[str]
    out: str  # The name of the player who leaves.
    player: NotRequired[str | None]  # The name of the substitute; null for the one who has waited longest.
