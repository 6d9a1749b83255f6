"""Games over REST: find, make, join, look at, play."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

from games import engine, selectors, tasks
from games.models import Game, Player
from games.services import invitations, lobby, presence, seating, seats, turns

from . import shapes
from .base import Door, as_json, tagged
from .examples import described, header_key, whole_query


class Pages(CursorPagination):
    ordering = "-id"
    page_size = 20
    max_page_size = 100
    page_size_query_param = "page_size"


class Filters(serializers.Serializer):
    status = serializers.ChoiceField(Game.Status.values, required=False)
    mode = serializers.ChoiceField(list(engine.MODES), required=False)
    edition = serializers.ChoiceField(engine.edition_names(), required=False)
    seats = serializers.IntegerField(required=False, min_value=1, max_value=4)
    clock = serializers.CharField(required=False, max_length=20)
    rated = serializers.BooleanField(required=False, allow_null=True, default=None)
    mine = serializers.BooleanField(required=False, default=False)


class Games(Door):
    @described(
        "games.list",
        scope="read",
        public=True,
        answer=shapes.GameSummary,
        many=True,
        query=Filters,
        paged=True,
    )
    def get(self, request: Request) -> Response:
        """Games you may see, newest first; `status=open` is the lobby, `mine=true` are yours."""
        wanted = whole_query(Filters, request)
        found = selectors.games(self.viewer)
        for name in ("status", "mode", "edition", "seats", "clock", "rated"):
            if wanted.get(name) is not None:
                found = found.filter(**{name: wanted[name]})
        if wanted.get("mine"):
            found = found.filter(places__player=self.viewer) if self.viewer else found.none()
        pages = Pages()
        page = pages.paginate_queryset(found, request, view=self)
        return pages.get_paginated_response([selectors.summary(game) for game in page or []])

    @described("games.create", body=shapes.NewGame, answer=shapes.GameView, status=201, headers=[header_key])
    def post(self, request: Request) -> HttpResponse:
        """A new game. Its commitment is public before anyone joins; join it yourself to take your seat.

        With an `Idempotency-Key`, a repeated request makes no other game and answers with the first as it is;
        one with other terms is refused.
        """
        key = shapes.key_of(request)
        asked = shapes.NewGame(data=request.data)
        asked.is_valid(raise_exception=True)
        terms = dict(asked.validated_data)
        terms["clock_name"] = terms.pop("clock")
        game = lobby.create_once(player=self.player, now=self.now, key=key, **terms)
        return as_json(selectors.game_for(self.player, game.code).view, 201)


class OneGame(Door):
    @described("games.view", scope="read", public=True, answer=shapes.GameView)
    def get(self, request: Request, code: str) -> HttpResponse:
        """The game as you may see it, with an ETag."""
        return tagged(request, selectors.body_for(self.viewer, code), "application/json")


class Deed(Door):
    """A verb on a game: one service, then the game as it is now."""

    body: type[serializers.Serializer] | None = None

    def words(self, request: Request) -> dict[str, Any]:
        if self.body is None:
            return {}
        asked = self.body(data=request.data)
        asked.is_valid(raise_exception=True)
        return dict(asked.validated_data)

    def shown(self, code: str, status: int = 200) -> HttpResponse:
        return as_json(selectors.game_for(self.player, code).view, status)


class JoinGame(Deed):
    body = shapes.Join

    @described("games.join", body=shapes.Join, answer=shapes.GameView)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Take a seat; the last one starts the game."""
        words = self.words(request)
        token = words.pop("invitation")
        if token:
            game = invitations.accept(player=self.player, code=code, token=token, now=self.now, **words)
        else:
            selectors.game_for(self.player, code)
            game = lobby.join(player=self.player, code=code, now=self.now, **words)
        tasks.nudge(game)
        return self.shown(game.code)


class LeaveGame(Deed):
    @described("games.leave", answer=shapes.GameView)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Leave before the start."""
        selectors.game_for(self.player, code)
        game = lobby.leave(player=self.player, code=code, now=self.now)
        if game.private and game.creator_id != self.player.pk:
            return as_json(selectors.left_by(self.player, code).view)
        return self.shown(code)


class CancelGame(Deed):
    @described("games.cancel", answer=shapes.GameView)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Give an open game of yours up."""
        lobby.cancel_by_host(player=self.player, code=code, now=self.now)
        return self.shown(code)


