"""The options of a game as pages and forms describe them, in the reader's language."""

from __future__ import annotations

from datetime import timedelta

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.duration_format import format_duration
from games import clock
from games.engine import list_edition_names, load_edition
from games.models import Game

Choices = list[tuple[str, str]]  # values and labels
TYPICAL_MATCH_COUNT, TYPICAL_LENGTH = 3, timedelta(minutes=36)  # of a game with everybody at the table


def list_edition_choices() -> Choices:
    """Return the rulebooks as choices."""
    return [(name, load_edition(name).title) for name in list_edition_names()]


def list_preset_choices() -> Choices:
    """Return the presets of the time control as choices, fastest first."""
    presets = sorted(clock.TIME_CONTROL_PRESETS.items(), key=lambda item: item[1].allowance)
    return [(name, describe_preset(time_control)) for name, time_control in presets]


def describe_preset(time_control: clock.TimeControl) -> str:
    """The time per turn and the reserve of a preset, and whether a game with it is live."""
    is_live = time_control.allowance < clock.LIVE_ALLOWANCE_SECONDS
    sentence = (
        _("live: %(allowance)s, and %(bank)s in reserve")
        if is_live
        else _("%(allowance)s, and %(bank)s in reserve")
    )
    return sentence % {
        "allowance": format_duration(timedelta(seconds=time_control.allowance)),
        "bank": format_duration(timedelta(seconds=time_control.bank)),
    }


def list_time_control_choices() -> Choices:
    """Return the presets and the custom time control as choices."""
    return [*list_preset_choices(), ("custom", _("custom time"))]


def describe_time_control() -> str:
    """What the reserve is for, and how long a game lasts at a table."""
    return _(
        "If you take longer, you use your reserve, which is for the whole game. With everybody at the"
        " table, a game of about %(matches)d matches takes some %(span)s."
    ) % {"matches": TYPICAL_MATCH_COUNT, "span": format_duration(TYPICAL_LENGTH)}


def format_fraction(parts: int) -> str:
    """One of so many equal parts, in words."""
    shares = {2: _("half"), 3: _("a third"), 4: _("a quarter")}
    return shares.get(parts) or f"1/{parts}"


def describe_autoplay() -> str:
    """Describe autoplay for a side that is out of time, and its end."""
    return ngettext(
        "we play one turn for you; at the next timeout in a row your side resigns",
        "we play up to %(n)d turns in a row for you; at the next timeout your side resigns",
        clock.MAX_AUTOPLAYED_TURNS,
    ) % {"n": clock.MAX_AUTOPLAYED_TURNS}


def describe_timeout_policy(policy: str) -> str:
    """Describe the consequence of a timeout under a game's policy."""
    return describe_autoplay() if policy == Game.TimeoutPolicy.AUTOPLAY else _("your side resigns")


def list_timeout_choices() -> Choices:
    """The timeout policies as choices of a form."""
    return [(policy, describe_timeout_policy(policy)) for policy in Game.TimeoutPolicy.values]


def describe_blind_default() -> str:
    """The default time per turn of a blind match."""
    return _("A blind match decides a level game. Leave empty for %(share)s of the usual time.") % {
        "share": format_fraction(clock.BLIND_ALLOWANCE_DIVISOR)
    }


def describe_vacation_default() -> str:
    """The default of whether clocks stop on vacation."""
    return _("yes, unless the time per turn is under %(span)s") % {
        "span": format_duration(timedelta(seconds=clock.LIVE_ALLOWANCE_SECONDS))
    }


def describe_nights() -> str:
    """By which hours clocks stop at night."""
    return _(
        "Each player’s own quiet hours, as set when the turn begins: at most %(night)d of %(day)d hours."
    ) % {
        "night": count_hours(clock.MAX_NIGHT_LENGTH),
        "day": count_hours(clock.MAX_NIGHT_LENGTH + clock.MIN_TIME_BETWEEN_NIGHTS),
    }


def count_hours(length: timedelta) -> int:
    """A length of time in whole hours."""
    return length // timedelta(hours=1)


lazy_blind_default = lazy(describe_blind_default, str)
lazy_nights = lazy(describe_nights, str)
lazy_time_control = lazy(describe_time_control, str)
lazy_vacation_default = lazy(describe_vacation_default, str)
