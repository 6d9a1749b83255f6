"""The template context of a game in a mail: what the reader may see, in their language and time zone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.models import Player
from common.duration_format import format_duration
from common.site_urls import build_absolute_url
from games import clock, picture_png, picture_svg, selectors, signed_links
from games.card_pictures import CARD_PICTURE_RATIO, draw_card_png
from games.clock import StopReason
from games.deadline_format import format_round_end, say_move_by
from games.engine import ending_text, text
from games.engine.text import GameTranslator
from games.game_text import build_translator
from games.models import Game, Seat
from games.selectors import match_summary
from games.selectors.clocks import build_calendar, load_unprocessed_incidents, seat_clock_of
from games.selectors.deadlines import round_end_if_first, round_end_of
from games.selectors.match_summary import GameEnd
from games.selectors.notices import list_messages_since_last_mail
from games.selectors.read_models import GameData, LogLineData
from games.selectors.turns import is_current_turn, log_since_last_turn
from games.selectors.waiting_turns import describe_other_players
from notifications.channels.email.message import get_mail_domain
from notifications.channels.email.quoting import QuotedText
from notifications.inbound.addresses import build_address

MAX_EXAMPLES = 5
BOARD_WIDTH, TILE_WIDTH, CARD_WIDTH = 520, 60, 48  # CSS pixels
PIXEL_RATIO = (
    1.5  # image pixels per CSS pixel: sharp on a phone, yet a small mail; 520 * 1.5 = 780 is an offered width
)
CLOCK_STOP_LABELS: dict[StopReason, Promise] = {
    StopReason.VACATION: lazy("vacation"),
    StopReason.WEEKEND: lazy("weekend"),
    StopReason.NIGHT: lazy("night hours"),
    StopReason.AGREED: lazy("an agreed pause"),
    StopReason.INCIDENT: lazy("a problem with our site"),
}


@dataclass(frozen=True)
class GameContext:
    """A game for a mail: template context, pictures, and what the headlines need."""

    code: str
    seat_no: int
    turn: int | None  # the seq at which the reader's turn began; None if not on turn
    view: GameData
    words: GameTranslator
    other_players_text: str  # "against bob and cleo"
    context_data: dict[str, Any]
    latest_sentences: list[str]  # the last action as sentences
    game_end: GameEnd | None
    pictures: dict[str, bytes] = field(repr=False)

    @property
    def side(self) -> int:
        """The reader's side."""
        return int(self.view["you"]["side"])


def build_game_context(player: Player, code: str, now: datetime) -> GameContext:
    """Build the context of a running game for a player who sits in it. Raises NoSuchGame.

    Game, seats, clocks and view come from one read, so a move that is made meanwhile is in all of the mail or
    in none of it; of the log, which only grows, no later lines are read.
    """
    loaded_game = selectors.load_game_for(player, code)
    seat = loaded_game.seat_of(player)
    if seat is None or seat.seat_no is None:
        raise selectors.NoSuchGame(code)
    game_view = selectors.view_for(loaded_game, player)
    view, translator, seat_no = game_view.view, build_translator(game_view.view), seat.seat_no
    seat_clock = seat_clock_of(seat.game, seat_no)
    on_turn = is_current_turn(seat, seat_clock.turn_seq)
    turn = seat_clock.turn_seq if on_turn else None
    log_lines = log_since_last_turn(seat, seat.game.seq if turn is None else turn)
    initial_events = (
        seat.game.initial_events if not view["seq"] or (log_lines and log_lines[0]["seq"] == 1) else []
    )
    story = [text.narrate_event(event, translator) for event in initial_events] + text.narrate_actions(
        log_lines, translator
    )
    latest_sentences = text.narrate_actions(log_lines[-1:], translator) or story
    game_end = match_summary.load_game_end(view)
    content_id_suffix = f"{code}.{view['seq']}"
    board_cid, tiles = f"board.{content_id_suffix}@{get_mail_domain()}", list_placeable_tiles(view, seat_no)
    tile_cids = {kind: f"tile-{kind.lower()}.{content_id_suffix}@{get_mail_domain()}" for kind in tiles}
    card_cids = {
        card: f"card-{card.lower()}.{content_id_suffix}@{get_mail_domain()}" for card in view["you"]["hand"]
    }
    example_actions = pick_example_actions(game_view.offered_actions, translator) if on_turn else []
    context_data: dict[str, Any] = {
        "code": code,
        "is_running": view["phase"] != "over",
        "board": board_cid,
        "board_width": BOARD_WIDTH,
        "board_alt": describe_board(view, translator),
        "text_board": text.draw_text_board(view),
        "tiles": [(kind, tile_cids[kind], label) for kind, label in tiles.items()],
        "tile_width": TILE_WIDTH,
        "card_pictures": [
            (
                card_cids[card],
                card,
                translator.format_cards_with_codes([card]),
                translator.describe_card(card),
            )
            for card in view["you"]["hand"]
        ],
        "card_width": CARD_WIDTH,
        "card_height": round(CARD_WIDTH * CARD_PICTURE_RATIO),
        "own_position": [say_hand_hidden()]
        if view["you"]["hand_hidden"]
        else text.describe_own_position(view, translator, game_view.offered_actions),
        "duty": describe_decision(game_view, translator) if on_turn else "",
        "hand_hidden": view["you"]["hand_hidden"],
        "partner": say_partner_cards(view, translator),
        "scores": list_scores(view, translator),
        "target": view["options"]["target"] if view["mode"] != Game.Mode.SOLO else None,
        "summary": text.summarise_position(view, translator),
        "story": story if story != latest_sentences else [],
        "match_end": describe_match_end(view, log_lines, game_end, translator),
        "chat": [
            (selectors.build_message_data(message).name, QuotedText(message.text))
            for message in list_messages_since_last_mail(player, seat.game)
        ],
        "time": say_time_left(seat, now) if on_turn else [],
        "examples": example_actions,
        "more_action_count": len(game_view.offered_actions) - len(example_actions),
        "turn_url": build_turn_link(player, code, seat_no, seat_clock.turn_seq) if on_turn else "",
        "game_url": build_absolute_url(f"/games/{code}/"),
        "next_game_url": build_absolute_url("/next/"),
        "mute_url": build_absolute_url(f"/mute/{signed_links.make_mute_token(player.mail_token, code)}/"),
    }
    pictures = {board_cid: draw_board_picture(view, find_placed_cells(log_lines))}
    pictures |= {tile_cids[kind]: draw_tile_picture(view["edition"], kind) for kind in tiles}
    pictures |= {cid: draw_card_png(card, int(CARD_WIDTH * PIXEL_RATIO)) for card, cid in card_cids.items()}
    return GameContext(
        code,
        seat_no,
        turn,
        view,
        translator,
        describe_other_players(loaded_game.seats, player),
        context_data,
        latest_sentences,
        game_end,
        pictures,
    )


