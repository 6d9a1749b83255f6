"""Playing from a mail link: one turn of one seat, without account, cookie or script.

The signed token in the URL is the only credential; the session is ignored. So there is no ambient authority
that another site could abuse, and the forms need no CSRF token. They could not have one: the page sets no
cookie, and with `no-referrer` browsers send `Origin: null`. GET never acts, because mail scanners open links.
"""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Player
from accounts.player_locale import activate_locale_of
from accounts.services import presence
from accounts.web.request_utils import parse_int
from common.field_limits import MAX_IDEMPOTENCY_KEY_LENGTH
from common.service_errors import Conflict, ServiceError
from games import picture_svg, selectors, signed_links
from games.clock import StopReason
from games.engine import ActionError, ActionSource, text
from games.game_text import build_translator, explain_error
from games.models import Game, Seat
from games.selectors import clocks
from games.selectors import turns as turn_selectors
from games.selectors.game_page import load_current_match_log
from games.selectors.waiting_turns import list_waiting_turns
from games.services import seat_settings, turns
from notifications.web.secret_links import secret_link_view

from . import endings
from .game_page import build_seat_rows, mails_about_turns, plain_text_context
from .game_rows import compute_urgent_time
from .last_move import find_last_move
from .move_picker import MovePicker


@secret_link_view
def play_turn_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the turn of a link; on POST play it; if the turn is over, say so."""
    seat_and_turn = turn_selectors.find_seat_for_token(token, signed_links.TURN_PURPOSE)
    if seat_and_turn is None:
        raise Http404(_("There is nothing at this address."))
    seat, turn_no = seat_and_turn
    assert seat.player
    with activate_locale_of(seat.player):
        response = handle_turn_request(request, seat, turn_no, timezone.now())
        response["Content-Language"] = seat.player.language
        return response


def handle_turn_request(request: HttpRequest, seat: Seat, turn_no: int, now: datetime) -> HttpResponse:
    """Return the response that fits the request:

    1. POST with `take`: take the seat over for good, then show the turn.
    2. Other POST: repeat the stored response for a repeated key, else play the action; resigning asks first.
    3. If the turn is over: the page that says so.
    4. Otherwise: the turn, with the error of a rejected action.
    """
    assert seat.player
    error_text = ""
    if request.method == "POST" and "take" in request.POST:
        # Seeing the hand is binding, so it takes a POST.
        with suppress(ServiceError):
            seat_settings.take_seat(player=seat.player, code=seat.game.code, now=now)
        seat.refresh_from_db()
    elif request.method == "POST":
        submission: dict[str, Any] = {
            "player": seat.player,
            "code": seat.game.code,
            "text": request.POST.get("action", ""),
            "seq": parse_int(request.POST.get("seq", "")),
            "key": request.POST.get("key", "")[:MAX_IDEMPOTENCY_KEY_LENGTH],
        }
        # A repeated submission gets the same response.
        if earlier_response := turns.find_first_response(**submission):
            return respond_after_action(request, seat, turn_no, json.loads(earlier_response))
        if turn_selectors.is_current_turn(seat, turn_no):
            if submission["text"] == "resign" and request.POST.get("sure") != "yes":
                return render_turn(request, seat, turn_no, now, resigning=True)
            try:
                return respond_after_action(request, seat, turn_no, play_submission(submission, now))
            except (ServiceError, ActionError) as error:
                error_text = explain_error(error, selectors.load_view_for(seat.player, seat.game.code).view)
        seat.game.refresh_from_db()
    if not turn_selectors.is_current_turn(seat, turn_no):
        return render_turn_over(request, seat, turn_no)
    return render_turn(request, seat, turn_no, now, error_text, resigning="resign" in request.GET)


def play_submission(submission: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Play a submitted action and return the view after it. Raises ServiceError and ActionError."""
    # Only exact actions: the lenient parser for mail replies could read a word as a resignation.
    if submission["text"] not in (
        *selectors.load_view_for(submission["player"], submission["code"]).offered_actions,
        "resign",
    ):
        raise Conflict(_("You cannot play this now. Choose something else."), code="stale")
    presence.touch_last_seen(player=submission["player"], now=now)
    view: dict[str, Any] = json.loads(turns.play_action(**submission, now=now))
    return view


# --------------------------------------------------------------------------------------------- while it lasts


