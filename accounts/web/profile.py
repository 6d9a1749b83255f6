"""The public page of a player: who they are, and what the apps tell of them.

No email address, no time of last visit.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.account_extensions import load_account_extensions
from accounts.selectors.bots import list_bot_names
from accounts.selectors.profiles import find_player_by_name

from .request_utils import viewer_of


@require_safe
def show_player(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's public page."""
    player, viewer = find_player_by_name(name), viewer_of(request)
    if player is None:
        raise Http404(_("No player has this name. Check the spelling."))
    is_own = viewer is not None and viewer.pk == player.pk
    sections = [
        section
        for extension in load_account_extensions()
        for section in extension.build_profile_sections(player, is_own=is_own)
    ]
    context = {
        "player": {
            "name": player.name,
            "joined_at": player.joined_at,
            "is_lookalike": player.is_lookalike,
            "is_bot": player.is_bot,
            "owner": player.bot_owner.name if player.bot_owner else None,
            "bots": list_bot_names(player),
        },
        "own": is_own,
        "sections": sorted(sections, key=lambda section: section.position),
    }
    return render(request, "games/player.html", context)
