"""In English a time is that of a day of 24 hours, as in our other languages: no sentence ends in `a.m..`."""

DATETIME_FORMAT = "N j, Y, H:i"
TIME_FORMAT = "H:i"
