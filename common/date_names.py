"""Names of days and months, marked so that our catalogues hold them: Django's Italian ones have capitals."""

from __future__ import annotations

from django.utils.translation import gettext_noop as noop

DAY_NAMES = (
    *(noop("Monday"), noop("Tuesday"), noop("Wednesday"), noop("Thursday"), noop("Friday")),
    *(noop("Saturday"), noop("Sunday")),
    *(noop("Mon"), noop("Tue"), noop("Wed"), noop("Thu"), noop("Fri"), noop("Sat"), noop("Sun")),
)
MONTH_NAMES = (
    *(noop("January"), noop("February"), noop("March"), noop("April"), noop("May"), noop("June")),
    *(noop("July"), noop("August"), noop("September"), noop("October"), noop("November"), noop("December")),
)
