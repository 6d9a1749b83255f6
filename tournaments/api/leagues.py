"""Leagues over REST: join and leave, seasons and divisions, and what their organisers do."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.examples import described, whole_query
from games.services.errors import Denied, Invalid, NotFound
from games.services.players import public
from tournaments import words
from tournaments.models import League, Membership
from tournaments.selectors import details, divisions, league_for, seeds
from tournaments.selectors import league_facts as reads
from tournaments.selectors.events import may_run
from tournaments.selectors.may import you_in
from tournaments.selectors.proposals import told as told_of
from tournaments.selectors.removals import removals_from
from tournaments.services import client_seeds, co_organisers, leagues, removals

from . import asked
from .base import ByNumber, Look, NewestFirst, Organise, Play, called, done, plain, shown
from .league_shapes import LeagueSummary, LeagueView, MemberView, SeasonView, WholeSeason
from .organise_shapes import DecisionView
from .proposals import ProposalView


class Filters(serializers.Serializer):
    status = serializers.ChoiceField(League.Status.values, required=False)
    mode = serializers.ChoiceField(League.Mode.values, required=False)
    table = serializers.IntegerField(required=False, min_value=2, max_value=4)
    mine = serializers.BooleanField(required=False, default=False, help_text="where you have ever joined")


def summary(league: League) -> dict[str, Any]:
    """A league in a list."""
    told = reads.summary(league)
    told["membership"] = told.pop("you")
    return told


class InLeague(Play):
    """What can be said of a league after a deed in it."""

    def whole(self, code: str) -> dict[str, Any]:
        """Everything about a league but its seasons. Raises NoSuchLeague."""
        found = league_for(self.viewer, code)
        league = reads.counted(League.objects.filter(pk=found.pk), self.viewer).get()
        current = league.played.order_by("-number").first()
        told = summary(league)
        return {
            **reads.laid_down(league),
            **told,
            "commitment": league.commitment,
            "seed": league.seed or None,
            "next_season": seeds.next_season(league, members=told["members"], last=told["season"] or 0),
            "helpers": list(league.helpers.order_by("name").values_list("name", flat=True)),
            "calendar": reads.calendar(league, current, self.now),
            "you": you_in(league, self.viewer),
        }

    def by(self, code: str) -> dict[str, Any]:
        return {"by": self.player, "code": code, "now": self.now}


class Leagues(Look, InLeague):
    @described(
        "leagues.list",
        scope="read",
        public=True,
        answer=LeagueSummary,
        many=True,
        query=Filters,
        paged=True,
    )
    def get(self, request: Request) -> Response:
        """Leagues, newest first; all but the closed ones can be joined."""
        wanted = whole_query(Filters, request)
        found = League.objects.all()
        for name in ("status", "mode", "table"):
            if wanted.get(name) is not None:
                found = found.filter(**{name: wanted[name]})
        if wanted["mine"]:
            found = found.filter(memberships__player=self.viewer) if self.viewer else found.none()
        pages = NewestFirst()
        page = self.some(pages, reads.counted(found, self.viewer))
        return pages.get_paginated_response([plain(summary(one)) for one in page])

    @described(
        "leagues.create", scope="organise", body=asked.NewLeague, answer=LeagueView, status=201, keyed=True
    )
    def post(self, request: Request) -> HttpResponse:
        """A league before its first season; people can join at once."""
        league = leagues.create(organiser=self.player, now=self.now, **self.words(asked.NewLeague))
        return done(self.whole(league.code), 201)


class OneLeague(Look, InLeague):
    @described("leagues.view", scope="read", public=True, answer=LeagueView)
    def get(self, request: Request, code: str) -> HttpResponse:
        """A league: what is played by, its calendar, and what you may do (`you`), with an ETag."""
        return shown(request, self.whole(code))

    @described("leagues.change", scope="organise", body=asked.NewLeague, answer=LeagueView)
    def patch(self, request: Request, code: str) -> HttpResponse:
        """Lay something down anew; what you do not name stays. It counts from the next season on."""
        league_for(self.player, code)
        leagues.edit(**self.by(code), **self.words(asked.NewLeague, partial=True))
        return done(self.whole(code))


class Members(Look):
    @described("leagues.members", scope="read", public=True, answer=MemberView, many=True, paged=True)
    def get(self, request: Request, code: str) -> Response:
        """Who plays or stands by, in the order in which they joined, in pages."""
        league = league_for(self.viewer, code)
        found = league.memberships.exclude(status=Membership.Status.OUT).select_related("player", "partner")
        pages = ByNumber()
        return pages.get_paginated_response(
            [
                plain(
                    {
                        "name": one.player.name,
                        "status": one.status,
                        "partner": one.partner.name if one.partner else None,
                        "at": one.at,
                    }
                )
                for one in self.some(pages, found)
            ]
        )


# ----------------------------------------------------------------------------------------------- who plays


class Choice(InLeague):
    """Whether one plays from the next season on."""

    def chosen(self, code: str, status: str, client_seed: str | None = None) -> HttpResponse:
        league_for(self.player, code)
        leagues.choose(player=self.player, code=code, now=self.now, status=status, client_seed=client_seed)
        return done(self.whole(code))


class Join(Choice):
    @described("leagues.join", body=asked.LeagueEntry, answer=LeagueView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Play from the next season on, season after season.

        In pairs with a partner, who is asked: you have joined when they agree.
        """
        said = self.words(asked.LeagueEntry)
        if not said["partner"]:
            return self.chosen(code, Membership.Status.MEMBER, said["client_seed"])
        league_for(self.player, code)
        partner = called(said["partner"])
        leagues.ask_partner(
            player=self.player, partner=partner, code=code, client_seed=said["client_seed"], now=self.now
        )
        return done(self.whole(code))


