"""What organisers do in a tournament, over REST; every decision is logged, and most can be taken back."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.examples import described
from games.services.players import public
from tournaments.models import Decision
from tournaments.selectors import desk, details, event_for
from tournaments.selectors.events import may_organise
from tournaments.selectors.proposals import told as told_of
from tournaments.services import (
    appeals,
    co_organisers,
    decisions,
    entries,
    events,
    removals,
    replacements,
    undoing,
)

from . import asked, shapes
from .base import ByNumber, Look, NewestFirst, Organise, called, done, plain, shown
from .costs import charge_preview
from .organise_shapes import AppealView, DecisionView, InviteView, Preview
from .proposals import ProposalView


class Deed(Organise):
    """A verb on a tournament: one service, then the tournament as it is now, or the decision."""

    def known(self, code: str) -> None:
        """Raise NoSuchEvent if there is none for whoever asks."""
        event_for(self.player, code)

    def now_is(self, code: str, status: int = 200) -> HttpResponse:
        return done(details.whole(event_for(self.player, code), self.player, self.now), status)

    def by(self, code: str) -> dict[str, Any]:
        return {"by": self.player, "code": code, "now": self.now}

    def logged(self, made: Decision) -> HttpResponse:
        return done(details.decided([made], organises=True)[0], 201)


class Publish(Deed):
    @described("tournaments.publish", scope="organise", answer=shapes.EventView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Let people enter, and tell those whom you have invited."""
        self.known(code)
        events.publish(**self.by(code))
        return self.now_is(code)


