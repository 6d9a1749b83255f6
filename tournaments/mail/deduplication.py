"""Deduplication of mails: a notice that another mail covers is not sent.

Decided when a mail is sent, from the player's feed: entries written together go into one mail, and an entry
that no other mail covers gets its own.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games.game_notice import find_game_code
from games.game_notice_kinds import GameNoticeKind
from notifications.models import IS_MAIL, Delivery, FeedEntry
from notifications.notice_kinds import get_notice_kind
from tournaments.notice_kinds import TournamentNoticeKind

GAME_START_KINDS = (GameNoticeKind.TURN, GameNoticeKind.STARTED)
PAIRING_KINDS = (TournamentNoticeKind.PAIRING, TournamentNoticeKind.BYE)
TOURNAMENT_NEWS_KINDS = (*PAIRING_KINDS, TournamentNoticeKind.END)
MAX_ENTRIES_READ = 20  # newest entries of a feed
MAX_ATTEMPTS_WAITED_FOR = 1  # a tournament mail that keeps failing must not suppress a turn mail


def list_wanted_entries(delivery: Delivery, *entry_kinds: TournamentNoticeKind) -> QuerySet[FeedEntry]:
    """Return the player's feed entries of those kinds of which they want mails."""
    wanted_kinds = [kind for kind in entry_kinds if get_notice_kind(kind).is_wanted_by_mail(delivery.player)]
    return FeedEntry.objects.filter(player=delivery.player_id, kind__in=wanted_kinds)


def find_own_entry(delivery: Delivery) -> FeedEntry | None:
    """Return the feed entry of a mail; of several the first."""
    if delivery.kind == TournamentNoticeKind.PAIRING:
        pairing_entries = FeedEntry.objects.filter(
            player=delivery.player_id, kind=delivery.kind, topic=delivery.topic
        )
        return pairing_entries.order_by("pk").first()
    return FeedEntry.objects.filter(player=delivery.player_id, dedup_key=delivery.dedup_key).first()


def find_game_over_superseded_reason(delivery: Delivery) -> str:
    """Return why a mail about the end of a game is superseded by one about its tournament, or ""."""
    if delivery.kind != GameNoticeKind.OVER:
        return ""
    results = list_wanted_entries(delivery, TournamentNoticeKind.RESULT).filter(topic=delivery.topic)
    return _("The mail about your tournament covers it.") if results.exists() else ""


def find_game_start_superseded_reason(delivery: Delivery) -> str:
    """Return why a mail about the start of a game is superseded by one about its tournament, or ""."""
    own_entry = find_own_entry(delivery) if delivery.kind in GAME_START_KINDS else None
    is_superseded = own_entry is not None and any(
        covers_game_start(entry, delivery, own_entry) for entry in list_beginning_entries(delivery, own_entry)
    )
    return _("The mail about your tournament covers it.") if is_superseded else ""


def list_beginning_entries(delivery: Delivery, own_entry: FeedEntry) -> list[FeedEntry]:
    """List the feed entries that announced the game of a mail when it began or was taken over."""
    code = find_game_code(delivery)
    earlier_entries = list_wanted_entries(
        delivery, TournamentNoticeKind.PAIRING, TournamentNoticeKind.REPLACED
    ).filter(at__lte=own_entry.at)
    game_filter = Q(topic=delivery.topic) | Q(kind=TournamentNoticeKind.REPLACED)
    recent_entries = earlier_entries.filter(game_filter).order_by("-pk")[:MAX_ENTRIES_READ]
    return [
        entry
        for entry in recent_entries
        if entry.topic == delivery.topic or code in entry.data.get("games", ())
    ]


def covers_game_start(entry: FeedEntry, delivery: Delivery, own_entry: FeedEntry) -> bool:
    """Return whether the tournament mail of a feed entry covers a mail about the game.

    A mail that is still to be sent will show the game with its current turn.
    """
    if entry.notify_at is not None:
        return True
    mail = Delivery.objects.filter(
        IS_MAIL,
        player=delivery.player_id,
        dedup_key=get_notice_kind(entry.kind).group_key(entry),
    ).first()
    if mail is None:
        return False
    if mail.status == Delivery.Status.WAITING:
        return mail.attempts <= MAX_ATTEMPTS_WAITED_FOR
    if mail.status not in (Delivery.Status.SENT, Delivery.Status.UNCERTAIN):
        return False
    shown_turns = mail.data.get("shown_turns")
    if shown_turns is None:  # sent by an earlier release, or uncertain
        return entry.at == own_entry.at
    code = find_game_code(delivery)
    return code in shown_turns and (
        delivery.kind == GameNoticeKind.STARTED or shown_turns[code] == delivery.data.get("seq")
    )


def list_unreported_results(delivery: Delivery) -> list[FeedEntry]:
    """List the results since the tournament's last news that no mail has reported."""
    own_entry = find_own_entry(delivery)
    if own_entry is None or not get_notice_kind(TournamentNoticeKind.RESULT).is_wanted_by_mail(
        delivery.player
    ):
        return []
    earlier_entries = FeedEntry.objects.filter(
        build_code_filter(delivery.data["tournament"]),
        player=delivery.player_id,
        kind__in=(TournamentNoticeKind.RESULT, *TOURNAMENT_NEWS_KINDS),
        pk__lt=own_entry.pk,
    )
    result_entries: list[FeedEntry] = []
    for entry in earlier_entries.order_by("-pk")[:MAX_ENTRIES_READ]:
        if entry.kind in TOURNAMENT_NEWS_KINDS and not is_same_round(entry, own_entry):
            break
        if entry.kind == TournamentNoticeKind.RESULT and entry.topic:
            result_entries.insert(0, entry)
    sent_mails = Delivery.objects.filter(
        IS_MAIL,
        player=delivery.player_id,
        status=Delivery.Status.SENT,
        dedup_key__in=[entry.dedup_key for entry in result_entries],
    )
    sent_keys = set(sent_mails.values_list("dedup_key", flat=True))
    return [entry for entry in result_entries if entry.dedup_key not in sent_keys]


def is_same_round(first: FeedEntry, second: FeedEntry) -> bool:
    """Return whether two feed entries are about games of the same round."""
    are_pairings = first.kind == second.kind == TournamentNoticeKind.PAIRING
    return are_pairings and first.data.get("round_id") == second.data.get("round_id")


def build_code_filter(code: str) -> Q:
    """Filter feed entries of a tournament or league by the code at the start of their deduplication key."""
    return Q(dedup_key__startswith=f"{code}:")


def has_later_end_mail(delivery: Delivery, own_entry: FeedEntry) -> bool:
    """Tell whether a later mail reports that the tournament of this mail, or its game, ended again.

    A later feed entry without a mail, as the daily limit was reached, does not count.
    """
    tournament_filter = build_code_filter(delivery.data["tournament"])
    later_entries = list_wanted_entries(delivery, TournamentNoticeKind(own_entry.kind)).filter(
        tournament_filter, topic=own_entry.topic, pk__gt=own_entry.pk
    )
    mails = Delivery.objects.filter(IS_MAIL, player=delivery.player_id, dedup_key=OuterRef("dedup_key"))
    return later_entries.filter(Q(notify_at__isnull=False) | Exists(mails)).exists()
