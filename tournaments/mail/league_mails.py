"""Drafts of the mails about a league: proposals, membership, holds, the start and end of a season."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Count
from django.utils.translation import gettext as _

from games.mail.game_context import format_local_time
from notifications.models import Delivery
from notifications.notice_kinds import NothingToSend
from tournaments import links, text
from tournaments.leagues import text as league_text
from tournaments.leagues.services.leagues import UNPLAYABLE_SETTINGS
from tournaments.models import DivisionPlacement, League, LeagueMember, Season
from tournaments.pairing.league import count_exchanges
from tournaments.services.game_settings import describe_unplayable_settings
from tournaments.text import proposals as proposal_text

from .announcements import (
    MailDraft,
    build_answer_link,
    format_context_line,
    get_proposal,
    quote_text,
)


def get_season(delivery: Delivery) -> Season:
    """Return the season of a mail. Raises NothingToSend."""
    seasons = Season.objects.filter(
        league__code=delivery.data.get("league", ""), number=delivery.data.get("season", 0)
    )
    season = seasons.select_related("league").first()
    if season is None:
        raise NothingToSend
    return season


def find_placement(season: Season, player_id: int) -> DivisionPlacement | None:
    """Return a player's placement in a season, or None."""
    placements = season.placements.select_related("division")
    return placements.filter(player=player_id).first() or placements.filter(partner=player_id).first()


def build_league_draft(
    league: League, headline: str, lead: list[str], extra_link: tuple[str, str] | None = None
) -> MailDraft:
    """Build a draft about a league."""
    button = (_("See the league"), links.build_league_url(league.code))
    lead = [line for line in lead if line]
    subject = f"{league.name}: {headline}"
    return MailDraft(
        subject, headline, lead, button, league.code, format_context_line(league.name), extra_link
    )


def build_league_partner_request(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft of a proposal to play as a pair in a league. Raises NothingToSend."""
    proposal = get_proposal(delivery)
    if proposal.league is None:
        raise NothingToSend
    asker_name = proposal.proposer.name if proposal.proposer else "–"
    lead = proposal_text.list_consequences(proposal)
    draft = build_league_draft(
        proposal.league, _("%(who)s invites you to play as a pair") % {"who": asker_name}, lead
    )
    return replace(draft, button=build_answer_link(delivery, proposal))


def build_league_co_organiser_request(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft of a proposal to co-organise a league. Raises NothingToSend."""
    proposal = get_proposal(delivery)
    if proposal.league is None:
        raise NothingToSend
    text_args = {"who": proposal.proposer.name if proposal.proposer else "–"}
    lead = proposal_text.list_consequences(proposal)
    draft = build_league_draft(proposal.league, _("%(who)s asks you to co-organise") % text_args, lead)
    return replace(draft, button=build_answer_link(delivery, proposal))


def build_league_proposal_answer(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about the outcome of a league proposal. Raises NothingToSend."""
    proposal = get_proposal(delivery)
    if proposal.league is None:
        raise NothingToSend
    return build_league_draft(
        proposal.league,
        proposal_text.describe_outcome(proposal).rstrip("."),
        [proposal_text.describe_proposal_to_others(proposal)],
    )


def build_partner_left_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft for a player whose partner left the league. Raises NothingToSend."""
    lead = [
        _("Your pair finishes the running season, but does not play in the next one."),
        _("You can join again with another partner."),
    ]
    return build_league_draft(get_league_member(delivery).league, _("Your partner has left"), lead)


def build_league_removal_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft for a player whom an organiser removed from the league. Raises NothingToSend."""
    lead = [
        _("The organiser has removed you from the league."),
        quote_text(delivery.data.get("text", "")),
        _("You finish the running season, but do not play in the next one."),
    ]
    return build_league_draft(get_league_member(delivery).league, _("You are no longer in the league"), lead)


def build_league_held_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft for the organisers of a league on hold. Raises NothingToSend."""
    league = League.objects.filter(code=delivery.data.get("league", "")).first()
    if league is None or league.last_error != UNPLAYABLE_SETTINGS:
        raise NothingToSend
    lead = [league_text.describe_last_error(league.last_error), describe_unplayable_settings(league)]
    draft = build_league_draft(league, _("The settings need your decision"), lead)
    return replace(draft, button=(_("Decide"), links.build_league_organiser_url(league.code)))


def get_league_member(delivery: Delivery) -> LeagueMember:
    """Return the reader's membership of the league. Raises NothingToSend."""
    league_members = LeagueMember.objects.filter(
        player=delivery.player_id, league__code=delivery.data.get("league", "")
    )
    league_member = league_members.select_related("league", "partner").first()
    if league_member is None:
        raise NothingToSend
    return league_member


def build_season_start_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about the start of a season: the division, and why."""
    season = get_season(delivery)
    placement = find_placement(season, delivery.player_id)
    headline = _("Season %(n)d has begun") % {"n": season.number}
    if placement is None:
        return build_league_draft(season.league, headline, [_("You are not playing in this season.")])
    text_args = {"n": placement.division.number, "why": text.describe_placement(placement.reason)}
    lead = [
        _("You play in division %(n)d: %(why)s.") % text_args,
        _("We will write when your first game is ready."),
    ]
    return build_league_draft(season.league, headline, lead)


def build_season_end_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about the end of a season: rank, promotion or relegation, and how to leave."""
    season = get_season(delivery)
    league, placement = season.league, find_placement(season, delivery.player_id)
    headline = _("Season %(n)d is over") % {"n": season.number}
    lead = []
    if placement and placement.rank:
        division_size = placement.division.placements.count()
        text_args = {"n": placement.rank, "of": division_size, "division": placement.division.number}
        headline += ": " + _("place %(n)d of %(of)d in division %(division)d") % text_args
        lead.append(say_promotion(season, placement))
    if league.is_closed:
        return build_league_draft(league, headline, [_("This was the last season.")])
    is_staying = league.league_members.filter(
        player=delivery.player_id, status=LeagueMember.Status.MEMBER
    ).exists()
    if not is_staying:
        return build_league_draft(league, headline, lead)
    assert season.finished_at
    starts_at = season.finished_at + timedelta(seconds=league.season_pause)
    if starts_at > now:
        lead.append(_("The next season begins on %(when)s.") % {"when": format_local_time(starts_at)})
    lead.append(_("You stay in the league unless you leave it."))
    leave_link = (
        _("Leave the league"),
        links.build_leave_league_url(delivery.player.mail_token, league.code),
    )
    return build_league_draft(league, headline, lead, leave_link)


def say_promotion(season: Season, placement: DivisionPlacement) -> str:
    """Say whether a rank means promotion, relegation or neither, as far as known before members change."""
    divisions = season.divisions.annotate(size=Count("placements")).order_by("number")
    division_sizes, division_no = list(divisions.values_list("size", flat=True)), placement.division.number
    exchange_counts = [
        0,
        *count_exchanges(division_sizes, season.league.promotion_count),
        0,
    ]  # above each division, below the last
    assert placement.rank
    if placement.rank <= exchange_counts[division_no - 1]:
        return _("With this place you go up to division %(n)d.") % {"n": division_no - 1}
    if placement.rank > division_sizes[division_no - 1] - exchange_counts[division_no]:
        return _("With this place you go down to division %(n)d.") % {"n": division_no + 1}
    return _("With this place you stay in your division.")
