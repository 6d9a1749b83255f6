"""The mails themselves, and how they are added to those of games."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games import kinds, links
from games.mail import compose, openings
from games.mail.letter import Letter, letter
from games.mail.quoting import in_our_words, on_one_line
from games.mail.scene import Scene, reply_address, scene, turn_link
from games.models import Delivery, Player
from games.models import Event as Line
from games.selectors import NoSuchGame
from games.selectors.clocks import watch_of
from games.selectors.mail import company
from games.selectors.outbox import place_at
from games.selectors.turns import lasts

from . import notes, once, played, strangers
from .notes import Told

Tell = Callable[[Delivery, datetime], Told]
LISTED = 20  # games in a mail
LONGEST = 1500  # characters that a webhook is told
DUTY, NEWS = True, False
TELLING: dict[str, tuple[Tell, Any, bool]] = {
    "event-invited": (notes.invited, lazy("an invitation to a tournament"), DUTY),
    "event-partner": (notes.partner, lazy("asked to play as a pair"), DUTY),
    "event-replacement": (notes.replacement, lazy("asked to play on for somebody"), DUTY),
    "event-co-organiser": (notes.co_organiser, lazy("asked to organise something"), DUTY),
    "event-answered": (notes.answered, lazy("the answer to a proposal"), DUTY),
    "event-newcomer": (notes.newcomer, lazy("somebody else plays on at your table"), NEWS),
    "event-place": (notes.place, lazy("a place in a tournament"), DUTY),
    "event-confirm": (notes.confirm, lazy("please confirm"), DUTY),
    "event-start": (notes.start, lazy("a tournament began"), NEWS),
    "event-pairing": (played.pairing, lazy("a game of a tournament"), DUTY),
    "event-round-end": (played.round_end, lazy("another end of a round"), DUTY),
    "event-bye": (played.bye, lazy("a round without a game"), NEWS),
    "event-result": (played.result, lazy("a result"), NEWS),
    "event-table": (played.table_change, lazy("whether a table counts"), NEWS),
    "event-end": (played.end, lazy("a tournament ended"), NEWS),
    "event-cancelled": (notes.cancelled, lazy("a tournament was cancelled"), DUTY),
    "event-out": (notes.out, lazy("out of a tournament"), DUTY),
    "event-replaced": (notes.replaced, lazy("a seat taken over"), DUTY),
    "event-held": (notes.held, lazy("a tournament waits for you"), DUTY),
    "event-appeal": (notes.appeal, lazy("an appeal"), DUTY),
    "league-partner": (played.partner, lazy("asked to play as a pair"), DUTY),
    "league-co-organiser": (played.co_organiser, lazy("asked to organise something"), DUTY),
    "league-answered": (played.answered, lazy("the answer to a proposal"), DUTY),
    "league-parted": (played.parted, lazy("a partner has left"), DUTY),
    "league-out": (played.removed, lazy("out of a league"), DUTY),
    "league-held": (played.held_league, lazy("a league waits for you"), DUTY),
    "league-season": (played.season_begins, lazy("a season began"), NEWS),
    "league-season-end": (played.season_ends, lazy("a season ended"), DUTY),
}


def register() -> None:
    """Add all kinds to those that the outbox knows; twice is the same as once."""
    for kind, (_tell, label, duty) in TELLING.items():
        whole = together if kind == "event-pairing" else kinds.alone
        unneeded = played.held_league_unneeded if kind == "league-held" else once.unneeded
        kinds.ELSEWHERE[kind] = kinds.Kind(label, duty, unneeded, said, whole)
        compose.KINDS[kind] = message
    if once.also_said not in kinds.ALSO_SAID:
        kinds.ALSO_SAID.append(once.also_said)


def together(line: Line) -> str:
    """All games of a round are told in one mail."""
    return once.reason_of_mail(line)


def said(delivery: Delivery, now: datetime) -> tuple[str, str]:
    """What a webhook is told, and where to see more."""
    try:
        told = TELLING[delivery.kind][0](delivery, now)
    except compose.Nothing:  # it is over by now
        return str(delivery.data.get("name", "")), links.page("/")
    return " ".join([f"{told.subject}.", *map(on_one_line, told.lead)])[:LONGEST], told.button[1]


def message(delivery: Delivery, now: datetime) -> Letter:
    """The mail of a delivery. Raises Nothing."""
    told = strangers.in_our_words(TELLING[delivery.kind][0](delivery, now), delivery)
    player = delivery.player
    if len(told.games) == 1:
        try:
            return about_game(player, told, scene(player, told.games[0], now))
        except NoSuchGame:
            return note(player, told)
    return several(player, told) if told.games else note(player, told)


def about_game(player: Player, told: Told, seen: Scene) -> Letter:
    """One game: with its board, to be played by link and by reply."""
    opening = openings.Opening(told.subject, told.headline, [told.about, *told.lead, openings.waiting(seen)])
    return compose.game_letter(
        player, seen, opening, reply_to=reply_address(player, seen), also=told.also or told.button
    )


def note(player: Player, told: Told) -> Letter:
    """Some sentences, and something to do."""
    facts = {
        "headline": told.headline,
        "lead": [line for line in (told.about, *told.lead) if line],
        "button": told.button,
        "also": told.also,
        "preview": in_our_words([told.about, *told.lead]),
    }
    return letter(player=player, template="note", subject=told.subject, facts=facts, code=told.code)


def several(player: Player, told: Told) -> Letter:
    """Several games: who, why, and where it is the reader's turn."""
    whys = told.whys or ("",) * len(told.games)
    rows = [row(player, code, why) for code, why in list(zip(told.games, whys, strict=True))[:LISTED]]
    rows.sort(key=lambda one: not one["mine"])
    facts = {
        "headline": told.headline,
        "lead": [line for line in (told.about, *told.lead) if line],
        "button": told.button,
        "rows": rows,
        "more": len(told.games) - len(rows),
        "preview": ", ".join(one["who"] for one in rows),
    }
    mail = letter(player=player, template="tables", subject=told.subject, facts=facts, code=told.code)
    mail.shown_turns = {one["code"]: one["turn"] for one in rows}
    return mail


def row(player: Player, code: str, why: str) -> dict[str, Any]:
    """A game in a list. Raises Nothing if it is none of the reader's."""
    place = place_at(player, code)
    if place is None or place.number is None:
        raise compose.Nothing
    turn = watch_of(place.game, place.number).turn
    mine = lasts(place, turn)
    return {
        "code": code,
        "turn": turn if mine else None,
        "who": company(place.game.places.all(), player),
        "why": why,
        "mine": mine,
        "url": turn_link(player, code, place.number, turn) if mine else links.page(f"/games/{code}/"),
        "label": _("Play this turn") if mine else _("Show the game"),
    }
