"""Randomness that anyone can check: what was promised for a game, and whether a record keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from games import selectors
from games.api.rates import charge_request
from games.engine import edition
from games.engine.record import Bad, Check, checks, parse
from games.models import Game, Player
from games.words import name_on, words_for

from .asking import viewer_of

LARGEST = 1_000_000  # bytes
MOST_ACTIONS = 20_000  # a long game has some hundreds
ACTIONS_PER_REQUEST = 200  # that are replayed in about the time of one more page


class NotChecked(Exception):
    """A text that is no record, or more than we check here. The message is for people."""

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail


@dataclass(frozen=True)
class Line:
    """A promise and whether it was kept, in the reader's language; the detail is the verifier's own words."""

    kept: bool | None
    words: str
    detail: str = ""


@require_safe
def of_game(request: HttpRequest, code: str) -> HttpResponse:
    """What was promised for a game, and once it is over, whether it was kept."""
    viewer = viewer_of(request)
    try:
        view = selectors.game_for(viewer, code).view
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    promised = view["fairness"]
    facts: dict[str, Any] = {
        "game": view,
        "promised": promised,
        "client_seeds": [
            (name_on(seat), seed) for seat, seed in zip(view["seats"], promised["client_seeds"], strict=True)
        ],
        **seed_facts(viewer, code),
    }
    if view["status"] == Game.Status.OVER:
        record = selectors.record_for(viewer, code)
        box = edition(view["edition"])
        solo, with_cards = view["mode"] == "solo", view["options"]["cards"]
        facts |= {
            "lines": told(record),
            "opening": json.dumps(selectors.opening_for(viewer, code)),
            "tiles": box.solo_tiles if solo else box.all_tiles,
            "deck": " ".join(box.deck) if with_cards and not solo else "",
        }
    return render(request, "games/fairness_game.html", facts)


def seed_facts(viewer: Player | None, code: str) -> dict[str, Any]:
    """Who brought a seed of their own, by name, and whether the game's own seed follows from an event's."""
    facts = selectors.seed_facts_for(viewer, code)
    return {
        "event": facts["event"],
        "committed_first": facts["committed_first"],
        "own": get_text_list([name_on(one) for one in facts["own"]], _("and")),
        "without": get_text_list([name_on(one) for one in facts["without"]], _("and")),
        "bots": get_text_list([name_on(one) for one in facts["bots"]], _("and")),
    }


@csrf_exempt  # it changes nothing; and only so can the page itself answer a request that is too large
@require_http_methods(["GET", "HEAD", "POST"])
def any_record(request: HttpRequest) -> HttpResponse:
    """How it all works, and a form that checks any record."""
    facts: dict[str, Any] = {}
    if request.method == "POST":
        try:
            record = given(request)
            charge_request(request, cost=len(record["actions"]) // ACTIONS_PER_REQUEST)
            facts = {"record": record, "lines": told(record)}
        except NotChecked as trouble:
            facts = {"trouble": str(trouble), "detail": trouble.detail}
    return render(request, "games/fairness.html", facts, status=422 if "trouble" in facts else 200)


def given(request: HttpRequest) -> dict[str, Any]:
    """The record that a form brings. Raises NotChecked."""
    try:
        upload = request.FILES.get("file")
        raw = upload.read(LARGEST + 1) if upload else request.POST.get("record", "").strip().encode()
    except RequestDataTooBig:
        raw = bytes(LARGEST + 1)
    if len(raw) > LARGEST:
        raise NotChecked(_("This is larger than a megabyte; no record of a game is."))
    if not raw:
        raise NotChecked(_("Paste a record, or choose a file with one."))
    try:
        record = parse(raw)
    except Bad as bad:
        raise NotChecked(_("This is not a record: it cannot be read as JSON."), str(bad)) from None
    actions = record.get("actions")
    if isinstance(actions, list) and len(actions) > MOST_ACTIONS:
        raise NotChecked(
            _("This record has {n} actions; more than {most} are not checked here.").format(
                n=number(len(actions)), most=number(MOST_ACTIONS)
            )
        )
    form = next(checks(record))
    if not form.kept:
        raise NotChecked(_("This is not the record of a game as we write it."), form.text)
    return record


def told(record: Mapping[str, Any]) -> list[Line]:
    """Every promise of a record whose form is right."""
    return [
        Line(check.kept, sentence(check, record), "" if check.kept is not False else check.text)
        for check in checks(record)
        if check.name != "form"
    ]


def sentence(check: Check, record: Mapping[str, Any]) -> str:
    """What was found about one promise, in words."""
    match check.name, check.kept:
        case "commitment", True:
            return _("The seed is the one that was promised: its fingerprint is the commitment.")
        case "commitment", False:
            return _("The seed is not the one that was promised: its fingerprint is not the commitment.")
        case "commitment", _none:
            return _("The seed is not public yet, so it cannot be compared with the commitment.")
        case "event", True:
            return _(
                "The server seed follows from the number of the tournament, "
                "which has the promised fingerprint."
            )
        case "event", False:
            return _("The server seed does not follow from the number that the tournament had promised.")
        case "event", _none:
            return _(
                "The number of the tournament is not public yet: whether the seed follows from it is open."
            )
        case "seats", True if record["seating"]["order"] == "shuffled":
            return _("The seats follow from the seeds.")
        case "seats", True if record["seating"]["joined"] != sorted(record["seating"]["joined"]):
            return _("No seats were drawn: partners sit opposite each other, the others as they joined.")
        case "seats", True:
            return _("Everybody sits in the order in which they joined: no seats were drawn.")
        case "seats", False:
            return _("The seats do not follow from the seeds.")
        case "seats", _none:
            return _("Whether the seats follow from the seeds cannot be told yet.")
        case "actions", True:
            n = len(record["actions"])
            legal = ngettext(
                "The one action is legal with the tiles and cards that these seeds give.",
                "Every one of {n} actions is legal with the tiles and cards that these seeds give.",
                n,
            )
            return legal.format(n=number(n))
        case "actions", False:
            wrong = _("Action {n} is not legal with the tiles and cards that these seeds give.")
            return wrong.format(n=number(check.seq or 0))
        case "actions", _none:
            return _("Whether tiles and cards were those that the seeds give cannot be told yet.")
        case _result, True:
            return _("The result follows from the actions: {scores}.").format(scores=scores(record))
        case _result, False:
            return _("The result is not the one that follows from the actions.")
    return _("Whether the result follows cannot be told.")


def scores(record: Mapping[str, Any]) -> str:
    """The final scores of a result that was found to be right."""
    words = words_for(record)
    totals = record["result"]["totals"].items()
    return ", ".join(f"{words.side(int(side))} {number(total)}" for side, total in totals)


def number(n: int) -> str:
    """A whole number as the reader writes it."""
    return number_format(n, use_l10n=True, force_grouping=True)
