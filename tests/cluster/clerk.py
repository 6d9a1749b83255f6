"""A process in a cluster that creates games and reads the database; it starts once, because that is slow.

`python -m tests.cluster.clerk` in the environment of a process of the site: one request per line, one answer
per line, both JSON. It is no part of the site.
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

from accounts.models import Player  # noqa: E402
from games import engine, signed_links  # noqa: E402
from games.models import Action, Game, Seat  # noqa: E402
from games.selectors import load_game  # noqa: E402
from games.selectors.clocks import seat_clock_of  # noqa: E402
from games.selectors.turns import is_current_turn  # noqa: E402
from games.services import game_audit  # noqa: E402
from notifications.channels.email.message import message_id_of  # noqa: E402
from notifications.inbound.addresses import build_address  # noqa: E402
from notifications.models import Delivery, FeedEntry, InboundMail, Webhook  # noqa: E402
from notifications.services import webhooks  # noqa: E402
from tests.factories import cast  # noqa: E402
from tests.factories.cast import player, start_impatient_game  # noqa: E402
from tests.factories.events import publish_tournament  # noqa: E402
from tournaments.models import Tournament  # noqa: E402
from tournaments.services import tournaments  # noqa: E402


def start_game(names: list[str], bots: int) -> dict[str, Any]:
    """Start a game of these new players, whose notices go out at once.

    It has no cards: every turn needs an action.
    """
    set_wishes(names, remind_at_used_percent=None, remind_at_left_percent=None)
    game = start_impatient_game(*names, bots=("random",) * bots, now=timezone.now(), cards=False, target=99)
    return {"code": game.code, "tokens": [create_token(name) for name in names]}


def create_token(name: str) -> str:
    """Create a token of a player, who is created if necessary."""
    return cast.create_token(name, now=timezone.now())


def set_wishes(names: list[str], **wishes: Any) -> list[Player]:
    """Set these preferences for players of these names, who are created if necessary."""
    people = [player(name) for name in names]
    Player.objects.filter(pk__in=[person.pk for person in people]).update(**wishes)
    return people


def list_waiting_bots(codes: list[str]) -> list[str]:
    """List those of these games in which a bot is to act."""
    return list(Game.objects.filter(code__in=codes, bot_to_act=True).values_list("code", flat=True))


def add_webhook(code: str, url: str) -> int:
    """Create a webhook that is called about every turn of the only person in a game."""
    place = Seat.objects.select_related("player").get(game__code=code, player__isnull=False)
    assert place.player
    return webhooks.create_webhook(player=place.player, url=url, preset="json", now=timezone.now()).pk


def remove_webhook(pk: int) -> None:
    """Delete a webhook."""
    Webhook.objects.filter(pk=pk).delete()


def list_audit_findings() -> list[str]:
    """List the findings of an audit of all games."""
    return [str(audit) for audit in game_audit.audit_games() if audit]


def list_log(code: str) -> list[tuple[int, int, str, str]]:
    """List seq, seat, action and action source of every line of a game's log."""
    lines = Action.objects.filter(game__code=code).order_by("seq")
    return list(lines.values_list("seq", "seat", "action", "by"))


def count_pending(codes: list[str]) -> int:
    """Count the due notices and mails about games that are not yet processed."""
    soon = timezone.now() + timedelta(seconds=5)
    events = FeedEntry.objects.filter(
        topic__in=[f"game:{code}" for code in codes], notify_at__lte=soon
    ).count()
    return (
        events
        + Delivery.objects.filter(
            topic__in=[f"game:{code}" for code in codes], next_attempt_at__isnull=False, status_reason=""
        ).count()
    )


def list_mails(codes: list[str]) -> list[dict[str, Any]]:
    """List the mails about games with their status."""
    deliveries = Delivery.objects.filter(
        topic__in=[f"game:{code}" for code in codes], webhook=None
    ).select_related("player")
    return [
        {
            "id": delivery.pk,
            "known": message_id_of(delivery),
            "to": delivery.player.email,
            "kind": delivery.kind,
            "reason": delivery.dedup_key,
            "status": delivery.status,
            "why": delivery.status_reason,
            "tries": delivery.attempts,
            "late": bool(delivery.next_attempt_at and delivery.next_attempt_at < timezone.now()),
        }
        for delivery in deliveries.order_by("pk")
    ]


def list_turns_without_mail(codes: list[str]) -> list[str]:
    """List the current turns whose player should get a mail but has no delivery."""
    missing = []
    for place in Seat.objects.filter(game__code__in=codes, player__isnull=False).select_related("game"):
        turn = seat_clock_of(place.game, place.seat_no).turn_seq
        if not is_current_turn(place, turn):
            continue
        reason = f"{place.game.code}:{turn}"
        own = FeedEntry.objects.filter(player=place.player_id, dedup_key=reason).exclude(idempotency_key="")
        if (
            not own.exists()
            and not Delivery.objects.filter(player=place.player_id, dedup_key=reason).exists()
        ):
            missing.append(reason)
    return missing


