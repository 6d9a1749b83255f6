"""Drafts of the mails about games of a tournament and seasons of a league: pairings, results, ranks."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.mail.compose import NothingToSend
from games.mail.game_context import format_local_time
from games.models import Delivery
from games.selectors.deadlines import PLAYING_STATUSES
from tournaments import links, text
from tournaments.models import DivisionPlacement, League, LeagueMember, Pairing, Season, Tournament
from tournaments.pairing.league import count_exchanges
from tournaments.selectors import list_seated_entrant_ids
from tournaments.services.game_settings import describe_unplayable_settings
from tournaments.services.leagues import UNPLAYABLE_TERMS
from tournaments.text import leagues as league_text
from tournaments.text import proposals as proposal_text

from .announcements import (
    MailDraft,
    build_answer_link,
    build_page_link,
    build_tournament_draft,
    format_context_line,
    get_proposal,
    quote_text,
)
from .deduplication import list_unreported_results
from .mail_context import MailContext, get_pairing, get_tournament, load_mail_context


def describe_unreported_results(delivery: Delivery, context: MailContext, entrant_id: int) -> list[str]:
    """List the unreported results that this mail includes."""
    lead = []
    games = dict.fromkeys(
        entry.game_id for entry in list_unreported_results(delivery)
    )  # a corrected one has several lines
    for game in games:
        pairing = next(
            (pairing for pairing in context.state.pairings if pairing.game_id == game and pairing.result),
            None,
        )
        if pairing and entrant_id in list_seated_entrant_ids(pairing):
            lead.append(context.say_outcome(pairing, entrant_id) + ".")
            lead += context.list_result_lines(pairing, entrant_id)
    return lead


def build_pairing_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about new games. Raises NothingToSend if all are over."""
    tournament = get_tournament(delivery)
    context = load_mail_context(tournament)
    entrant_id = context.get_entrant(delivery.player_id).pk
    pairings = list_new_pairings(delivery, context, entrant_id)
    if not pairings:
        raise NothingToSend
    lead = [
        *describe_unreported_results(delivery, context, entrant_id),
        say_season_placement(tournament, pairings[0], entrant_id),
    ]
    round_name = context.format_round_name(pairings[0].match)
    if len(pairings) == 1:
        (pairing,) = pairings
        headline = _("You meet %(who)s") % {"who": context.name_opponents(pairing, entrant_id)}
        subject = f"{tournament.name}, {round_name}: {headline}"
        lead += [context.explain_pairing(pairing, entrant_id), context.say_round_end(pairing)]
        button = (_("See the table"), links.build_pairing_url(tournament.code, pairing.pk))
    else:
        game_count = len(pairings)
        headline = ngettext("%(n)d new game", "%(n)d new games", game_count) % {"n": game_count}
        subject = f"{tournament.name}: {headline}"
        lead += [_("They have begun all at once."), context.say_round_end(pairings[0])]
        button = build_page_link(tournament)
    return MailDraft(
        subject,
        headline,
        [line for line in lead if line],
        button,
        tournament.code,
        format_context_line(tournament.name, round_name if len(pairings) == 1 else ""),
        game_codes=tuple(pairing.game.code for pairing in pairings if pairing.game),
        game_reasons=tuple(
            context.explain_pairing(pairing, entrant_id) for pairing in pairings if pairing.game
        ),
    )


def list_new_pairings(delivery: Delivery, context: MailContext, entrant_id: int) -> list[Pairing]:
    """List the reader's unsettled pairings of the round that the mail is about."""
    return [
        pairing
        for pairing in context.state.pairings
        if pairing.published_id == delivery.data.get("published")
        and pairing.settled_at is None
        and (delivery.webhook_id is None or pairing.game_id == delivery.game_id)
        and entrant_id in list_seated_entrant_ids(pairing)
    ]


