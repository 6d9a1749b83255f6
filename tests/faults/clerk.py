"""Somebody inside a cluster who makes games and looks into its books; starting takes long, so they stay.

`python -m tests.faults.clerk` in the environment of a process of the site: one question a line, one answer a
line, both JSON. It plays no part in the site.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import django

django.setup()

from django.db import close_old_connections  # noqa: E402
from django.db.models import Count  # noqa: E402
from django.utils import timezone  # noqa: E402

from games import engine, signed_links  # noqa: E402
from games.mail.message import message_id_of  # noqa: E402
from games.models import Action, Delivery, FeedEntry, Game, InboundMail, Player, Seat, Webhook  # noqa: E402
from games.selectors import load_game  # noqa: E402
from games.selectors.clocks import seat_clock_of  # noqa: E402
from games.selectors.turns import is_current_turn  # noqa: E402
from games.services import game_audit, lobby, tokens, webhooks  # noqa: E402
from tournaments.models import Tournament  # noqa: E402
from tournaments.services import entries, tournaments  # noqa: E402


def seated(names: list[str], bots: int) -> dict[str, Any]:
    """A running game of these new players, with hardly any time for a turn and much in reserve.

    So notices go out at once, and nobody is out of time. There are no cards: every turn asks somebody.
    """
    now = timezone.now()
    players = [
        Player.objects.create_user(email=f"{name}@example.org", name=name, joined_at=now) for name in names
    ]
    Player.objects.filter(pk__in=[one.pk for one in players]).update(remind_used=None, remind_left=None)
    game = lobby.create_game(
        player=players[0], now=now, seats=len(names) + bots, clock_name="12h", cards=False, target=99
    )
    Game.objects.filter(pk=game.pk).update(allowance=2, bank=10**6, vacation=False)
    for one in players:
        lobby.join_game(player=one, code=game.code, now=now, client_seed=f"seed of {one.name}")
    for _ in range(bots):
        lobby.add_bot(player=players[0], code=game.code, policy="random", now=now)
    made = [
        tokens.create_token(player=one, name="faults", scopes=("read", "play"), now=now) for one in players
    ]
    return {"code": game.code, "tokens": [plain for _token, plain in made]}


def add_webhook(code: str, url: str) -> int:
    """A program of the one person of a game that is called about every turn."""
    place = Seat.objects.select_related("player").get(game__code=code, player__isnull=False)
    assert place.player
    return webhooks.create_webhook(player=place.player, url=url, preset="json", now=timezone.now()).pk


def remove_webhook(pk: int) -> None:
    """Nobody is called any more."""
    Webhook.objects.filter(pk=pk).delete()


def findings() -> list[str]:
    """What an audit of all games finds wrong."""
    return [str(found) for found in game_audit.audit_games() if found]


def log(code: str) -> list[tuple[int, int, str, str]]:
    """Seq, seat, action and actor of every line of a game's log."""
    lines = Action.objects.filter(game__code=code).order_by("seq")
    return list(lines.values_list("seq", "seat", "action", "by"))


def waiting(codes: list[str]) -> int:
    """How many notices and mails of games are due, and not yet dealt with."""
    soon = timezone.now() + timedelta(seconds=5)
    events = FeedEntry.objects.filter(game__code__in=codes, due_at__lte=soon).count()
    return events + Delivery.objects.filter(game__code__in=codes, due_at__isnull=False, why="").count()


def mails(codes: list[str]) -> list[dict[str, Any]]:
    """What became of the mails about games."""
    found = Delivery.objects.filter(game__code__in=codes, webhook=None).select_related("player")
    return [
        {
            "id": one.pk,
            "known": message_id_of(one),
            "to": one.player.email,
            "kind": one.kind,
            "reason": one.reason,
            "status": one.status,
            "why": one.why,
            "tries": one.tries,
            "late": bool(one.due_at and one.due_at < timezone.now()),
        }
        for one in found.order_by("pk")
    ]


def turns_without_mail(codes: list[str]) -> list[str]:
    """The turns that wait for somebody who is owed a mail about it, but has no row for one."""
    missing = []
    for place in Seat.objects.filter(game__code__in=codes, player__isnull=False).select_related("game"):
        turn = seat_clock_of(place.game, place.number).turn_seq
        if not is_current_turn(place, turn):
            continue
        reason = f"{place.game.code}:{turn}"
        own = FeedEntry.objects.filter(player=place.player_id, reason=reason).exclude(key="")
        if not own.exists() and not Delivery.objects.filter(player=place.player_id, reason=reason).exists():
            missing.append(reason)
    return missing