class OwnClientSeed(InLeague):
    @described("leagues.clientseed", body=asked.ClientSeed, answer=LeagueView)
    def put(self, request: Request, code: str) -> HttpResponse:
        """Bring another client seed; it counts for the seasons to come."""
        league_for(self.player, code)
        seed = self.words(asked.ClientSeed)["client_seed"]
        client_seeds.set_league_seed(player=self.player, code=code, client_seed=seed, now=self.now)
        return done(self.whole(code))


class LeaveLeague(Choice):
    @described("leagues.leave", answer=LeagueView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Play no more from the next season on; the present one is played to its end."""
        return self.chosen(code, Membership.Status.OUT)


class StandBy(Choice):
    @described("leagues.substitute", body=asked.LeagueEntry, answer=LeagueView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Be there for whoever drops out in the middle of a season: by that you have agreed to play on."""
        said = self.words(asked.LeagueEntry)
        if said["partner"]:
            raise Invalid(_("In pairs one enters with a partner, and otherwise alone."))
        return self.chosen(code, Membership.Status.SUBSTITUTE, said["client_seed"])


# -------------------------------------------------------------------------------------------------- seasons


class Seasons(Look):
    @described("leagues.seasons", scope="read", public=True, answer=SeasonView, many=True, paged=True)
    def get(self, request: Request, code: str) -> Response:
        """The seasons of a league, newest first, in pages."""
        pages = NewestFirst()
        page = self.some(pages, reads.seasons(league_for(self.viewer, code)))
        return pages.get_paginated_response([plain(reads.season(one)) for one in page])


class SeasonQuery(serializers.Serializer):
    division = serializers.IntegerField(required=False, min_value=1, max_value=32767)


class OneSeason(Look):
    @described("leagues.season", scope="read", public=True, answer=WholeSeason, query=SeasonQuery)
    def get(self, request: Request, code: str, number: int) -> HttpResponse:
        """A season: its divisions, or one of them, who stands where in it, and why they are there."""
        only = whole_query(SeasonQuery, request).get("division")
        league = league_for(self.viewer, code)
        season = reads.seasons(league).filter(number=number).first()
        if season is None:
            raise NotFound(_("There is no such season."))
        sizes = list(divisions.divisions(league, number))
        wanted = [one.number for one in sizes if only in (None, one.number)]
        told = divisions.Standings(league, season, sizes, wanted).facts()
        for division in told:
            for place in division["places"]:
                place["words"] = words.moved(place["why"])
        return shown(request, reads.season(season) | seeds.season_seal(season) | {"divisions": told})


# -------------------------------------------------------------------------------------- for its organisers


class Start(Organise, InLeague):
    @described("leagues.start", scope="organise", answer=LeagueView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """The first season begins, within a minute."""
        league_for(self.player, code)
        leagues.start(**self.by(code))
        return done(self.whole(code))


class Close(Organise, InLeague):
    @described("leagues.close", scope="organise", answer=LeagueView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """No season follows after the present one."""
        league_for(self.player, code)
        leagues.close(**self.by(code))
        return done(self.whole(code))


class Replace(Organise, InLeague):
    @described(
        "leagues.replace",
        scope="organise",
        body=asked.ReplaceInLeague,
        answer=DecisionView,
        status=201,
        keyed=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """A substitute takes over a place in the middle of a season, with the hands that are there."""
        league_for(self.player, code)
        said = self.words(asked.ReplaceInLeague)
        out, player = said.pop("out"), said.pop("player")
        made = leagues.substitute(
            **self.by(code), out=called(out), player=called(player) if player else None, **said
        )
        return done(details.decided([made], organises=True)[0], 201)


class RemovalView(serializers.Serializer):
    name = serializers.CharField()
    by = serializers.CharField(allow_null=True)
    why = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()


class Removals(Organise, InLeague):
    @described("leagues.removals", scope="read", answer=RemovalView, many=True, paged=True)
    def get(self, request: Request, code: str) -> Response:
        """Whom the organisers have removed and not let in again, newest first, in pages. For organisers."""
        league = league_for(self.player, code)
        if not may_run(self.player, league):
            raise Denied(_("Only who organises this league can do that."))
        pages = NewestFirst()
        page = self.some(pages, removals_from(league))
        return pages.get_paginated_response(
            [
                plain(
                    {
                        "name": one.player.name,
                        "by": one.by.name if one.by else None,
                        "why": one.why,
                        "at": one.at,
                    }
                )
                for one in page
            ]
        )

    @described("leagues.remove", scope="organise", body=asked.RemoveMember, answer=LeagueView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Take somebody out of the league from the next season on; they are told.

        They cannot join again until you let them. In pairs the partner is out, too.
        """
        league_for(self.player, code)
        said = self.words(asked.RemoveMember)
        removals.remove_member(**self.by(code), player=called(said.pop("name")), **said)
        return done(self.whole(code))


class OneRemoval(Organise, InLeague):
    @described("leagues.readmit", scope="organise", status=204)
    def delete(self, request: Request, code: str, name: str) -> HttpResponse:
        """Let somebody join again who was removed."""
        league_for(self.player, code)
        removals.readmit_member(**self.by(code), player=public(name=name))
        return HttpResponse(status=204)


class Helpers(Organise, InLeague):
    @described(
        "leagues.help", scope="organise", body=asked.Somebody, answer=ProposalView, status=201, keyed=True
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Ask somebody to organise it with you: they can do nothing here until they accept the proposal."""
        league_for(self.player, code)
        player = called(self.words(asked.Somebody)["name"])
        made = co_organisers.ask_for_league(**self.by(code), player=player)
        return done(told_of(made, self.player), 201)


class OneHelper(Organise, InLeague):
    @described("leagues.unhelp", scope="organise", status=204)
    def delete(self, request: Request, code: str, name: str) -> HttpResponse:
        """Somebody organises it no more, or is not asked to any more; you may go yourself."""
        league_for(self.player, code)
        co_organisers.remove_from_league(**self.by(code), player=public(name=name))
        return HttpResponse(status=204)