def render_turn(
    request: HttpRequest,
    seat: Seat,
    turn_no: int,
    now: datetime,
    error_text: str = "",
    *,
    resigning: bool = False,
) -> HttpResponse:
    """Render the game as the seat sees it, with the move picker."""
    game_view = selectors.load_view_for(seat.player, seat.game.code)
    # The turn may have ended concurrently.
    if not game_view.legal_actions and not game_view.view["you"]["hand_hidden"]:
        return render_turn_over(request, seat, turn_no)
    view, legal_actions, translator = (
        game_view.view,
        game_view.offered_actions,
        build_translator(game_view.view),
    )
    time_left = turn_selectors.time_left_for(seat, now)
    urgent_time = compute_urgent_time(view["clock"]["allowance_seconds"])
    last_move = find_last_move(load_current_match_log(seat.game), view, seat.seat_no)
    picker = MovePicker(
        view, legal_actions, request.GET, translator, last_move_cell=last_move["cell"] if last_move else ""
    )
    context = picker.template_context() | {
        "last_move": last_move,
        "seat": seat,
        "game": view,
        "legal": legal_actions,
        "error_text": error_text,
        "ending": {} if resigning else endings.build_turn_link_context(request, view, translator),
        **plain_text_context(view, translator, legal_actions),
        "seats": build_seat_rows(view, now),
        "story": text.narrate_actions(turn_selectors.log_since_last_turn(seat, turn_no), translator),
        "deadline": time_left.deadline,
        "is_urgent": time_left.deadline is not None and time_left.deadline - now < urgent_time,
        "urgent_seconds": int(urgent_time.total_seconds()),
        "round_end": time_left.round_end,
        "stop_reasons": [pause_reason_texts()[reason] for reason in time_left.stop_reasons],
        "now": now,
        "is_resigning": resigning,
        "play_at": request.path,
        "by_link": True,
        "key": secrets.token_urlsafe(12),  # makes a double submit play once
        "user": None,
    }
    return render(request, "games/turn.html", context, status=422 if error_text else 200)


def pause_reason_texts() -> dict[StopReason, str]:
    """Return the texts of the reasons why a clock is stopped."""
    return {
        StopReason.VACATION: _("vacation"),
        StopReason.WEEKEND: _("the weekend"),
        StopReason.NIGHT: _("night hours"),
        StopReason.AGREED: _("an agreed pause"),
        StopReason.INCIDENT: _("a problem on our side"),
    }


# -------------------------------------------------------------------------------------------------- and after


def respond_after_action(
    request: HttpRequest, seat: Seat, turn_no: int, view: dict[str, Any]
) -> HttpResponse:
    """Redirect to the next decision of the turn, or render the result of the action."""
    assert seat.seat_no
    seat.game.refresh_from_db()
    seat_clock = clocks.seat_clock_of(seat.game, seat.seat_no)
    if seat_clock.is_on_turn and seat_clock.turn_seq in (turn_no, view["seq"]):
        # The turn goes on, or the action itself began the seat's next turn, for which no mail is sent.
        return redirect("turn", token=make_turn_token(seat, seat_clock.turn_seq))
    translator = build_translator(view)
    own_lines = turn_selectors.own_log_of_turn(seat, turn_no, view["seq"])
    context = {
        "seat": seat,
        "game": view,
        "story": text.narrate_actions(own_lines, translator),
        "ending": endings.build_played_context(view, own_lines, translator),
        "board": mark_safe(
            picture_svg.draw_board_svg(view, size=560, title=_("The board"), translator=translator)
        ),
        "summary": text.summarise_position(view, translator),
        "is_over": Game.Status(view["status"]).is_over,
        "turn_mails": mails_about_turns(view, seat.player),
        "user": None,
    }
    return render(request, "games/turn_played.html", context)


def make_turn_token(seat: Seat, turn_no: int) -> str:
    """Return the token of a turn for the seat's player."""
    assert seat.seat_no
    assert seat.player_id
    return signed_links.make_turn_token(
        purpose=signed_links.TURN_PURPOSE,
        game_code=seat.game.code,
        seat_no=seat.seat_no,
        turn_seq=turn_no,
        player_id=seat.player_id,
    )


def render_turn_over(request: HttpRequest, seat: Seat, turn_no: int) -> HttpResponse:
    """Render that the turn is over. Mails get forwarded, so an old link shows nothing of a private game."""
    game = seat.game
    context: dict[str, Any] = {"seat": seat, "user": None}
    if not game.private:
        view = selectors.load_view_for(None, game.code).view
        translator = build_translator(view)
        log_lines = turn_selectors.own_log_of_turn(seat, turn_no)
        context |= {
            "story": text.narrate_actions(log_lines, translator),
            "by_clock": any(log_line["by"] == ActionSource.CLOCK for log_line in log_lines),
            "is_over": game.is_over,
            "solo": game.mode == Game.Mode.SOLO,
            "winner": translator.format_side(winner) if (winner := view.get("winner")) else "",
        }
    return render(request, "games/turn_over.html", context, status=410)


@login_required
@require_safe
def open_next_turn(request: HttpRequest) -> HttpResponse:
    """Redirect to the most urgent game that waits for the player."""
    assert isinstance(request.user, Player)
    waiting_turns = list_waiting_turns(request.user)
    if waiting_turns:
        return redirect("game", code=waiting_turns[0].game.code)
    return render(request, "games/no_next_game.html")


urlpatterns = [
    path("turn/<str:token>/", play_turn_by_link, name="turn"),
    path("next/", never_cache(open_next_turn), name="next"),
]
