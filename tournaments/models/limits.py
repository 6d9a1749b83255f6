"""The limits of what organisers fill in: one constant each, for form, API, model and service."""

from __future__ import annotations

from games import clock
from games.models.limits import ALLOWANCE as ALLOWANCE
from games.models.limits import BANK as BANK
from games.models.limits import LONGEST_TEXTS as TEXTS_OF_GAMES
from games.models.limits import TARGET as TARGET
from games.models.limits import Limits

MAX_TITLE_LENGTH, MAX_TEXT_LENGTH, MAX_REASON_LENGTH, MAX_APPEAL_LENGTH = 80, 5000, 500, 1000
MAX_LAPS = 10  # how often two meet in a round robin
MAX_PLACES_PER_EVENT = 4096
MAX_ROUNDS = 100
MIN_DIVISION_SIZE = 3  # with two, one might be left alone below
MAX_RESULT_POINTS, MAX_RESULT_EIGHTS = 999, 99  # that an organiser may write for one seat
MAX_NAMES_LENGTH = 5000  # of a list of players
# How long a text may be in fields that templates write themselves.
LONGEST_TEXTS = TEXTS_OF_GAMES | {
    "appeal": MAX_APPEAL_LENGTH,
    "names": MAX_NAMES_LENGTH,
    "reason": MAX_REASON_LENGTH,
}


TABLE = Limits(2, 4)
ROUND_LENGTH = Limits(600, 400 * clock.DAY)
ROUNDS, LAPS, ADVANCE = Limits(1, MAX_ROUNDS), Limits(1, MAX_LAPS), Limits(1, 2)
PLACES, RATING = Limits(2, MAX_PLACES_PER_EVENT), Limits(0, 9999)
DIVISION_SIZE, MOVES, GROUPS = Limits(MIN_DIVISION_SIZE, 100), Limits(0, 50), Limits(1, 20)
PAUSE, SEASONS = Limits(0, 365 * clock.DAY), Limits(1, 1000)
