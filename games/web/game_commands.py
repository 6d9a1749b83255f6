"""Game commands: what a player sends from the game page, one view and one URL each.

A command is a function of request, player, game code and time. `build_command_view` makes a view of it: POST
only, for signed-in players, errors as messages, then back to the game page unless the command redirects.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial, wraps

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import Player
from accounts.web.request_utils import parse_int
from common.field_limits import MAX_IDEMPOTENCY_KEY_LENGTH
from common.service_errors import Conflict, Invalid, NotFound, ServiceError
from games import selectors
from games.engine import ActionError
from games.game_text import explain_error
from games.models import Game
from games.services import invitations, lobby, partner_choice, pauses, seat_settings, social, turns
from games.services.pauses import build_pause_length_error

from .seed_forms import read_client_seed

MAX_DAYS_DIGITS = 6  # more would not fit into a date
GameCommand = Callable[[HttpRequest, Player, str, datetime], HttpResponse | None]


def build_command_view(command: GameCommand) -> Callable[..., HttpResponse]:
    """Make a view of a command."""

    @require_POST
    @wraps(command)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        player = request.user
        if not isinstance(player, Player):  # to the game page afterwards: a command is POST only
            return redirect_to_login(reverse("game", args=[code]))
        try:
            response = command(request, player, code, timezone.now())
        except NotFound:
            raise Http404(_("There is no such game.")) from None
        except ServiceError as error:
            messages.error(request, str(error))
        except ActionError as error:
            messages.error(request, explain_error(error, selectors.load_view_for(player, code).view))
        else:
            if response is not None:
                return response
        return redirect("game", code=code)

    return view


def play_action(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Play an action."""
    form = request.POST
    turns.play_action(
        player=player,
        code=code,
        text=form.get("action", ""),
        seq=parse_int(form.get("seq", "")),
        key=form.get("key", "")[:MAX_IDEMPOTENCY_KEY_LENGTH],
        now=now,
    )


def join_game(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Take a free seat."""
    lobby.join_game(
        player=player,
        code=code,
        now=now,
        client_seed=read_client_seed(request),
        accepts_bots=request.POST.get("accept_bots") == "1",
    )


def leave_game(request: HttpRequest, player: Player, code: str, now: datetime) -> HttpResponse:
    """Give the seat in an open game up, and go to the player's games."""
    lobby.leave_game(player=player, code=code, now=now)
    return redirect("games")


def add_bot(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Give a free seat to a bot."""
    lobby.add_bot(player=player, code=code, policy=request.POST.get("policy", ""), now=now)


def invite_player(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Invite somebody by name or by mail address."""
    form = request.POST
    name_or_email = form.get("who", "").strip()
    name, email = ("", name_or_email) if "@" in name_or_email else (name_or_email, "")
    sides = {side: form.get("as") == side for side in ("partner", "opponent")}
    invitations.invite_to_game(player=player, code=code, now=now, name=name, email=email, **sides)
    messages.success(request, _("Invitation sent."))


def decline_invitation(request: HttpRequest, player: Player, code: str, now: datetime) -> HttpResponse:
    """Decline an invitation, and go to the player's games."""
    invitations.decline_invitation(player=player, code=code, now=now)
    return redirect("games")


def post_message(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Write a chat message."""
    social.post_chat_message(player=player, code=code, text=request.POST.get("text", ""), now=now)


def write_note(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Save the player's own note on the game."""
    social.write_note(player=player, code=code, text=request.POST.get("text", ""), now=now)


def request_rematch(request: HttpRequest, player: Player, code: str, now: datetime) -> HttpResponse:
    """Start a rematch, and go to it.

    If another player has asked first since this page was loaded, its page shows the commitment and a button.
    """
    form = request.POST
    ask_for_rematch = partial(
        invitations.request_rematch,
        player=player,
        code=code,
        now=now,
        offer=form.get("offer", ""),
        commitment=form.get("commitment", ""),
    )
    try:
        rematch = ask_for_rematch(client_seed=read_client_seed(request))
    except Conflict as error:
        if error.code != "no-offer" or not Game.objects.filter(rematch_of__code=code).exists():
            raise
        rematch = ask_for_rematch()
    return redirect("game", code=rematch.code)


def propose_pause(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Propose a pause of `days` days; 0 days ends the current pause. Raises Invalid."""
    text = request.POST.get("days", "")
    if not text.isdecimal() or len(text) > MAX_DAYS_DIGITS:
        raise build_pause_length_error()
    is_waiting_for_others = pauses.propose_pause(
        player=player, code=code, until=now + timedelta(days=int(text)), now=now
    )
    messages.success(
        request,
        _("Proposed. It starts when all sides agree.")
        if is_waiting_for_others
        else _("The clocks have changed as you proposed."),
    )


def agree_to_pause(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Agree to the proposed pause."""
    if pauses.agree_to_pause(player=player, code=code, now=now):
        messages.success(request, _("All sides agreed. The clocks have changed as proposed."))
    else:
        messages.success(request, _("You agreed. Others still have to."))


def decline_pause(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Decline the proposed pause."""
    pauses.decline_pause(player=player, code=code, now=now)
    messages.success(request, _("You declined."))


def set_eight_policy(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Save how the seat answers an 8."""
    seat_settings.set_eight_policy(
        player=player, code=code, policy=request.POST.get("eight_policy", ""), now=now
    )
    messages.success(request, _("Saved."))


def take_seat(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Take a seat over for good."""
    seat_settings.take_seat(player=player, code=code, now=now)
    messages.success(request, _("The seat is yours. Play it to the end."))


def set_game_muted(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Switch notices about this game off or on."""
    muted = request.POST.get("muted") == "1"
    seat_settings.set_game_muted(player=player, code=code, muted=muted, now=now)
    messages.success(
        request,
        _("You muted this game.") if muted else _("You get mails about this game again."),
    )


def choose_partner(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Choose the partner: `seat-` with a join order, `invitation-` with an id, or empty. Raises Invalid."""
    kind, _dash, id_text = request.POST.get("opposite", "").partition("-")
    chosen_id = parse_int(id_text)
    if kind not in ("", "seat", "invitation") or (kind and chosen_id is None):
        raise Invalid(_("choose one partner"))
    partner_choice.choose_partner(
        player=player,
        code=code,
        now=now,
        joined=chosen_id if kind == "seat" else None,
        invitation=chosen_id if kind == "invitation" else None,
    )
    messages.success(request, _("Saved."))


# By the last part of the URL; the URL name is the same with `game-` before it.
GAME_COMMANDS: dict[str, GameCommand] = {
    "play": play_action,
    "join": join_game,
    "leave": leave_game,
    "bot": add_bot,
    "invite": invite_player,
    "decline": decline_invitation,
    "say": post_message,
    "note": write_note,
    "rematch": request_rematch,
    "partner": choose_partner,
    "pause": propose_pause,
    "pause-agree": agree_to_pause,
    "pause-decline": decline_pause,
    "eight": set_eight_policy,
    "take-seat": take_seat,
    "mute": set_game_muted,
}
urlpatterns = [
    path(f"games/<slug:code>/{name}/", build_command_view(command), name=f"game-{name}")
    for name, command in GAME_COMMANDS.items()
]
