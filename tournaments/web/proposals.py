"""Proposals: the list, one page each, one URL for each answer, and the page behind the mail link.

That page posts back to its own URL: see docs/decisions/0080-pages-behind-mail-links.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Player
from accounts.selectors.player_tokens import find_player_by_mail_token
from accounts.web.request_utils import parse_int
from common.service_errors import NotFound, ServiceError
from games.web.seed_forms import read_client_seed
from notifications.web.secret_links import open_link_of, secret_link_view
from tournaments import links
from tournaments.models import League, Proposal
from tournaments.selectors import proposals as proposal_selectors
from tournaments.selectors.tournaments import can_organise_tournament
from tournaments.services import proposals
from tournaments.text import proposals as proposal_text

from .presenters import paginate_rows

PROPOSALS_PER_PAGE = 25


def accept_with_client_seed(*, request: HttpRequest, **arguments: Any) -> Proposal:
    """Accept a proposal with the client seed of the form."""
    return proposals.accept_proposal(client_seed=read_client_seed(request), **arguments)


def ignore_request(service: Callable[..., Proposal]) -> Callable[..., Proposal]:
    """Adapt a service that needs no request to the signature of an answer service."""
    return lambda *, request, **arguments: service(**arguments)


# By the last part of the URL; the URL name is the same with `proposal-` before it.
PROPOSAL_COMMANDS: dict[str, Callable[..., Proposal]] = {
    "accept": accept_with_client_seed,
    "decline": ignore_request(proposals.decline_proposal),
    "withdraw": ignore_request(proposals.withdraw_proposal),
}
LINK_ANSWERS = {answer: PROPOSAL_COMMANDS[answer] for answer in ("accept", "decline")}


def build_proposal_context(proposal: Proposal, viewer: Player) -> dict[str, Any]:
    """Return the template data of a proposal."""
    is_asked = proposal.player_id == viewer.pk
    return {
        **vars(proposal_selectors.build_proposal(proposal, viewer)),
        "subject_name": proposal_text.get_subject_name(proposal),
        "is_for_viewer": is_asked and proposal.is_open,
        "question": proposal_text.describe_question(proposal)
        if is_asked
        else proposal_text.describe_proposal_to_others(proposal),
        "consequences": proposal_text.list_consequences(proposal) if is_asked and proposal.is_open else [],
        "outcome": proposal_text.describe_outcome(proposal),
        "can_see_tournament": proposal.tournament is None
        or not proposal.tournament.is_private
        or can_organise_tournament(viewer, proposal.tournament),
    }


def list_league_proposals(league: League, viewer: Player | None) -> list[dict[str, Any]]:
    """List the open proposals of a league that concern the viewer."""
    if viewer is None:
        return []
    return [
        build_proposal_context(proposal, viewer)
        for proposal in proposal_selectors.list_open_proposals(viewer, league)
    ]


@require_safe
@login_required
@never_cache
def show_proposals(request: HttpRequest) -> HttpResponse:
    """Show all proposals made to or by the player."""
    assert isinstance(request.user, Player)
    page = paginate_rows(request, proposal_selectors.list_proposals_of(request.user), PROPOSALS_PER_PAGE)
    rows = [build_proposal_context(proposal, request.user) for proposal in page.object_list]
    return render(request, "tournaments/proposals.html", {"page": page, "lines": rows})


@require_safe
@login_required
@never_cache
def show_proposal(request: HttpRequest, proposal: int) -> HttpResponse:
    """Show a proposal."""
    assert isinstance(request.user, Player)
    try:
        found_proposal = proposal_selectors.get_proposal_for(request.user, proposal)
    except proposal_selectors.NoSuchProposal:
        raise Http404(_("Proposal not found.")) from None
    context = {"proposal": build_proposal_context(found_proposal, request.user)}
    return render(request, "tournaments/proposal.html", context)


def build_command_view(command: Callable[..., Proposal]) -> Callable[..., HttpResponse]:
    """Make a view of an answer: POST only, the outcome or error as a message, then back to the proposal."""

    @require_POST
    def view(request: HttpRequest, proposal: int) -> HttpResponse:
        player = request.user
        if not isinstance(player, Player):
            return redirect_to_login(reverse("proposal", args=[proposal]))
        try:
            answered_proposal = command(
                request=request, player=player, proposal_id=proposal, now=timezone.now()
            )
            messages.success(request, proposal_text.describe_outcome(answered_proposal))
        except NotFound:
            raise Http404(_("Proposal not found.")) from None
        except ServiceError as error:
            messages.error(request, capfirst(str(error)))
        return redirect("proposal", proposal=proposal)

    return view


@secret_link_view
def answer_proposal_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show or answer a proposal through its mail link; GET changes nothing."""
    mail_token, proposal_id = links.read_link_token(links.ANSWER_PROPOSAL_PURPOSE, token) or ("", "")
    with open_link_of(find_player_by_mail_token(mail_token)) as player:
        error_text = ""
        try:
            proposal = proposal_selectors.get_proposal_for(player, parse_int(proposal_id) or 0)
            command = LINK_ANSWERS.get(request.POST.get("answer", ""))
            if command is not None and proposal.player_id == player.pk:
                try:
                    proposal = command(
                        request=request, player=player, proposal_id=proposal.pk, now=timezone.now()
                    )
                except ServiceError as error:
                    error_text = error.detail
        except proposal_selectors.NoSuchProposal:
            raise Http404(_("There is nothing at this address.")) from None
        context = {
            "proposal": build_proposal_context(proposal, player),
            "error_text": error_text,
            "by_link": True,
            "user": None,
        }
        return render(request, "tournaments/proposal.html", context)


urlpatterns = [
    path("proposals/", show_proposals, name="proposals"),
    path("proposals/<int:proposal>/", show_proposal, name="proposal"),
    *(
        path(f"proposals/<int:proposal>/{name}/", build_command_view(command), name=f"proposal-{name}")
        for name, command in PROPOSAL_COMMANDS.items()
    ),
    path("proposals/answer/<str:token>/", answer_proposal_by_link, name="answer-by-mail"),
]
