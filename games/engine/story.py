"""What happened, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .cards import STEPS
from .phrases import ENGLISH, Words

Seen = Mapping[str, Any]


def story(lines: Iterable[Seen], words: Words = ENGLISH) -> list[str]:
    """Lines of a log as sentences, and where the clock played for somebody, that it did."""
    told: list[str] = []
    absent = 0
    for line in lines:
        if line["by"] != "clock":
            absent = 0
        elif line["seat"] != absent:  # once for all that one turn takes
            absent = line["seat"]
            told.append(words.gettext("The clock played for {who}.").format(who=words.who(absent)))
        told += [tell(event, words) for event in line["events"]]
    return told


def tell(event: Seen, words: Words = ENGLISH) -> str:
    """One event as a sentence."""
    return words.said(STORY[event["event"]](event, words))


def _began(e: Seen, w: Words) -> str:
    who = w.who(e["seat"])
    if e["kind"] == "blind":
        return w.gettext("A blind match began; {who} starts.").format(who=who)
    if e["kind"] == "solo":
        return w.gettext("A solo match began.")
    return w.gettext("Match {n} began; {who} starts.").format(n=e["match"], who=who)


def _drew(e: Seen, w: Words) -> str:
    return w.gettext("{who} drew tile {tile}.").format(who=w.who(e["seat"]), tile=e["tile"])


def _placed(e: Seen, w: Words) -> str:
    sentence = (
        w.gettext("{who} put tile {tile} on {cell}, turned by {degrees} degrees.")
        if e["rotation"]
        else w.gettext("{who} put tile {tile} on {cell}.")
    )
    return sentence.format(who=w.who(e["seat"]), tile=e["tile"], cell=e["cell"], degrees=e["rotation"])


def _closed(e: Seen, w: Words) -> str:
    if not e["side"]:
        sentence = w.gettext("{who} closed {figure}, but has no marker left for it.")
    elif tuple(w.sides.get(e["side"], ())) == (e["seat"],):
        sentence = w.gettext("{who} closed {figure}: {points}.")
    else:
        sentence = w.gettext("{who} closed {figure}: {points} for {side}.")
    return sentence.format(
        who=w.who(e["seat"]),
        figure=w.figure(e["kind"], e["place"]),
        points=w.points(e["value"]),
        side=w.side(e["side"] or 0),
    )


def _claimed(e: Seen, w: Words) -> str:
    sentence = w.gettext("{who} marked {figure}, which had no marker yet.")
    return sentence.format(who=w.who(e["seat"]), figure=w.figure(e["kind"], e["place"]))


def _infinity(e: Seen, w: Words) -> str:
    return w.gettext("{who} made an 8 around {cell}!").format(who=w.who(e["seat"]), cell=e["cell"])


def _asked(e: Seen, w: Words) -> str:
    sentence = w.ngettext("{who} may answer the 8.", "{who} may answer the 8.", len(e["seats"]))
    return sentence.format(who=w.everyone(e["seats"]))


def _answered(e: Seen, w: Words) -> str:
    who = w.who(e["seat"])
    if e["answer"] == "pass":
        return w.gettext("{who} passed.").format(who=who)
    return w.gettext("{who} protected the points with {card}.").format(who=who, card=w.power(e["answer"]))


def _played(e: Seen, w: Words) -> str:
    way = e["action"].removeprefix("CV=")
    facts: dict[str, Any] = {"who": w.who(e["seat"]), "card": w.power(e["action"])}
    if way == "TT":
        sentence = w.gettext("{who} played {card}: two turns in a row.")
    elif way in STEPS and STEPS[way] > 0:
        sentence = w.gettext("{who} played {card}: every table tile went one seat clockwise.")
    elif way in STEPS:
        sentence = w.gettext("{who} played {card}: every table tile went one seat anti-clockwise.")
    elif way.startswith("MI"):
        sentence = w.gettext("{who} played {card} and swapped table tiles with {other}.")
        facts["other"] = w.who(int(way[3:]))
    elif way.startswith("QL"):
        _, facts["start"], facts["end"], facts["degrees"] = way.split("-")
        sentence = (
            w.gettext("{who} played {card}: the tile on {start} now lies at {degrees} degrees.")
            if facts["start"] == facts["end"]
            else w.gettext("{who} played {card}: the tile on {start} leapt to {end}, at {degrees} degrees.")
        )
    else:  # what a meteorite or a kidnapping did is an event of its own
        sentence = w.gettext("{who} played {card}.")
    return sentence.format(**facts)


def _kidnapped(e: Seen, w: Words) -> str:
    sentence = w.gettext("{who} kidnapped {card} from {victim}.")
    return sentence.format(who=w.who(e["seat"]), card=w.card(e["card"]), victim=w.who(e["victim"]))


def _lost_card(e: Seen, w: Words) -> str:
    sentence = w.gettext("The kidnapped card, {card}, could do nothing and is lost.")
    return sentence.format(card=w.card(e["card"]))


def _new_tiles(e: Seen, w: Words) -> str:
    none = w.gettext("no tile")
    tables = ", ".join(f"{w.who(int(seat))} {tile or none}" for seat, tile in e["table"].items())
    return w.gettext("All table tiles were replaced: {tiles}.").format(tiles=tables)


def _dark_tiles(e: Seen, w: Words) -> str:
    if e["table"] and e["card"]:
        sentence = w.gettext(
            "{who} had two dark tiles: they left the match, and tile {tile} and a secret card came instead."
        )
    elif e["table"]:
        sentence = w.gettext("{who} had two dark tiles: they left the match, and tile {tile} came instead.")
    elif e["card"]:
        sentence = w.gettext("{who} had two dark tiles: they left the match, and a secret card came instead.")
    else:
        sentence = w.gettext("{who} had two dark tiles: they left the match.")
    return sentence.format(who=w.who(e["seat"]), tile=e["table"])


def _lost_turn(e: Seen, w: Words) -> str:
    return w.gettext("{who} lost the turn to the dark tile.").format(who=w.who(e["seat"]))


def _second_turn(e: Seen, w: Words) -> str:
    return w.gettext("{who} plays again.").format(who=w.who(e["seat"]))


def _match_ended(e: Seen, w: Words) -> str:
    if e["kind"] == "solo":
        if e["ended"] != "won":
            return w.gettext("The solo match is lost.")
        return w.gettext("The solo match is won: {points}.").format(points=w.points(e["scores"]["1"]))
    endings = {
        ("blind", "infinity"): w.gettext("The blind match ended with an 8: {scores}."),
        ("blind", "full"): w.gettext("The blind match ended with a full board: {scores}."),
        ("blind", "tower"): w.gettext("The blind match ended with an empty tower: {scores}."),
        ("normal", "infinity"): w.gettext("Match {n} ended with an 8: {scores}."),
        ("normal", "full"): w.gettext("Match {n} ended with a full board: {scores}."),
        ("normal", "tower"): w.gettext("Match {n} ended with an empty tower: {scores}."),
    }
    scores = ", ".join(f"{w.side(int(side))} {score}" for side, score in e["scores"].items())
    told = [endings[e["kind"], e["ended"]].format(n=e["match"], scores=scores)]
    told += [w.gettext("Silly match for {side}.").format(side=w.side(side)) for side in e["silly"]]
    return " ".join(told)


def _shoot_out(e: Seen, w: Words) -> str:
    drawn = ", ".join(f"{w.side(int(side))} {tile}" for side, tile in e["tiles"].items())
    return w.gettext("Shoot-out, round {n}: {tiles}.").format(n=e["round"], tiles=drawn)


def _resigned(e: Seen, w: Words) -> str:
    sentence = w.ngettext("{side} resigned.", "{side} resigned.", w.heads(e["side"]))
    return sentence.format(side=w.side(e["side"]))


def _game_over(e: Seen, w: Words) -> str:
    if not e["winner"] and len(e["totals"]) == 1:
        return w.gettext("The game is over: the solo match is lost.")
    if not e["winner"]:
        return w.gettext("The game is over: nobody won.")
    sentence = w.ngettext(
        "The game is over: {side} won.", "The game is over: {side} won.", w.heads(e["winner"])
    )
    return sentence.format(side=w.side(e["winner"]))


STORY: dict[str, Callable[[Seen, Words], str]] = {
    "match began": _began,
    "drew": _drew,
    "placed": _placed,
    "closed": _closed,
    "claimed": _claimed,
    "infinity": _infinity,
    "asked": _asked,
    "answered": _answered,
    "played": _played,
    "kidnapped": _kidnapped,
    "lost card": _lost_card,
    "new tiles": _new_tiles,
    "dark tiles left": _dark_tiles,
    "lost turn": _lost_turn,
    "second turn": _second_turn,
    "match ended": _match_ended,
    "shoot-out": _shoot_out,
    "resigned": _resigned,
    "game over": _game_over,
}
