"""Narration: actions and events of a game as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .cards import REVOLUTION_STEPS
from .choices import ActionSource
from .phrases import ENGLISH_TRANSLATOR, GameTranslator

EventData = Mapping[str, Any]


def narrate_actions(
    actions: Iterable[EventData], translator: GameTranslator = ENGLISH_TRANSLATOR
) -> list[str]:
    """The events of actions as sentences, with a note before actions that the clock played for a seat."""
    sentences: list[str] = []
    absent_seat = 0
    for action in actions:
        if action["by"] != ActionSource.CLOCK:
            absent_seat = 0
        elif action["seat"] != absent_seat:  # one note for all actions of a turn
            absent_seat = action["seat"]
            sentences.append(
                translator.gettext("Time ran out for {who}, so we played.").format(
                    who=translator.format_seat(absent_seat)
                )
            )
        sentences += [narrate_event(event, translator) for event in action["events"]]
    return sentences


def narrate_event(event: EventData, translator: GameTranslator = ENGLISH_TRANSLATOR) -> str:
    """One event as a sentence."""
    return translator.capitalize_sentence(NARRATORS[event["event"]](event, translator))


def _narrate_match_began(event: EventData, translator: GameTranslator) -> str:
    who = translator.format_seat(event["seat"])
    if event["kind"] == "blind":
        return translator.gettext("A blind match began; {who} starts.").format(who=who)
    if event["kind"] == "solo":
        return translator.gettext("A solo match began.")
    return translator.gettext("Match {n} began; {who} starts.").format(n=event["match"], who=who)


def _narrate_drew(event: EventData, translator: GameTranslator) -> str:
    return translator.gettext("{who} drew tile {tile}.").format(
        who=translator.format_seat(event["seat"]), tile=event["tile"]
    )


def _narrate_placed(event: EventData, translator: GameTranslator) -> str:
    sentence = (
        translator.gettext("{who} put tile {tile} on {cell}, turned by {degrees} degrees.")
        if event["rotation"]
        else translator.gettext("{who} put tile {tile} on {cell}.")
    )
    return sentence.format(
        who=translator.format_seat(event["seat"]),
        tile=event["tile"],
        cell=event["cell"],
        degrees=event["rotation"],
    )


def _narrate_closed(event: EventData, translator: GameTranslator) -> str:
    if not event["side"]:
        sentence = translator.gettext("{who} closed {figure}, but has no marker left for it.")
    elif tuple(translator.side_seats.get(event["side"], ())) == (event["seat"],):
        sentence = translator.gettext("{who} closed {figure}: {points}.")
    else:
        sentence = translator.gettext("{who} closed {figure}: {points} for {side}.")
    return sentence.format(
        who=translator.format_seat(event["seat"]),
        figure=translator.format_figure(event["kind"], event["place"]),
        points=translator.format_points(event["value"]),
        side=translator.format_side(event["side"] or 0),
    )


def _narrate_claimed(event: EventData, translator: GameTranslator) -> str:
    sentence = translator.gettext("{who} marked {figure}, which had no marker yet.")
    return sentence.format(
        who=translator.format_seat(event["seat"]),
        figure=translator.format_figure(event["kind"], event["place"]),
    )


def _narrate_lost_figure(event: EventData, translator: GameTranslator) -> str:
    sentence = translator.gettext("{who} has no marker left for {figure}: its points are lost.")
    return sentence.format(
        who=translator.format_seat(event["seat"]),
        figure=translator.format_figure(event["kind"], event["place"]),
    )


def _narrate_infinity(event: EventData, translator: GameTranslator) -> str:
    return translator.gettext("{who} made an 8 around {cell}!").format(
        who=translator.format_seat(event["seat"]), cell=event["cell"]
    )


def _narrate_asked(event: EventData, translator: GameTranslator) -> str:
    sentence = translator.ngettext("{who} may answer the 8.", "{who} may answer the 8.", len(event["seats"]))
    return sentence.format(who=translator.format_seats(event["seats"]))


def _narrate_answered(event: EventData, translator: GameTranslator) -> str:
    who = translator.format_seat(event["seat"])
    if event["answer"] == "pass":
        return translator.gettext("{who} passed.").format(who=who)
    sentence = translator.gettext("{who} protected the points with {card}.").format(
        who=who, card=translator.format_card_use(event["answer"])
    )
    return _add_words_of_card(sentence, translator)


def _narrate_played(event: EventData, translator: GameTranslator) -> str:
    card_action = event["action"].removeprefix("CV=")
    details: dict[str, Any] = {
        "who": translator.format_seat(event["seat"]),
        "card": translator.format_card_use(event["action"]),
    }
    if card_action == "TT":
        sentence = translator.gettext("{who} played {card}: two turns in a row.")
    elif card_action in REVOLUTION_STEPS and REVOLUTION_STEPS[card_action] > 0:
        sentence = translator.gettext("{who} played {card}: every table tile went one seat clockwise.")
    elif card_action in REVOLUTION_STEPS:
        sentence = translator.gettext("{who} played {card}: every table tile went one seat anti-clockwise.")
    elif card_action.startswith("MI"):
        sentence = translator.gettext("{who} played {card} and swapped table tiles with {other}.")
        details["other"] = translator.format_seat(int(card_action[3:]))
    elif card_action.startswith("QL"):
        _, details["start"], details["end"], details["degrees"] = card_action.split("-")
        sentence = (
            translator.gettext("{who} played {card}: the tile on {start} now lies at {degrees} degrees.")
            if details["start"] == details["end"]
            else translator.gettext(
                "{who} played {card}: the tile on {start} leapt to {end}, at {degrees} degrees."
            )
        )
    else:  # a meteorite or a kidnapping has events of its own
        sentence = translator.gettext("{who} played {card}.")
    return _add_words_of_card(sentence.format(**details), translator)


def _add_words_of_card(sentence: str, translator: GameTranslator) -> str:
    """A sentence after what a player says aloud at a table before showing a card."""
    return translator.gettext("“I’m using the Force!” {sentence}").format(
        sentence=translator.capitalize_sentence(sentence)
    )


def _narrate_kidnapped(event: EventData, translator: GameTranslator) -> str:
    sentence = translator.gettext("{who} kidnapped {card} from {victim}.")
    return sentence.format(
        who=translator.format_seat(event["seat"]),
        card=translator.format_card(event["card"]),
        victim=translator.format_seat(event["victim"]),
    )


def _narrate_lost_card(event: EventData, translator: GameTranslator) -> str:
    sentence = translator.gettext("The kidnapped card, {card}, could do nothing and is lost.")
    return sentence.format(card=translator.format_card(event["card"]))


def _narrate_new_tiles(event: EventData, translator: GameTranslator) -> str:
    none = translator.gettext("no tile")
    tables = ", ".join(
        f"{translator.format_seat(int(seat))} {tile or none}" for seat, tile in event["table"].items()
    )
    return translator.gettext("New table tiles: {tiles}.").format(tiles=tables)


def _narrate_dark_tiles(event: EventData, translator: GameTranslator) -> str:
    if event["table"] and event["card"]:
        sentence = translator.gettext("{who} swapped two dark tiles for tile {tile} and a secret card.")
    elif event["table"]:
        sentence = translator.gettext("{who} swapped two dark tiles for tile {tile}.")
    elif event["card"]:
        sentence = translator.gettext("{who} swapped two dark tiles for a secret card.")
    else:
        sentence = translator.gettext("{who} had two dark tiles. Both left the match.")
    return sentence.format(who=translator.format_seat(event["seat"]), tile=event["table"])


def _narrate_lost_turn(event: EventData, translator: GameTranslator) -> str:
    return translator.gettext("{who} lost the turn to the dark tile.").format(
        who=translator.format_seat(event["seat"])
    )


def _narrate_second_turn(event: EventData, translator: GameTranslator) -> str:
    return translator.gettext("{who} plays again.").format(who=translator.format_seat(event["seat"]))


def _narrate_match_ended(event: EventData, translator: GameTranslator) -> str:
    if event["kind"] == "solo":
        if event["ended"] == "full":
            return translator.gettext("The solo match ended with a full board.")
        if event["ended"] == "tower":
            return translator.gettext("The solo match ended with an empty tower.")
        return translator.gettext("The solo match is won: {points}.").format(
            points=translator.format_points(event["scores"]["1"])
        )
    endings = {
        ("blind", "infinity"): translator.gettext("The blind match ended with an 8: {scores}."),
        ("blind", "full"): translator.gettext("The blind match ended with a full board: {scores}."),
        ("blind", "tower"): translator.gettext("The blind match ended with an empty tower: {scores}."),
        ("normal", "infinity"): translator.gettext("Match {n} ended with an 8: {scores}."),
        ("normal", "full"): translator.gettext("Match {n} ended with a full board: {scores}."),
        ("normal", "tower"): translator.gettext("Match {n} ended with an empty tower: {scores}."),
    }
    scores = ", ".join(
        f"{translator.format_side(int(side))} {score}" for side, score in event["scores"].items()
    )
    sentences = [endings[event["kind"], event["ended"]].format(n=event["match"], scores=scores)]
    sentences += [
        translator.gettext("Silly match for {side}.").format(side=translator.format_side(side))
        for side in event["silly"]
    ]
    return " ".join(sentences)


def _narrate_shoot_out(event: EventData, translator: GameTranslator) -> str:
    drawn = ", ".join(f"{translator.format_side(int(side))} {tile}" for side, tile in event["tiles"].items())
    return translator.gettext("Shoot-out, round {n}: {tiles}.").format(n=event["round"], tiles=drawn)


def _narrate_resigned(event: EventData, translator: GameTranslator) -> str:
    sentence = translator.ngettext(
        "{side} resigned.", "{side} resigned.", translator.count_side_seats(event["side"])
    )
    return sentence.format(side=translator.format_side(event["side"]))


def _narrate_game_over(event: EventData, translator: GameTranslator) -> str:
    if not event["winner"] and len(event["totals"]) == 1:
        return translator.gettext("The game is over.")  # the page and the mail say that it is lost
    if not event["winner"]:
        return translator.gettext("The game is over: nobody won.")
    sentence = translator.ngettext(
        "The game is over: {side} won.",
        "The game is over: {side} won.",
        translator.count_side_seats(event["winner"]),
    )
    return sentence.format(side=translator.format_side(event["winner"]))


NARRATORS: dict[str, Callable[[EventData, GameTranslator], str]] = {
    "match began": _narrate_match_began,
    "drew": _narrate_drew,
    "placed": _narrate_placed,
    "closed": _narrate_closed,
    "claimed": _narrate_claimed,
    "lost figure": _narrate_lost_figure,
    "infinity": _narrate_infinity,
    "asked": _narrate_asked,
    "answered": _narrate_answered,
    "played": _narrate_played,
    "kidnapped": _narrate_kidnapped,
    "lost card": _narrate_lost_card,
    "new tiles": _narrate_new_tiles,
    "dark tiles left": _narrate_dark_tiles,
    "lost turn": _narrate_lost_turn,
    "second turn": _narrate_second_turn,
    "match ended": _narrate_match_ended,
    "shoot-out": _narrate_shoot_out,
    "resigned": _narrate_resigned,
    "game over": _narrate_game_over,
}
