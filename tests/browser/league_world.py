"""Leagues for tests of their pages: one in its second season, one without members."""

from __future__ import annotations

from datetime import datetime, timedelta

from notifications.models import FeedEntry
from tests.factories.cast import player
from tests.factories.leagues import join_league
from tournaments.leagues.services import join_requests, leagues, seasons
from tournaments.models import League, Pairing, Tournament
from tournaments.services import decisions, sweep

PLAYERS = ("gus", "hal", "ivy", "jan", "kay", "lou")  # used by leagues only


def add_leagues(paths: dict[str, str], now: datetime) -> None:
    """Create the leagues and add the paths of their pages."""
    ada = player("ada")
    league = join_league(
        *map(player, PLAYERS),
        organiser=ada,
        name="The league of the canal houses",
        text="For everybody who likes a game a day. " * 3,
        division_size=3,
        season_pause=2 * 86400,
        round_length=14 * 86400,
        target=4,
        now=now - timedelta(days=20),
    )
    leagues.set_member_status(player=player("dirk"), code=league.code, now=now, status="substitute")
    leagues.start_league(by=ada, code=league.code, now=now)
    started_at = now - timedelta(days=10)
    League.objects.filter(pk=league.pk).update(next_sweep_at=started_at)
    settle_league(league, started_at)
    while league.seasons.filter(finished_at=None).exists():
        for table in Pairing.objects.filter(tournament__division__season__league=league, settled_at=None):
            decisions.correct_result(
                by=ada, code=table.tournament.code, pairing_id=table.pk, ranks=[1, 2], now=started_at
            )
        settle_league(league, started_at)
    settle_league(league, now - timedelta(days=5))
    # Send no notices of it: the mails on the pages under test are about other games.
    FeedEntry.objects.filter(player__name__in=PLAYERS).update(notify_at=None)
    fresh = leagues.create_league(organiser=player("bob"), name="Beginners", division_size=8, now=now)
    join_request = join_requests.create_join_request(
        code=league.code, email="zoe@example.org", name="zoe", language="en", now=now
    )
    known_request = join_requests.create_join_request(
        code=league.code, email=ada.email, name="", language="en", now=now
    )
    paths["league"] = f"/leagues/{league.code}/"
    paths["league fresh"] = f"/leagues/{fresh.code}/"
    paths["league link"] = f"/leagues/join/{join_requests.sign_join_token(join_request)}/"
    paths["league link known"] = f"/leagues/join/{join_requests.sign_join_token(known_request)}/"
    known_request = join_requests.create_join_request(
        code=league.code,
        email=ada.email,
        name="",
        language="en",
        now=now - 2 * join_requests.JOIN_LINK_LIFETIME,
    )
    paths["league link old"] = f"/leagues/join/{join_requests.sign_join_token(known_request)}/"


def settle_league(league: League, now: datetime) -> None:
    """Process what is due in a league and its tournaments."""
    for _ in range(2):
        seasons.process_league(league.pk, now)
        for pk in Tournament.objects.filter(division__season__league=league).values_list("pk", flat=True):
            Tournament.objects.filter(pk=pk, status__in=("rounds", "running")).update(next_sweep_at=now)
            sweep.process_tournament(pk, now)
