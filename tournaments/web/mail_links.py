"""Pages behind links in mails: confirm an entry, leave a league. GET changes nothing.

As with turn links, the signed token authorises the request. Both actions are idempotent.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.selectors.player_tokens import find_player_by_mail_token
from common.service_errors import ServiceError
from notifications.web.secret_links import open_link_of, secret_link_view
from tournaments import links
from tournaments.leagues.services import leagues
from tournaments.models import League, LeagueMember, Tournament
from tournaments.permissions import find_confirmation_refusal
from tournaments.services import entries


@secret_link_view
def confirm_entry_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm an entry on POST; show the question on GET."""
    mail_token, code = links.read_link_token(links.CONFIRM_PURPOSE, token) or ("", "")
    with open_link_of(find_player_by_mail_token(mail_token)) as player:
        tournament = Tournament.objects.public().filter(code=code).first()
        if tournament is None:
            raise Http404(_("There is nothing at this address."))
        error_text = ""
        if request.method == "POST":
            try:
                entries.confirm_entry(player=player, code=code, now=timezone.now())
            except ServiceError as error:
                error_text = error.detail
        entrant = tournament.entrants.filter(entrant_players__player=player).first()
        context = {
            "tournament": tournament,
            "address": links.build_tournament_url(code),
            "is_confirmed": entrant is not None and entrant.confirmed_at is not None,
            "can_confirm": entrant is not None and not find_confirmation_refusal(tournament, entrant),
            "error_text": error_text,
            "user": None,
        }
        return render(request, "tournaments/confirm_by_mail.html", context)


@secret_link_view
def leave_league_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Leave a league after the current season on POST, or stay in it (`undo`); show the question on GET."""
    mail_token, code = links.read_link_token(links.LEAVE_LEAGUE_PURPOSE, token) or ("", "")
    with open_link_of(find_player_by_mail_token(mail_token)) as player:
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
        member = league.league_members.filter(player=player).first()
        context = {
            "league": league,
            "address": links.build_league_url(code),
            "has_left": member is None or member.status == LeagueMember.Status.OUT,
            "is_submitted": request.method == "POST",
            "is_pairs_league": league.mode == League.Mode.PAIRS,
            "error_text": error_text,
            "user": None,
        }
        return render(request, "tournaments/leave_by_mail.html", context)


urlpatterns = [
    path("tournaments/confirm/<str:token>/", confirm_entry_by_link, name="confirm-by-mail"),
    path("leagues/leave/<str:token>/", leave_league_by_link, name="leave-by-mail"),
]