def describe_match_end(
    view: GameData,
    log_lines: Sequence[LogLineData],
    game_end: GameEnd | None,
    translator: GameTranslator,
) -> dict[str, Any] | None:
    """The last match that ended since the reader's last turn, as headline and sentences; None without one."""
    if game_end:
        summary = game_end.last_match
    else:
        end_seq = match_summary.find_last_match_end(log_lines)
        summary = match_summary.load_match_summary(view, end_seq) if end_seq else None
    if summary is None or summary.kind == Game.Mode.SOLO:
        return None
    return {
        "headline": ending_text.format_match_headline(summary, translator),
        "sentences": ending_text.describe_match_summary(summary, translator),
    }


def build_turn_link(player: Player, code: str, seat_no: int, turn: int) -> str:
    """The signed URL of the page on which exactly this turn is played."""
    token = signed_links.make_turn_token(
        purpose=signed_links.TURN_PURPOSE, game_code=code, seat_no=seat_no, turn_seq=turn, player_id=player.pk
    )
    return build_absolute_url(f"/turn/{token}/")


def build_reply_address(
    player: Player, game_context: GameContext, purpose: str = signed_links.REPLY_PURPOSE
) -> str:
    """The address where a reply plays this turn; empty without inbound mail, or if not on turn."""
    if game_context.turn is None or game_context.view["you"]["hand_hidden"]:
        return ""
    token = signed_links.make_turn_token(
        purpose=purpose,
        game_code=game_context.code,
        seat_no=game_context.seat_no,
        turn_seq=game_context.turn,
        player_id=player.pk,
    )
    return build_address(purpose, token)


# ------------------------------------------------------------------------------------------------- the board


def draw_board_picture(view: GameData, new_cells: set[str]) -> bytes:
    """The board as PNG, with `new_cells` outlined."""
    return picture_png.draw_board_png(view, width=int(BOARD_WIDTH * PIXEL_RATIO), highlight=new_cells)


def draw_tile_picture(edition: str, kind: str) -> bytes:
    """A tile as PNG, not rotated."""
    return picture_png.draw_tile_png(edition, kind, int(TILE_WIDTH * PIXEL_RATIO))


def find_placed_cells(log_lines: Sequence[LogLineData]) -> set[str]:
    """The cells where tiles were placed, since the last match began."""
    cells: set[str] = set()
    for event in (event for log_line in log_lines for event in log_line["events"]):
        if event["event"] == "match began":
            cells = set()
        elif event["event"] == "placed":
            cells.add(event["cell"])
    return cells


def describe_board(view: GameData, translator: GameTranslator) -> str:
    """The board as text: the alternative text of the picture."""
    cells = sorted(view["board"]["cells"].items())
    tile_texts = [f"{cell} {tile['tile']}{tile['rotation'] or ''}" for cell, tile in cells]
    description = _("The board. Tiles: %(tiles)s.") % {"tiles": ", ".join(tile_texts)}
    figures = text.describe_figures(view, translator)
    return (
        description + " " + _("Figures: %(figures)s.") % {"figures": "; ".join(figures)}
        if figures
        else description
    )


