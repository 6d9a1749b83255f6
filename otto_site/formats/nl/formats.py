"""Dutch: a time is followed by its zone."""

DATETIME_FORMAT = "j F Y H:i T"
