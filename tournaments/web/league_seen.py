"""A league as its pages see it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.models import Player
from games.web.asking import viewer_of
from tournaments import words
from tournaments.models import Division, League, Season
from tournaments.selectors import divisions, seeds
from tournaments.selectors import league_facts as leagues
from tournaments.words import leagues as league_words

from . import terms
from .showing import part

ROWS = 60  # of all standings on a page together
MOST_ROWS = 40  # of one division; the rest is on the page of its tournament
MOST_DIVISIONS = 10


def league_of(request: HttpRequest, code: str) -> League:
    """The league of an address, with what is counted in it. Raises Http404."""
    league = leagues.counted(League.objects.filter(code=code), account_of(request)).first()
    if league is None:
        raise Http404(_("There is no such league."))
    return league


def account_of(request: HttpRequest) -> Player | None:
    """Who looks, if they have an account: in a league a guest is nobody yet."""
    viewer = viewer_of(request)
    return None if viewer is None or viewer.guest else viewer


def runs(player: Player | None, league: League) -> bool:
    """Whether somebody organises a league, as `counted` has read it."""
    if player is None:
        return False
    return league.organiser_id == player.pk or player.is_staff or bool(league.helps)  # type: ignore[attr-defined]


def forbidden(request: HttpRequest, league: League) -> HttpResponse:
    """It is not theirs to do."""
    return render(request, "tournaments/leagues/forbidden.html", {"league": league}, status=403)


def told(league: League) -> dict[str, Any]:
    """The facts of a league with their words."""
    facts = leagues.whole(league)
    return facts | {
        "code": league.code,
        "status_told": league_words.status(league.status),
        "you_told": league_words.membership(facts["you"]),
        "size_told": league_words.size(facts),
        "in_short": capfirst(terms.in_short(league)),
    }


def sealed(league: League, *, members: int, last: int) -> dict[str, Any] | None:
    """What is committed to for the season to come, if one comes."""
    found = seeds.next_season(league, members=members, last=last)
    return found and found | {"grouped": league.groups > 1}


def division_told(division: dict[str, Any], viewer: Player | None) -> dict[str, Any]:
    """A division with its words; of a very large one its first places, and the viewer's."""
    places = []
    for place in division["places"]:
        mine = viewer is not None and viewer.name in place["players"]
        if place["rank"] <= MOST_ROWS or mine:
            places.append(
                place
                | {
                    "mine": mine,
                    "why_told": words.moved(place["why"]),
                    "points_told": words.amount(place["points"]),
                    "heading_told": league_words.heading(place["heading"], division["final"]),
                }
            )
    return division | {
        "places": places,
        "left_off": division["size"] - len(places),
        "mine": any(place["mine"] for place in places),
        "grouped": len(division["groups"]) > 1,
    }


def in_page_order(found: list[Division], mine: int | None) -> list[int]:
    """The numbers of all divisions, one's own before the others."""
    numbers = [one.number for one in found]
    return sorted(numbers, key=lambda number: (number != mine, number))


def standings(
    request: HttpRequest, league: League, found: list[Division], viewer: Player | None
) -> tuple[divisions.Standings, dict[str, Any]]:
    """A page of the divisions of a season, one's own first; and all that it says of them."""
    season: Season = found[0].season
    mine = next((one.number for one in found if one.mine), None)  # type: ignore[attr-defined]
    each = max(1, min(MOST_DIVISIONS, ROWS // max(league.size, 1)))
    page = part(request, in_page_order(found, mine), each)
    shown: list[int] = list(page)
    read = divisions.Standings(league, season, found, shown)
    facts = {one["number"]: division_told(one, viewer) for one in read.facts()}
    return read, {
        "season": {
            "number": season.number,
            "started_at": season.started_at,
            "finished_at": season.finished_at,
        },
        "divisions": [facts[number] for number in shown],
        "division_count": len(found),
        "page": page,
        "my_division": mine,
    }


def my_games(tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What somebody plays in a season, what runs before what is over, each with how it ended for them."""
    lines = []
    for table in tables:
        mine = next(seat for seat in table["seats"] if seat["entrant"] == table["mine"])
        others = [seat for seat in table["seats"] if seat is not mine]
        lines.append(
            {
                "round": table["round"],
                "against": ", ".join(seat["name"] for seat in others),
                "game": table["game"],
                "state": table["state"],
                "ends_at": table["ends_at"],
                "ended": ended(mine, table),
                "score": " : ".join(
                    str(seat["points"]) for seat in (mine, *others) if seat["points"] is not None
                ),
            }
        )
    return sorted(lines, key=lambda line: (line["state"] != "playing", line["round"]))


def ended(mine: dict[str, Any], table: dict[str, Any]) -> str:
    """How a table ended for somebody."""
    if table["state"] == "bye":
        return capfirst(_("bye"))
    if mine["rank"] is None:
        return ""
    if mine["forfeit"]:
        return _("Lost by forfeit")
    level = sum(seat["rank"] == mine["rank"] for seat in table["seats"]) > 1
    if level:
        return _("A draw")
    if len(table["seats"]) > 2:
        return _("Place %(n)s") % {"n": mine["rank"]}
    return _("Won") if mine["rank"] == 1 else _("Lost")
