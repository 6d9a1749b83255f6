"""Sentences with numbers in them, made from the rules that they describe: whoever changes one changes both.

Forms, pages, mails and the API take such sentences from here, so that none of them can say something else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from allauth.account import app_settings
from django.utils.functional import lazy
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import clock
from games.models import Game
from games.services import webhooks
from games.spans import lasting


def name_share(parts: int) -> str:
    """One of so many equal parts, in words."""
    shares = {2: _("half"), 3: _("a third"), 4: _("a quarter")}
    return shares.get(parts) or f"1/{parts}"


# ------------------------------------------------------------------------------------------------- time is up


def say_autoplay() -> str:
    """What the server does for a side that is out of time, and when that ends."""
    return ngettext(
        "the server plays the turn, once in a row at most; at the next timeout the side resigns",
        "the server plays the turn, %(n)d times in a row at most; at the next timeout the side resigns",
        clock.AUTOPLAYS,
    ) % {"n": clock.AUTOPLAYS}


def say_autoplay_to_player() -> str:
    """The same to whoever it has just been done for."""
    return ngettext(
        "It does so once in a row at most; at the next timeout your side resigns.",
        "It does so %(n)d times in a row at most; at the next timeout your side resigns.",
        clock.AUTOPLAYS,
    ) % {"n": clock.AUTOPLAYS}


def say_timeouts(policy: str) -> str:
    """What happens when time is up, by the choice of a game."""
    return say_autoplay() if policy == Game.Timeouts.AUTOPLAY else _("the side resigns")


def timeout_choices() -> list[tuple[str, str]]:
    """The choices of a form, each with what it means."""
    return [(policy, say_timeouts(policy)) for policy in Game.Timeouts.values]


# ---------------------------------------------------------------------------------------------- blind matches


def say_blind_default() -> str:
    """How long a turn of a blind match may take where nobody chose that."""
    return _("A level game is decided in a blind match. Empty: %(share)s of the usual time.") % {
        "share": name_share(clock.BLIND_SHARE)
    }


def say_blind_allowance(seconds: int) -> str:
    """How long a turn of a blind match may take."""
    return _("%(span)s for each turn of a blind match") % {"span": lasting(timedelta(seconds=seconds))}


# --------------------------------------------------------------------------------------------------- vacation


def say_vacation_rule() -> str:
    """How vacation is earned, and what becomes of it when a deadline falls."""
    facts = {"earned": clock.VACATION_EARNED, "cap": clock.VACATION_CAP.days} | vacation_hour()
    return (
        _(
            "Every %(earned)s days with us earn one, up to %(cap)s. If a deadline falls while you have some"
            " left, %(span)s of it is taken rather than the game."
        )
        % facts
    )


def vacation_hour() -> dict[str, str]:
    """What is taken at once, for a sentence."""
    return {"span": lasting(clock.VACATION_FLOAT)}


def say_shortest_vacation() -> str:
    """How long a vacation is at least."""
    return _("The shortest vacation is %(span)s.") % {"span": lasting(clock.VACATION_LEAST)}


def say_vacation_default() -> str:
    """When clocks rest on vacation where nobody chose that."""
    return _("yes, unless a turn takes less than %(span)s") % {"span": lasting(timedelta(seconds=clock.LIVE))}


# ------------------------------------------------------------------------------------------------ quiet hours


def say_nights() -> str:
    """By which hours clocks rest at night."""
    return _(
        "By each player’s own quiet hours, as they are when a turn begins; %(night)d of %(day)d at most."
    ) % {"night": hours(clock.LONGEST_NIGHT), "day": hours(clock.LONGEST_NIGHT + clock.SHORTEST_DAY)}


def say_longest_quiet() -> str:
    """How long quiet hours last at most."""
    return _("Quiet hours last %(span)s at most.") % {"span": lasting(clock.LONGEST_QUIET)}


def hours(length: timedelta) -> int:
    """A length of time in hours."""
    return length // timedelta(hours=1)


# ----------------------------------------------------------------------------------------- links in our mails


def say_confirmation_link() -> str:
    """How long the link lasts that proves an address."""
    days = timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS)
    return _("We have sent you a link. Open it to show that the address is yours; it works for %(span)s.") % {
        "span": lasting(days)
    }


# --------------------------------------------------------------------------------------------------- webhooks


def say_delays(delays: Sequence[timedelta]) -> str:
    """After how long something is tried again, time after time."""
    return get_text_list([lasting(delay) for delay in delays], _("and"))


def say_webhook_retries() -> str:
    """How often a call is repeated, and what becomes of a webhook that takes none."""
    return _(
        "A call that fails is repeated after %(delays)s, and newer calls do not wait for it. A webhook for"
        " which %(given_up)d deliveries in a row were given up, or that answers 410, is switched off."
    ) % {"delays": say_delays(webhooks.DELAYS), "given_up": webhooks.IN_A_ROW}


# ------------------------------------------------------------------------------------------------- templates

# By what name a template asks for a sentence: {% rule "vacation" %}.
SENTENCES: dict[str, Callable[[], str]] = {
    "confirmation-link": say_confirmation_link,
    "shortest-vacation": say_shortest_vacation,
    "vacation": say_vacation_rule,
    "webhook-retries": say_webhook_retries,
}

lazy_blind_default = lazy(say_blind_default, str)
lazy_nights = lazy(say_nights, str)
lazy_longest_quiet = lazy(say_longest_quiet, str)
lazy_vacation_default = lazy(say_vacation_default, str)
