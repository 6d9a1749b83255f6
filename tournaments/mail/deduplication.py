"""Deduplication of mails: a notice that another mail covers is not sent.

Decided when a mail is sent, from the player's feed: entries written together go into one mail, and an entry
that no other mail covers gets its own.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games import notice_kinds
from games.models import Delivery, FeedEntry
from tournaments.models import Appeal, Entrant, League, LeagueMember, Proposal, Season, Tournament

GAME_START_KINDS, TOURNAMENT_NEWS_KINDS = ("turn", "started"), ("event-pairing", "event-bye", "event-end")
PAIRING_KINDS = ("event-pairing", "event-bye")
PLACE_NOTICE_WINDOW = timedelta(days=1)
MAX_ENTRIES_READ = 20  # newest entries of a feed
MAX_ATTEMPTS_WAITED_FOR = 1  # a tournament mail that keeps failing must not suppress a turn mail


def list_wanted_entries(delivery: Delivery, *entry_kinds: str) -> QuerySet[FeedEntry]:
    """Return the player's feed entries of those kinds of which they want mails."""
    wanted_kinds = [kind for kind in entry_kinds if notice_kinds.wants_mail_of_kind(delivery.player, kind)]
    return FeedEntry.objects.filter(player=delivery.player_id, kind__in=wanted_kinds)


def find_own_entry(delivery: Delivery) -> FeedEntry | None:
    """Return the feed entry of a mail; of several the first."""
    if delivery.kind == "event-pairing":
        pairing_entries = FeedEntry.objects.filter(
            player=delivery.player_id, kind=delivery.kind, game=delivery.game_id
        )
        return pairing_entries.order_by("pk").first()
    return FeedEntry.objects.filter(player=delivery.player_id, reason=delivery.reason).first()


def find_game_mail_superseded_reason(delivery: Delivery) -> str:
    """Return why a mail about a game is superseded by one about its tournament, or ""."""
    is_superseded = False
    if delivery.kind == "over":
        is_superseded = list_wanted_entries(delivery, "event-result").filter(game=delivery.game_id).exists()
    elif delivery.kind in GAME_START_KINDS and (own_entry := find_own_entry(delivery)):
        is_superseded = any(
            covers_game_start(entry, delivery, own_entry)
            for entry in list_beginning_entries(delivery, own_entry)
        )
    return _("The mail about your tournament says it, too.") if is_superseded else ""


def list_beginning_entries(delivery: Delivery, own_entry: FeedEntry) -> list[FeedEntry]:
    """List the feed entries that announced the game of a mail when it began or was taken over."""
    code = delivery.game.code if delivery.game else ""
    earlier_entries = list_wanted_entries(delivery, "event-pairing", "event-replaced").filter(
        at__lte=own_entry.at
    )
    game_filter = Q(game=delivery.game_id) | Q(kind="event-replaced")
    recent_entries = earlier_entries.filter(game_filter).order_by("-pk")[:MAX_ENTRIES_READ]
    return [
        entry
        for entry in recent_entries
        if entry.game_id == delivery.game_id or code in entry.data.get("games", ())
    ]


def covers_game_start(entry: FeedEntry, delivery: Delivery, own_entry: FeedEntry) -> bool:
    """Return whether the tournament mail of a feed entry covers a mail about the game.

    A mail that is still to be sent will show the game with its current turn.
    """
    if entry.due_at is not None:
        return True
    mail = Delivery.objects.filter(
        player=delivery.player_id, reason=build_mail_dedup_key(entry), webhook=None
    ).first()
    if mail is None:
        return False
    if mail.status == Delivery.Status.WAITING:
        return mail.tries <= MAX_ATTEMPTS_WAITED_FOR
    if mail.status not in (Delivery.Status.SENT, Delivery.Status.UNCERTAIN):
        return False
    shown_turns = mail.data.get("shown_turns")
    if shown_turns is None:  # sent by an earlier release, or uncertain
        return entry.at == own_entry.at
    code = delivery.game.code if delivery.game else ""
    return code in shown_turns and (
        delivery.kind == "started" or shown_turns[code] == delivery.data.get("seq")
    )


def build_mail_dedup_key(entry: FeedEntry) -> str:
    """Return the deduplication key of the mail of a feed entry: one mail covers all games of a round."""
    if entry.kind == "event-pairing":
        return f"{entry.data['event']}:published:{entry.data['published']}"
    return entry.reason


