"""In English a time is that of a day of 24 hours, as in our other languages: no sentence ends in `a.m..`.

In every language a time is followed by its zone: not everybody has chosen one, and none shows itself.
"""

DATETIME_FORMAT = "N j, Y, H:i T"
TIME_FORMAT = "H:i"