def build_round_end_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the notice about a new end of a round. Raises NothingToSend if the reader left it."""
    tournament = get_tournament(delivery)
    about = load_mail_context(tournament)
    own_entrant_id = about.get_entrant(delivery.player_id).pk
    pairings = [
        pairing
        for pairing in about.state.pairings
        if pairing.published_id == delivery.data.get("published")
        and pairing.settled_at is None
        and own_entrant_id in list_seated_entrant_ids(pairing)
    ]
    if not pairings or pairings[0].published.ends_at is None:
        raise NothingToSend
    first = delivery.data.get("first")
    headline = _("Your round has an end now") if first else _("Your round ends sooner")
    lead = [
        _("The organiser decided so."),
        quote_text(delivery.data.get("text", "")),
        about.say_round_end(pairings[0]),
    ]
    if len(pairings) > 1:
        return build_tournament_draft(tournament, headline, lead)
    button = (_("See the table"), links.build_pairing_url(tournament.code, pairings[0].pk))
    return build_tournament_draft(
        tournament, headline, lead, button, about.format_round_name(pairings[0].match)
    )


def say_season_placement(tournament: Tournament, pairing: Pairing, entrant_id: int) -> str:
    """Say, in the first round of a season, which division the reader plays in, and why."""
    if not tournament.division or pairing.published.number > 1:
        return ""
    placement = DivisionPlacement.objects.filter(entrant=entrant_id).first()
    text_args = {
        "season": tournament.division.season.number,
        "division": tournament.division.number,
        "why": text.describe_placement(placement.why) if placement else "",
    }
    return _("Season %(season)s has begun: you play in division %(division)s (%(why)s).") % text_args


def build_bye_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about a bye."""
    tournament = get_tournament(delivery)
    context = load_mail_context(tournament)
    entrant_id = context.get_entrant(delivery.player_id).pk
    pairing = get_pairing(delivery, tournament)
    lead = [
        *describe_unreported_results(delivery, context, entrant_id),
        say_season_placement(tournament, pairing, entrant_id),
    ]
    lead += [text.describe_reason(note, context.entrant_names) for note in pairing.reasons[:2]]
    lead.append(_("It counts for you as a win.") if tournament.format == Tournament.Format.SWISS else "")
    headline = _("%(round)s: you have no game") % {"round": context.format_round_name(pairing.match)}
    return build_tournament_draft(tournament, headline, lead)