def hurry(codes: list[str]) -> int:
    """The time for the next try has come, of mails that no worker is busy with."""
    later = timezone.now() + timedelta(seconds=20)  # than any lease of the tests
    found = Delivery.objects.filter(game__code__in=codes, due_at__gt=later).exclude(why="")
    return found.update(due_at=timezone.now())


def reply(code: str) -> dict[str, Any]:
    """What the player on turn would answer to the mail of their turn."""
    found = load_game(code)
    assert found.state is not None
    place = found.seat_by_no(found.to_act[0])
    assert place.number
    assert place.player
    facts: dict[str, Any] = {"game_code": code, "seat_no": place.number, "player_id": place.player_id}
    turn = seat_clock_of(found.game, place.number).turn_seq
    return {
        "to": signed_links.build_address(
            signed_links.REPLY_PURPOSE,
            signed_links.make_turn_token(purpose=signed_links.REPLY_PURPOSE, turn_seq=turn, **facts),
        ),
        "from": place.player.email,
        "seq": found.state.seq,
        "action": engine.legal_actions(found.state, place.number)[0],
    }


def received(codes: list[str]) -> dict[str, int]:
    """How many mails came in, by what became of them."""
    found = InboundMail.objects.filter(game__code__in=codes).values_list("outcome").annotate(n=Count("pk"))
    return dict(found)


# ------------------------------------------------------------------------------------------------ tournaments


def begin_events(name: str, count: int, entrants: int, laps: int) -> list[str]:
    """Round robins of one organiser that start now, all games of each at once."""
    now = timezone.now()
    names = [f"{name}{number}" for number in range(entrants + 1)]
    people = [
        Player.objects.create_user(email=f"{one}@example.org", name=one, joined_at=now) for one in names
    ]
    Player.objects.filter(pk__in=[one.pk for one in people]).update(mails=Player.MailFrequency.NONE)
    codes = []
    for number in range(count):
        event = tournaments.create_tournament(
            organiser=people[0], name=f"{number}", format="round-robin", at_once=True, laps=laps, now=now
        )
        tournaments.publish_tournament(by=people[0], code=event.code, now=now)
        for one in people[1:]:
            entries.enter_tournament(player=one, code=event.code, now=now)
        codes.append(event.code)
    for code in codes:
        tournaments.start_tournament(by=people[0], code=code, now=now)
    return codes


def opened(codes: list[str]) -> list[int]:
    """How many games each of these events has begun."""
    found = Tournament.objects.filter(code__in=codes).annotate(n=Count("tables__game"))
    known = dict(found.values_list("code", "n"))
    return [known[code] for code in codes]


def lost_games() -> int:
    """Games that the house has made and no table of an event knows."""
    return Game.objects.filter(creator=None, table=None).count()


def cancel_events(codes: list[str]) -> None:
    """Give up these events, so that no worker is busy with them any more."""
    for event in Tournament.objects.filter(code__in=codes).select_related("organiser"):
        assert event.organiser
        tournaments.cancel_tournament(by=event.organiser, code=event.code, now=timezone.now())


def late_games(name: str, count: int, seconds: int) -> list[str]:
    """Ordinary games in which somebody's time will be up so soon."""
    now, codes = timezone.now(), []
    pair = [
        Player.objects.create_user(email=f"{name}{n}@example.org", name=f"{name}{n}", joined_at=now)
        for n in range(2)
    ]
    Player.objects.filter(pk__in=[one.pk for one in pair]).update(mails=Player.MailFrequency.NONE)
    for _ in range(count):
        game = lobby.create_game(player=pair[0], now=now, seats=2, clock_name="12h", cards=False, target=99)
        Game.objects.filter(pk=game.pk).update(allowance=seconds, bank=0, vacation=False)
        for one in pair:
            lobby.join_game(player=one, code=game.code, now=timezone.now())
        codes.append(game.code)
    return codes


def untimed(codes: list[str]) -> list[float]:
    """For each of these games in which nobody has acted for who was late: since how many seconds."""
    found = Game.objects.filter(code__in=codes).exclude(actions__by="clock")
    now = timezone.now()
    return [(now - deadline).total_seconds() for deadline in found.values_list("deadline", flat=True)]


KNOWN: dict[str, Callable[..., Any]] = {
    work.__name__: work
    for work in (
        *(
            seated,
            add_webhook,
            remove_webhook,
            findings,
            log,
            waiting,
            mails,
            turns_without_mail,
            hurry,
            reply,
            received,
        ),
        *(begin_events, opened, lost_games, cancel_events, late_games, untimed),
    )
}


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        close_old_connections()
        try:
            answer = {"answer": KNOWN[asked["what"]](**asked["facts"])}
        except Exception:
            answer = {"trouble": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
