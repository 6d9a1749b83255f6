"""The terms of all games of an event or a league: checked once, handed to every table."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import clock, engine
from games.models import Game
from games.services.errors import Invalid
from games.services.lobby import can_be_rated, check_allowance
from games.spans import lasting
from tournaments.models import Terms
from tournaments.models.limits import ROUND_LENGTH

SHORT = 4  # a rematch has a quarter of the time, unless the organiser says otherwise


def checked(
    *,
    mode: str = Terms.Mode.SINGLES,
    table: int = 2,
    edition: str = engine.DEFAULT_EDITION,
    cards: bool = True,
    obligation: str = "strict",
    target: int = 24,
    clock_name: str = clock.DEFAULT,
    allowance: int | None = None,
    bank: int | None = None,
    blind_allowance: int | None = None,
    short_allowance: int | None = None,
    short_bank: int | None = None,
    timeouts: str = Game.Timeouts.AUTOPLAY,
    weekends: bool = False,
    nights: bool = False,
    vacation: bool | None = None,
    chat: bool = True,
    rated: bool = True,
    private: bool = False,
    round_length: int | None = None,
) -> dict[str, Any]:
    """The fields of Terms. Raises Invalid on what no game could be played by."""
    if mode not in Terms.Mode.values:
        raise Invalid(_("mode is one of {modes}").format(modes=", ".join(Terms.Mode.values)))
    if not can_be_rated(obligation=obligation):  # what cannot be rated decides no tournament either
        said = _("tournaments and leagues are played with the duty to close figures")
        raise Invalid(said, errors={"obligation": [said]})
    pairs = mode == Terms.Mode.PAIRS
    if table not in ((2,) if pairs else (2, 3, 4)):
        raise Invalid(_("A table has 2 to 4 places; in pairs, two pairs sit at it."))
    try:
        engine.Setup(
            mode=mode,
            seats=4 if pairs else table,
            edition=edition,
            cards=cards,
            obligation=obligation,
            target=target,
        )
        time = clock.clock(clock_name, allowance, bank)
        quick = shortened(time)
        short = clock.clock(
            "custom",
            quick.allowance if short_allowance is None else short_allowance,
            quick.bank if short_bank is None else short_bank,
        )
    except (engine.Unfit, clock.Unfit) as error:
        raise Invalid(error.said(_)) from None
    if blind_allowance is not None:
        check_allowance(blind_allowance)
    if timeouts not in Game.Timeouts.values:
        raise Invalid(_("timeouts is one of %(words)s") % {"words": ", ".join(Game.Timeouts.values)})
    if round_length is not None and not ROUND_LENGTH.least <= round_length <= ROUND_LENGTH.most:
        raise Invalid(
            _("A round lasts %(least)s at least, and %(most)s at most.")
            % {
                "least": lasting(timedelta(seconds=ROUND_LENGTH.least)),
                "most": lasting(timedelta(seconds=ROUND_LENGTH.most)),
            }
        )
    longest_turn = max(time.allowance, short.allowance, blind_allowance or 0)
    if round_length is not None and round_length < longest_turn:
        raise Invalid(
            _("A round is shorter than one turn may take: give the round more time, or a turn less."),
            code="round-too-short",
            limit=longest_turn,
            field="round_length",
        )
    return {
        "mode": mode,
        "table": table,
        "edition": edition,
        "cards": cards,
        "obligation": obligation,
        "target": target,
        "clock": clock_name,
        "allowance": time.allowance,
        "bank": time.bank,
        "blind_allowance": blind_allowance,
        "short_allowance": short.allowance,
        "short_bank": short.bank,
        "timeouts": timeouts,
        "weekends": weekends,
        "nights": nights,
        "vacation": time.allowance >= clock.LIVE if vacation is None else vacation,
        "chat": chat,
        "rated": rated,
        "private": private,
        "round_length": round_length,
    }


def shortened(time: clock.Clock) -> clock.Clock:
    """The clock of a rematch, if the organiser names none."""
    return clock.Clock(max(time.allowance // SHORT, clock.SHORTEST.allowance), time.bank // SHORT)


FIELDS = tuple(field.name for field in Terms._meta.get_fields())
CHOICES = frozenset(FIELDS) - {"clock"} | {"clock_name"}  # what `checked` takes


def choices_of(terms: Terms, clock_name: str) -> dict[str, Any]:
    """What `checked` would be told to lay these terms down again, with another clock perhaps.

    What was left to the clock is left to it again.
    """
    now = {name: getattr(terms, name) for name in CHOICES - {"clock_name"}} | {"clock_name": terms.clock}
    quick = shortened(clock.Clock(terms.allowance, terms.bank))
    usual = {
        "short_allowance": quick.allowance,
        "short_bank": quick.bank,
        "vacation": terms.allowance >= clock.LIVE,
    }
    now |= {name: None for name, value in usual.items() if now[name] == value}
    if clock_name != "custom":
        now |= {"allowance": None, "bank": None}
    return now


def changed(terms: Terms, changes: Mapping[str, Any], *, keeps_obligation: bool = True) -> dict[str, Any]:
    """The fields of Terms with some choices made anew; what was left to the clock follows a new one.

    `keeps_obligation`: one that could be chosen only before stays; otherwise it becomes the usual one. Raises
    Invalid on what no game could be played by.
    """
    now = choices_of(terms, changes.get("clock_name", terms.clock))
    kept = now.pop("obligation")
    fields = checked(**now | dict(changes))
    return fields | {"obligation": kept} if keeps_obligation and "obligation" not in changes else fields


def check_terms(terms: Terms) -> None:
    """Raise Invalid on stored terms that could not be laid down today, with the errors of the form."""
    checked(**choices_of(terms, terms.clock))


def why_unplayable(terms: Terms) -> str:
    """What is wrong with stored terms, in the reader's language; "" if nothing is."""
    try:
        check_terms(terms)
    except Invalid as refusal:
        return capfirst(refusal.detail).rstrip(".") + "."
    return ""


def copied(terms: Terms) -> dict[str, Any]:
    """The terms of one as those of another."""
    return {name: getattr(terms, name) for name in FIELDS}


def of_game(terms: Terms, *, rematch: bool) -> dict[str, Any]:
    """What a game is made with; a rematch has the short clock."""
    found = {
        name: getattr(terms, name)
        for name in (
            *("mode", "edition", "cards", "obligation", "target", "timeouts", "weekends", "nights"),
            *("vacation", "chat", "rated", "private"),
        )
    }
    found["rated"] = terms.rated and can_be_rated(obligation=terms.obligation)
    if rematch:
        return found | {
            "clock_name": "custom",
            "allowance": terms.short_allowance,
            "bank": terms.short_bank,
            "blind_allowance": None,
        }
    custom = terms.clock == "custom"
    return found | {
        "clock_name": terms.clock,
        "allowance": terms.allowance if custom else None,
        "bank": terms.bank if custom else None,
        "blind_allowance": terms.blind_allowance,
    }