def build_table_result_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about a result and what follows from it."""
    tournament = get_tournament(delivery)
    context = load_mail_context(tournament)
    entrant_id = context.get_entrant(delivery.player_id).pk
    pairing = get_pairing(delivery, tournament)
    quoted_note = quote_text(
        delivery.data.get("text", "")
    )  # of a correction, unless that was taken back since
    if delivery.data.get("ranks") != (pairing.result or {}).get("ranks"):
        quoted_note = ""
    button = (_("See the table"), links.build_pairing_url(tournament.code, pairing.pk))
    back = _("The organiser has taken a correction of this result back.")
    if pairing.result is None and delivery.data.get("taken_back"):
        headline, lead = describe_missing_result(pairing)
        return build_tournament_draft(
            tournament, headline, [back, *lead], button, context.format_round_name(pairing.match)
        )
    lead = [
        *context.list_result_lines(pairing, entrant_id),
        quoted_note,
        context.say_next_step(pairing, entrant_id),
    ]
    if delivery.data.get("taken_back"):
        lead.insert(0, back)
    return build_tournament_draft(
        tournament,
        context.say_outcome(pairing, entrant_id),
        lead,
        button,
        context.format_round_name(pairing.match),
    )


def describe_missing_result(pairing: Pairing) -> tuple[str, list[str]]:
    """Describe what happens to a pairing without a result. Raises NothingToSend if it is over."""
    if pairing.settled_at:
        lead = [
            _("Its game cannot decide it: it ended, or somebody gave it up, while the table did not count."),
            _("The organiser writes the result."),
        ]
        return _("The organiser decides your table"), lead
    if pairing.game is None or pairing.game.status not in PLAYING_STATUSES:
        raise NothingToSend
    return _("Your game counts again"), [_("It goes on as it stands.")]


def build_table_change_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """A table counts no more, or again without a result. Raises NothingToSend if that has changed since."""
    tournament = get_tournament(delivery)
    void = delivery.data.get("why") == "void"
    pairings = tournament.tables.filter(
        void=void, match=delivery.data.get("match", ""), game=delivery.game_id
    )
    pairing = pairings.select_related("game").order_by("-pk").first()
    if pairing is None or (pairing.result and not void):
        raise NothingToSend
    part = load_mail_context(tournament).format_round_name(pairing.match)
    button = (_("See the table"), links.build_pairing_url(tournament.code, pairing.pk))
    if not void:
        headline, lead = describe_missing_result(pairing)
        return build_tournament_draft(
            tournament, headline, [_("Your table counts again."), *lead], button, part
        )
    lead = [
        _("Something that was decided before has changed: others play this match now, or nobody does."),
        _("If that changes back, your table counts again as it stands."),
    ]
    if pairing.result is None and pairing.game and pairing.game.status in PLAYING_STATUSES:
        lead += [
            _("Until then you may play on there, but for nothing; moves made meanwhile stay made."),
            _("If the game ends in that time, or somebody gives it up, the organiser writes the result."),
        ]
    return build_tournament_draft(tournament, _("Your table does not count any more"), lead, button, part)


def build_tournament_end_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about the end: winner and the reader's rank, also after a correction."""
    tournament = get_tournament(delivery)
    context = load_mail_context(tournament)
    entrant = context.get_entrant(delivery.player_id)
    winner_names = [
        context.entrant_names[entrant.pk] for entrant in context.state.entrants.values() if entrant.rank == 1
    ]
    lead = describe_unreported_results(delivery, context, entrant.pk)
    rank_before = delivery.data.get("before")
    if rank_before == entrant.rank:  # corrected back since
        rank_before = None
    if rank_before:
        lead.append(
            _("A result was corrected after the end. Before that, your place was %(n)d.") % {"n": rank_before}
        )
    if entrant.rank == 1:
        headline = _("Corrected: you have won") if rank_before else _("You have won")
    elif entrant.rank and rank_before:
        ranked_count = sum(entrant.rank is not None for entrant in context.state.entrants.values())
        headline = _("Corrected: place %(n)d of %(of)d for you") % {"n": entrant.rank, "of": ranked_count}
        lead.append(_("The winner: %(who)s.") % {"who": ", ".join(winner_names)} if winner_names else "")
    elif entrant.rank:
        ranked_count = sum(entrant.rank is not None for entrant in context.state.entrants.values())
        headline = _("It is over: place %(n)d of %(of)d for you") % {"n": entrant.rank, "of": ranked_count}
        lead.append(_("The winner: %(who)s.") % {"who": ", ".join(winner_names)} if winner_names else "")
    else:
        headline = _("It is over")
    lead.append(_("All results, and the seed behind every draw, are on its page."))
    return build_tournament_draft(tournament, headline, lead)


# ------------------------------------------------------------------------------------------------- leagues


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
    placements = season.places.select_related("division")
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
    asker_name = proposal.by.name if proposal.by else "–"
    lead = [proposal_text.describe_question_for_mail(proposal), *proposal_text.list_consequences(proposal)]
    draft = build_league_draft(
        proposal.league, _("%(who)s asks you to play as a pair") % {"who": asker_name}, lead
    )
    return replace(draft, button=build_answer_link(delivery, proposal))


