"""Dutch: a time is followed by its zone."""

DATETIME_FORMAT = "j F Y H:i T"
SHORT_DATETIME_FORMAT = "j b, H:i T"
