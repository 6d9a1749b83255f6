"""Italian: the day has no zero before it, and a time is followed by its zone."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i T"
SHORT_DATETIME_FORMAT = "j b, H:i T"
