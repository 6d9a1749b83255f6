"""Rules for dropping a mail about a tournament or league, obsolete or superseded: one for each kind.

A rule raises Obsolete with the reason, in the active language. It is asked when the mail is to be sent.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _

from notifications.models import Delivery
from tournaments.leagues.services.leagues import UNPLAYABLE_SETTINGS
from tournaments.models import Appeal, Entrant, League, LeagueMember, Proposal, Season, Tournament
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.permissions import find_confirmation_refusal

from .deduplication import (
    PAIRING_KINDS,
    TOURNAMENT_NEWS_KINDS,
    build_code_filter,
    find_own_entry,
    has_later_end_mail,
    list_wanted_entries,
)

PLACE_NOTICE_WINDOW = timedelta(days=1)


class Obsolete(Exception):
    """A mail is not to be sent; its text is the reason."""


def check_exists(delivery: Delivery) -> Tournament:
    """A mail that stays true: return its tournament."""
    tournament = Tournament.objects.filter(code=delivery.data.get("tournament", "")).first()
    if tournament is None:
        raise Obsolete(_("This tournament no longer exists."))
    return tournament


def check_takes_part(delivery: Delivery) -> tuple[Tournament, Entrant]:
    """A mail to present and former entrants: return the tournament and the reader's entrant."""
    tournament = check_exists(delivery)
    entrant = find_own_entrant(delivery, tournament)
    if entrant is None:
        raise Obsolete(_("You no longer take part."))
    return tournament, entrant


def find_own_entrant(delivery: Delivery, tournament: Tournament) -> Entrant | None:
    """Return the reader's entrant, or None."""
    return tournament.entrants.filter(entrant_players__player=delivery.player_id).first()


def check_superseded(is_superseded: bool) -> None:
    """Raise that another mail about the tournament covers this one."""
    if is_superseded:
        raise Obsolete(_("Another mail about this tournament covers it."))


# ------------------------------------------------------------------------------------ before the start


def check_invitation(delivery: Delivery) -> None:
    """An invitation ends when the reader enters, or when nobody can enter any more."""
    tournament = check_exists(delivery)
    is_open = tournament.is_published or tournament.takes_late_entries
    is_invited = tournament.invites.filter(player=delivery.player_id).exists()
    if not is_open or not is_invited or find_own_entrant(delivery, tournament):
        raise Obsolete(_("Already answered or over."))


def check_proposal(delivery: Delivery) -> None:
    """A proposal, also one of a league, ends with its answer."""
    proposal_id = delivery.data.get("proposal", 0)
    if not Proposal.objects.filter(pk=proposal_id, status=Proposal.Status.OPEN).exists():
        raise Obsolete(_("Already answered or over."))


def check_confirmation(delivery: Delivery) -> None:
    """A confirmation is asked for before the start, and once: the mail about a place asks, too."""
    tournament, entrant = check_takes_part(delivery)
    if find_confirmation_refusal(tournament, entrant):
        raise Obsolete(_("Already answered or over."))
    if own_entry := find_own_entry(delivery):
        place_entries = list_wanted_entries(delivery, TournamentNoticeKind.PLACE).filter(
            build_code_filter(tournament.code), at__gt=own_entry.at - PLACE_NOTICE_WINDOW
        )
        check_superseded(place_entries.exists())


def check_start(delivery: Delivery) -> None:
    """The mail about the first pairing tells of the start, too."""
    tournament, _entrant = check_takes_part(delivery)
    if find_own_entry(delivery):
        pairing_entries = list_wanted_entries(delivery, *PAIRING_KINDS)
        check_superseded(pairing_entries.filter(build_code_filter(tournament.code)).exists())


# ------------------------------------------------------------------------------------ while it is played


def check_still_plays(delivery: Delivery) -> Tournament:
    """A mail to entrants who have not left: return the tournament."""
    tournament, entrant = check_takes_part(delivery)
    if entrant.left_after_round is not None:
        raise Obsolete(_("You no longer play there."))
    return tournament


def check_pairing(delivery: Delivery) -> None:
    """A mail about a pairing: only to active entrants of a running tournament."""
    if not check_still_plays(delivery).is_running:
        raise Obsolete(_("You no longer play there."))


