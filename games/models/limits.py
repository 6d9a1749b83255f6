"""The limits of what players fill in about games: one constant each, for form, API, model and service."""

from __future__ import annotations

from accounts.models.limits import MAX_EMAIL_LENGTH
from accounts.name_validation import MAX_NAME_LENGTH
from common.field_limits import NumberRange
from games import clock
from games.engine.fairness import MAX_CLIENT_SEED_LENGTH
from games.engine.state import CARDS_FROM_MATCHES, MAX_TARGET, MIN_TARGET

MAX_NOTE_LENGTH, MAX_MESSAGE_LENGTH, MAX_REPORT_LENGTH = 5000, 500, 500
# How long a text may be in fields that templates write themselves.
LONGEST_TEXTS = {
    "client-seed": MAX_CLIENT_SEED_LENGTH,
    "email": MAX_EMAIL_LENGTH,
    "message": MAX_MESSAGE_LENGTH,
    "name": MAX_NAME_LENGTH,
    "note": MAX_NOTE_LENGTH,
}

ALLOWANCE = NumberRange(clock.MIN_TIME_CONTROL.allowance, clock.MAX_TIME_CONTROL.allowance)
BANK = NumberRange(clock.MIN_TIME_CONTROL.bank, clock.MAX_TIME_CONTROL.bank)
TARGET_SCORE = NumberRange(MIN_TARGET, MAX_TARGET)
SEAT_COUNT = NumberRange(1, 4)
CARDS_FROM = NumberRange(CARDS_FROM_MATCHES[0], CARDS_FROM_MATCHES[-1])
