"""What players do in a tournament, over REST: enter, leave, confirm, withdraw, sit out, appeal."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import scopes_of
from games.api.examples import described
from tournaments.selectors import details, event_for, evidence, page
from tournaments.services import appeals, client_seeds, entries

from . import asked, shapes
from .base import NewestFirst, Play, called, done, plain, shown
from .organise_shapes import AppealView
from .organise_shapes import Evidence as EvidenceView


class Deed(Play):
    """A verb on a tournament: one service, then the tournament as it is now."""

    def known(self, code: str) -> None:
        """Raise NoSuchEvent if there is none for whoever asks."""
        event_for(self.player, code)

    def now_is(self, code: str) -> HttpResponse:
        return done(details.whole(event_for(self.player, code), self.player, self.now))

    def me(self) -> dict[str, Any]:
        return {"player": self.player, "now": self.now}


class Enter(Deed):
    @described("tournaments.enter", body=asked.Entry, answer=shapes.EventView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Take part. If it is full, you wait in the list; `you.status` says which of the two it is.

        In pairs with a partner, who is asked: you have entered when they agree. Until then `you.proposals`
        has what you asked, nothing counts and no place is taken.
        """
        self.known(code)
        said = self.words(asked.Entry)
        if said["partner"]:
            partner, seed = called(said["partner"]), said["client_seed"]
            entries.ask_partner(code=code, partner=partner, client_seed=seed, **self.me())
        else:
            entries.enter(code=code, client_seed=said["client_seed"], **self.me())
        return self.now_is(code)


class OwnClientSeed(Deed):
    @described("tournaments.clientseed", body=asked.ClientSeed, answer=shapes.EventView)
    def put(self, request: Request, code: str) -> HttpResponse:
        """Bring another client seed: before the start or, if you come later, before you are first paired."""
        self.known(code)
        seed = self.words(asked.ClientSeed)["client_seed"]
        client_seeds.set_client_seed(code=code, client_seed=seed, **self.me())
        return self.now_is(code)


class Leave(Deed):
    @described("tournaments.leave", answer=shapes.EventView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Leave before the start; who waits longest moves up. A question to a partner is withdrawn."""
        self.known(code)
        entries.leave(code=code, **self.me())
        return self.now_is(code)


class Confirm(Deed):
    @described("tournaments.confirm", answer=shapes.EventView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Say that you will be there, where only those play who do."""
        self.known(code)
        entries.confirm(code=code, **self.me())
        return self.now_is(code)


class Withdraw(Deed):
    @described("tournaments.withdraw", answer=shapes.EventView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Leave in the middle, for good: your games there are resigned."""
        self.known(code)
        entries.withdraw(code=code, **self.me())
        return self.now_is(code)


class SitOut(Deed):
    @described("tournaments.sitout", body=asked.SitOut, answer=shapes.EventView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Say beforehand that you are away in a round of Swiss."""
        self.known(code)
        entries.sit_out(code=code, round=self.words(asked.SitOut)["round"], **self.me())
        return self.now_is(code)


class Evidence(Play):
    @described("tournaments.evidence", scope="read", answer=EvidenceView)
    def get(self, request: Request, code: str, table: int) -> HttpResponse:
        """Each time that somebody's time was up at a table: when their turn began, and what was sent of it.

        For those who played there, and those who organise the tournament; who was replaced since sees what
        happened to themselves. Your own address is shown to your
        browser, and to a personal token with the scopes `account` and `email`.
        """
        found = page.table_for(event_for(self.player, code), table)
        known = {"account", "email"} <= scopes_of(request)
        return shown(request, {"results": evidence.of_table(found, self.player, own_addresses=known)})


class AppealTable(Deed):
    @described("tournaments.appeal", body=asked.Objection, answer=AppealView, status=201, keyed=True)
    def post(self, request: Request, code: str, table: int) -> HttpResponse:
        """Ask the organiser to look at a table of yours, once; also if somebody else plays for you since."""
        self.known(code)
        made = appeals.appeal(code=code, table=table, text=self.words(asked.Objection)["text"], **self.me())
        return done(details.appeal(made), 201)


class Appeals(Play):
    @described("tournaments.appeals", scope="read", answer=AppealView, many=True, paged=True)
    def get(self, request: Request, code: str) -> Response:
        """Appeals, newest first: all of them if you organise the tournament, else your own."""
        pages = NewestFirst()
        found = self.some(pages, details.appeals(event_for(self.player, code), self.player))
        return pages.get_paginated_response([plain(details.appeal(one)) for one in found])
