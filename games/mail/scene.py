"""A game as a mail shows it: only what its reader may see, in their language, in their zone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games import clock, links, picture, picture_pixels, selectors
from games.engine import text
from games.engine.text import Words
from games.models import Player, Seat
from games.moments import say_round_end
from games.selectors.clocks import calendar, incidents, watch_of
from games.selectors.deadlines import round_end_of, round_ending_first
from games.selectors.mail import company
from games.selectors.outbox import place_at, unread_chat
from games.selectors.turns import lasts, since_last
from games.spans import lasting
from games.words import words_for

from .letter import domain
from .quoting import Quoted

EXAMPLES = 5
BOARD, TILE = 520, 60  # how wide pictures are shown
SHARP = (
    1.5  # pixels for each of those: sharp on a phone, and no larger a mail than that takes; 780 is offered
)
RESTS = {
    "vacation": lazy("vacation"),
    "weekend": lazy("weekend"),
    "night": lazy("night hours"),
    "agreed": lazy("an agreed pause"),
    "incident": lazy("something is wrong with our site"),
}


@dataclass(frozen=True)
class Scene:
    """Everything that a template says of a game, and the pictures that it names."""

    code: str
    seat: int
    turn: int | None  # the seq at which the reader's turn came; None when it is not their turn
    view: dict[str, Any]
    words: Words
    company: str  # "with bob and cleo"
    facts: dict[str, Any]
    latest: list[str]  # the last thing that happened, in sentences
    pictures: dict[str, bytes] = field(repr=False)

    @property
    def side(self) -> int:
        """The reader's side."""
        return int(self.view["you"]["side"])


def scene(player: Player, code: str, now: datetime) -> Scene:
    """A game that has begun, for one who sits at it. Raises NoSuchGame."""
    place = place_at(player, code)
    if place is None or place.number is None:
        raise selectors.NoSuchGame(code)
    shown = selectors.game_for(player, code)
    view, words, seat = shown.view, words_for(shown.view), place.number
    watch = watch_of(place.game, seat)
    on_turn = lasts(place, watch.turn)
    turn = watch.turn if on_turn else None
    lines = since_last(place, place.game.seq if turn is None else turn)
    opening = place.game.opening if not view["seq"] or (lines and lines[0]["seq"] == 1) else []
    story = [text.tell(event, words) for event in opening] + text.story(lines, words)
    latest = text.story(lines[-1:], words) or story
    mark = f"{code}.{view['seq']}"
    board_cid, tiles = f"board.{mark}@{domain()}", own_tiles(view, seat)
    cids = {kind: f"tile-{kind.lower()}.{mark}@{domain()}" for kind in tiles}
    some = examples(shown.legal, words) if on_turn else []
    facts: dict[str, Any] = {
        "code": code,
        "playing": view["phase"] != "over",
        "board": board_cid,
        "board_width": BOARD,
        "board_alt": in_words(view, words),
        "text_board": text.board(view),
        "tiles": [(kind, cids[kind], label) for kind, label in tiles.items()],
        "tile_width": TILE,
        "cards": words.coded(view["you"]["hand"]),
        "yours": [hidden_hand()] if view["you"]["hand_hidden"] else text.yours(view, words, shown.legal),
        "duty": duty_of(shown, words) if on_turn else "",
        "hand_hidden": view["you"]["hand_hidden"],
        "partner": partner(view, words),
        "scores": scores(view, words),
        "target": view["options"]["target"] if view["mode"] != "solo" else None,
        "summary": text.summary(view, words),
        "story": story if story != latest else [],
        "chat": [
            (selectors.message(line)["name"], Quoted(line.text)) for line in unread_chat(player, place.game)
        ],
        "time": time_words(place, now) if on_turn else [],
        "examples": some,
        "more": len(shown.legal) - len(some),
        "play": turn_link(player, code, seat, watch.turn) if on_turn else "",
        "show": links.page(f"/games/{code}/"),
        "next": links.page("/next/"),
        "mute": links.page(f"/mute/{links.mute_token(player.mail_key, code)}/"),
    }
    pictures = {board_cid: board_picture(view, placed(lines))}
    pictures |= {cids[kind]: tile_picture(view["edition"], kind) for kind in tiles}
    who = company(place.game.places.all(), player)
    return Scene(code, seat, turn, view, words, who, facts, latest, pictures)


def turn_link(player: Player, code: str, seat: int, turn: int) -> str:
    """The page on which this turn, and no other, is played."""
    token = links.turn_token(purpose=links.TURN, code=code, seat=seat, turn=turn, player_id=player.pk)
    return links.page(f"/turn/{token}/")


def reply_address(player: Player, scene: Scene, purpose: str = links.REPLY) -> str:
    """Where a reply plays this turn; empty where replies cannot come in, or when it is nobody's to play."""
    if scene.turn is None or scene.view["you"]["hand_hidden"]:
        return ""
    token = links.turn_token(
        purpose=purpose, code=scene.code, seat=scene.seat, turn=scene.turn, player_id=player.pk
    )
    return links.address(purpose, token)


# ------------------------------------------------------------------------------------------------- the board


def board_picture(view: dict[str, Any], fresh: set[str]) -> bytes:
    """The board, with what was placed since the reader's last turn outlined."""
    return picture_pixels.board_png(view, width=int(BOARD * SHARP), highlight=fresh)


