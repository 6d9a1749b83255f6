"""Notices of tournaments and leagues: entries in players' feeds, written once, from which mails follow."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from accounts.models import Player
from accounts.services.contact_limits import count_mail_if_allowed, count_mails_if_allowed
from games import clock
from games.models import Game
from games.selectors.clocks import build_quiet_calendar
from notifications.models import FeedEntry
from notifications.services import notices
from notifications.stream_wake_ups import wake_streams_after_commit
from notifications.topics import make_topic
from tournaments.contact_kinds import TournamentContactKind
from tournaments.models import Entrant, EntrantPlayer, League, Round, Tournament
from tournaments.notice_kinds import NoticeReason, TournamentNoticeKind


def build_feed_entries(
    subject: Tournament | League,
    kind: TournamentNoticeKind,
    dedup_suffix: str,
    player_ids: Iterable[int | None],
    now: datetime,
    game: Game | None = None,
    **data: Any,
) -> list[FeedEntry]:
    """Build feed entries about a tournament or league for players, unsaved. `data` is stored with each."""
    subject_key = "tournament" if isinstance(subject, Tournament) else "league"
    entry_data = {subject_key: subject.code, "name": subject.name, **data}
    if game:
        entry_data["game"] = game.code
    notify_at = clock.notice_due_at(now, subject.allowance, clock.ALWAYS_RUNNING)
    return [
        FeedEntry(
            player_id=player_id,
            topic=game.topic if game else "",
            kind=kind,
            dedup_key=f"{subject.code}:{dedup_suffix}",
            data=entry_data,
            at=now,
            notify_at=notify_at,
        )
        for player_id in sorted({player_id for player_id in player_ids if player_id})
    ]


def notify_players(
    subject: Tournament | League,
    kind: TournamentNoticeKind,
    dedup_suffix: str,
    player_ids: Iterable[int | None],
    now: datetime,
    game: Game | None = None,
    **data: Any,
) -> None:
    """Write a feed entry about a tournament or league for each player."""
    write_feed_entries(
        build_feed_entries(subject, kind, dedup_suffix, player_ids, now, game, **data),
        ignore_quiet_hours=is_live(subject),
    )


def is_live(subject: Tournament | League) -> bool:
    """Return whether a tournament is played live, so that notices ignore quiet hours."""
    return (
        isinstance(subject, Tournament)
        and subject.is_running
        and subject.allowance < clock.LIVE_ALLOWANCE_SECONDS
    )


def write_feed_entries(entries: Iterable[FeedEntry], *, ignore_quiet_hours: bool = False) -> None:
    """Save feed entries, except existing ones. Mails wait for the end of quiet hours."""
    entries = list(entries)
    if not ignore_quiet_hours:
        players_with_quiet_hours = Player.objects.filter(
            pk__in={entry.player_id for entry in entries}, quiet_from__isnull=False
        )
        quiet_hours_by_player = {
            player.pk: build_quiet_calendar(player) for player in players_with_quiet_hours
        }
        for entry in entries:
            if entry.notify_at and entry.player_id in quiet_hours_by_player:
                entry.notify_at = clock.skip_quiet_hours(
                    entry.notify_at, quiet_hours_by_player[entry.player_id]
                )
    notices.write_feed_entries(entries)
    wake_streams_after_commit(
        make_topic(family, entry.data[family])
        for entry in entries
        for family in ("tournament", "league")
        if family in entry.data
    )


def notify_organisers(
    tournament: Tournament, kind: TournamentNoticeKind, dedup_suffix: str, now: datetime, **data: Any
) -> None:
    """Write a feed entry about a tournament for each of its organisers."""
    notify_players(tournament, kind, dedup_suffix, list_organiser_ids(tournament), now, **data)


def notify_held_start(tournament: Tournament, dedup_suffix: str, now: datetime, **data: Any) -> None:
    """Notify organisers that a tournament cannot start. Feed entries are unlimited, mails limited per day.

    Each move of the start date makes a new entry, so the mails must be limited.
    """
    entries = build_feed_entries(
        tournament, TournamentNoticeKind.ON_HOLD, dedup_suffix, list_organiser_ids(tournament), now, **data
    )
    existing_keys = (
        {
            (entry.player_id, entry.dedup_key)
            for entry in FeedEntry.objects.filter(dedup_key=entries[0].dedup_key)
        }
        if entries
        else set()
    )
    new_entries = [entry for entry in entries if (entry.player_id, entry.dedup_key) not in existing_keys]
    players_by_id = Player.objects.in_bulk([entry.player_id for entry in new_entries])
    for entry in new_entries:
        recipient = players_by_id[entry.player_id]
        if not count_mail_if_allowed(
            kind=TournamentContactKind.HELD_TOURNAMENT, subject=tournament.code, recipient=recipient, now=now
        ):
            entry.notify_at = None
    write_feed_entries(new_entries)


def notify_held_league(league: League, dedup_suffix: str, now: datetime) -> None:
    """Notify the organisers of a league that its next season is on hold, once per reason."""
    co_organiser_ids = league.co_organisers.values_list("pk", flat=True)
    notify_players(
        league,
        TournamentNoticeKind.LEAGUE_ON_HOLD,
        dedup_suffix,
        [league.organiser_id, *co_organiser_ids],
        now,
    )


def count_table_change_mails(
    tournament: Tournament, player_ids: Iterable[int | None], now: datetime
) -> set[int]:
    """Count one mail per player about changed pairings. Returns the players below their daily limit.

    An organiser who changes a decision to and fro writes feed entries without limit, but not mails.
    """
    recipient_ids = sorted({player_id for player_id in player_ids if player_id})
    return count_mails_if_allowed(
        kind=TournamentContactKind.TABLE_CHANGE, subject=tournament.code, recipients=recipient_ids, now=now
    )


def notify_table_change(
    tournament: Tournament,
    kind: TournamentNoticeKind,
    dedup_suffix: str,
    player_ids: Iterable[int | None],
    now: datetime,
    game: Game | None = None,
    *,
    mailed_ids: Collection[int] | None = None,
    **data: Any,
) -> None:
    """Write a feed entry about a changed pairing for each player; only players in `mailed_ids` get a mail.

    Without `mailed_ids` the mails are counted here.
    """
    entries = build_feed_entries(tournament, kind, dedup_suffix, player_ids, now, game, **data)
    if mailed_ids is None:
        mailed_ids = count_table_change_mails(tournament, [entry.player_id for entry in entries], now)
    write_feed_entries(keep_mails(entries, mailed_ids), ignore_quiet_hours=is_live(tournament))


def keep_mails(entries: Iterable[FeedEntry], mailed_ids: Collection[int]) -> list[FeedEntry]:
    """Return the entries as a list; those of players not in `mailed_ids` send no mail."""
    entries = list(entries)
    for entry in entries:
        if entry.player_id not in mailed_ids:
            entry.notify_at = None
    return entries


def notify_corrected_end(tournament: Tournament, entries: Iterable[FeedEntry], now: datetime) -> None:
    """Notify players that a tournament ended again after a correction. Mails are limited per day."""
    write_feed_entries(
        drop_mails_above_limit(tournament, TournamentContactKind.CORRECTED_TOURNAMENT_END, entries, now)
    )


def notify_round_end(
    tournament: Tournament,
    round: Round,
    player_ids: Iterable[int | None],
    now: datetime,
    *,
    first: bool = False,
    text: str = "",
) -> None:
    """Notify players of a round that it ends sooner, or has an end now. Mails are limited per day.

    `first`: the round had no end before. `text` is the organiser's public note. The caller locks the
    tournament, and logs the decision that changed the end afterwards: its number is in the deduplication key.
    """
    dedup_suffix = f"round-end:{round.pk}:{tournament.decisions.count()}"
    entries = build_feed_entries(
        tournament,
        TournamentNoticeKind.ROUND_END,
        dedup_suffix,
        player_ids,
        now,
        round_id=round.pk,
        first=first,
        text=text,
    )
    write_feed_entries(
        drop_mails_above_limit(tournament, TournamentContactKind.ROUND_END, entries, now),
        ignore_quiet_hours=is_live(tournament),
    )


def drop_mails_above_limit(
    tournament: Tournament, kind: TournamentContactKind, entries: Iterable[FeedEntry], now: datetime
) -> list[FeedEntry]:
    """Return the entries; those of players above their daily limit of this kind send no mail."""
    entries = list(entries)
    recipient_ids = {entry.player_id for entry in entries}
    mailed_ids = count_mails_if_allowed(kind=kind, subject=tournament.code, recipients=recipient_ids, now=now)
    return keep_mails(entries, mailed_ids)


def list_organiser_ids(tournament: Tournament) -> list[int | None]:
    """List the ids of a tournament's organiser and co-organisers, including those of its league."""
    co_organiser_ids = set(tournament.co_organisers.values_list("pk", flat=True))
    if tournament.division_id:
        league_co_organisers = Player.objects.filter(
            co_organised_leagues__seasons__divisions=tournament.division_id
        )
        co_organiser_ids.update(league_co_organisers.values_list("pk", flat=True))
    return [tournament.organiser_id, *co_organiser_ids]


