"""What an attacker sends: for each deed a body with which its owner would be heard."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from games.selectors import load_view_for
from tests.games.cast import player
from tournaments.web.organiser_views import ORGANISER_ACTIONS

from .world import World

GAME = ("play", "join", "leave", "bot", "invite", "decline", "say", "note", "rematch")
GAME += ("pause", "pause-agree", "pause-decline", "eight", "mute", "take-seat", "partner")
EVENT = ("enter", "client-seed", "confirm", "sit-out", "appeal")
LEAGUE = ("join", "leave", "drop-out", "stand-by", "client-seed", "start", "close", "substitute")
LEAGUE += ("helper", "no-helper", "remove", "readmit")


def actions_of(route: str) -> tuple[str, ...]:
    """The words that an address takes for its deed."""
    if "/organise/" in route:
        return tuple(sorted(ORGANISER_ACTIONS))
    if route.startswith("games/"):
        return GAME
    return EVENT if route.startswith("tournaments/") else LEAGUE


def body_for(world: World, method: str, route: str) -> Any:
    """A body that could be meant; one for all forms, as fields that nobody asks for do no harm."""
    if not world.bodies:
        world.bodies = {"form": form(world), "programs": programs(world)}
    if not route.startswith("api/v1/"):
        return world.bodies["form"]
    for end, body in world.bodies["programs"].items():
        if route.endswith(end):
            return body
    return {} if method != "GET" else None


def form(world: World) -> dict[str, Any]:
    """Everything that some form asks for."""
    shown = load_view_for(player("ada"), world.game.code)
    parts = world.parts
    return {
        "action": shown.legal_actions[0],
        "seq": str(shown.view["seq"]),
        "text": "words",
        "policy": "greedy",
        "opposite": "seat-1",
        "who": "eve",
        "days": "3",
        "eight": "use",
        "muted": "1",
        "sure": "1",
        "name": "eve",
        "names": "eve",
        "why": "because",
        "out": "bob",
        "player": "eve",
        "entrant": str(parts["entrant"]),
        "table": str(parts["table"]),
        "decision": str(parts["decision"]),
        "appeal": str(parts["appeal"]),
        "round": "1",
        "until": (world.now + timedelta(days=20)).strftime("%Y-%m-%dT%H:%M"),
        "ranks": "1",
        "order": str(parts["entrant"]),
        "email": "somebody@example.com",
        "confirmation": "ada",
        "answer": "accept",
    }


def programs(world: World) -> dict[str, Any]:
    """Bodies for the API, by how an address ends."""
    shown = load_view_for(player("ada"), world.game.code)
    parts, until = world.parts, (world.now + timedelta(days=20)).isoformat()
    return {
        "actions/": {"action": shown.legal_actions[0], "seq": shown.view["seq"]},
        "games/<slug:code>/invite/": {"name": "eve"},
        "bots/": {"policy": "greedy"},
        "games/<slug:code>/partner/": {"joined": 1},
        "notes/": {"text": "mine now"},
        "chat/": {"text": "hello"},
        "report/": {"why": "rude"},
        "pause/": {"until": until},
        "eight/": {"eight": "use"},
        "mute/": {"muted": True},
        "me/tokens/": {"name": "x", "scopes": ["read"]},
        "me/webhooks/": {"url": "https://example.com/hook"},
        "webhooks/<int:webhook_id>/": {"active": False},
        "me/vacation/": {"until": until},
        "v1/me/": {"language": "nl"},
        "v1/games/": {"seats": 2},
        "v1/tournaments/": {"name": "Another cup", "format": "swiss"},
        "v1/leagues/": {"name": "Another league", "size": 8},
        "tournaments/<slug:code>/": {"name": "Stolen"},
        "leagues/<slug:code>/": {"name": "Stolen"},
        "seeds/": {"order": [parts["entrant"]]},
        "extend/": {"round": 1, "until": until, "why": "because"},
        "correct/": {"table": parts["table"], "ranks": [1, 2]},
        "disqualify/": {"entrant": parts["entrant"]},
        "tournaments/<slug:code>/replace/": {"entrant": parts["entrant"], "player": "eve"},
        "leagues/<slug:code>/replace/": {"out": "bob", "player": None},
        "sit-out/": {"round": 3},
        "client-seed/": {"client_seed": "mine"},
        "appeal/": {"text": "unfair"},
        "answer/": {"text": "no"},
        "undo/": {"why": "because"},
        "tournaments/<slug:code>/remove/": {"entrant": parts["entrant"], "why": "because"},
        "leagues/<slug:code>/removals/": {"name": "bob", "why": "because"},
        "tournaments/<slug:code>/cancel/": {"why": "because"},
        "invites/": {"name": "eve"},
        "helpers/": {"name": "eve"},
    }
