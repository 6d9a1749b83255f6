"""Types of the API: tournaments requests.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class AcceptProposal(TypedDict):
    """The client seed to accept a proposal with."""

    # Your part of the shuffles: 1 to 64 characters without `|`. If it is empty, we use the number of your
    # entry.
    client_seed: NotRequired[str]


class AppealText(TypedDict):
    """The text of an appeal or of its answer."""

    text: str  # The text.


class ClientSeed(TypedDict):
    """A new client seed."""

    # Your part of the shuffles: 1 to 64 characters without `|`. If it is empty, we use the number of your
    # entry.
    client_seed: str


class CorrectResult(TypedDict):
    """A corrected result."""

    reason: NotRequired[str]  # The reason. Only the organisers and the site's operators can read it.
    # A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone.
    public_note: NotRequired[str]
    # Send true to change final ranks or to reopen a tournament that is over. Otherwise such a request gets
    # `rank-changes`, and `places` lists the changes.
    confirmed: NotRequired[bool]
    pairing: int  # The `id` of the pairing.
    ranks: list[int]  # The rank of each seat, in seat order; 1 is the best. Equal results share a rank.
    # The points of each seat in the game, in seat order. Omit them to keep those of the game.
    points: NotRequired[list[int] | None]
    # How many times each seat made an 8, in seat order. Omit them to keep those of the game.
    eights: NotRequired[list[int] | None]
    forfeits: NotRequired[list[int]]  # The `id` of each entrant that did not play to the end.


class DecisionReason(TypedDict):
    """The reason and the public note of a decision."""

    reason: NotRequired[str]  # The reason. Only the organisers and the site's operators can read it.
    # A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone.
    public_note: NotRequired[str]


class DisqualifyEntrant(TypedDict):
    """The entrant to disqualify."""

    reason: NotRequired[str]  # The reason. Only the organisers and the site's operators can read it.
    # A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone.
    public_note: NotRequired[str]
    entrant: int  # The `id` of the entrant.


class ExtendRound(TypedDict):
    """A new end of a round."""

    reason: NotRequired[str]  # The reason. Only the organisers and the site's operators can read it.
    # A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone.
    public_note: NotRequired[str]
    round: int  # The number of the round, as in the list of rounds.
    until: str  # When the round is to end.


class NewTournament(TypedDict):
    """The settings of a tournament."""

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
    # How we pair entrants: knock-out, double knock-out, round robin or Swiss.
    format: Literal["knockout", "double", "round-robin", "swiss"]
    # The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null: as many as it takes.
    round_count: NotRequired[int | None]
    cycles: NotRequired[int]  # Round robin: how many times two entrants meet.
    all_rounds_at_once: NotRequired[bool]  # Round robin: whether all rounds begin together.
    advancing_count: NotRequired[int]  # Knock-out: how many entrants go on from a table of 3 or 4.
    third_place: NotRequired[bool]  # Knock-out at tables of 2: whether the third place is played for.
    opens_at: NotRequired[str | None]  # When entries open; null for at once.
    closes_at: NotRequired[str | None]  # When entries close; null for at the start.
    # When it starts; null if it starts when it is full, or when you start it.
    starts_at: NotRequired[str | None]
    when_full: NotRequired[bool]  # Whether it starts as soon as all places are taken.
    # How many entrants can have a place; later ones join the waiting list. Null for no limit.
    capacity: NotRequired[int | None]
    confirmation: NotRequired[bool]  # Whether only those play who confirm shortly before the start.
    by_invitation: NotRequired[bool]  # Whether only invited players can enter.
    late_entry: NotRequired[bool]  # Swiss: whether players can enter after the start.
    # Whether bot accounts may enter; a game between a bot and a person is not rated.
    bots_allowed: NotRequired[bool]
    min_rating: NotRequired[int | None]  # The lowest rating with which a player can enter; null for any.
    max_rating: NotRequired[int | None]  # The highest rating with which a player can enter; null for any.
    # How entrants get their seeds, where no organiser sets them by hand.
    seeding: NotRequired[Literal["lot", "rating"]]
    hold_on_warnings: NotRequired[bool]  # Whether a round with warnings waits for an organiser.
    manual_approval: NotRequired[bool]  # Whether every round waits for the approval of an organiser.


class PatchedNewTournament(TypedDict):
    """The settings of a tournament."""

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
    # How we pair entrants: knock-out, double knock-out, round robin or Swiss.
    format: NotRequired[Literal["knockout", "double", "round-robin", "swiss"]]
    # The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null: as many as it takes.
    round_count: NotRequired[int | None]
    cycles: NotRequired[int]  # Round robin: how many times two entrants meet.
    all_rounds_at_once: NotRequired[bool]  # Round robin: whether all rounds begin together.
    advancing_count: NotRequired[int]  # Knock-out: how many entrants go on from a table of 3 or 4.
    third_place: NotRequired[bool]  # Knock-out at tables of 2: whether the third place is played for.
    opens_at: NotRequired[str | None]  # When entries open; null for at once.
    closes_at: NotRequired[str | None]  # When entries close; null for at the start.
    # When it starts; null if it starts when it is full, or when you start it.
    starts_at: NotRequired[str | None]
    when_full: NotRequired[bool]  # Whether it starts as soon as all places are taken.
    # How many entrants can have a place; later ones join the waiting list. Null for no limit.
    capacity: NotRequired[int | None]
    confirmation: NotRequired[bool]  # Whether only those play who confirm shortly before the start.
    by_invitation: NotRequired[bool]  # Whether only invited players can enter.
    late_entry: NotRequired[bool]  # Swiss: whether players can enter after the start.
    # Whether bot accounts may enter; a game between a bot and a person is not rated.
    bots_allowed: NotRequired[bool]
    min_rating: NotRequired[int | None]  # The lowest rating with which a player can enter; null for any.
    max_rating: NotRequired[int | None]  # The highest rating with which a player can enter; null for any.
    # How entrants get their seeds, where no organiser sets them by hand.
    seeding: NotRequired[Literal["lot", "rating"]]
    hold_on_warnings: NotRequired[bool]  # Whether a round with warnings waits for an organiser.
    manual_approval: NotRequired[bool]  # Whether every round waits for the approval of an organiser.


class PlayerName(TypedDict):
    """The name of a player."""

    name: str  # The name of a player.


class RemoveEntrant(TypedDict):
    """The entrant to remove."""

    reason: NotRequired[str]  # The reason. Only the organisers and the site's operators can read it.
    # A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone.
    public_note: NotRequired[str]
    entrant: int  # The `id` of the entrant.


class ReplacePlayer(TypedDict):
    """A replacement for a player of an entrant."""

    reason: NotRequired[str]  # The reason. Only the organisers and the site's operators can read it.
    # A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone.
    public_note: NotRequired[str]
    entrant: int  # The `id` of the entrant.
    player: NotRequired[str | None]  # The name of the new player; null for the first on the waiting list.
    number: NotRequired[int]  # 1, or 2 to replace the second player of a pair.


class SeedOrder(TypedDict):
    """The seed order."""

    # The `id` of each entrant to seed, the strongest first. The others are drawn in behind them.
    order: list[int]


class SitOutRound(TypedDict):
    """The round to sit out."""

    round: int  # The number of the round.


class TournamentEntry(TypedDict):
    """An entry into a tournament."""

    # Your part of the shuffles: 1 to 64 characters without `|`. If it is empty, we use the number of your
    # entry.
    client_seed: NotRequired[str]
    partner: NotRequired[str | None]  # In pairs: the name of the player you want to play with.


class UndoDecision(TypedDict):
    """Undoes a decision."""

    reason: NotRequired[str]  # The reason. Only the organisers and the site's operators can read it.
    # A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone.
    public_note: NotRequired[str]
    # Send true to change final ranks or to reopen a tournament that is over. Otherwise such a request gets
    # `rank-changes`, and `places` lists the changes.
    confirmed: NotRequired[bool]
