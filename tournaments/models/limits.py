"""Limits of the settings that organisers choose: one constant each, for form, API, model and service."""

from __future__ import annotations

from common.field_limits import NumberRange
from games import clock
from games.models.limits import ALLOWANCE as ALLOWANCE
from games.models.limits import BANK as BANK
from games.models.limits import CARDS_FROM as CARDS_FROM
from games.models.limits import LONGEST_TEXTS as TEXTS_OF_GAMES
from games.models.limits import MAX_CLIENT_SEED_LENGTH as MAX_CLIENT_SEED_LENGTH
from games.models.limits import TARGET_SCORE as TARGET_SCORE

MAX_TITLE_LENGTH, MAX_TEXT_LENGTH, MAX_REASON_LENGTH, MAX_APPEAL_LENGTH = 80, 5000, 500, 1000
MAX_CYCLES = 10  # how often two entrants meet in a round robin
MAX_PLACES_PER_TOURNAMENT = 4096
MAX_ROUNDS = 100
REMATCH_TIME_DIVISOR = 4  # by default a rematch has a quarter of the time
MIN_DIVISION_SIZE = 3  # with two, a division below could have a single player
MAX_RESULT_POINTS, MAX_RESULT_EIGHTS = 999, 99  # for one seat, in a result entered by an organiser
MAX_NAMES_LENGTH = 5000  # of a list of players
# How long a text may be in fields that templates write themselves.
LONGEST_TEXTS = TEXTS_OF_GAMES | {
    "appeal": MAX_APPEAL_LENGTH,
    "names": MAX_NAMES_LENGTH,
    "reason": MAX_REASON_LENGTH,
}


TABLE_SIZE = NumberRange(2, 4)
ROUND_LENGTH = NumberRange(600, 400 * clock.SECONDS_PER_DAY)
ROUND_COUNT, CYCLES, ADVANCING_COUNT = (
    NumberRange(1, MAX_ROUNDS),
    NumberRange(1, MAX_CYCLES),
    NumberRange(1, 2),
)
CAPACITY, RATING = NumberRange(2, MAX_PLACES_PER_TOURNAMENT), NumberRange(0, 9999)
DIVISION_SIZE, PROMOTION_COUNT, GROUPS_PER_DIVISION = (
    NumberRange(MIN_DIVISION_SIZE, 100),
    NumberRange(0, 50),
    NumberRange(1, 20),
)
SEASON_PAUSE, SEASON_LIMIT = NumberRange(0, 365 * clock.SECONDS_PER_DAY), NumberRange(1, 1000)