class InviteToGame(Deed):
    body = shapes.Invite

    @described("games.invite", body=shapes.Invite, answer=shapes.InvitationView, status=201, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Keep a seat for somebody, by name or by email."""
        invitation = invitations.invite(player=self.player, code=code, now=self.now, **self.words(request))
        return as_json(selectors.invitation(invitation), 201)


class DeclineGame(Deed):
    @described("games.decline", status=204)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Say no to an invitation."""
        invitations.decline(player=self.player, code=code, now=self.now)
        return HttpResponse(status=204)


class AddBot(Deed):
    body = shapes.Bot

    @described("games.bots", body=shapes.Bot, answer=shapes.GameView, status=201, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Fill a seat of your game with a bot."""
        game = lobby.add_bot(player=self.player, code=code, now=self.now, **self.words(request))
        tasks.nudge(game)
        return self.shown(code, 201)


class ChoosePartner(Deed):
    body = shapes.ChosenPartner

    @described("games.partner", body=shapes.ChosenPartner, answer=shapes.GameView)
    def post(self, request: Request, code: str) -> HttpResponse:
        """In pairs, before the start: say who sits opposite you in your game. The others are the other pair.

        With neither `joined` nor `name` nobody is chosen: two people then play together against two bots, and
        else the order of the seats decides. Where seats are shuffled the lot does.
        """
        seating.choose_partner(player=self.player, code=code, now=self.now, **self.words(request))
        return self.shown(code)


class Rematch(Deed):
    body = shapes.Rematch

    @described("games.rematch", body=shapes.Rematch, answer=shapes.GameView, status=201, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """A new game for the same people; all who ask get the same one.

        Its commitment is public before you join: a seat is kept for you, the others are invited, bots sit
        down at once, and nothing begins. Then `join` it with a `client_seed`; the last to join starts the
        game. Whoever has seen the commitment of a rematch that exists may send it here with their
        `client_seed`, and takes their seat. A seed with another commitment, or with none, is refused:
        409 `no-offer`.
        """
        game = invitations.rematch(player=self.player, code=code, now=self.now, **self.words(request))
        tasks.nudge(game)
        return self.shown(game.code, 201)


class TakeSeat(Deed):
    @described("games.take", answer=shapes.GameView)
    def post(self, request: Request, code: str) -> HttpResponse:
        """See the hand of a seat that you took over. From then on it is yours to the end of the game.

        Until then `you.hand_hidden` is true: no hand, no legal actions, and nothing can be played.
        """
        seats.take_seat(player=self.player, code=code, now=self.now)
        return self.shown(code)


class LegalActions(Door):
    @described("games.legal", scope="read", public=True, answer=shapes.LEGAL)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Your legal actions now, if you have anything to decide; the header Otto-Seq says for which seq."""
        shown = selectors.game_for(self.viewer, code)
        answer = as_json(shown.legal)
        answer["Otto-Seq"] = str(shown.view["seq"])
        return answer


class Actions(Door):
    @described("games.play", body=shapes.Play, answer=shapes.GameView, status=201, headers=[header_key])
    def post(self, request: Request, code: str) -> HttpResponse:
        """Play. With an `Idempotency-Key`, a repeated request gets the first answer and changes nothing."""
        if shapes.plain_play(request.data):
            return self.play(request, code, request.data["action"], request.data["seq"])
        asked = shapes.Play(data=request.data)
        asked.is_valid(raise_exception=True)
        return self.play(request, code, asked.validated_data["action"], asked.validated_data.get("seq"))

    def play(self, request: Request, code: str, text: str, seq: int | None) -> HttpResponse:
        key = shapes.key_of(request)
        played = turns.play(player=self.player, code=code, text=text, seq=seq, key=key, now=self.now)
        if self.player.mails == Player.Mails.ONCE:
            presence.seen(player=self.player, now=self.now)  # whose program plays has come back
        if played.bot_turn:
            tasks.nudge_code(code)
        return HttpResponse(played.answer, content_type="application/json", status=201)


class Resign(Actions):
    @described("games.resign", answer=shapes.GameView, status=201, headers=[header_key])
    def post(self, request: Request, code: str) -> HttpResponse:
        """Give the game up; it cannot be taken back."""
        return self.play(request, code, "resign", None)


class Record(Door):
    @described("games.record", scope="read", public=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """The game as an otto-record/1; with its seed and result once it is over."""
        return as_json(selectors.record_for(self.viewer, code))


class LogQuery(serializers.Serializer):
    after = serializers.IntegerField(required=False, min_value=0, max_value=2**31 - 1, default=0)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=200, default=100)


class Log(Door):
    @described("games.log", scope="read", public=True, answer=shapes.Log, query=LogQuery)
    def get(self, request: Request, code: str) -> HttpResponse:
        """The log of a game: every action, its hash over the line before, and what it did."""
        wanted = whole_query(LogQuery, request)
        return as_json(selectors.log_for(self.viewer, code, **wanted))
