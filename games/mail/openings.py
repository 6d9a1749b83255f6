"""How each kind of mail about a game begins: its subject, its headline, its first sentences.

Mails of one game share a thread. Some programs also want the same subject for that, so turns and the answers
to replies have one; what happens rarely has a subject of its own, to be seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import rule_words
from games.engine import text

from .scene import Scene, when


@dataclass(frozen=True)
class Opening:
    """What comes before the board."""

    subject: str
    headline: str
    lead: list[str]


def opening(kind: str, scene: Scene, data: dict[str, Any]) -> Opening:
    """The opening of a kind of mail. Raises KeyError for an unknown one."""
    return OPENINGS[kind](scene, data)


def turn(scene: Scene, data: dict[str, Any]) -> Opening:
    subject = _("Your turn: OTTO %(who)s") % {"who": scene.company}
    return Opening(subject, _("Your turn"), decisive(scene) + scene.latest)


def reminder(scene: Scene, data: dict[str, Any]) -> Opening:
    subject = _("Still your turn: OTTO %(who)s") % {"who": scene.company}
    return Opening(subject, _("Still your turn"), decisive(scene) + scene.latest)


def started(scene: Scene, data: dict[str, Any]) -> Opening:
    subject = _("The game has begun: OTTO %(who)s") % {"who": scene.company}
    return Opening(subject, _("The game has begun"), [*scene.latest, waiting(scene)])


def blind(scene: Scene, data: dict[str, Any]) -> Opening:
    subject = _("Level: OTTO %(who)s") % {"who": scene.company}
    lead = [
        *decisive(scene),
        capfirst(rule_words.say_blind_allowance(scene.view["clock"]["blind"])) + ".",
        waiting(scene),
    ]
    return Opening(subject, _("A blind match decides"), lead)


def timeout(scene: Scene, data: dict[str, Any]) -> Opening:
    what, seat = data["what"], data["seat"]
    mine = seat == scene.seat
    who = scene.words.who(seat)
    if what == "resigned":
        lead = [_("Your side has resigned.") if mine else _("That side has resigned.")]
    elif mine:
        lead = [_("The server played for you."), rule_words.say_autoplay_to_player()]
    else:
        lead = [_("The server played for %(who)s.") % {"who": who}]
    if scene.view["phase"] == "over":
        lead.append(result(scene))
    headline = _("Your time was up") if mine else _("Time was up for %(who)s") % {"who": who}
    return Opening(f"{headline}: OTTO {scene.company}", headline, [*lead, waiting(scene)])


def pause(scene: Scene, data: dict[str, Any]) -> Opening:
    subject = _("About the clocks: OTTO %(who)s") % {"who": scene.company}
    facts = {"who": data["by"], "when": when(datetime.fromisoformat(data["until"]))}
    if data["rests"]:
        asked = _("%(who)s proposes to let the clocks rest until %(when)s.") % facts
    else:
        asked = _("%(who)s proposes to let the clocks run again.") % facts
    lead = [asked, _("Agree or decline on the page of the game.")]
    return Opening(subject, _("A pause is proposed") if data["rests"] else _("An end of the pause?"), lead)


def paused(scene: Scene, data: dict[str, Any]) -> Opening:
    subject = _("About the clocks: OTTO %(who)s") % {"who": scene.company}
    if not data["rests"]:
        return Opening(subject, _("The clocks run again"), [_("All have agreed to end the pause.")])
    until = when(datetime.fromisoformat(data["until"]))
    lead = [_("The clocks rest until %(when)s.") % {"when": until}, _("You can play all the same.")]
    return Opening(subject, _("All have agreed to a pause"), lead)


def pause_declined(scene: Scene, data: dict[str, Any]) -> Opening:
    subject = _("About the clocks: OTTO %(who)s") % {"who": scene.company}
    lead = [_("%(who)s does not agree to the pause. The clocks run as before.") % {"who": data["by"]}]
    return Opening(subject, _("No pause"), lead)


def over(scene: Scene, data: dict[str, Any]) -> Opening:
    subject = _("The game is over: OTTO %(who)s") % {"who": scene.company}
    return Opening(subject, result(scene), scene.latest)


OPENINGS: dict[str, Callable[[Scene, dict[str, Any]], Opening]] = {
    "turn": turn,
    "reminder": reminder,
    "started": started,
    "blind": blind,
    "timeout": timeout,
    "over": over,
    "pause": pause,
    "paused": paused,
    "pause-declined": pause_declined,
}


def answer(outcome: str, scene: Scene, said: str) -> Opening:
    """How the answer to a reply begins. Raises KeyError for an unknown outcome."""
    subject = _("Your turn: OTTO %(who)s") % {"who": scene.company}
    headline = {
        "played": _("Played"),
        "refused": _("Not played"),
        "confirm": _("Do you resign?"),
        "late": _("This turn is over"),
    }[outcome]
    lead = [line for line in map(str.strip, said.splitlines()) if line]
    if outcome == "played" and scene.view["phase"] == "over":
        headline = result(scene)
    elif outcome == "played" and scene.turn is not None:
        lead.append(_("Your turn goes on."))
    elif outcome == "confirm":
        lead.append(_("To resign, reply to this mail with the one word: yes. This cannot be taken back."))
    return Opening(f"Re: {subject}", headline, [*lead, waiting(scene)])


# ------------------------------------------------------------------------------------------------- sentences


def decisive(scene: Scene) -> list[str]:
    """What makes a blind match different."""
    if scene.view["kind"] != "blind":
        return []
    return [_("The score is level: this blind match decides the game.")]


def waiting(scene: Scene) -> str:
    """For whom the game waits; empty if for the reader, or for nobody."""
    if scene.view["phase"] == "over" or scene.seat in scene.view["to_act"]:
        return ""
    return text.duty(scene.view, scene.words)


def result(scene: Scene) -> str:
    """Who won."""
    winner = scene.view["winner"]
    if not winner and scene.view["mode"] == "solo":
        return _("The solo match is lost")
    if not winner:
        return _("Nobody won")
    if winner != scene.side:
        who = scene.words.side(winner)
        return ngettext("%(who)s won", "%(who)s won", scene.words.heads(winner)) % {"who": who}
    return _("You won") if scene.words.heads(winner) == 1 else _("Your side won")
