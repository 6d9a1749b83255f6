"""Rule examples in words, in the language of a translator: made from what the engine says, never written."""

from __future__ import annotations

from django.utils.text import capfirst

from games.engine import GameEvent, State, build_view, text
from games.engine.action_errors import hide_placements
from games.engine.errors import IllegalAction
from games.engine.read_models import PositionData
from games.engine.text import GameTranslator

from .example import ExampleRun

MAX_STORY_SENTENCES = 7  # of a long example only the last ones
MAX_ACTIONS_LISTED = 3


def describe_example(run: ExampleRun, translator: GameTranslator) -> list[str]:
    """An example as sentences: what lies there, what happens, what is refused, and what comes out."""
    story = [text.narrate_event(event, translator) for event in _list_story_events(run)]
    has_setting = bool(run.example.actions or run.refusals)
    return [
        *([setting] if has_setting and (setting := _describe_setting(run.states[0], translator)) else []),
        *(["…"] if len(story) > MAX_STORY_SENTENCES else []),
        *story[-MAX_STORY_SENTENCES:],
        *_describe_refusals(run, translator),
        *_describe_results(run, translator),
    ]


def describe_example_board(run: ExampleRun, translator: GameTranslator) -> str:
    """The tiles on the board of an example, for those who do not see its picture."""
    cells = sorted(run.last_board["board"]["cells"].items())
    tiles = [f"{cell} {tile['tile']}{tile['rotation'] or ''}" for cell, tile in cells]
    return translator.gettext("Board: {tiles}").format(tiles=", ".join(tiles))


def _list_story_events(run: ExampleRun) -> list[GameEvent]:
    """The events of an example, without a next match or draw at the end that it is not about."""
    events, last_kinds = list(run.events), run.example.outcome.events[-1:]
    while last_kinds and events[-1]["event"] in {"match began", "drew"} - {*last_kinds}:
        events.pop()
    return events


def _describe_setting(state: State, translator: GameTranslator) -> str:
    """The tiles and cards of the seat that acts first."""
    seat = state.turn
    parts = []
    if state.drawn_tile:
        parts.append(translator.gettext("{tile} (drawn)").format(tile=state.drawn_tile))
    if state.table_tiles[seat]:
        parts.append(translator.gettext("{tile} (on the table)").format(tile=state.table_tiles[seat]))
    if state.hands[seat]:
        parts.append(translator.format_cards_with_codes(state.hands[seat]))
    return f"{translator.format_seat(seat)}: {', '.join(parts)}" if parts else ""


def _describe_refusals(run: ExampleRun, translator: GameTranslator) -> list[str]:
    """The refused actions, each with the reason that the engine gives."""
    sentences = []
    for seat, action, error in run.refusals:
        reason = hide_placements(error) if isinstance(error, IllegalAction) else error
        sentences.append(
            translator.gettext("{who} may not {action}. {reason}.").format(
                who=translator.format_seat(seat),
                action=text.describe_action(action, translator),
                reason=capfirst(text.explain_error(reason, translator)),
            )
        )
    return sentences


def _describe_results(run: ExampleRun, translator: GameTranslator) -> list[str]:
    """Describe the details of the outcome that the events do not show."""
    outcome, state, view = run.example.outcome, run.end, build_view(run.end)
    sentences = []
    if outcome.seniority:
        seats = translator.format_and_list([translator.format_seat(seat) for seat in outcome.seniority])
        sentences.append(translator.gettext("Oldest first: {seats}.").format(seats=seats))
    if outcome.table or outcome.cards:
        sentences += _describe_seats(view, translator)
    if outcome.markers:
        sentences += _describe_markers(view, translator)
    if outcome.deck:
        counts = ", ".join(f"{count} × {card}" for card, count in outcome.deck.items())
        sentences.append(translator.gettext("Secret cards: {cards}.").format(cards=counts))
    if outcome.tower is not None:
        sentences.append(
            translator.ngettext("Tower: {n} tile left", "Tower: {n} tiles left", outcome.tower).format(
                n=outcome.tower
            )
            + "."
        )
    if outcome.partner_hand:
        sentence = translator.gettext("{who} sees the cards of {other}: {cards}.")
        own_seat, partner_seat = state.setup.seats_of_side(state.setup.sides[state.turn])
        sentences.append(
            sentence.format(
                who=translator.format_seat(own_seat),
                other=translator.format_seat(partner_seat),
                cards=translator.format_cards_with_codes(outcome.partner_hand),
            )
        )
    if outcome.totals:
        totals = ", ".join(
            f"{translator.format_side(int(side))} {total}" for side, total in view["totals"].items()
        )
        sentences.append(translator.gettext("Totals: {totals}.").format(totals=totals))
    if outcome.drawn and not run.events:
        sentences.append(translator.gettext("Drawn: {tile}").format(tile=outcome.drawn) + ".")
    sentences += _describe_choices(run, translator)
    if outcome.turn and not run.events:
        sentences.append(
            translator.gettext("{who} is on turn.").format(who=translator.format_seat(outcome.turn))
        )
    return sentences


def _describe_seats(view: PositionData, translator: GameTranslator) -> list[str]:
    """The table tile and the number of cards of each seat."""
    sentences = []
    for seat in view["seats"]:
        tile = (
            translator.gettext("tile {tile} on the table").format(tile=seat["table"])
            if seat["table"]
            else translator.gettext("no tile on the table")
        )
        cards = f", {translator.format_card_count(seat['cards'])}" if view["options"]["cards"] else ""
        sentences.append(f"{translator.format_seat(seat['seat'])}: {tile}{cards}.")
    return sentences


def _describe_markers(view: PositionData, translator: GameTranslator) -> list[str]:
    """The markers that each side has left."""
    sentence = translator.gettext("Markers left of {side}: {markers}.")
    return [
        sentence.format(
            side=translator.format_side(int(side)),
            markers=", ".join(
                f"{count} × {translator.format_points(int(value))}" for value, count in markers.items()
            ),
        )
        for side, markers in view["markers"].items()
    ]


def _describe_choices(run: ExampleRun, translator: GameTranslator) -> list[str]:
    """Describe the choices of the seat to act, where the outcome names them."""
    outcome = run.example.outcome
    if not (outcome.actions or outcome.cells or outcome.tiles):
        return []
    who = translator.format_seat(run.end.seats_to_act[0])
    if outcome.actions and len(outcome.actions) <= MAX_ACTIONS_LISTED:
        actions = [text.describe_action(action, translator) for action in sorted(outcome.actions)]
        sentence = translator.gettext("{who} may {actions}.")
        return [sentence.format(who=who, actions=translator.format_or_list(actions))]
    if not outcome.cells:
        sentence = translator.gettext("{who} may place tile {tiles}.")
        return [sentence.format(who=who, tiles=translator.format_or_list(list(outcome.tiles or "")))]
    sentence = translator.gettext("{who} may place a tile on {cells}.")
    return [sentence.format(who=who, cells=translator.format_or_list(sorted(outcome.cells)))]
