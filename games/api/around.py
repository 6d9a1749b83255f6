"""Around a game over REST: turns, events, notes, chat, pictures."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from games import picture, picture_cache, picture_pixels, selectors
from games.engine import text
from games.selectors.clocks import round_end_view
from games.selectors.deadlines import deadline_of
from games.services import social
from games.words import words_for

from . import shapes
from .auth import HasScope
from .base import Door, as_json, tagged, tagged_ahead
from .examples import described, whole_query
from .rates import charge_request

DRAWN_PICTURE_UNITS = 5  # requests that a drawn picture weighs in the rate limit: its share of a processor


class Mine(Door):
    """For players only."""

    permission_classes = [HasScope("read", writing="play")]


class MyTurns(Mine):
    @described("me.turns", scope="read", answer=shapes.TurnLine, many=True)
    def get(self, request: Request) -> HttpResponse:
        """Where you are to act, most urgent first."""
        return as_json(
            [
                {
                    "game": place.game.code,
                    "seat": place.number,
                    "seq": place.game.seq,
                    "phase": place.game.phase,
                    "deadline": selectors.instant(deadline_of(place.game)),
                    "round_end": round_end_view(place.game),
                }
                for place in selectors.my_turns(self.player)
            ]
        )


class MyInvitations(Mine):
    @described("me.invitations", scope="read", answer=shapes.InvitationView, many=True)
    def get(self, request: Request) -> HttpResponse:
        """Games that you are asked to."""
        return as_json(
            [selectors.invitation(found) for found in selectors.my_invitations(self.player, self.now)]
        )


class FeedQuery(serializers.Serializer):
    after = serializers.IntegerField(required=False, min_value=0, max_value=2**63 - 1, default=0)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=200, default=100)


class Events(Mine):
    @described("events", scope="read", answer=shapes.Feed, query=FeedQuery)
    def get(self, request: Request) -> HttpResponse:
        """Everything that happened to you, in order, from a cursor on."""
        wanted = whole_query(FeedQuery, request)
        rows = selectors.feed(self.player, **wanted)
        return as_json(
            {
                "results": [
                    {
                        "id": row.pk,
                        "kind": row.kind,
                        "game": row.game.code if row.game else None,
                        "at": selectors.instant(row.at),
                        "data": row.data,
                    }
                    for row in rows
                ],
                "after": rows[-1].pk if rows else wanted["after"],
            }
        )


class Notes(Mine):
    @described("games.notes", scope="read", answer=shapes.NoteView)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Your own notes on a game."""
        note = selectors.note_for(self.player, code)
        return as_json(
            {"text": note.text if note else "", "at": selectors.instant(note.at) if note else None}
        )

    @described("games.notes.write", body=shapes.NewNote, answer=shapes.NoteView)
    def put(self, request: Request, code: str) -> HttpResponse:
        """Write them anew."""
        asked = shapes.NewNote(data=request.data)
        asked.is_valid(raise_exception=True)
        note = social.write_note(
            player=self.player, code=code, text=asked.validated_data["text"], now=self.now
        )
        return as_json({"text": note.text, "at": selectors.instant(note.at)})


class Chat(Mine):
    @described("games.chat", scope="read", answer=shapes.MessageLine, many=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """What was said at the table, the last hundred lines; for those who sit there."""
        return as_json([selectors.message(found) for found in selectors.chat_for(self.player, code)])

    @described("games.chat.say", body=shapes.NewMessage, answer=shapes.MessageLine, status=201, keyed=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Say something."""
        asked = shapes.NewMessage(data=request.data)
        asked.is_valid(raise_exception=True)
        said = social.say(player=self.player, code=code, text=asked.validated_data["text"], now=self.now)
        return as_json(selectors.message(said), 201)


class ReportMessage(Mine):
    @described("games.chat.report", body=shapes.Reason, status=204)
    def post(self, request: Request, code: str, message_id: int) -> HttpResponse:
        """Tell the operator that a message is out of place."""
        asked = shapes.Reason(data=request.data)
        asked.is_valid(raise_exception=True)
        social.report(
            player=self.player,
            code=code,
            message_id=message_id,
            why=asked.validated_data["why"],
            now=self.now,
        )
        return HttpResponse(status=204)


class BoardText(Door):
    @described("games.board.txt", scope="read", public=True, media="text/plain")
    def get(self, request: Request, code: str) -> HttpResponse:
        """The board for a fixed-width font."""
        seen = selectors.board_for(self.viewer, code)
        body = "\n".join([text.board(seen), "", *text.figures(seen, words_for(seen))]) + "\n"
        return tagged(request, body.encode(), "text/plain; charset=utf-8")


class BoardSVG(Door):
    @described("games.board.svg", scope="read", public=True, media="image/svg+xml")
    def get(self, request: Request, code: str) -> HttpResponse:
        """The board as a picture."""
        seen = selectors.board_for(self.viewer, code)
        tag = picture_pixels.board_tag(seen, form="svg", width=0)
        return tagged_ahead(request, tag, lambda: picture.svg(seen).encode(), "image/svg+xml")


class PNGQuery(serializers.Serializer):
    width = serializers.IntegerField(
        required=False,
        min_value=picture_pixels.OFFERED_WIDTHS[0],
        max_value=picture_pixels.OFFERED_WIDTHS[-1],
        default=600,
        help_text="Pictures are "
        + ", ".join(map(str, picture_pixels.OFFERED_WIDTHS[:-1]))
        + f" or {picture_pixels.OFFERED_WIDTHS[-1]} pixels wide and high: yours has the next of these"
        f" that is no less. One that has to be drawn counts as {DRAWN_PICTURE_UNITS} requests in the rate"
        " limit, one that is kept or has not changed as one.",
    )


class BoardPNG(Door):
    @described("games.board.png", scope="read", public=True, media="image/png", query=PNGQuery)
    def get(self, request: Request, code: str) -> HttpResponse:
        """The same, in pixels."""
        width = picture_pixels.offered_width(whole_query(PNGQuery, request)["width"])
        seen = selectors.board_for(self.viewer, code)
        tag = picture_pixels.board_tag(seen, form="png", width=width)

        def find_or_draw() -> bytes:
            kept = picture_cache.find(tag)
            if kept is None:
                charge_request(request, cost=DRAWN_PICTURE_UNITS - 1)
                kept = picture_pixels.board_png(seen, width=width)
                picture_cache.store(tag, kept)
            return kept

        return tagged_ahead(request, tag, find_or_draw, "image/png")