class Start(Deed):
    @described("tournaments.start", scope="organise", answer=shapes.EventView, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Start with whoever has entered; it happens within a minute."""
        self.known(code)
        events.start(**self.by(code))
        return self.now_is(code)


class Cancel(Deed):
    @described(
        "tournaments.cancel", scope="organise", body=asked.Because, answer=shapes.EventView, keyed=True
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Give it up, for good; games that run are then played for nothing."""
        self.known(code)
        events.cancel(**self.by(code), **self.words(asked.Because))
        return self.now_is(code)


class Seeds(Deed):
    @described("tournaments.seeds", scope="organise", body=asked.Seeds, answer=shapes.EventView)
    def put(self, request: Request, code: str) -> HttpResponse:
        """Your own order of entrants, before the start; everybody can read who set it, and when."""
        self.known(code)
        entries.seed(**self.by(code), **self.words(asked.Seeds))
        return self.now_is(code)


# ---------------------------------------------------------------------------------------------------- people


class Invites(Deed):
    @described("tournaments.invites", scope="read", answer=InviteView, many=True, paged=True)
    def get(self, request: Request, code: str) -> Response:
        """Who may enter a tournament by invitation: all of them if you organise it, else you, or nobody."""
        pages = ByNumber()
        found = self.some(pages, details.invites(event_for(self.player, code), self.player))
        return pages.get_paginated_response([plain({"name": one.player.name, "at": one.at}) for one in found])

    @described(
        "tournaments.invite", scope="organise", body=asked.Somebody, answer=InviteView, status=201, keyed=True
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Somebody may enter, and is told so: at once or, if it is a draft, when it is published."""
        self.known(code)
        player = called(self.words(asked.Somebody)["name"])
        made = events.invite(**self.by(code), player=player)
        return done({"name": player.name, "at": made.at}, 201)


class OneInvite(Deed):
    @described("tournaments.uninvite", scope="organise", status=204)
    def delete(self, request: Request, code: str, name: str) -> HttpResponse:
        """Take an invitation back from somebody who has not entered."""
        self.known(code)
        events.uninvite(**self.by(code), player=public(name=name))
        return HttpResponse(status=204)


class Helpers(Deed):
    @described(
        "tournaments.help", scope="organise", body=asked.Somebody, answer=ProposalView, status=201, keyed=True
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Ask somebody to organise it with you: they can do nothing here until they accept the proposal."""
        self.known(code)
        player = called(self.words(asked.Somebody)["name"])
        made = co_organisers.ask_for_event(**self.by(code), player=player)
        return done(told_of(made, self.player), 201)


class OneHelper(Deed):
    @described("tournaments.unhelp", scope="organise", status=204)
    def delete(self, request: Request, code: str, name: str) -> HttpResponse:
        """Somebody organises it no more, or is not asked to any more; you may go yourself."""
        self.known(code)
        co_organisers.remove_from_event(**self.by(code), player=public(name=name))
        return HttpResponse(status=204)


# ----------------------------------------------------------------------------------------- while it is played


class NextRound(Deed):
    @described("tournaments.preview", scope="read", answer=Preview)
    def get(self, request: Request, code: str) -> HttpResponse:
        """What the next round would be, with its warnings. For those who organise it.

        Nothing is stored of it, but before the start everybody can read that you looked at the draw.
        """
        self.known(code)
        charge_preview(request)
        return shown(request, details.coming(decisions.preview(**self.by(code))))


class Proceed(Deed):
    @described("tournaments.proceed", scope="organise", answer=DecisionView, status=201, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """The round that waits for you may come, with its warnings."""
        self.known(code)
        return self.logged(decisions.proceed(**self.by(code)))


class Extend(Deed):
    @described(
        "tournaments.extend", scope="organise", body=asked.Extend, answer=DecisionView, status=201, keyed=True
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """A round ends later, or at all: then those who play in it are told. No end is moved forward."""
        self.known(code)
        words = self.words(asked.Extend)
        return self.logged(decisions.extend(**self.by(code), number=words.pop("round"), **words))


class Correct(Deed):
    @described(
        "tournaments.correct",
        scope="organise",
        body=asked.Correct,
        answer=DecisionView,
        status=201,
        keyed=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Write another result of a table; all that follows from it is worked out anew.

        If the tournament was over and places change by it, say `confirmed` to do it all the same. Everybody
        whose place becomes another one is told.
        """
        self.known(code)
        return self.logged(decisions.correct(**self.by(code), **self.words(asked.Correct)))


class Disqualify(Deed):
    @described(
        "tournaments.disqualify",
        scope="organise",
        body=asked.Disqualify,
        answer=DecisionView,
        status=201,
        keyed=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """An entrant is out; their games there are resigned."""
        self.known(code)
        return self.logged(decisions.disqualify(**self.by(code), **self.words(asked.Disqualify)))


class Remove(Deed):
    @described(
        "tournaments.remove", scope="organise", body=asked.Remove, answer=DecisionView, status=201, keyed=True
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Take an entrant off the list before the start, or off the waiting list; they are told.

        They can enter again only if you invite them. Who waits longest moves up. After the start an entrant
        is disqualified instead.
        """
        self.known(code)
        return self.logged(removals.remove_entrant(**self.by(code), **self.words(asked.Remove)))


class Replace(Deed):
    @described(
        "tournaments.replace",
        scope="organise",
        body=asked.Replace,
        answer=ProposalView,
        status=201,
        keyed=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Ask somebody to play on for an entrant, in games that run too, with the hand that is there.

        Nothing changes until they agree; then those at the table are told. They see the hand once they take
        the seat for good, and until then it can be undone. Without a `player` it is who has waited longest on
        the waiting list; whoever waits there gives that up by agreeing.
        """
        self.known(code)
        words = self.words(asked.Replace)
        name = words.pop("player")
        player = called(name) if name else None
        made = replacements.propose_replacement(**self.by(code), player=player, **words)
        return done(told_of(made, self.player), 201)


class Decisions(Look):
    @described("tournaments.decisions", scope="read", public=True, answer=DecisionView, many=True, paged=True)
    def get(self, request: Request, code: str) -> Response:
        """What the organisers decided, newest first, in pages; the reasons (`why`) if you are one of them."""
        pages = NewestFirst()
        event = event_for(self.viewer, code)
        found = self.some(pages, desk.log(event))
        organises = may_organise(self.viewer, event)
        return pages.get_paginated_response(plain(details.decided(found, organises=organises)))


class Undo(Deed):
    @described(
        "tournaments.undo", scope="organise", body=asked.Undo, answer=DecisionView, status=201, keyed=True
    )
    def post(self, request: Request, code: str, decision: int) -> HttpResponse:
        """Take a decision back, if nothing has followed from it."""
        self.known(code)
        return self.logged(undoing.undo(**self.by(code), decision=decision, **self.words(asked.Undo)))


class Answer(Deed):
    @described("tournaments.answer", scope="organise", body=asked.Objection, answer=AppealView, keyed=True)
    def post(self, request: Request, code: str, appeal: int) -> HttpResponse:
        """Answer an appeal; a correction is a decision of its own."""
        self.known(code)
        found = appeals.answer(**self.by(code), appeal=appeal, text=self.words(asked.Objection)["text"])
        return done(details.appeal(found))
