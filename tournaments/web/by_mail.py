"""What mails lead to: I will play, and I leave the league. To look changes nothing.

As on the page of a turn the signed token alone has the say; doing either twice is the same as once.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _

from games.selectors.turns import player_by_key
from games.services.errors import Refusal
from games.web.locale import zone
from games.web.stop import language_of
from games.web.turn import by_token
from tournaments import links
from tournaments.models import Event, League, Membership
from tournaments.services import entries, leagues


@by_token
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """A player says that they will be there."""
    key, code = links.read(links.CONFIRM, token) or ("", "")
    with language_of(player_by_key(key)) as player, timezone.override(zone(player.time_zone)):
        event = Event.objects.filter(code=code).exclude(status=Event.Status.DRAFT).first()
        if event is None:
            raise Http404(_("There is nothing at this address."))
        trouble = ""
        if request.method == "POST":
            try:
                entries.confirm(player=player, code=code, now=timezone.now())
            except Refusal as refusal:
                trouble = refusal.detail
        mine = event.entrants.filter(members__player=player).first()
        facts = {
            "event": event,
            "address": links.tournament(code),
            "done": mine is not None and mine.confirmed_at is not None,
            "open": mine is not None and event.status == Event.Status.PUBLISHED,
            "trouble": trouble,
            "user": None,
        }
        return render(request, "tournaments/confirm_by_mail.html", facts)


@by_token
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """A player leaves a league after the present season, or stays after all."""
    key, code = links.read(links.LEAVE, token) or ("", "")
    with language_of(player_by_key(key)) as player:
        league = League.objects.filter(code=code).first()
        if league is None:
            raise Http404(_("There is nothing at this address."))
        trouble = ""
        if request.method == "POST":
            status = Membership.Status.MEMBER if "undo" in request.POST else Membership.Status.OUT
            try:
                leagues.choose(player=player, code=code, now=timezone.now(), status=status)
            except Refusal as refusal:
                trouble = refusal.detail
        mine = league.memberships.filter(player=player).first()
        facts = {
            "league": league,
            "address": links.league(code),
            "out": mine is None or mine.status == Membership.Status.OUT,
            "done": request.method == "POST",
            "pairs": league.mode == League.Mode.PAIRS,
            "trouble": trouble,
            "user": None,
        }
        return render(request, "tournaments/leave_by_mail.html", facts)


urlpatterns = [
    path("tournaments/confirm/<str:token>/", confirm, name="confirm-by-mail"),
    path("leagues/leave/<str:token>/", leave, name="leave-by-mail"),
]