def list_unreported_results(delivery: Delivery) -> list[FeedEntry]:
    """List the results since the tournament's last news that no mail has reported."""
    own_entry = find_own_entry(delivery)
    if own_entry is None or not notice_kinds.wants_mail_of_kind(delivery.player, "event-result"):
        return []
    earlier_entries = FeedEntry.objects.filter(
        build_code_filter(delivery.data["event"]),
        player=delivery.player_id,
        kind__in=("event-result", *TOURNAMENT_NEWS_KINDS),
        pk__lt=own_entry.pk,
    )
    result_entries: list[FeedEntry] = []
    for entry in earlier_entries.order_by("-pk")[:MAX_ENTRIES_READ]:
        if entry.kind in TOURNAMENT_NEWS_KINDS and not is_same_round(entry, own_entry):
            break
        if entry.kind == "event-result" and entry.game_id:
            result_entries.insert(0, entry)
    sent_mails = Delivery.objects.filter(
        player=delivery.player_id,
        webhook=None,
        status=Delivery.Status.SENT,
        reason__in=[entry.reason for entry in result_entries],
    )
    sent_keys = set(sent_mails.values_list("reason", flat=True))
    return [entry for entry in result_entries if entry.reason not in sent_keys]


def is_same_round(first: FeedEntry, second: FeedEntry) -> bool:
    """Return whether two feed entries are about games of the same round."""
    are_pairings = first.kind == second.kind == "event-pairing"
    return are_pairings and first.data.get("published") == second.data.get("published")


def build_code_filter(code: str) -> Q:
    """Filter feed entries of a tournament or league by the code at the start of their deduplication key."""
    return Q(reason__startswith=f"{code}:")


# -------------------------------------------------------------------------------------- mails of tournaments


def find_obsolete_reason(delivery: Delivery, now: datetime) -> str:
    """Return why a mail about a tournament or league is obsolete, or ""."""
    if delivery.kind.startswith("league-"):
        return find_league_obsolete_reason(delivery)
    tournament = Tournament.objects.filter(code=delivery.data.get("event", "")).first()
    if tournament is None:
        return _("There is no such tournament any more.")
    return find_tournament_obsolete_reason(delivery, tournament) or find_superseded_reason(
        delivery, tournament
    )


def find_tournament_obsolete_reason(delivery: Delivery, tournament: Tournament) -> str:
    """Return what has happened since that makes a tournament mail obsolete, or ""."""
    kind = delivery.kind
    is_open = tournament.status == Tournament.Status.PUBLISHED or (
        tournament.status == Tournament.Status.RUNNING and tournament.late
    )
    entrant = tournament.entrants.filter(members__player=delivery.player_id).first()
    if kind == "event-invited":
        is_invited = tournament.invites.filter(player=delivery.player_id).exists()
        return "" if is_open and is_invited and entrant is None else _("It was answered, or is over.")
    if kind == "event-held":
        return "" if tournament.held else _("It was decided meanwhile.")
    if kind == "event-appeal":
        appeal = Appeal.objects.filter(pk=delivery.data.get("appeal", 0)).first()
        is_question = not delivery.data.get("answered")
        return (
            _("It was decided meanwhile.") if appeal is None or (is_question and appeal.answered_at) else ""
        )
    if kind in ("event-partner", "event-replacement", "event-co-organiser"):
        return find_proposal_obsolete_reason(delivery)
    if kind in ("event-cancelled", "event-answered"):
        return ""
    plays = entrant is not None and entrant.status == Entrant.Status.ENTERED and entrant.left is None
    if kind == "event-out":  # who is in again is told so by another mail
        return _("It was decided meanwhile.") if plays else ""
    if kind == "event-newcomer":
        entrant_players = tournament.members.filter(
            player=delivery.data.get("player"), entrant=delivery.data.get("entrant")
        )
        if not entrant_players.exists():  # the replacement was taken back, or another one followed
            return _("It was decided meanwhile.")
    if entrant is None:
        return _("You do not take part any more.")
    is_before_start = tournament.status == Tournament.Status.PUBLISHED
    if kind == "event-confirm":
        is_waiting = is_before_start and not entrant.confirmed_at and entrant.status == Entrant.Status.ENTERED
        return "" if is_waiting else _("It was answered, or is over.")
    if kind in ("event-place", "event-table") and entrant.left is not None:
        return _("You do not play there any more.")
    if kind in PAIRING_KINDS and (entrant.left is not None or tournament.status != Tournament.Status.RUNNING):
        return _("You do not play there any more.")
    if kind == "event-end" and tournament.status != Tournament.Status.FINISHED:  # reopened by a correction
        return _("It was decided meanwhile.")
    return ""


