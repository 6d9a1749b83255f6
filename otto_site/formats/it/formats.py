"""Italian: a time is followed by its zone."""

DATETIME_FORMAT = "l d F Y H:i T"