def check_newcomer(delivery: Delivery) -> None:
    """A replacement may be taken back, or be followed by another one."""
    replaced = {"player": delivery.data.get("player"), "entrant": delivery.data.get("entrant")}
    if not check_exists(delivery).entrant_players.filter(**replaced).exists():
        raise Obsolete(_("Already decided."))
    check_takes_part(delivery)


def check_exclusion(delivery: Delivery) -> None:
    """Drop the mail if the entrant is in again, which another mail tells them."""
    entrant = find_own_entrant(delivery, check_exists(delivery))
    if entrant and entrant.status == Entrant.Status.ENTERED and entrant.left_after_round is None:
        raise Obsolete(_("Already decided."))


def check_hold(delivery: Delivery) -> None:
    """A hold ends when an organiser decides."""
    if not check_exists(delivery).hold_reason:
        raise Obsolete(_("Already decided."))


def check_appeal(delivery: Delivery) -> None:
    """An appeal ends with its answer, of which its author is told."""
    check_exists(delivery)
    appeal = Appeal.objects.filter(pk=delivery.data.get("appeal", 0)).first()
    if appeal is None or (appeal.answered_at and not delivery.data.get("answered")):
        raise Obsolete(_("Already decided."))


def check_result(delivery: Delivery) -> None:
    """The next news of the tournament tells of a result, too."""
    tournament, _entrant = check_takes_part(delivery)
    own_entry = find_own_entry(delivery)
    if own_entry and own_entry.topic:
        # Where a game goes on after a correction was taken back, no other mail tells of a result.
        news_kinds = TOURNAMENT_NEWS_KINDS if "ranks" in own_entry.data else ()
        news = list_wanted_entries(delivery, *news_kinds).filter(
            build_code_filter(tournament.code), pk__gt=own_entry.pk
        )
        check_superseded(news.exists() or has_later_end_mail(delivery, own_entry))


def check_end(delivery: Delivery) -> None:
    """An end may be reopened by a correction; a later end, or that of the season, tells of it, too."""
    tournament, _entrant = check_takes_part(delivery)
    if not tournament.is_finished:
        raise Obsolete(_("Already decided."))
    if own_entry := find_own_entry(delivery):
        check_superseded(has_later_end_mail(delivery, own_entry))
        if tournament.division:
            season = tournament.division.season
            dedup_key = f"{season.league.code}:season-end:{season.number}"
            season_entries = list_wanted_entries(delivery, TournamentNoticeKind.SEASON_END)
            check_superseded(season_entries.filter(dedup_key=dedup_key).exists())


# ------------------------------------------------------------------------------------ leagues


def check_league_exists(delivery: Delivery) -> League:
    """A mail that stays true: return its league."""
    league = League.objects.filter(code=delivery.data.get("league", "")).first()
    if league is None:
        raise Obsolete(_("This league no longer exists."))
    return league


def check_league_hold(delivery: Delivery) -> None:
    """A hold ends when an organiser changes the settings."""
    held_leagues = League.objects.filter(code=delivery.data.get("league", ""), last_error=UNPLAYABLE_SETTINGS)
    if not held_leagues.exists():
        raise Obsolete(_("Already decided."))


def check_partner_left(delivery: Delivery) -> None:
    """Drop the mail about the partner who left if the player has joined again."""
    members = check_league_exists(delivery).league_members.filter(status=LeagueMember.Status.MEMBER)
    if members.filter(player=delivery.player_id).exists():
        raise Obsolete(_("Already decided."))


def check_season_exists(delivery: Delivery) -> Season:
    """A mail that stays true: return its season."""
    season = check_league_exists(delivery).seasons.filter(number=delivery.data.get("season", 0)).first()
    if season is None:
        raise Obsolete(_("This league no longer exists."))
    return season


def check_season_start(delivery: Delivery) -> None:
    """The mail about the first pairing tells of the start of a season, too."""
    tournaments = Tournament.objects.filter(division__season=check_season_exists(delivery))
    tournament = tournaments.filter(entrant_players__player=delivery.player_id).first()
    if tournament:
        pairing_entries = list_wanted_entries(delivery, *PAIRING_KINDS)
        if pairing_entries.filter(build_code_filter(tournament.code)).exists():
            raise Obsolete(_("Another mail about this league covers it."))
