"""The mails themselves: for every kind of delivery a text, a page and the pictures in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import links, rule_words
from games.clock import zone_named
from games.models import Delivery, Player
from games.moments import say_round_end
from games.selectors.contacts import have_met
from games.selectors.mail import company, turns_of
from games.selectors.outbox import invitation_to, place_at
from games.spans import lasting

from . import openings
from .letter import Letter, letter, stamped
from .quoting import in_our_words
from .scene import Scene, reply_address, scene, turn_link, when


class Nothing(Exception):
    """There is nothing to be told any more."""


def message(delivery: Delivery, *, now: datetime) -> Letter:
    """The mail of a delivery, in its player's language and zone. Raises NoSuchGame, Nothing."""
    player = delivery.player
    with translation.override(player.language), timezone.override(zone_named(player.time_zone)):
        return stamped(KINDS.get(delivery.kind, about_game)(delivery, now), delivery)


def answer(*, player: Player, code: str, outcome: str, text: str, now: datetime, in_reply_to: str) -> Letter:
    """The answer to a reply: played, refused, confirm or late. Raises NoSuchGame."""
    with translation.override(player.language), timezone.override(zone_named(player.time_zone)):
        seen = scene(player, code, now)
        purpose = links.RESIGN if outcome == "confirm" else links.REPLY
        return game_letter(
            player,
            seen,
            openings.answer(outcome, seen, text),
            reply_to=reply_address(player, seen, purpose),
            in_reply_to=in_reply_to,
            confirm=outcome == "confirm",
        )


# ------------------------------------------------------------------------------------------------- the kinds


def about_game(delivery: Delivery, now: datetime) -> Letter:
    """Something happened at a table, or waits there."""
    assert delivery.game
    seen = scene(delivery.player, delivery.game.code, now)
    opening = openings.opening(delivery.kind, seen, delivery.data)
    return game_letter(delivery.player, seen, opening, reply_to=reply_address(delivery.player, seen))


def game_letter(
    player: Player,
    seen: Scene,
    opening: openings.Opening,
    *,
    reply_to: str,
    in_reply_to: str = "",
    confirm: bool = False,
    also: tuple[str, str] | None = None,
) -> Letter:
    """A mail with the board in it; `also` is one more link, and what it says."""
    lead = [sentence for sentence in opening.lead if sentence]
    facts = seen.facts | {
        "headline": opening.headline,
        "lead": lead,
        "preview": in_our_words([*lead, *seen.facts["time"][-1:]]),
        "by_reply": bool(reply_to) and not confirm,
        "confirm": confirm,
        "also": also,
    }
    mail = letter(
        player=player,
        template="game",
        subject=opening.subject,
        facts=facts,
        pictures=seen.pictures,
        code=seen.code,
        reply_to=reply_to,
        in_reply_to=in_reply_to,
    )
    mail.shown_turns = {seen.code: seen.turn}
    return mail


def reply(delivery: Delivery, now: datetime) -> Letter:
    """The answer to a reply, as it was written down when the reply came."""
    assert delivery.game
    return answer(
        player=delivery.player,
        code=delivery.game.code,
        outcome=delivery.data["outcome"],
        text=delivery.data["text"],
        now=now,
        in_reply_to=delivery.data["in_reply_to"],
    )


def digest(delivery: Delivery, now: datetime) -> Letter:
    """All turns that wait. Raises Nothing if none does."""
    player = delivery.player
    games = waiting_games(player, now)
    if not games:
        raise Nothing
    n = len(games)
    headline = translation.ngettext("%(n)d game waits for you", "%(n)d games wait for you", n) % {"n": n}
    facts = {"headline": headline, "lead": [], "games": games, "next": links.page("/next/")}
    facts["preview"] = ", ".join(game["company"] for game in games)
    return letter(player=player, template="list", subject=f"OTTO: {headline}", facts=facts)


