"""The names of the steps that a sweep can do, by which it counts them."""

from __future__ import annotations

from enum import StrEnum


class StepName(StrEnum):
    """What a step of a sweep did."""

    STARTED = "began"
    CONFIRMATIONS_ASKED = "asked"
    ENTRANTS_WITHDRAWN = "dropped"
    RESULTS_RECORDED = "settled"
    GAME_OPENED = "opened"
    GAMES_RESIGNED = "resigned"
    GAMES_ADJUDICATED = "adjudicated"
    PUT_ON_HOLD = "held"
    ROUND_PAIRED = "paired"
    FINISHED = "finished"
    SEED_PUBLISHED = "seed-published"
    SEASON_STARTED = "season-began"
    SEASON_ENDED = "season-ended"
    FAILED = "failed"  # the sweep tries again later