def list_placeable_tiles(view: GameData, seat_no: int) -> dict[str, str]:
    """The kinds of tile that the reader can place, each with a label of where it is."""
    tiles: dict[str, str] = {}
    for seat_view in view["seats"]:
        if seat_view["seat"] == seat_no and seat_view["table"]:
            tiles[seat_view["table"]] = _("on the table")
    if view["drawn"] and view["turn"] == seat_no:
        tiles[view["drawn"]] = _("twice") if view["drawn"] in tiles else _("drawn")
    return tiles


def describe_decision(game_view: selectors.GameView, translator: GameTranslator) -> str:
    """Describe the reader's decision; with a hidden hand, that they must take the seat first."""
    return (
        say_hand_hidden()
        if game_view.view["you"]["hand_hidden"]
        else text.describe_duty(game_view.view, translator, game_view.offered_actions)
    )


def say_hand_hidden() -> str:
    """Say that a mail shows no cards to a player who has just taken a seat over."""
    return _("You are taking over this seat. Take it for good to see its cards.")


def say_partner_cards(view: GameData, translator: GameTranslator) -> str:
    """The partner's cards, which partners may see; empty without a partner."""
    partner = view["you"]["partner"]
    if not partner or not partner["hand"]:
        return ""
    return _("Cards of %(who)s: %(cards)s") % {
        "who": translator.format_seat(partner["seat"]),
        "cards": translator.format_cards_with_codes(partner["hand"]),
    }


def list_scores(view: GameData, translator: GameTranslator) -> list[dict[str, Any]]:
    """Points of each side, with the colour of its markers on the board."""
    own_side = str(view["you"]["side"])
    return [
        {
            "side": side,
            "side_name": translator.format_side(int(side)),
            "colour": picture_svg.SIDE_COLOURS[int(side)],
            "points": view["points"][side],
            "total": total,
            "is_own": side == own_side,
        }
        for side, total in view["totals"].items()
    ]


# -------------------------------------------------------------------------------------------- time, examples


def format_local_time(moment: datetime) -> str:
    """A time in the reader's zone, which is the active one."""
    local = timezone.localtime(moment)
    return _("%(time)s (%(zone)s)") % {
        "time": date_format(local, "l j F, H:i"),
        "zone": timezone.get_current_timezone_name().replace("_", " "),
    }


def say_time_left(seat: Seat, now: datetime) -> list[str]:
    """Sentences about the time left for the turn, the bank and the deadline."""
    assert seat.seat_no
    seat_clock = seat_clock_of(seat.game, seat.seat_no)
    clock_stops = build_calendar(seat.game, seat.player, load_unprocessed_incidents(), seat_clock)
    current_clock = clock.charge_elapsed_time(seat_clock, now, clock_stops)
    sentences = []
    if reasons := [str(CLOCK_STOP_LABELS[name]) for name in clock.stop_reasons_at(clock_stops, now)]:
        sentences.append(_("Your clock is stopped: %(why)s.") % {"why": ", ".join(reasons)})
    round_end = round_end_of(seat.game)
    if round_end and round_end.ends_at <= now + current_clock.allowance_left:
        pass  # the round ends before the allowance is used up
    elif current_clock.allowance_left and current_clock.bank:
        sentences.append(
            _("You have %(turn)s for this turn, then %(bank)s in reserve.")
            % {
                "turn": format_duration(current_clock.allowance_left),
                "bank": format_duration(current_clock.bank),
            }
        )
    elif current_clock.allowance_left:
        sentences.append(
            _("You have %(turn)s for this turn.") % {"turn": format_duration(current_clock.allowance_left)}
        )
    else:
        sentences.append(
            _("Your reserve is running: %(bank)s left.") % {"bank": format_duration(current_clock.bank)}
        )
    deadline = clock.deadline_of(seat_clock, clock_stops)
    if round_end := round_end_if_first(seat.game, deadline):
        sentences.append(format_round_end(round_end, format_local_time(round_end.ends_at)))
    elif deadline:
        sentences.append(say_move_by(format_local_time(deadline)))
    return sentences


def pick_example_actions(legal: Sequence[str], translator: GameTranslator) -> list[tuple[str, str]]:
    """Some legal actions as (text to type, meaning): one per card, several placements."""
    actions_by_kind: dict[str, list[str]] = {}
    for action in legal:
        actions_by_kind.setdefault(action.split("-")[0], []).append(action)
    selected_actions = [actions[0] for actions in actions_by_kind.values()][:MAX_EXAMPLES]
    placements = [action for action in legal if action[1:2] == "-" and action not in selected_actions]
    free_slots = min(MAX_EXAMPLES - len(selected_actions), len(placements))
    selected_actions += [placements[i * len(placements) // free_slots] for i in range(free_slots)]
    return [
        (format_typed_action(action), text.describe_action(action, translator))
        for action in sorted(selected_actions, key=legal.index)
    ]


def format_typed_action(action: str) -> str:
    """An action as a player types it."""
    return action.replace("-", " ")
