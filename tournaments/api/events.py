"""Tournaments over REST: find them, look at them, make them."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.examples import described, whole_query
from tournaments import words
from tournaments.models import Event
from tournaments.selectors import desk, details, event_for, facts, my_events, page
from tournaments.selectors import events as events_found
from tournaments.services import events

from . import asked, shapes
from .base import ByNumber, Look, NewestFirst, done, plain, shown
from .costs import charged_course


class Filters(serializers.Serializer):
    status = serializers.ChoiceField(Event.Status.values, required=False)
    format = serializers.ChoiceField(Event.Format.values, required=False)
    mode = serializers.ChoiceField(Event.Mode.values, required=False)
    table = serializers.IntegerField(required=False, min_value=2, max_value=4)
    mine = serializers.BooleanField(
        required=False, default=False, help_text="what you take part in or organise, drafts and leagues too"
    )


class Events(Look):
    @described(
        "tournaments.list",
        scope="read",
        public=True,
        answer=shapes.EventSummary,
        many=True,
        query=Filters,
        paged=True,
    )
    def get(self, request: Request) -> Response:
        """Tournaments, newest first; `status=published` are those that you can enter."""
        wanted = whole_query(Filters, request)
        found = events_found()
        if wanted["mine"]:
            found = my_events(self.viewer) if self.viewer else found.none()
        for name in ("status", "format", "mode", "table"):
            if wanted.get(name) is not None:
                found = found.filter(**{name: wanted[name]})
        pages = NewestFirst()
        ids = list(self.some(pages, found.order_by().values("id")))
        some = facts.counted(Event.objects.filter(pk__in=[one["id"] for one in ids])).order_by("-pk")
        return pages.get_paginated_response([plain(facts.summary(one)) for one in some])

    @described(
        "tournaments.create",
        scope="organise",
        body=asked.NewEvent,
        answer=shapes.EventView,
        status=201,
        keyed=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """A tournament in preparation; its commitment is public before anyone can enter. Publish it next."""
        event = events.create(organiser=self.player, now=self.now, **self.words(asked.NewEvent))
        return done(details.whole(event, self.player, self.now), 201)


class OneEvent(Look):
    @described("tournaments.view", scope="read", public=True, answer=shapes.EventView)
    def get(self, request: Request, code: str) -> HttpResponse:
        """A tournament: what is played by, how far it is, and what you may do (`you`), with an ETag."""
        return shown(request, details.whole(event_for(self.viewer, code), self.viewer, self.now))

    @described("tournaments.change", scope="organise", body=asked.NewEvent, answer=shapes.EventView)
    def patch(self, request: Request, code: str) -> HttpResponse:
        """Lay something down anew; what you do not name stays.

        Once somebody has entered, what is played stays as it is; once it runs, only what counts for rounds to
        come can be changed.
        """
        event_for(self.player, code)
        changes = self.words(asked.NewEvent, partial=True)
        event = events.edit(by=self.player, code=code, now=self.now, **changes)
        return done(details.whole(event, self.player, self.now))

    @described("tournaments.delete", scope="organise", status=204)
    def delete(self, request: Request, code: str) -> HttpResponse:
        """A draft that nobody needs is gone; what was published is cancelled instead."""
        event_for(self.player, code)
        events.delete(by=self.player, code=code, now=self.now)
        return HttpResponse(status=204)


class Entrants(Look):
    @described(
        "tournaments.entrants",
        scope="read",
        public=True,
        answer=shapes.EntrantView,
        many=True,
        paged=True,
    )
    def get(self, request: Request, code: str) -> Response:
        """Players or pairs in the order in which they entered, the waiting list too, in pages."""
        pages = ByNumber()
        found = page.entrants(event_for(self.viewer, code))
        return pages.get_paginated_response([facts.entrant(one) for one in self.some(pages, found)])


class Rounds(Look):
    @described("tournaments.rounds", scope="read", public=True, answer=shapes.RoundList)
    def get(self, request: Request, code: str) -> HttpResponse:
        """What was published together, in order; in a knock-out that may be tables of several rounds."""
        return shown(request, {"results": details.rounds(event_for(self.viewer, code))})


class TableQuery(serializers.Serializer):
    round = serializers.IntegerField(required=False, min_value=1, max_value=32767)
    entrant = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class Tables(Look):
    @described(
        "tournaments.tables",
        scope="read",
        public=True,
        answer=shapes.TableView,
        many=True,
        query=TableQuery,
        paged=True,
    )
    def get(self, request: Request, code: str) -> Response:
        """Who plays whom, with the reasons, in pages; of one round, or of one entrant."""
        wanted = whole_query(TableQuery, request)
        found = page.tables(event_for(self.viewer, code))
        if "round" in wanted:
            found = found.filter(round=wanted["round"])
        if "entrant" in wanted:
            found = found.filter(sittings__entrant=wanted["entrant"])
        pages = ByNumber()
        return pages.get_paginated_response([plain(page.told(one)) for one in self.some(pages, found)])


class OneTable(Look):
    @described("tournaments.table", scope="read", public=True, answer=shapes.OneTable)
    def get(self, request: Request, code: str, table: int) -> HttpResponse:
        """One table: why these meet, in words too, and how it ended."""
        found = page.table_for(event_for(self.viewer, code), table)
        names = desk.names_in(found.reasons)
        told = [words.reason(note, names) for note in found.reasons]
        return shown(request, page.told(found) | {"words": told, "void": found.void})


class Standings(Look):
    @described("tournaments.standings", scope="read", public=True, answer=shapes.StandingsView)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Who is ahead, and by what: each tie-break with its value, and explained. None before the start."""
        lines = facts.standings(charged_course(request, event_for(self.viewer, code)))
        columns = []
        for one in lines[0]["criteria"] if lines else ():
            name, explanation = words.criterion(one["key"])
            columns.append({"key": one["key"], "name": name, "explanation": explanation})
        return shown(request, {"criteria": columns, "lines": lines})


class Bracket(Look):
    @described("tournaments.bracket", scope="read", public=True, answer=shapes.BracketView)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Every match, also those to come: a seat without an entrant says where it is filled from."""
        return shown(request, facts.bracket(charged_course(request, event_for(self.viewer, code))))


class Fairness(Look):
    @described("tournaments.fairness", scope="read", public=True, answer=shapes.ProofView)
    def get(self, request: Request, code: str) -> HttpResponse:
        """All that the pairings follow from, so that you can make them yourself.

        Once it is over, the SHA-256 of `seed` is `commitment`, and `HMAC-SHA256(seed, "otto-v1|" + code)` is
        the key that every lot is drawn from. `tournaments.pairing` of the source needs nothing else:
        `next_round(Event(format, entrants, key, table, …), results)`, with the results of what was published
        before a round, gives that round, every table with its seats and reasons. Whoever `left` when that
        round had begun was still there when it was paired. Of a knock-out `bracket(event, results)` gives all
        matches at once.
        """
        return shown(request, details.proof(charged_course(request, event_for(self.viewer, code))))
