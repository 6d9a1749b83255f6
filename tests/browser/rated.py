"""What the world has of ratings, and of what mails of tournaments lead to."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from games.models import Player
from tests.games.cast import player
from tests.tables import open_table
from tournaments import links
from tournaments.services import entries, events, leagues, ratings, simulation

GAMES = 6


def rate(paths: dict[str, str], now: datetime) -> None:
    """Two who have played rated games, and somebody who has entered a tournament and a league."""
    both = [player("gus"), player("hal")]
    Player.objects.filter(name__in=("gus", "hal")).update(mails=Player.Mails.NONE)  # few are sent here
    for number in range(GAMES):
        begun = now - timedelta(days=30 * (GAMES - number))
        game = open_table(both, now=begun, rated=True, target=1, cards=False)
        simulation.play_out(game.code, policy="random", rng=random.Random(number), now=begun)
    ratings.sweep(now=now)
    gus, hal = both
    event = events.create(
        organiser=hal,
        name="The spring cup",
        format="swiss",
        now=now,
        confirmation=True,
        starts_at=now + timedelta(days=3),
    )
    events.publish(by=hal, code=event.code, now=now)
    entries.enter(player=gus, code=event.code, now=now)
    league = leagues.create(organiser=hal, name="The evening league", size=4, moves=1, now=now)
    leagues.choose(player=gus, code=league.code, now=now)
    token = links.token(links.CONFIRM, gus.mail_key, event.code)
    paths["confirm by mail"] = f"/tournaments/confirm/{token}/"
    pairs = events.create(organiser=hal, name="The duo", format="swiss", mode="pairs", now=now)
    events.publish(by=hal, code=pairs.code, now=now)
    asked = entries.ask_partner(player=hal, partner=gus, code=pairs.code, now=now)
    paths["answer by mail"] = f"/proposals/answer/{links.token(links.ANSWER, gus.mail_key, str(asked.pk))}/"
    paths["proposal"] = f"/proposals/{asked.pk}/"
    paths["leave by mail"] = f"/leagues/leave/{links.token(links.LEAVE, gus.mail_key, league.code)}/"
