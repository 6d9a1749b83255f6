"""Drafts of the mails about the games of a tournament: pairings, round ends, byes, results, final ranks."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.game_notice import find_game_code
from notifications.models import Delivery
from notifications.notice_kinds import NothingToSend
from tournaments import links, text
from tournaments.models import DivisionPlacement, Pairing, Tournament
from tournaments.notice_kinds import NoticeReason
from tournaments.selectors import list_seated_entrant_ids

from .announcements import (
    MailDraft,
    build_page_link,
    build_tournament_draft,
    format_context_line,
    quote_text,
)
from .deduplication import list_unreported_results
from .mail_context import MailContext, get_pairing, get_tournament, load_mail_context


def describe_unreported_results(delivery: Delivery, context: MailContext, entrant_id: int) -> list[str]:
    """List the unreported results that this mail includes."""
    lead = []
    topics = dict.fromkeys(
        entry.topic for entry in list_unreported_results(delivery)
    )  # a corrected one has several lines
    for topic in topics:
        pairing = next(
            (
                pairing
                for pairing in context.state.pairings
                if pairing.game and pairing.game.topic == topic and pairing.result
            ),
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
        headline = _("You play %(who)s") % {"who": context.name_opponents(pairing, entrant_id)}
        subject = f"{tournament.name}, {round_name}: {headline}"
        lead += [context.explain_pairing(pairing, entrant_id), context.say_round_end(pairing)]
        button = (_("See the table"), links.build_pairing_url(tournament.code, pairing.pk))
    else:
        game_count = len(pairings)
        headline = ngettext("%(n)d new game", "%(n)d new games", game_count) % {"n": game_count}
        subject = f"{tournament.name}: {headline}"
        lead += [_("They have all begun."), context.say_round_end(pairings[0])]
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
        if pairing.round_id == delivery.data.get("round_id")
        and pairing.settled_at is None
        and (delivery.webhook_id is None or (pairing.game and pairing.game.topic == delivery.topic))
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
        if pairing.round_id == delivery.data.get("round_id")
        and pairing.settled_at is None
        and own_entrant_id in list_seated_entrant_ids(pairing)
    ]
    if not pairings or pairings[0].round.ends_at is None:
        raise NothingToSend
    first = delivery.data.get("first")
    headline = _("Your round now has a deadline") if first else _("The deadline of your round is earlier now")
    lead = [
        _("The organiser decided this."),
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
    if not tournament.division or pairing.round.number > 1:
        return ""
    placement = DivisionPlacement.objects.filter(entrant=entrant_id).first()
    text_args = {
        "season": tournament.division.season.number,
        "division": tournament.division.number,
        "why": text.describe_placement(placement.reason) if placement else "",
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
    lead.append(_("It counts as a win for you.") if tournament.format == Tournament.Format.SWISS else "")
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
    back = _("The organiser has withdrawn a correction of this result.")
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
            _(
                "The game ended, or a side resigned, while the table did not count. So it cannot decide the"
                " result."
            ),
            _("The organiser enters the result."),
        ]
        return _("The organiser decides your result"), lead
    if pairing.game is None or not pairing.game.is_playing:
        raise NothingToSend
    return _("Your game counts again"), [_("It continues where it stopped.")]


def build_table_change_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about a void or restored pairing without a result. Raises NothingToSend."""
    tournament = get_tournament(delivery)
    is_void = delivery.data.get("reason") == NoticeReason.VOID
    pairings = tournament.pairings.filter(
        is_void=is_void,
        match=delivery.data.get("match", ""),
        game__code=find_game_code(delivery),
    )
    pairing = pairings.select_related("game").order_by("-pk").first()
    if pairing is None or (pairing.result and not is_void):
        raise NothingToSend
    part = load_mail_context(tournament).format_round_name(pairing.match)
    button = (_("See the table"), links.build_pairing_url(tournament.code, pairing.pk))
    if not is_void:
        headline, lead = describe_missing_result(pairing)
        return build_tournament_draft(
            tournament, headline, [_("Your table counts again."), *lead], button, part
        )
    lead = [
        _("An earlier result has changed: others now play this match, or nobody does."),
        _("If the result changes back, your table counts again."),
    ]
    if pairing.result is None and pairing.game and pairing.game.is_playing:
        lead += [
            _("Until then you can play on, but it does not count. Your moves stay."),
            _("If the game ends in that time, or a side resigns, the organiser enters the result."),
        ]
    return build_tournament_draft(tournament, _("Your table no longer counts"), lead, button, part)


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
            _("The organiser corrected a result after the end. Your place was %(n)d.") % {"n": rank_before}
        )
    if entrant.rank == 1:
        headline = _("Corrected: you have won") if rank_before else _("You have won")
    elif entrant.rank and rank_before:
        ranked_count = sum(entrant.rank is not None for entrant in context.state.entrants.values())
        headline = _("Corrected: your place is %(n)d of %(of)d") % {"n": entrant.rank, "of": ranked_count}
        lead.append(_("Winner: %(who)s.") % {"who": ", ".join(winner_names)} if winner_names else "")
    elif entrant.rank:
        ranked_count = sum(entrant.rank is not None for entrant in context.state.entrants.values())
        headline = _("Your final place: %(n)d of %(of)d") % {"n": entrant.rank, "of": ranked_count}
        lead.append(_("Winner: %(who)s.") % {"who": ", ".join(winner_names)} if winner_names else "")
    else:
        headline = _("It is over")
    lead.append(_("The tournament’s page has all results, and the seed behind every draw."))
    return build_tournament_draft(tournament, headline, lead)
