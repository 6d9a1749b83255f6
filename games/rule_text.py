"""Translated sentences with numbers, built from the constants of the rules that they describe.

Forms, pages, mails and the API take these sentences from here, so that text and rules cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from allauth.account import app_settings
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.duration_format import format_duration
from games import clock
from notifications.services import outbox, webhooks

# --------------------------------------------------------------------------------------------------- timeouts


def describe_autoplay_to_player() -> str:
    """Describe autoplay to the player for whom the server just played."""
    return ngettext(
        "We play one turn for you; at the next timeout in a row your side resigns.",
        "We play up to %(n)d turns in a row for you; at the next timeout your side resigns.",
        clock.MAX_AUTOPLAYED_TURNS,
    ) % {"n": clock.MAX_AUTOPLAYED_TURNS}


# ---------------------------------------------------------------------------------------------- blind matches


def describe_blind_allowance(seconds: int) -> str:
    """The time per turn of a blind match."""
    return _("%(span)s for each turn of a blind match") % {
        "span": format_duration(timedelta(seconds=seconds))
    }


# ------------------------------------------------------------------------------------------------ quiet hours


def describe_quiet_hours_rule() -> str:
    """Describe in which games a clock waits for the end of quiet hours, and in which it does not."""
    return _(
        "If your turn begins in your quiet hours, your clock starts when they end. Quiet hours do not count"
        " in games with under %(span)s per turn."
    ) % {"span": format_duration(timedelta(seconds=clock.LIVE_ALLOWANCE_SECONDS))}


# --------------------------------------------------------------------------------------------------- vacation


def describe_vacation_rule() -> str:
    """Describe the earning of vacation, and its use by a missed deadline."""
    details = {
        "earned": clock.DAYS_PER_VACATION_DAY,
        "cap": clock.MAX_VACATION_BALANCE.days,
    } | build_vacation_step_details()
    return (
        _(
            "Every %(earned)s days with us earn you one day of vacation, up to %(cap)s. If you miss a"
            " deadline, we take %(span)s of your vacation, as long as you have some."
        )
        % details
    )


def build_vacation_step_details() -> dict[str, str]:
    """The placeholder for the vacation that a missed deadline takes at once."""
    return {"span": format_duration(clock.FLOATING_VACATION_STEP)}


def describe_shortest_vacation() -> str:
    """The minimum length of a vacation."""
    return _("The shortest vacation is %(span)s.") % {"span": format_duration(clock.MIN_VACATION_LENGTH)}


# --------------------------------------------------------------------------------------------- links in mails


def describe_confirmation_link() -> str:
    """Describe the validity of the link that confirms an address."""
    days = timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS)
    return _(
        "We have sent you a confirmation mail. Open its link within %(span)s to confirm your address."
    ) % {"span": format_duration(days)}


# --------------------------------------------------------------------------------------------------- webhooks


def format_delays(delays: Sequence[timedelta]) -> str:
    """The delays of successive retries, as a list in words."""
    return get_text_list([format_duration(delay) for delay in delays], _("and"))


def describe_webhook_retries() -> str:
    """Describe the retries of a webhook call, and the switching off of a webhook."""
    return _(
        "We repeat a failed call after %(delays)s. Later calls about the same game wait for it, to keep"
        " their order; all other calls go on. After %(failed)d failed new calls in a row we pause for"
        " %(pause)d seconds. We turn a webhook off if it answers 410, or after we have given up on"
        " %(given_up)d deliveries in a row."
    ) % {
        "delays": format_delays(outbox.WEBHOOK_RETRY_DELAYS),
        "failed": webhooks.MAX_FAILED_CALLS,
        "pause": webhooks.PAUSE_AFTER_FAILURE.total_seconds(),
        "given_up": webhooks.MAX_FAILURES_IN_A_ROW,
    }


# ------------------------------------------------------------------------------------------------- templates

# By the name that a template uses: {% rule "vacation" %}.
RULE_SENTENCES: dict[str, Callable[[], str]] = {
    "confirmation-link": describe_confirmation_link,
    "quiet-hours": describe_quiet_hours_rule,
    "shortest-vacation": describe_shortest_vacation,
    "vacation": describe_vacation_rule,
    "webhook-retries": describe_webhook_retries,
}
