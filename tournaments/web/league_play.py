"""What players and organisers do in a league: a press of a button each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import selectors
from games.models import Player
from games.names import MAX_NAME_LENGTH
from games.services.errors import Conflict, Denied, Invalid, Refusal
from games.web.asking import client_seed_in
from tournaments.models import League, Membership
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.selectors import league_facts
from tournaments.services import client_seeds, co_organisers, entries, leagues, removals
from tournaments.services.conflicts import OWN_TABLE

from .league_seen import account_of, forbidden, league_of

Deed = Callable[[HttpRequest, Player, League, datetime], str]
S = Membership.Status


def named(request: HttpRequest, field: str) -> Player | None:
    """The player whom a field names, None if it is empty. Raises Invalid."""
    name = request.POST.get(field, "").replace("\0", "").strip()
    if not name:
        return None
    found = selectors.player_named(name) if len(name) <= MAX_NAME_LENGTH else None
    if found is None or found.guest:
        raise Invalid(_("Nobody here is called %(name)s.") % {"name": name[:MAX_NAME_LENGTH]})
    return found


def join(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Play from the next season on."""
    partner, seed = named(request, "partner"), client_seed_in(request) or None
    if partner:
        leagues.ask_partner(player=player, partner=partner, code=league.code, client_seed=seed, now=now)
        return _("%(name)s is asked. You are in as soon as they agree.") % {"name": partner.name}
    leagues.choose(player=player, code=league.code, now=now, status=S.MEMBER, client_seed=seed)
    return _("You are in. You stay in, season after season, until you say otherwise.")


def change_seed(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Bring another part of the shuffle, for the seasons to come."""
    client_seeds.set_league_seed(
        player=player, code=league.code, client_seed=client_seed_in(request), now=now
    )
    return _("Saved. It counts from the next season on.")


def leave(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Do not play the next season; what runs is played to its end."""
    leagues.choose(player=player, code=league.code, now=now, status=S.OUT)
    return _("You are out from the next season on. Games that run go on.")


def drop_out(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Leave in the middle of a season. Raises Invalid unless the box is checked: the place is gone."""
    if request.POST.get("sure") != "1":
        raise Invalid(_("Check the box if you really mean it."))
    code = league_facts.event_of(league, player)
    if code is None:
        raise Conflict(_("You do not play in this season."))
    entries.withdraw(player=player, code=code, now=now)
    leagues.choose(player=player, code=league.code, now=now, status=S.OUT)
    return _("You have left the season. A substitute plays on for you, if one stands by.")


def stand_by(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Play for whoever drops out."""
    leagues.choose(
        player=player,
        code=league.code,
        now=now,
        status=S.SUBSTITUTE,
        client_seed=client_seed_in(request) or None,
    )
    return _("You stand by: when somebody drops out, their place and their games may become yours.")


def start(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """The first season begins."""
    leagues.start(by=player, code=league.code, now=now)
    return _("The first season begins in a moment.")


def close(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """No further season. Raises Invalid unless the box is checked: nobody opens a league again."""
    if request.POST.get("sure") != "1":
        raise Invalid(_("Check the box if you really mean it."))
    leagues.close(by=player, code=league.code, now=now)
    return _("The league closes; a season that runs is played to its end.")


def substitute(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Somebody takes over a place."""
    out = named(request, "out")
    if out is None:
        raise Invalid(_("Say who drops out."))
    leagues.substitute(
        by=player,
        code=league.code,
        out=out,
        player=named(request, "player"),
        now=now,
        **{
            name: request.POST.get(name, "").replace("\0", "")[:MAX_REASON_LENGTH]
            for name in ("why", "public_note")
        },
    )
    return _("The place of %(name)s is taken over, with its games.") % {"name": out.name}


def helper(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Somebody is asked to organise it, too."""
    found = named(request, "name")
    if found is None:
        raise Invalid(_("Say who."))
    co_organisers.ask_for_league(by=player, code=league.code, player=found, now=now)
    return _("%(name)s is asked to organise this league with you.") % {"name": found.name}


def no_helper(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Somebody organises it no more."""
    found = named(request, "name")
    if found is None:
        raise Invalid(_("Say who."))
    co_organisers.remove_from_league(by=player, code=league.code, player=found, now=now)
    return _("%(name)s organises this league no more.") % {"name": found.name}


def remove(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Somebody is out of the league. Raises Invalid unless the box is checked."""
    if request.POST.get("sure") != "1":
        raise Invalid(_("Check the box if you really mean it."))
    found = named(request, "name")
    if found is None:
        raise Invalid(_("Say who."))
    written = {name: request.POST.get(name, "").replace("\0", "") for name in ("why", "public_note")}
    removals.remove_member(by=player, code=league.code, player=found, now=now, **written)
    return _("%(name)s does not play from the next season on.") % {"name": found.name}


def readmit(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Somebody who was removed may join again."""
    found = named(request, "name")
    if found is None:
        raise Invalid(_("Say who."))
    removals.readmit_member(by=player, code=league.code, player=found, now=now)
    return _("%(name)s may join again.") % {"name": found.name}


PLAYERS: dict[str, Deed] = {
    "join": join,
    "leave": leave,
    "drop-out": drop_out,
    "stand-by": stand_by,
    "client-seed": change_seed,
}
ORGANISERS: dict[str, Deed] = {
    "start": start,
    "close": close,
    "substitute": substitute,
    "helper": helper,
    "no-helper": no_helper,
    "remove": remove,
    "readmit": readmit,
}


@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """Do it, or say why not, on the page it was asked on; to look leads back there."""
    does = PLAYERS.get(deed) or ORGANISERS.get(deed)
    if does is None:
        raise Http404(_("There is no such thing to do here."))
    league, player = league_of(request, code), account_of(request)
    back = "league" if deed in PLAYERS else "league-organise"
    if request.method != "POST":
        return redirect(back, code=code)
    if player is None:
        return redirect("league-ask", code=code)
    try:
        messages.success(request, does(request, player, league, timezone.now()))
    except Denied as denied:
        if denied.code not in (OWN_TABLE, "removed"):
            return forbidden(request, league)
        messages.error(request, str(denied))
    except Refusal as refusal:
        messages.error(request, capfirst(str(refusal)))
    return redirect(back, code=code)
