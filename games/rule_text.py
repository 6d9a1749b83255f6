"""Translated sentences with numbers, built from the constants of the rules that they describe.

Forms, pages, mails and the API take these sentences from here, so that text and rules cannot differ.
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
from games.duration_format import format_duration
from games.models import Game
from games.services import webhooks


def format_fraction(parts: int) -> str:
    """One of so many equal parts, in words."""
    shares = {2: _("half"), 3: _("a third"), 4: _("a quarter")}
    return shares.get(parts) or f"1/{parts}"


# --------------------------------------------------------------------------------------------------- timeouts


def describe_autoplay() -> str:
    """What the server does for a side that is out of time, and when that ends."""
    return ngettext(
        "the server plays the turn, once in a row at most; at the next timeout the side resigns",
        "the server plays the turn, %(n)d times in a row at most; at the next timeout the side resigns",
        clock.MAX_AUTOPLAYED_TURNS,
    ) % {"n": clock.MAX_AUTOPLAYED_TURNS}


def describe_autoplay_to_player() -> str:
    """What the server does, addressed to the player for whom it just played."""
    return ngettext(
        "It does so once in a row at most; at the next timeout your side resigns.",
        "It does so %(n)d times in a row at most; at the next timeout your side resigns.",
        clock.MAX_AUTOPLAYED_TURNS,
    ) % {"n": clock.MAX_AUTOPLAYED_TURNS}


def describe_timeout_policy(policy: str) -> str:
    """What happens on a timeout under a game's policy."""
    return describe_autoplay() if policy == Game.TimeoutPolicy.AUTOPLAY else _("the side resigns")


def list_timeout_choices() -> list[tuple[str, str]]:
    """The timeout policies as choices of a form."""
    return [(policy, describe_timeout_policy(policy)) for policy in Game.TimeoutPolicy.values]


# ---------------------------------------------------------------------------------------------- blind matches


def describe_blind_default() -> str:
    """The default time per turn of a blind match."""
    return _("A level game is decided in a blind match. Empty: %(share)s of the usual time.") % {
        "share": format_fraction(clock.BLIND_ALLOWANCE_DIVISOR)
    }


def describe_blind_allowance(seconds: int) -> str:
    """The time per turn of a blind match."""
    return _("%(span)s for each turn of a blind match") % {
        "span": format_duration(timedelta(seconds=seconds))
    }


# --------------------------------------------------------------------------------------------------- vacation


def describe_vacation_rule() -> str:
    """How vacation is earned, and how a missed deadline uses it."""
    details = {
        "earned": clock.DAYS_PER_VACATION_DAY,
        "cap": clock.MAX_VACATION_BALANCE.days,
    } | build_vacation_step_details()
    return (
        _(
            "Every %(earned)s days with us earn one, up to %(cap)s. If a deadline falls while you have some"
            " left, %(span)s of it is taken rather than the game."
        )
        % details
    )


def build_vacation_step_details() -> dict[str, str]:
    """The placeholder for the vacation that a missed deadline takes at once."""
    return {"span": format_duration(clock.FLOATING_VACATION_STEP)}


def describe_shortest_vacation() -> str:
    """The minimum length of a vacation."""
    return _("The shortest vacation is %(span)s.") % {"span": format_duration(clock.MIN_VACATION_LENGTH)}


def describe_vacation_default() -> str:
    """The default of whether clocks stop on vacation."""
    return _("yes, unless a turn takes less than %(span)s") % {
        "span": format_duration(timedelta(seconds=clock.LIVE_ALLOWANCE_SECONDS))
    }


# ------------------------------------------------------------------------------------------------ quiet hours


def describe_nights() -> str:
    """By which hours clocks stop at night."""
    return _(
        "By each player’s own quiet hours, as they are when a turn begins; %(night)d of %(day)d at most."
    ) % {
        "night": count_hours(clock.MAX_NIGHT_LENGTH),
        "day": count_hours(clock.MAX_NIGHT_LENGTH + clock.MIN_TIME_BETWEEN_NIGHTS),
    }


def describe_longest_quiet_hours() -> str:
    """The maximum length of quiet hours."""
    return _("Quiet hours last %(span)s at most.") % {"span": format_duration(clock.MAX_QUIET_HOURS)}


def count_hours(length: timedelta) -> int:
    """A length of time in whole hours."""
    return length // timedelta(hours=1)


# --------------------------------------------------------------------------------------------- links in mails


def describe_confirmation_link() -> str:
    """How long the link that confirms an address is valid."""
    days = timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS)
    return _("We have sent you a link. Open it to show that the address is yours; it works for %(span)s.") % {
        "span": format_duration(days)
    }


# --------------------------------------------------------------------------------------------------- webhooks


def format_delays(delays: Sequence[timedelta]) -> str:
    """The delays of successive retries, as a list in words."""
    return get_text_list([format_duration(delay) for delay in delays], _("and"))


def describe_webhook_retries() -> str:
    """How often a webhook call is retried, and when a webhook is switched off."""
    return _(
        "A call that fails is repeated after %(delays)s, and newer calls do not wait for it. A webhook for"
        " which %(given_up)d deliveries in a row were given up, or that answers 410, is switched off."
    ) % {"delays": format_delays(webhooks.WEBHOOK_RETRY_DELAYS), "given_up": webhooks.MAX_FAILURES_IN_A_ROW}


# ------------------------------------------------------------------------------------------------- templates

# By the name that a template uses: {% rule "vacation" %}.
RULE_SENTENCES: dict[str, Callable[[], str]] = {
    "confirmation-link": describe_confirmation_link,
    "shortest-vacation": describe_shortest_vacation,
    "vacation": describe_vacation_rule,
    "webhook-retries": describe_webhook_retries,
}

lazy_blind_default = lazy(describe_blind_default, str)
lazy_nights = lazy(describe_nights, str)
lazy_longest_quiet_hours = lazy(describe_longest_quiet_hours, str)
lazy_vacation_default = lazy(describe_vacation_default, str)