def find_proposal_obsolete_reason(delivery: Delivery) -> str:
    """Return why a proposal mail is obsolete, or "" while the proposal is open."""
    is_waiting = Proposal.objects.filter(
        pk=delivery.data.get("proposal", 0), status=Proposal.Status.OPEN
    ).exists()
    return "" if is_waiting else _("It was answered, or is over.")


def find_superseded_reason(delivery: Delivery, tournament: Tournament) -> str:
    """Return why another mail supersedes this one, or ""."""
    tournament_filter, own_entry = build_code_filter(tournament.code), find_own_entry(delivery)
    is_superseded = False
    if own_entry is None:
        return ""
    if delivery.kind == "event-start":
        is_superseded = list_wanted_entries(delivery, *PAIRING_KINDS).filter(tournament_filter).exists()
    elif delivery.kind == "event-result":
        # Where a game goes on after a correction was taken back, no other mail tells of a result.
        news = list_wanted_entries(
            delivery, *TOURNAMENT_NEWS_KINDS if "ranks" in own_entry.data else ()
        ).filter(tournament_filter, pk__gt=own_entry.pk)
        is_superseded = own_entry.game_id is not None and (
            news.exists() or has_later_end_mail(delivery, own_entry)
        )
    elif delivery.kind == "event-confirm":
        is_superseded = (
            list_wanted_entries(delivery, "event-place")
            .filter(tournament_filter, at__gt=own_entry.at - PLACE_NOTICE_WINDOW)
            .exists()
        )
    elif delivery.kind == "event-end":
        is_superseded = has_later_end_mail(delivery, own_entry)
        if tournament.division and not is_superseded:
            season = tournament.division.season
            dedup_key = f"{season.league.code}:season-end:{season.number}"
            is_superseded = (
                list_wanted_entries(delivery, "league-season-end").filter(reason=dedup_key).exists()
            )
    return _("Another mail about this tournament says it, too.") if is_superseded else ""


def has_later_end_mail(delivery: Delivery, own_entry: FeedEntry) -> bool:
    """Whether the event of a mail, or its game, has ended once more since, and another mail tells so.

    A line that makes no mail, as there were too many of them that day, does not count.
    """
    tournament_filter = build_code_filter(delivery.data["event"])
    later_entries = list_wanted_entries(delivery, own_entry.kind).filter(
        tournament_filter, game=own_entry.game_id, pk__gt=own_entry.pk
    )
    mails = Delivery.objects.filter(player=delivery.player_id, webhook=None, reason=OuterRef("reason"))
    return later_entries.filter(Q(due_at__isnull=False) | Exists(mails)).exists()


def find_league_obsolete_reason(delivery: Delivery) -> str:
    """Return why a league mail is obsolete, or ""."""
    league = League.objects.filter(code=delivery.data.get("league", "")).first()
    if league is None:
        return _("There is no such league any more.")
    if delivery.kind in ("league-partner", "league-co-organiser"):
        return find_proposal_obsolete_reason(delivery)
    if delivery.kind in ("league-answered", "league-out"):
        return ""
    if delivery.kind == "league-parted":
        is_member = league.memberships.filter(
            player=delivery.player_id, status=LeagueMember.Status.MEMBER
        ).exists()
        return _("It was decided meanwhile.") if is_member else ""
    season = Season.objects.filter(league=league, number=delivery.data.get("season", 0)).first()
    if season is None:
        return _("There is no such league any more.")
    if delivery.kind == "league-season":
        tournament = Tournament.objects.filter(
            division__season=season, members__player=delivery.player_id
        ).first()
        if (
            tournament
            and list_wanted_entries(delivery, *PAIRING_KINDS)
            .filter(build_code_filter(tournament.code))
            .exists()
        ):
            return _("Another mail about this league says it, too.")
    return ""
