"""The limits of what players fill in about themselves: one constant each, for form, page, API and model."""

from __future__ import annotations

from common.field_limits import NumberRange

MAX_EMAIL_LENGTH, MAX_TOKEN_NAME_LENGTH = 254, 50
MAX_BOT_TEXT_LENGTH = 200
MAX_OWNER_CODE_LENGTH = 200
MAX_TIME_ZONE_LENGTH = 50
LAST_HOUR_OF_DAY = 23
BOT_GAMES = NumberRange(1, 50)  # challenges that a bot plays at a time
PERCENTAGE = NumberRange(1, 99)  # of time, at which somebody is reminded