def tile_picture(edition: str, kind: str) -> bytes:
    """A tile as it lies before it is turned."""
    return picture_pixels.tile_png(edition, kind, int(TILE * SHARP))


def placed(lines: Sequence[dict[str, Any]]) -> set[str]:
    """The cells on which tiles were put; since the last match began, if one did."""
    found: set[str] = set()
    for event in (event for line in lines for event in line["events"]):
        if event["event"] == "match began":
            found = set()
        elif event["event"] == "placed":
            found.add(event["cell"])
    return found


def in_words(view: dict[str, Any], words: Words) -> str:
    """The board for those who see no pictures."""
    cells = sorted(view["board"]["cells"].items())
    laid = [f"{cell} {tile['tile']}{tile['rotation'] or ''}" for cell, tile in cells]
    told = _("The board. Tiles: %(tiles)s.") % {"tiles": ", ".join(laid)}
    figures = text.figures(view, words)
    return told + " " + _("Figures: %(figures)s.") % {"figures": "; ".join(figures)} if figures else told


def own_tiles(view: dict[str, Any], seat: int) -> dict[str, str]:
    """The kinds of tile that the reader can place, each with where it is."""
    tiles: dict[str, str] = {}
    for entry in view["seats"]:
        if entry["seat"] == seat and entry["table"]:
            tiles[entry["table"]] = _("on the table")
    if view["drawn"] and view["turn"] == seat:
        tiles[view["drawn"]] = _("twice") if view["drawn"] in tiles else _("drawn")
    return tiles


def duty_of(shown: selectors.Shown, words: Words) -> str:
    """What the reader must decide; before they have taken the seat, that they must take it."""
    return hidden_hand() if shown.view["you"]["hand_hidden"] else text.duty(shown.view, words, shown.legal)


def hidden_hand() -> str:
    """Why a mail shows no cards to somebody who has taken a seat over."""
    return _("You have taken this seat over. You see its hand once you take the seat for good.")


def partner(view: dict[str, Any], words: Words) -> str:
    """The partner's cards, which partners may see."""
    other = view["you"]["partner"]
    if not other or not other["hand"]:
        return ""
    return _("Cards of %(who)s: %(cards)s") % {
        "who": words.who(other["seat"]),
        "cards": words.coded(other["hand"]),
    }


def scores(view: dict[str, Any], words: Words) -> list[dict[str, Any]]:
    """Points of each side, with the colour and the number that its markers have on the board."""
    mine = str(view["you"]["side"])
    return [
        {
            "side": side,
            "who": words.side(int(side)),
            "colour": picture.COLOURS[int(side)],
            "here": view["points"][side],
            "total": total,
            "mine": side == mine,
        }
        for side, total in view["totals"].items()
    ]


# ---------------------------------------------------------------------------------------------- time, answers


def when(at: datetime) -> str:
    """A time in the reader's zone, which is the active one."""
    local = timezone.localtime(at)
    return _("%(time)s (%(zone)s)") % {
        "time": date_format(local, "l j F, H:i"),
        "zone": timezone.get_current_timezone_name().replace("_", " "),
    }


def time_words(place: Seat, now: datetime) -> list[str]:
    """What is left of the turn and of the reserve, and when the time is up."""
    assert place.number
    watch = watch_of(place.game, place.number)
    rests = calendar(place.game, place.player, incidents(), watch)
    left = clock.settled(watch, now, rests)
    told = []
    if why := [str(RESTS[name]) for name in clock.reasons(rests, now)]:
        told.append(_("Your clock rests: %(why)s.") % {"why": ", ".join(why)})
    end = round_end_of(place.game)
    if end and end.at <= now + left.left:
        pass  # the round ends before the allowance does: more time is of no use
    elif left.left and left.bank:
        told.append(
            _("You have %(turn)s for this turn, then %(bank)s in reserve.")
            % {"turn": lasting(left.left), "bank": lasting(left.bank)}
        )
    elif left.left:
        told.append(_("You have %(turn)s for this turn.") % {"turn": lasting(left.left)})
    else:
        told.append(_("Your reserve is running, with %(bank)s left.") % {"bank": lasting(left.bank)})
    until = clock.deadline(watch, rests)
    if end := round_ending_first(place.game, until):
        told.append(say_round_end(end, when(end.at)))
    elif until:
        told.append(_("Your time is up on %(when)s.") % {"when": when(until)})
    return told


def examples(legal: Sequence[str], words: Words) -> list[tuple[str, str]]:
    """Some legal actions as one types them, and what each means: one for each card, several for tiles."""
    kinds: dict[str, list[str]] = {}
    for action in legal:
        kinds.setdefault(action.split("-")[0], []).append(action)
    chosen = [actions[0] for actions in kinds.values()][:EXAMPLES]
    places = [action for action in legal if action[1:2] == "-" and action not in chosen]
    room = min(EXAMPLES - len(chosen), len(places))
    chosen += [places[i * len(places) // room] for i in range(room)]
    return [(typed(action), text.choice(action, words)) for action in sorted(chosen, key=legal.index)]


def typed(action: str) -> str:
    """An action as one would type it."""
    return action.replace("-", " ")