def vacation(delivery: Delivery, now: datetime) -> Letter:
    """A deadline fell, and an hour of vacation was taken rather than a game."""
    headline = _("Your time was up: %(span)s of your vacation was taken") % rule_words.vacation_hour()
    left = delivery.data["left"]
    lead = [
        _("You have %(left)s of vacation left. When it is used up, the clocks of your games run on.")
        % {"left": lasting(timedelta(seconds=left))}
    ]
    facts = {"headline": headline, "lead": lead, "games": waiting_games(delivery.player, now)}
    facts |= {"next": links.page("/next/"), "preview": lead[0]}
    return letter(player=delivery.player, template="list", subject=f"OTTO: {headline}", facts=facts)


def waiting_games(player: Player, now: datetime) -> list[dict[str, Any]]:
    """A player's waiting turns, most urgent first, as a list shows them."""
    found = []
    for turn in turns_of(player):
        seat = turn.place.number
        if turn.place.muted or seat is None:
            continue
        code = turn.game.code
        found.append(
            {
                "company": company(turn.game.places.all(), player),
                "until": when(turn.deadline) if turn.deadline else "",
                "left": lasting(turn.deadline - now) if turn.deadline else "",
                "round_end": say_round_end(turn.round_end, when(turn.round_end.at)) if turn.round_end else "",
                "play": turn_link(player, code, seat, turn.number),
                "show": links.page(f"/games/{code}/"),
            }
        )
    return found


def test(delivery: Delivery, now: datetime) -> Letter:
    """What the button "send a test" sends."""
    lead = [_("This is a test from OTTO online."), _("Since you read it, our mails reach you.")]
    return note(delivery.player, _("OTTO online: a test"), _("It works"), lead)


def cancelled(delivery: Delivery, now: datetime) -> Letter:
    """An open game came to nothing."""
    assert delivery.game
    place = place_at(delivery.player, delivery.game.code)
    others = company(place.game.places.all(), delivery.player) if place else ""
    subject = _("Cancelled: OTTO %(who)s") % {"who": others}
    lead = [_("The game was given up before it began."), _("Another one is quickly made.")]
    button = (_("See who wants to play"), links.page("/lobby/"))
    return note(delivery.player, subject, _("The game was cancelled"), lead, button, delivery.game.code)


def invited(delivery: Delivery, now: datetime) -> Letter:
    """Somebody keeps a seat. Raises Nothing when it is not kept any more."""
    assert delivery.game
    found = invitation_to(delivery.player, delivery.game, now)
    if found is None:
        raise Nothing
    who = {"who": found.by.name}
    lead = [
        _("%(who)s asks you to be their partner.") % who
        if found.partner
        else _("%(who)s keeps a seat for you in a game of OTTO.") % who,
        _("The seat is kept until %(when)s.") % {"when": when(found.game.expires_at)},
        _("If you do not want to play, do nothing."),
    ]
    button = (_("See the game"), links.page(f"/games/{found.game.code}/"))
    subject = _("%(who)s asks you to a game of OTTO") % who
    if not have_met(delivery.player, found.by):
        subject = _("You are invited to a game of OTTO")
        lead += how_not_to_be_asked()
    return note(delivery.player, subject, subject, lead, button, found.game.code)


def how_not_to_be_asked() -> list[str]:
    """What whoever is asked by a stranger can do about it."""
    return [
        _("You have not played with them yet. If you do not want to be asked by people you have not met:"),
        links.page("/me/notices/"),
    ]


def note(
    player: Player,
    subject: str,
    headline: str,
    lead: list[str],
    button: tuple[str, str] | None = None,
    code: str = "",
) -> Letter:
    """A short mail: some sentences, and perhaps one thing to do."""
    facts = {"headline": headline, "lead": lead, "button": button, "preview": in_our_words(lead)}
    return letter(player=player, template="note", subject=subject, facts=facts, code=code)


KINDS: dict[str, Callable[[Delivery, datetime], Letter]] = {
    "reply": reply,
    "digest": digest,
    "vacation": vacation,
    "test": test,
    "cancelled": cancelled,
    "invited": invited,
}
