"""The link under a mail about a game that mutes the game; as in `unsubscribe`, GET changes nothing."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone

from games import signed_links
from games.selectors.turns import find_seat_by_mail_token
from games.services import seat_settings
from notifications.web.secret_links import open_link_of, secret_link_view


@secret_link_view
def mute_game_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show whether mails about one game are muted; on POST mute, or with `undo` unmute."""
    key, code = signed_links.read_mute(token) or ("", "")
    seat = find_seat_by_mail_token(key, code)
    with open_link_of(seat.player if seat else None):
        assert seat
        if request.method == "POST":
            seat = seat_settings.set_game_muted(
                mail_token=key, code=code, muted="undo" not in request.POST, now=timezone.now()
            )
        context = {
            "code": code,
            "is_muted": seat.muted,
            "is_submitted": request.method == "POST",
            "user": None,
        }
        return render(request, "games/game_muted.html", context)


urlpatterns = [path("mute/<str:token>/", mute_game_by_link, name="mute")]
