"""Types of the API: leagues requests.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class LeagueEntry(TypedDict):
    """An entry into a league."""

    # Your own part of the shuffles: 1 to 64 characters without `|`. If it is empty, the number of your entry
    # is used as text. Null: the one that you brought before.
    client_seed: NotRequired[str | None]
    partner: NotRequired[str | None]  # In pairs: the name of the player you want to play with.


class NewLeague(TypedDict):
    """The settings of a league."""

    mode: NotRequired[Literal["singles", "pairs"]]  # Whether players enter alone or in pairs.
    table_size: NotRequired[int]  # How many entrants sit at a table, 2 to 4; in pairs always 2.
    edition: NotRequired[Literal["arcastudio-2.2", "bannan-nl", "pergioco-72"]]  # The edition of the rules.
    cards: NotRequired[bool]  # Whether secret cards are played; by default as the edition has it.
    cards_from: NotRequired[int]  # The first match with cards: 1, or 2 to learn the tiles first.
    # `strict`: you must close a figure if you can. `lenient`: you need not.
    obligation: NotRequired[Literal["strict"]]
    target: NotRequired[int]  # The points that a side needs to end the game.
    # Who is the oldest: by the age of the account, or by lot; by default as the edition has it.
    seniority: NotRequired[Literal["account", "lot"]]
    # Whether pages and mails show where a figure can be closed. The API always lists the legal actions.
    hints: NotRequired[bool]
    # The time control: the name of a preset, or `custom` with `allowance` and `bank`.
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "fast", "live", "custom"]]
    allowance: NotRequired[int]  # The time for a turn in seconds; only with the clock `custom`.
    bank: NotRequired[int]  # The reserve for the whole game in seconds; only with the clock `custom`.
    # The time for a turn of a blind match in seconds. Null: half the allowance.
    blind_allowance: NotRequired[int | None]
    # The time for a turn of a rematch, in seconds. Null: a quarter of the allowance.
    rematch_allowance: NotRequired[int]
    rematch_bank: NotRequired[int]  # The reserve for a rematch, in seconds. Null: a quarter of the bank.
    # What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns.
    timeouts: NotRequired[Literal["autoplay", "forfeit"]]
    weekends: NotRequired[bool]  # Whether clocks rest at the weekend.
    # Whether clocks rest in each player's night hours, at most 12 of 24. Changed hours count from the next
    # turn.
    nights: NotRequired[bool]
    # Whether clocks rest while a player is on vacation. The default is true, except for quick games.
    vacation: NotRequired[bool]
    chat: NotRequired[bool]  # Whether the players at a table can chat.
    rated: NotRequired[bool]  # Whether its games count for ratings.
    private: NotRequired[bool]  # Whether only the players of a game can see it.
    # How long a round lasts, in seconds; then points decide the games that are not over. Null: no limit.
    round_length: NotRequired[int | None]
    name: str  # The name, as players read it.
    text: NotRequired[str]  # A text for the players, without formatting.
    # How a season is played: everybody against everybody else of the division, or Swiss rounds.
    format: NotRequired[Literal["round-robin", "swiss"]]
    round_count: NotRequired[int | None]  # Swiss: the number of rounds.
    division_size: int  # How many players or pairs a division has.
    promotion_count: NotRequired[int]  # How many are promoted, and relegated, after a season.
    groups_per_division: NotRequired[int]  # How many groups a division has.
    cycles: NotRequired[int]  # How many times each two members meet in a season.
    all_rounds_at_once: NotRequired[bool]  # Whether all rounds of a season begin together.
    # Where new members begin: in the lowest division, or by their rating.
    newcomer_policy: NotRequired[Literal["bottom", "rating"]]
    season_pause: NotRequired[int]  # The time between two seasons, in seconds.
    season_limit: NotRequired[int | None]  # How many seasons are played; null for no limit.


class PatchedNewLeague(TypedDict):
    """The settings of a league."""

    mode: NotRequired[Literal["singles", "pairs"]]  # Whether players enter alone or in pairs.
    table_size: NotRequired[int]  # How many entrants sit at a table, 2 to 4; in pairs always 2.
    edition: NotRequired[Literal["arcastudio-2.2", "bannan-nl", "pergioco-72"]]  # The edition of the rules.
    cards: NotRequired[bool]  # Whether secret cards are played; by default as the edition has it.
    cards_from: NotRequired[int]  # The first match with cards: 1, or 2 to learn the tiles first.
    # `strict`: you must close a figure if you can. `lenient`: you need not.
    obligation: NotRequired[Literal["strict"]]
    target: NotRequired[int]  # The points that a side needs to end the game.
    # Who is the oldest: by the age of the account, or by lot; by default as the edition has it.
    seniority: NotRequired[Literal["account", "lot"]]
    # Whether pages and mails show where a figure can be closed. The API always lists the legal actions.
    hints: NotRequired[bool]
    # The time control: the name of a preset, or `custom` with `allowance` and `bank`.
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "fast", "live", "custom"]]
    allowance: NotRequired[int]  # The time for a turn in seconds; only with the clock `custom`.
    bank: NotRequired[int]  # The reserve for the whole game in seconds; only with the clock `custom`.
    # The time for a turn of a blind match in seconds. Null: half the allowance.
    blind_allowance: NotRequired[int | None]
    # The time for a turn of a rematch, in seconds. Null: a quarter of the allowance.
    rematch_allowance: NotRequired[int]
    rematch_bank: NotRequired[int]  # The reserve for a rematch, in seconds. Null: a quarter of the bank.
    # What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns.
    timeouts: NotRequired[Literal["autoplay", "forfeit"]]
    weekends: NotRequired[bool]  # Whether clocks rest at the weekend.
    # Whether clocks rest in each player's night hours, at most 12 of 24. Changed hours count from the next
    # turn.
    nights: NotRequired[bool]
    # Whether clocks rest while a player is on vacation. The default is true, except for quick games.
    vacation: NotRequired[bool]
    chat: NotRequired[bool]  # Whether the players at a table can chat.
    rated: NotRequired[bool]  # Whether its games count for ratings.
    private: NotRequired[bool]  # Whether only the players of a game can see it.
    # How long a round lasts, in seconds; then points decide the games that are not over. Null: no limit.
    round_length: NotRequired[int | None]
    name: NotRequired[str]  # The name, as players read it.
    text: NotRequired[str]  # A text for the players, without formatting.
    # How a season is played: everybody against everybody else of the division, or Swiss rounds.
    format: NotRequired[Literal["round-robin", "swiss"]]
    round_count: NotRequired[int | None]  # Swiss: the number of rounds.
    division_size: NotRequired[int]  # How many players or pairs a division has.
    promotion_count: NotRequired[int]  # How many are promoted, and relegated, after a season.
    groups_per_division: NotRequired[int]  # How many groups a division has.
    cycles: NotRequired[int]  # How many times each two members meet in a season.
    all_rounds_at_once: NotRequired[bool]  # Whether all rounds of a season begin together.
    # Where new members begin: in the lowest division, or by their rating.
    newcomer_policy: NotRequired[Literal["bottom", "rating"]]
    season_pause: NotRequired[int]  # The time between two seasons, in seconds.
    season_limit: NotRequired[int | None]  # How many seasons are played; null for no limit.


class RemoveLeagueMember(TypedDict):
    """The member to remove from a league."""

    # The reason, for the organisers and the staff of the site. Nobody else can read it.
    reason: NotRequired[str]
    public_note: NotRequired[str]  # A note that the player reads in the mail about the removal.
    name: str  # The name of a player.


class SubstitutePlayer(TypedDict):
    """A substitution in a league."""

    # The reason, for the organisers and the staff of the site. Nobody else can read it.
    reason: NotRequired[str]
    # A note for everybody, which mails about the decision quote. It is hidden once the decision is undone.
    public_note: NotRequired[str]
    out: str  # The name of the player who leaves.
    player: NotRequired[str | None]  # The name of the substitute; null for the one who has waited longest.
