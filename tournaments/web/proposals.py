"""What somebody is asked to agree to: a list, a page for each, and the page that a mail leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.models import Player
from games.selectors.turns import player_by_key
from games.services.errors import NotFound, Refusal
from games.web.asking import client_seed_in, whole
from games.web.locale import zone
from games.web.stop import language_of
from games.web.turn import by_token
from tournaments import links
from tournaments.models import Event, League, Proposal
from tournaments.selectors import proposals as reading
from tournaments.selectors.events import may_organise
from tournaments.services import proposals
from tournaments.words import proposals as words

from .showing import part

ON_A_PAGE = 25


def accept_with_seed(*, request: HttpRequest, **who_and_what: Any) -> Proposal:
    """Agree, with what the form brings for the shuffles."""
    return proposals.accept(client_seed=client_seed_in(request), **who_and_what)


def without_seed(service: Callable[..., Proposal]) -> Callable[..., Proposal]:
    """An answer that needs nothing but who gives it."""
    return lambda *, request, **who_and_what: service(**who_and_what)


ANSWERS: dict[str, Callable[..., Proposal]] = {
    "accept": accept_with_seed,
    "decline": without_seed(proposals.decline),
    "withdraw": without_seed(proposals.withdraw),
}


def facts_of(proposal: Proposal, viewer: Player) -> dict[str, Any]:
    """A proposal as templates take it."""
    asked = proposal.player_id == viewer.pk
    return {
        **reading.told(proposal, viewer),
        "about": words.about(proposal),
        "asked": asked,
        "said": words.question(proposal) if asked else words.in_the_log(proposal),
        "consequences": words.consequences(proposal)
        if asked and proposal.status == Proposal.Status.OPEN
        else [],
        "outcome": words.outcome(proposal),
        "may_see": proposal.event is None
        or proposal.event.status != Event.Status.DRAFT
        or may_organise(viewer, proposal.event),
    }


def proposals_in(league: League, viewer: Player | None) -> list[dict[str, Any]]:
    """What waits for an answer in a league and concerns a viewer."""
    if viewer is None:
        return []
    return [facts_of(one, viewer) for one in reading.open_proposals(viewer, league)]


@require_safe
@login_required
@never_cache
def listed(request: HttpRequest) -> HttpResponse:
    """All that one was asked, and has asked others."""
    assert isinstance(request.user, Player)
    found = part(request, reading.proposals_of(request.user), ON_A_PAGE)
    lines = [facts_of(one, request.user) for one in found.object_list]
    return render(request, "tournaments/proposals.html", {"part": found, "lines": lines})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def one(request: HttpRequest, proposal: int) -> HttpResponse:
    """One proposal, to look at; answered on POST."""
    viewer = request.user
    assert isinstance(viewer, Player)
    try:
        found = reading.proposal_for(viewer, proposal)
        if request.method == "POST":
            answer = ANSWERS.get(request.POST.get("answer", ""))
            if answer is None:
                raise Http404(_("There is no such proposal."))
            try:
                found = answer(request=request, player=viewer, proposal=proposal, now=timezone.now())
                messages.success(request, words.outcome(found))
            except NotFound:
                raise
            except Refusal as refusal:
                messages.error(request, capfirst(str(refusal)))
            return redirect("proposal", proposal=proposal)
    except (reading.NoSuchProposal, NotFound):
        raise Http404(_("There is no such proposal.")) from None
    return render(request, "tournaments/proposal.html", {"one": facts_of(found, viewer)})


@by_token
def by_mail(request: HttpRequest, token: str) -> HttpResponse:
    """The same for whoever holds the link of the mail: to look changes nothing."""
    key, number = links.read(links.ANSWER, token) or ("", "")
    with language_of(player_by_key(key)) as player, timezone.override(zone(player.time_zone)):
        trouble = ""
        try:
            found = reading.proposal_for(player, whole(number) or 0)
            answer = ANSWERS.get(request.POST.get("answer", "")) if request.method == "POST" else None
            if answer is not None and found.player_id == player.pk:
                try:
                    found = answer(request=request, player=player, proposal=found.pk, now=timezone.now())
                except Refusal as refusal:
                    trouble = refusal.detail
        except reading.NoSuchProposal:
            raise Http404(_("There is nothing at this address.")) from None
        told = {"one": facts_of(found, player), "trouble": trouble, "by_link": True, "user": None}
        return render(request, "tournaments/proposal.html", told)


urlpatterns = [
    path("proposals/", listed, name="proposals"),
    path("proposals/<int:proposal>/", one, name="proposal"),
    path("proposals/answer/<str:token>/", by_mail, name="answer-by-mail"),
]
