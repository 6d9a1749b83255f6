"""Pages behind links in mails: confirm an entry, leave a league. GET changes nothing.

As with turn links, the signed token authorises the request. Both actions are idempotent.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _

from games.selectors.turns import find_player_by_mail_token
from games.services.errors import ServiceError
from games.web.locale import zone_info_or_utc
from games.web.turn_link import secret_link_view
from games.web.unsubscribe import use_language_of
from tournaments import links
from tournaments.models import League, LeagueMember, Tournament
from tournaments.services import entries, leagues


@secret_link_view
def confirm_entry_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm an entry on POST; show the question on GET."""
    mail_token, code = links.read_link_token(links.CONFIRM_PURPOSE, token) or ("", "")
    with (
        use_language_of(find_player_by_mail_token(mail_token)) as player,
        timezone.override(zone_info_or_utc(player.time_zone)),
    ):
        tournament = Tournament.objects.filter(code=code).exclude(status=Tournament.Status.DRAFT).first()
        if tournament is None:
            raise Http404(_("There is nothing at this address."))
        error_text = ""
        if request.method == "POST":
            try:
                entries.confirm_entry(player=player, code=code, now=timezone.now())
            except ServiceError as error:
                error_text = error.detail
        entrant = tournament.entrants.filter(members__player=player).first()
        context = {
            "event": tournament,
            "address": links.build_tournament_url(code),
            "done": entrant is not None and entrant.confirmed_at is not None,
            "open": entrant is not None and tournament.status == Tournament.Status.PUBLISHED,
            "trouble": error_text,
            "user": None,
        }
        return render(request, "tournaments/confirm_by_mail.html", context)


@secret_link_view
def leave_league_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Leave a league after the current season on POST, or stay in it (`undo`); show the question on GET."""
    mail_token, code = links.read_link_token(links.LEAVE_LEAGUE_PURPOSE, token) or ("", "")
    with use_language_of(find_player_by_mail_token(mail_token)) as player:
        league = League.objects.filter(code=code).first()
        if league is None:
            raise Http404(_("There is nothing at this address."))
        error_text = ""
        if request.method == "POST":
            status = LeagueMember.Status.MEMBER if "undo" in request.POST else LeagueMember.Status.OUT
            try:
                leagues.set_member_status(player=player, code=code, now=timezone.now(), status=status)
            except ServiceError as error:
                error_text = error.detail
        member = league.memberships.filter(player=player).first()
        context = {
            "league": league,
            "address": links.build_league_url(code),
            "out": member is None or member.status == LeagueMember.Status.OUT,
            "done": request.method == "POST",
            "pairs": league.mode == League.Mode.PAIRS,
            "trouble": error_text,
            "user": None,
        }
        return render(request, "tournaments/leave_by_mail.html", context)


urlpatterns = [
    path("tournaments/confirm/<str:token>/", confirm_entry_by_link, name="confirm-by-mail"),
    path("leagues/leave/<str:token>/", leave_league_by_link, name="leave-by-mail"),
]
