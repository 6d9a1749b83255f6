"""What the world has of ratings, and of what mails of tournaments lead to."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from games.models import Player
from tests.games.cast import player
from tests.tables import open_table
from tournaments import links
from tournaments.services import entries, leagues, ratings, simulation, tournaments

GAMES = 6


def rate(paths: dict[str, str], now: datetime) -> None:
    """Two who have played rated games, and somebody who has entered a tournament and a league."""
    both = [player("gus"), player("hal")]
    # Few mails are sent here.
    Player.objects.filter(name__in=("gus", "hal")).update(mails=Player.MailFrequency.NONE)
    for number in range(GAMES):
        begun = now - timedelta(days=30 * (GAMES - number))
        game = open_table(both, now=begun, rated=True, target=1, cards=False)
        simulation.play_game(game.code, policy="random", rng=random.Random(number), now=begun)
    ratings.rate_finished_games(now=now)
    gus, hal = both
    event = tournaments.create_tournament(
        organiser=hal,
        name="The spring cup",
        format="swiss",
        now=now,
        confirmation=True,
        starts_at=now + timedelta(days=3),
    )
    tournaments.publish_tournament(by=hal, code=event.code, now=now)
    entries.enter_tournament(player=gus, code=event.code, now=now)
    league = leagues.create_league(organiser=hal, name="The evening league", size=4, moves=1, now=now)
    leagues.set_member_status(player=gus, code=league.code, now=now)
    token = links.make_link_token(links.CONFIRM_PURPOSE, gus.mail_key, event.code)
    paths["confirm by mail"] = f"/tournaments/confirm/{token}/"
    pairs = tournaments.create_tournament(
        organiser=hal, name="The duo", format="swiss", mode="pairs", now=now
    )
    tournaments.publish_tournament(by=hal, code=pairs.code, now=now)
    asked = entries.ask_partner(player=hal, partner=gus, code=pairs.code, now=now)
    token = links.make_link_token(links.ANSWER_PROPOSAL_PURPOSE, gus.mail_key, str(asked.pk))
    paths["answer by mail"] = f"/proposals/answer/{token}/"
    paths["proposal"] = f"/proposals/{asked.pk}/"
    paths["leave by mail"] = (
        f"/leagues/leave/{links.make_link_token(links.LEAVE_LEAGUE_PURPOSE, gus.mail_key, league.code)}/"
    )
