"""Verifiable randomness: what was promised for a game, and whether a record keeps it."""

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

from accounts.models import Player
from accounts.web.request_utils import viewer_of
from common.rate_limits import charge_request
from games import selectors
from games.engine import load_edition
from games.engine.record import InvalidRecord, RecordCheck, check_record, parse_record
from games.game_text import build_translator, seat_display_name
from games.models import Game

MAX_RECORD_BYTES = 1_000_000  # bytes
MAX_RECORD_ACTIONS = 20_000  # a long game has a few hundred
ACTIONS_PER_REQUEST = 200  # replaying this many costs about as much as one page


class RecordNotChecked(Exception):
    """The text is not a record, or too large to check here. The message is for users."""

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail


@dataclass(frozen=True)
class CheckLine:
    """One promise and whether it was kept, in the reader's language; `detail` is the verifier's own text."""

    passed: bool | None
    text: str
    detail: str = ""


@require_safe
def show_game_fairness(request: HttpRequest, code: str) -> HttpResponse:
    """Show what was promised for a game and, once it is over, whether it was kept."""
    viewer = viewer_of(request)
    try:
        view = selectors.load_view_for(viewer, code).view
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    fairness_data = view["fairness"]
    context: dict[str, Any] = {
        "game": view,
        "fairness": fairness_data,
        "client_seeds": [
            (seat_display_name(seat), seed)
            for seat, seed in zip(view["seats"], fairness_data["client_seeds"], strict=True)
        ],
        **describe_client_seeds(viewer, code),
    }
    if view["status"].is_over:
        record = selectors.build_record_for(viewer, code)
        game_edition = load_edition(view["edition"])
        is_solo, with_cards = view["mode"] == Game.Mode.SOLO, view["options"]["cards"]
        context |= {
            "lines": build_check_lines(record),
            "initial_events": json.dumps(selectors.initial_events_for(viewer, code)),
            "tiles": game_edition.solo_tiles if is_solo else game_edition.all_tiles,
            "deck": " ".join(game_edition.deck) if with_cards and not is_solo else "",
        }
    return render(request, "games/fairness_game.html", context)


def describe_client_seeds(viewer: Player | None, code: str) -> dict[str, Any]:
    """Return the names of seats with and without a client seed, and the tournament seed if there is one."""
    seed_data = selectors.seed_details_for(viewer, code)
    return {
        "tournament_seed": seed_data["event"],
        "committed_first": seed_data["committed_first"],
        "own": get_text_list([seat_display_name(seat) for seat in seed_data["own"]], _("and")),
        "without": get_text_list([seat_display_name(seat) for seat in seed_data["without"]], _("and")),
        "bots": get_text_list([seat_display_name(seat) for seat in seed_data["bots"]], _("and")),
    }


@csrf_exempt  # changes nothing, and the CSRF check would read a body that is too large before this view can
@require_http_methods(["GET", "HEAD", "POST"])
def show_fairness(request: HttpRequest) -> HttpResponse:
    """Explain the scheme and check a posted record."""
    context: dict[str, Any] = {}
    if request.method == "POST":
        try:
            record = read_record(request)
            charge_request(request, cost=len(record["actions"]) // ACTIONS_PER_REQUEST)
            context = {"record": record, "lines": build_check_lines(record)}
        except RecordNotChecked as error:
            context = {"error_text": str(error), "detail": error.detail}
    return render(request, "games/fairness.html", context, status=422 if "error_text" in context else 200)


def read_record(request: HttpRequest) -> dict[str, Any]:
    """Return the record posted as a file or text. Raises RecordNotChecked."""
    try:
        upload = request.FILES.get("file")
        raw = upload.read(MAX_RECORD_BYTES + 1) if upload else request.POST.get("record", "").strip().encode()
    except RequestDataTooBig:
        raw = bytes(MAX_RECORD_BYTES + 1)
    if len(raw) > MAX_RECORD_BYTES:
        raise RecordNotChecked(
            _("This file is larger than a megabyte, so it is no record of a game. Choose another one.")
        )
    if not raw:
        raise RecordNotChecked(_("Paste a record or choose a file."))
    try:
        record = parse_record(raw)
    except InvalidRecord as error:
        raise RecordNotChecked(_("This is not a record: it is not JSON."), str(error)) from None
    actions = record.get("actions")
    if isinstance(actions, list) and len(actions) > MAX_RECORD_ACTIONS:
        raise RecordNotChecked(
            _("This record has {n} actions, and we check at most {most} here. Check it at home.").format(
                n=format_number(len(actions)), most=format_number(MAX_RECORD_ACTIONS)
            )
        )
    form_check = next(check_record(record))
    if not form_check.passed:
        raise RecordNotChecked(
            _("This is not a record as we write it. Download one from a finished game."), form_check.text
        )
    return record


def build_check_lines(record: Mapping[str, Any]) -> list[CheckLine]:
    """Check every promise of a well-formed record."""
    return [
        CheckLine(
            check.passed, describe_check(check, record), "" if check.passed is not False else check.text
        )
        for check in check_record(record)
        if check.name != "form"
    ]


def describe_check(check: RecordCheck, record: Mapping[str, Any]) -> str:
    """Return the result of one check in words."""
    match check.name, check.passed:
        case "commitment", True:
            return _("The seed is the promised one: its fingerprint is the commitment.")
        case "commitment", False:
            return _("The seed is not the promised one: its fingerprint is not the commitment.")
        case "commitment", _none:
            return _("The seed is not public yet, so we cannot compare it with the commitment.")
        case "event", True:
            return _(
                "The server seed follows from the number of the tournament, "
                "which has the promised fingerprint."
            )
        case "event", False:
            return _("The server seed does not follow from the number that the tournament promised.")
        case "event", _none:
            return _("The tournament’s number is not public yet, so we cannot check the seed against it.")
        case "seats", True if record["seating"]["order"] == Game.SeatOrder.SHUFFLED:
            return _("The seats follow from the seeds.")
        case "seats", True if record["seating"]["joined"] != sorted(record["seating"]["joined"]):
            return _("Partners sit opposite each other, the others in order of joining. There was no draw.")
        case "seats", True:
            return _("Everybody sits in order of joining. There was no draw.")
        case "seats", False:
            return _("The seats do not follow from the seeds.")
        case "seats", _none:
            return _("We cannot check the seats yet.")
        case "actions", True:
            n = len(record["actions"])
            legal_text = ngettext(
                "The one action is legal with the tiles and cards from these seeds.",
                "All {n} actions are legal with the tiles and cards from these seeds.",
                n,
            )
            return legal_text.format(n=format_number(n))
        case "actions", False:
            illegal_text = _("Action {n} is not legal with the tiles and cards from these seeds.")
            return illegal_text.format(n=format_number(check.seq or 0))
        case "actions", _none:
            return _("We cannot check tiles and cards yet.")
        case _result, True:
            return _("The result follows from the actions: {scores}.").format(
                scores=format_final_scores(record)
            )
        case _result, False:
            return _("The result does not follow from the actions.")
    return _("We cannot check the result.")


def format_final_scores(record: Mapping[str, Any]) -> str:
    """Return the final scores of a verified result."""
    translator = build_translator(record)
    totals = record["result"]["totals"].items()
    return ", ".join(f"{translator.format_side(int(side))} {format_number(total)}" for side, total in totals)


def format_number(n: int) -> str:
    """Return an integer in the reader's number format."""
    return number_format(n, use_l10n=True, force_grouping=True)
