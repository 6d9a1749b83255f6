"""English: 24-hour times as in our other languages, so that no sentence ends in `a.m..`.

In every language a time is followed by its zone, since not every reader has chosen one.
"""

DATETIME_FORMAT = "N j, Y, H:i T"
SHORT_DATETIME_FORMAT = "j M, H:i T"
TIME_FORMAT = "H:i"
