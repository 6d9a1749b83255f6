"""Ratings, and the pages that mails of tournaments link to, in the shared world."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from accounts.models import Player
from tests.factories.cast import player
from tests.factories.events import publish_tournament
from tests.factories.leagues import join_league
from tests.factories.pairing_tables import open_tournament_game
from tournaments import links
from tournaments.ratings import services as ratings
from tournaments.services import entries, simulation

GAMES = 6


def add_ratings(paths: dict[str, str], now: datetime) -> None:
    """Create two players with rated games, one of whom has entered a tournament and a league."""
    both = [player("gus"), player("hal")]
    # The world sends only a few mails.
    Player.objects.filter(name__in=("gus", "hal")).update(mail_frequency=Player.MailFrequency.NONE)
    for number in range(GAMES):
        started_at = now - timedelta(days=30 * (GAMES - number))
        game = open_tournament_game(both, now=started_at, rated=True, target=1, cards=False)
        simulation.play_game(game.code, policy="random", rng=random.Random(number), now=started_at)
    ratings.rate_finished_games(now=now)
    gus, hal = both
    tournament = publish_tournament(
        gus,
        organiser=hal,
        name="The spring cup",
        format="swiss",
        now=now,
        confirmation=True,
        starts_at=now + timedelta(days=3),
    )
    league = join_league(gus, organiser=hal, name="The evening league", now=now)
    token = links.make_link_token(links.CONFIRM_PURPOSE, gus.mail_token, tournament.code)
    paths["confirm by mail"] = f"/tournaments/confirm/{token}/"
    pairs = publish_tournament(organiser=hal, name="The duo", format="swiss", mode="pairs", now=now)
    request = entries.ask_partner(player=hal, partner=gus, code=pairs.code, now=now)
    token = links.make_link_token(links.ANSWER_PROPOSAL_PURPOSE, gus.mail_token, str(request.pk))
    paths["answer by mail"] = f"/proposals/answer/{token}/"
    paths["proposal"] = f"/proposals/{request.pk}/"
    paths["leave by mail"] = (
        f"/leagues/leave/{links.make_link_token(links.LEAVE_LEAGUE_PURPOSE, gus.mail_token, league.code)}/"
    )