def build_league_co_organiser_request(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft of a proposal to co-organise a league. Raises NothingToSend."""
    proposal = get_proposal(delivery)
    if proposal.league is None:
        raise NothingToSend
    text_args = {"who": proposal.by.name if proposal.by else "–"}
    lead = [proposal_text.describe_question_for_mail(proposal), *proposal_text.list_consequences(proposal)]
    draft = build_league_draft(
        proposal.league, _("%(who)s asks you to organise it with them") % text_args, lead
    )
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
        _("A season that has begun is played to its end; in the next one your pair does not play."),
        _("With another partner you can join again."),
    ]
    return build_league_draft(get_league_member(delivery).league, _("Your partner has left"), lead)


def build_league_removal_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft for a player whom an organiser removed from the league. Raises NothingToSend."""
    lead = [
        _("The organiser has removed you from the league."),
        quote_text(delivery.data.get("text", "")),
        _("A season that has begun is played to its end; you do not play in the next one."),
    ]
    return build_league_draft(get_league_member(delivery).league, _("You are out of the league"), lead)


def build_league_held_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """The next season waits for the organiser. Raises NothingToSend."""
    league = League.objects.filter(code=delivery.data.get("league", "")).first()
    if league is None or league.trouble != UNPLAYABLE_TERMS:
        raise NothingToSend
    lead = [league_text.describe_last_error(league.trouble), describe_unplayable_settings(league)]
    draft = build_league_draft(league, _("It waits for you"), lead)
    return replace(draft, button=(_("Decide"), links.build_league_organiser_url(league.code)))


def find_league_held_obsolete_reason(delivery: Delivery, now: datetime) -> str:
    """Why nobody needs to be told any more that a league waits, else ""."""
    league = League.objects.filter(code=delivery.data.get("league", "")).first()
    is_waiting = league is not None and league.trouble == UNPLAYABLE_TERMS
    return "" if is_waiting else _("It was decided meanwhile.")


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
        return build_league_draft(season.league, headline, [_("You do not play in this season.")])
    text_args = {"n": placement.division.number, "why": text.describe_placement(placement.why)}
    lead = [
        _("You play in division %(n)d: %(why)s.") % text_args,
        _("Your first game is told as soon as it is paired."),
    ]
    return build_league_draft(season.league, headline, lead)


def build_season_end_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about the end of a season: rank, promotion or relegation, and how to leave."""
    season = get_season(delivery)
    league, placement = season.league, find_placement(season, delivery.player_id)
    headline = _("Season %(n)d is over") % {"n": season.number}
    lead = []
    if placement and placement.rank:
        division_size = placement.division.places.count()
        text_args = {"n": placement.rank, "of": division_size, "division": placement.division.number}
        headline += ": " + _("place %(n)d of %(of)d in division %(division)d") % text_args
        lead.append(say_promotion(season, placement))
    if league.status == League.Status.CLOSED:
        return build_league_draft(league, headline, [_("It was the last season.")])
    is_staying = league.memberships.filter(
        player=delivery.player_id, status=LeagueMember.Status.MEMBER
    ).exists()
    if not is_staying:
        return build_league_draft(league, headline, lead)
    assert season.finished_at
    starts_at = season.finished_at + timedelta(seconds=league.pause)
    if starts_at > now:
        lead.append(_("The next season begins on %(when)s.") % {"when": format_local_time(starts_at)})
    lead.append(_("You stay in, unless you say otherwise."))
    leave_link = (_("Leave the league"), links.build_leave_league_url(delivery.player.mail_key, league.code))
    return build_league_draft(league, headline, lead, leave_link)


def say_promotion(season: Season, placement: DivisionPlacement) -> str:
    """Say whether a rank means promotion, relegation or neither, as far as known before members change."""
    divisions = season.divisions.annotate(size=Count("places")).order_by("number")
    division_sizes, division_no = list(divisions.values_list("size", flat=True)), placement.division.number
    exchange_counts = [
        0,
        *count_exchanges(division_sizes, season.league.moves),
        0,
    ]  # above each division, below the last
    assert placement.rank
    if placement.rank <= exchange_counts[division_no - 1]:
        return _("By this place you go up to division %(n)d.") % {"n": division_no - 1}
    if placement.rank > division_sizes[division_no - 1] - exchange_counts[division_no]:
        return _("By this place you go down to division %(n)d.") % {"n": division_no + 1}
    return _("By this place you stay in your division.")