def hurry_mails(codes: list[str]) -> int:
    """Make the next attempt of mails due now, except for mails under a lease."""
    later = timezone.now() + timedelta(seconds=20)  # later than any lease of the tests
    deliveries = Delivery.objects.filter(
        topic__in=[f"game:{code}" for code in codes], next_attempt_at__gt=later
    ).exclude(status_reason="")
    return deliveries.update(next_attempt_at=timezone.now())


def build_reply(code: str) -> dict[str, Any]:
    """Build the reply of the player on turn to the mail about that turn."""
    loaded_game = load_game(code)
    assert loaded_game.state is not None
    place = loaded_game.seat_by_no(loaded_game.to_act[0])
    assert place.seat_no
    assert place.player
    fields: dict[str, Any] = {"game_code": code, "seat_no": place.seat_no, "player_id": place.player_id}
    turn = seat_clock_of(loaded_game.game, place.seat_no).turn_seq
    return {
        "to": build_address(
            signed_links.REPLY_PURPOSE,
            signed_links.make_turn_token(purpose=signed_links.REPLY_PURPOSE, turn_seq=turn, **fields),
        ),
        "from": place.player.email,
        "seq": loaded_game.state.seq,
        "action": engine.legal_actions(loaded_game.state, place.seat_no)[0],
    }


def count_inbound_mails(codes: list[str]) -> dict[str, int]:
    """Count the inbound mails by outcome."""
    inbound_mails = (
        InboundMail.objects.filter(topic__in=[f"game:{code}" for code in codes])
        .values_list("outcome")
        .annotate(n=Count("pk"))
    )
    return dict(inbound_mails)


# ------------------------------------------------------------------------------------------------ tournaments


def begin_tournaments(name: str, count: int, entrants: int, cycles: int) -> list[str]:
    """Start round robins of one organiser, all rounds of each at once."""
    now = timezone.now()
    names = [f"{name}{number}" for number in range(entrants + 1)]
    organiser, *people = set_wishes(names, mail_frequency=Player.MailFrequency.NONE)
    terms: dict[str, Any] = {"format": "round-robin", "all_rounds_at_once": True, "cycles": cycles}
    codes = [
        publish_tournament(*people, organiser=organiser, now=now, name=f"{number}", **terms).code
        for number in range(count)
    ]
    for code in codes:
        tournaments.start_tournament(by=organiser, code=code, now=now)
    return codes


def count_opened_games(codes: list[str]) -> list[int]:
    """Count the games that each of these tournaments has started."""
    tournaments = Tournament.objects.filter(code__in=codes).annotate(n=Count("pairings__game"))
    game_counts = dict(tournaments.values_list("code", "n"))
    return [game_counts[code] for code in codes]


def count_lost_games() -> int:
    """Count the system games that belong to no pairing."""
    return Game.objects.filter(creator=None, pairing=None).count()


def cancel_tournaments(codes: list[str]) -> None:
    """Cancel these tournaments, so that no worker has to process them any more."""
    for tournament in Tournament.objects.filter(code__in=codes).select_related("organiser"):
        assert tournament.organiser
        tournaments.cancel_tournament(by=tournament.organiser, code=tournament.code, now=timezone.now())


def start_late_games(name: str, count: int, seconds: int) -> list[str]:
    """Start ordinary games in which the seat on turn runs out of time after so many seconds."""
    pair = [f"{name}{number}" for number in range(2)]
    set_wishes(pair, mail_frequency=Player.MailFrequency.NONE)
    terms: dict[str, Any] = {"seconds": seconds, "bank": 0, "cards": False, "target": 99}
    return [start_impatient_game(*pair, now=timezone.now(), **terms).code for _ in range(count)]


def list_times_without_sweep(codes: list[str]) -> list[float]:
    """List how many seconds ago the deadline passed, for each of these games that has not been swept."""
    games = Game.objects.filter(code__in=codes).exclude(actions__by="clock")
    now = timezone.now()
    return [(now - deadline).total_seconds() for deadline in games.values_list("deadline", flat=True)]


KNOWN: dict[str, Callable[..., Any]] = {
    work.__name__: work
    for work in (
        *(start_game, create_token, list_waiting_bots),
        *(add_webhook, remove_webhook, list_audit_findings, list_log),
        *(count_pending, list_mails, list_turns_without_mail, hurry_mails),
        *(build_reply, count_inbound_mails),
        *(begin_tournaments, count_opened_games, count_lost_games, cancel_tournaments),
        *(start_late_games, list_times_without_sweep),
    )
}


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        close_old_connections()
        try:
            answer = {"answer": KNOWN[request["command"]](**request["arguments"])}
        except Exception:
            answer = {"trouble": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
