"""Bot accounts: who runs which, and what the list of bots shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from django.db.models import Max, QuerySet

from accounts.account_extensions import load_account_extensions
from accounts.models import BotProfile, Player

ONLINE_PERIOD = timedelta(minutes=15)  # the use of a bot's token is recorded every five minutes


@dataclass(frozen=True)
class BotData:
    """A bot: an account that a program plays for."""

    name: Annotated[str, "The name of the bot."]
    owner: Annotated[str | None, "The player who runs it; null if their account was deleted."]
    about: Annotated[str, "How the bot plays, in its owner's words."]
    takes_challenges: Annotated[bool, "Whether it is in the list of bots and takes challenges."]
    plays_cards: Annotated[bool, "Whether it plays with secret cards."]
    max_games: Annotated[
        int, "The most unfinished games and invitations with which it still takes challenges."
    ]
    rating: Annotated[int | None, "The rating among bots, in games of single players; null for none yet."]
    is_online: Annotated[bool, "Whether its program sent a request in the last minutes."]
    last_seen_at: Annotated[datetime | None, "When its program last sent a request, to within some minutes."]
    declared_at: Annotated[datetime, "When the account became a bot."]


def list_bot_profiles() -> QuerySet[BotProfile]:
    """List the profiles of all bots with their players and owners."""
    profiles = BotProfile.objects.filter(player__is_bot=True, player__is_active=True)
    return profiles.select_related("player__bot_owner").order_by("player__name")


def list_challengeable_bots() -> QuerySet[BotProfile]:
    """List the bots that take challenges; one whose owner is gone or blocked takes none."""
    return list_bot_profiles().filter(takes_challenges=True, player__bot_owner__is_active=True)


def list_bots_of(owner: Player) -> QuerySet[BotProfile]:
    """List the bots that a player runs."""
    return list_bot_profiles().filter(player__bot_owner=owner)


def list_bot_names(owner: Player) -> list[str]:
    """List the names of the bots that a player runs; `owns_bots` of a player by name saves the query."""
    if owner.is_bot or not getattr(owner, "owns_bots", True):
        return []
    return [profile.player.name for profile in list_bots_of(owner)]


def build_bots_data(profiles: Iterable[BotProfile], now: datetime) -> list[BotData]:
    """Build the read models of bots, with two more queries however many."""
    profiles = list(profiles)
    player_ids = [profile.player_id for profile in profiles]
    ratings: dict[int, int] = {}
    for extension in load_account_extensions():
        ratings |= extension.load_ratings(player_ids)
    players = Player.objects.filter(pk__in=player_ids).annotate(seen_at=Max("tokens__last_used_at"))
    seen_at_by_player = dict(players.values_list("pk", "seen_at"))
    return [
        build_bot_data(profile, ratings.get(profile.player_id), seen_at_by_player[profile.player_id], now)
        for profile in profiles
    ]


def build_bot_data(
    profile: BotProfile, rating: int | None, last_seen_at: datetime | None, now: datetime
) -> BotData:
    """Build the read model of a bot."""
    owner = profile.player.bot_owner
    return BotData(
        name=profile.player.name,
        owner=owner.name if owner else None,
        about=profile.about,
        takes_challenges=profile.takes_challenges,
        plays_cards=profile.plays_cards,
        max_games=profile.max_games,
        rating=rating,
        is_online=last_seen_at is not None and now - last_seen_at < ONLINE_PERIOD,
        last_seen_at=last_seen_at,
        declared_at=profile.declared_at,
    )