def list_player_ids(tournament: Tournament, entrant_ids: Iterable[int] | None = None) -> list[int | None]:
    """List the player ids of a tournament, or of these entrants."""
    entrant_players = EntrantPlayer.objects.filter(tournament=tournament)
    if entrant_ids is not None:
        entrant_players = entrant_players.filter(entrant__in=list(entrant_ids))
    return list(entrant_players.values_list("player_id", flat=True))


def load_player_ids_by_entrant(tournament: Tournament) -> dict[int, list[int | None]]:
    """Return the player ids of a tournament by entrant id."""
    player_ids_by_entrant: dict[int, list[int | None]] = {}
    for entrant_id, player_id in EntrantPlayer.objects.filter(tournament=tournament).values_list(
        "entrant_id", "player_id"
    ):
        player_ids_by_entrant.setdefault(entrant_id, []).append(player_id)
    return player_ids_by_entrant


def notify_moved_up(tournament: Tournament, entrant_ids: Iterable[int], now: datetime) -> None:
    """Notify players who moved up from the waitlist, each time they do."""
    entrant_players = EntrantPlayer.objects.filter(tournament=tournament, entrant__in=list(entrant_ids))
    entries = [
        entry
        for entrant_id, player_id in entrant_players.values_list("entrant_id", "player_id")
        for entry in build_feed_entries(
            tournament, TournamentNoticeKind.PLACE, f"place:{entrant_id}", [player_id], now
        )
    ]
    write_feed_entries(entries, ignore_quiet_hours=is_live(tournament))


def notify_partners(
    tournament: Tournament, entrants: Iterable[Entrant], now: datetime, leaver: Player | None = None
) -> None:
    """Notify the partners of players who left a pair; `leaver` is the one who left."""
    if tournament.mode != Tournament.Mode.PAIRS:
        return
    for entrant in entrants:
        partner_ids = [
            player_id
            for player_id in list_player_ids(tournament, [entrant.pk])
            if leaver is None or player_id != leaver.pk
        ]
        notify_players(
            tournament,
            TournamentNoticeKind.OUT,
            f"parted:{entrant.pk}",
            partner_ids,
            now,
            reason=NoticeReason.PARTED,
        )
