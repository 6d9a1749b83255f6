"""All that the page of a table shows, read at once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from games.models import Game, Invitation, Message, Note, Pause, Player

from .clocks import proposal
from .deadlines import RoundEnd, round_end_of
from .lists import SAID, last_said, seats_free
from .tables import Shown, Table, has_company, lines_of, log_of, seen_by, shown

LONGEST_MATCH = 80  # lines of the log that are looked at for the story of a match


@dataclass(frozen=True)
class Page:
    """A table, what happened in its match, and what is said around it."""

    shown: Shown
    pulse: str
    lines: list[dict[str, Any]] = field(default_factory=list)
    chat: list[Message] = field(default_factory=list)
    note: Note | None = None
    proposal: Pause | None = None
    unsent: list[Invitation] = field(default_factory=list)
    invited: list[Invitation] = field(default_factory=list)  # a host's own, while nobody has answered
    is_host: bool = False
    has_opponents: bool = False  # a host has asked somebody to play against them
    free_seats: int = 0  # for the viewer, while the game waits for players
    rematch: Game | None = None
    has_company: bool = False  # somebody else than bots sits there
    house: bool = False  # nobody made this game: it belongs to a tournament
    round_end: RoundEnd | None = None


def page_for(viewer: Player | None, code: str) -> Page:
    """A table's page as a viewer may see it. Raises NoSuchGame."""
    found = seen_by(viewer, code)
    game, seated = found.game, found.place_of(viewer) is not None
    chat = last_said(game) if seated else []
    proposed = proposal(game) if found.state else None
    kept = open_invitations(game)
    return Page(
        shown=shown(found, viewer),
        pulse=beat(found, proposed if seated else None, [line.pk for line in chat if not line.hidden]),
        lines=of_match(found) if found.state else [],
        chat=chat,
        note=Note.objects.filter(game=game, player=viewer).first() if viewer else None,
        proposal=proposed,
        unsent=unsent(found, viewer),
        invited=invited_by(found, viewer, kept),
        is_host=viewer is not None and game.creator_id == viewer.pk,
        has_opponents=game.mode == "pairs" and has_opponents(found, viewer),
        free_seats=max(seats_free(game, found.places, kept, viewer), 0),
        rematch=rematch_for(game, viewer) if seated and game.status == Game.Status.OVER else None,
        has_company=has_company(found, viewer),
        house=game.creator_id is None,
        round_end=round_end_of(game),
    )


def unsent(found: Table, viewer: Player | None) -> list[Invitation]:
    """A host's invitations whose mail did not go out, of each address the latest; nobody else sees them."""
    if viewer is None or found.game.status != Game.Status.OPEN or found.game.creator_id != viewer.pk:
        return []
    mailed = Invitation.objects.filter(game=found.game, by=viewer).exclude(email="").order_by("pk")
    return [one for one in {one.email: one for one in mailed}.values() if one.trouble]


def open_invitations(game: Game) -> list[Invitation]:
    """The invitations to a waiting game that nobody has answered."""
    if game.status != Game.Status.OPEN:
        return []
    asked = Invitation.objects.filter(game=game, answered="").select_related("player")
    return list(asked.order_by("pk"))


def invited_by(found: Table, viewer: Player | None, kept: list[Invitation]) -> list[Invitation]:
    """Whom a host has asked; an address stays with whoever wrote it."""
    if viewer is None or found.game.creator_id != viewer.pk:
        return []
    return [asked for asked in kept if asked.by_id == viewer.pk]


def has_opponents(found: Table, viewer: Player | None) -> bool:
    """Whether a host has asked somebody to play against them, who has not said no."""
    if viewer is None or found.game.creator_id != viewer.pk or found.game.status != Game.Status.OPEN:
        return False
    asked = Invitation.objects.filter(game=found.game, by=viewer, opponent=True)
    return asked.filter(answered__in=("", "joined")).exists()


def rematch_for(game: Game, viewer: Player | None) -> Game | None:
    """The rematch of a game, if it has not come to nothing and the viewer has or may take a seat there."""
    again = Game.objects.filter(rematch_of=game).exclude(status=Game.Status.CANCELLED).first()
    if again is None or viewer is None:
        return None
    sits = again.places.filter(player=viewer).exists()
    return again if sits or again.status == Game.Status.OPEN else None


def of_match(found: Table) -> list[dict[str, Any]]:
    """The log of the match that is played; its first line also tells how the one before ended."""
    lines = lines_of(log_of(found.game).filter(seq__gt=found.game.seq - LONGEST_MATCH))
    began = [n for n, line in enumerate(lines) if any(e["event"] == "match began" for e in line["events"])]
    return lines[began[-1] :] if began else lines


def pulse(viewer: Player | None, code: str) -> str:
    """What changes whenever a table has something new for a viewer. Raises NoSuchGame."""
    found = seen_by(viewer, code)
    if not found.place_of(viewer):
        return beat(found, None, [])
    said = Message.objects.filter(game=found.game).order_by("-pk").values_list("pk", "hidden")[:SAID]
    standing = [pk for pk, hidden in reversed(said) if not hidden]
    return beat(found, proposal(found.game) if found.state else None, standing)


def beat(found: Table, proposed: Pause | None, said: list[int]) -> str:
    """A short name for how things stand."""
    game = found.game
    people = [
        (place.player.name if place.player else place.bot, *([place.partner] if place.partner else []))
        for place in found.places
    ]
    parts: list[object] = [game.seq, game.status, people, game.deadline, game.paused_until, said]
    parts += [game.round_ends_at, game.round_of] if game.round_ends_at else []
    parts += [proposed.pk, proposed.agreed] if proposed else []
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]
