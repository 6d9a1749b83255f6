"""Request bodies of an attacker: for each action, a body that is valid for its owner."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from games.selectors import load_view_for
from tests.factories.cast import player

from .world import World


def build_body(world: World, method: str, route: str) -> Any:
    """Return a valid body. One body serves all forms, because unknown form fields are ignored."""
    if not world.bodies:
        world.bodies = {"form": build_form(world), "programs": build_api_bodies(world)}
    if not route.startswith("api/v1/"):
        return world.bodies["form"]
    for end, body in world.bodies["programs"].items():
        if route.endswith(end):
            return body
    return {} if method != "GET" else None


def build_form(world: World) -> dict[str, Any]:
    """Build a body with the fields of all forms."""
    game_view = load_view_for(player("ada"), world.game.code)
    parts = world.parts
    return {
        "action": game_view.legal_actions[0],
        "seq": str(game_view.view["seq"]),
        "text": "words",
        "policy": "greedy",
        "opposite": "seat-1",
        "who": "eve",
        "days": "3",
        "eight_policy": "use",
        "draw": "1",
        "muted": "1",
        "sure": "1",
        "name": "eve",
        "names": "eve",
        "reason": "because",
        "out": "bob",
        "player": "eve",
        "entrant": str(parts["entrant"]),
        "pairing": str(parts["pairing"]),
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


def build_api_bodies(world: World) -> dict[str, Any]:
    """Build bodies for the API, keyed by the end of the route."""
    game_view = load_view_for(player("ada"), world.game.code)
    parts, until = world.parts, (world.now + timedelta(days=20)).isoformat()
    return {
        "actions/": {"action": game_view.legal_actions[0], "seq": game_view.view["seq"]},
        "games/<slug:code>/invite/": {"name": "eve"},
        "bots/": {"policy": "greedy"},
        "games/<slug:code>/partner/": {"joined": 1},
        "notes/": {"text": "mine now"},
        "chat/": {"text": "hello"},
        "report/": {"reason": "rude"},
        "pause/": {"until": until},
        "eight/": {"eight_policy": "use"},
        "orders/": {"draw": True},
        "mute/": {"muted": True},
        "me/tokens/": {"name": "x", "scopes": ["read"]},
        "me/webhooks/": {"url": "https://example.com/hook"},
        "webhooks/<int:webhook_id>/": {"active": False},
        "me/vacation/": {"until": until},
        "v1/me/": {"language": "nl"},
        "v1/games/": {"seats": 2},
        "v1/tournaments/": {"name": "Another cup", "format": "swiss"},
        "v1/leagues/": {"name": "Another league", "division_size": 8},
        "tournaments/<slug:code>/": {"name": "Stolen"},
        "leagues/<slug:code>/": {"name": "Stolen"},
        "seeds/": {"order": [parts["entrant"]]},
        "extend/": {"round": 1, "until": until, "reason": "because"},
        "correct/": {"pairing": parts["pairing"], "ranks": [1, 2]},
        "disqualify/": {"entrant": parts["entrant"]},
        "tournaments/<slug:code>/replace/": {"entrant": parts["entrant"], "player": "eve"},
        "leagues/<slug:code>/replace/": {"out": "bob", "player": None},
        "sit-out/": {"round": 3},
        "client-seed/": {"client_seed": "mine"},
        "appeal/": {"text": "unfair"},
        "answer/": {"text": "no"},
        "undo/": {"reason": "because"},
        "tournaments/<slug:code>/remove/": {"entrant": parts["entrant"], "reason": "because"},
        "leagues/<slug:code>/removals/": {"name": "bob", "reason": "because"},
        "tournaments/<slug:code>/cancel/": {"reason": "because"},
        "invites/": {"name": "eve"},
        "co-organisers/": {"name": "eve"},
    }
