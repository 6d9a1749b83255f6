"""Drafts of the mails about a tournament around its games, one function per notice kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.mail.game_context import format_local_time
from notifications.channels.email.quoting import QuotedText
from notifications.models import Delivery
from notifications.notice_kinds import NothingToSend
from tournaments import links, text
from tournaments.models import Appeal, Entrant, Proposal, Tournament
from tournaments.notice_kinds import NoticeReason
from tournaments.permissions import find_confirmation_refusal
from tournaments.selectors import get_entrant_name
from tournaments.text import proposals as proposal_text

from .mail_context import get_tournament, load_mail_context

Link = tuple[str, str]  # label, URL


@dataclass(frozen=True)
class MailDraft:
    """The content of a mail before it is rendered."""

    subject: str
    headline: str
    lead: list[str]
    button: Link
    code: str  # of the tournament or league, whose mails form one thread
    context_line: str  # name of the tournament or league, and the part concerned
    extra_link: Link | None = None
    game_codes: tuple[str, ...] = ()  # codes of the reader's new games
    game_reasons: tuple[str, ...] = ()  # why each was paired


def build_tournament_draft(
    tournament: Tournament, headline: str, lead: list[str], button: Link | None = None, part: str = ""
) -> MailDraft:
    """Build a draft about a tournament, or a part of it."""
    lead = [line for line in lead if line]
    subject, context_line = f"{tournament.name}: {headline}", format_context_line(tournament.name, part)
    return MailDraft(
        subject, headline, lead, button or build_page_link(tournament), tournament.code, context_line
    )


def end_sentence(text: str) -> str:
    """A headline as a sentence: with a full stop, unless it ends in a mark of its own."""
    return text if text.endswith(("?", "!", ".")) else f"{text}."


def format_context_line(name: str, part: str = "") -> str:
    """Return what a mail is about, on one line."""
    return " ".join((f"{name}, {part}." if part else f"{name}.").split())


def build_page_link(tournament: Tournament) -> Link:
    """Return the link to the page of a tournament, or of its league."""
    if tournament.division:
        league = tournament.division.season.league
        return _("See the league"), links.build_league_url(league.code)
    return _("See the tournament"), links.build_tournament_url(tournament.code)


def say_start(tournament: Tournament) -> str:
    """Say when the tournament begins."""
    if tournament.starts_at:
        return _("It begins on %(when)s.") % {"when": format_local_time(tournament.starts_at)}
    return _("It begins as soon as all places are taken.") if tournament.when_full else ""


def say_format(tournament: Tournament) -> str:
    """Say the format."""
    return _("Format: %(format)s.") % {"format": text.label_format(tournament.format)}


def get_own_entrant(tournament: Tournament, delivery: Delivery) -> Entrant:
    """Return the reader's entrant, also on the waitlist. Raises NothingToSend."""
    entrants = tournament.entrants.filter(entrant_players__player=delivery.player_id)
    entrant = entrants.prefetch_related("entrant_players__player").first()
    if entrant is None:
        raise NothingToSend
    return entrant


def quote_text(text: str) -> str:
    """Mark a text as somebody's own words; "" stays empty."""
    return QuotedText(text.strip()) if text.strip() else ""


# ------------------------------------------------------------------------------------------- before the start


def build_invitation(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft of an invitation."""
    tournament = get_tournament(delivery)
    organiser_name = tournament.organiser.name if tournament.organiser else ""
    lead = [
        say_format(tournament),
        say_start(tournament),
        _("To play, enter on the tournament’s page. If you do not want to play, ignore this mail."),
    ]
    headline = _("%(who)s invites you") % {"who": organiser_name} if organiser_name else _("You are invited")
    return build_tournament_draft(tournament, headline, lead)


def build_partner_request(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft of a proposal to play as a pair."""
    proposal = get_proposal(delivery)
    asker_name = proposal.proposer.name if proposal.proposer else "–"
    tournament = get_tournament(delivery)
    lead = [
        say_format(tournament),
        say_start(tournament),
        *proposal_text.list_consequences(proposal),
    ]
    return build_tournament_draft(
        tournament,
        _("%(who)s invites you to play as a pair") % {"who": asker_name},
        lead,
        build_answer_link(delivery, proposal),
    )


def build_replacement_request(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft of a proposal to replace a player."""
    proposal = get_proposal(delivery)
    tournament = get_tournament(delivery)
    lead = [
        proposal_text.describe_replacement_question(proposal),
        quote_text(proposal.public_note),
        say_format(tournament),
        *proposal_text.list_consequences(proposal),
    ]
    return build_tournament_draft(
        tournament, _("Will you take over a seat?"), lead, build_answer_link(delivery, proposal)
    )


def build_co_organiser_request(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft of a proposal to co-organise a tournament."""
    proposal = get_proposal(delivery)
    tournament = get_tournament(delivery)
    lead = [
        say_format(tournament),
        say_start(tournament),
        *proposal_text.list_consequences(proposal),
    ]
    text_args = {"who": proposal.proposer.name if proposal.proposer else "–"}
    headline = _("%(who)s asks you to co-organise") % text_args
    return build_tournament_draft(tournament, headline, lead, build_answer_link(delivery, proposal))


def build_proposal_answer(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about the outcome of a proposal: for its author, or for both if it lapsed."""
    proposal = get_proposal(delivery)
    lead = [proposal_text.describe_proposal_to_others(proposal)]
    return build_tournament_draft(
        get_tournament(delivery), proposal_text.describe_outcome(proposal).rstrip("."), lead
    )


def get_proposal(delivery: Delivery) -> Proposal:
    """Return the proposal of a mail. Raises NothingToSend."""
    proposals = Proposal.objects.filter(pk=delivery.data.get("proposal", 0))
    proposal = proposals.select_related("tournament", "league", "proposer", "player", "predecessor").first()
    if proposal is None:
        raise NothingToSend
    return proposal


def build_answer_link(delivery: Delivery, proposal: Proposal) -> Link:
    """Return the link to the answer page, where a second click answers: mail scanners open links."""
    return _("Answer"), links.build_answer_proposal_url(delivery.player.mail_token, proposal.pk)


def build_place_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """From the waiting list into the tournament, or back into it."""
    tournament = get_tournament(delivery)
    entrant = get_own_entrant(tournament, delivery)
    if delivery.data.get("reason") == NoticeReason.READMITTED:
        return build_tournament_draft(
            tournament, _("You are back in"), [_("The organiser has lifted your disqualification.")]
        )
    lead = [_("A place became free, and it is yours."), say_start(tournament)]
    button = None
    if not find_confirmation_refusal(tournament, entrant):
        lead.append(_("Confirm before the start, or you will not play."))
        button = build_confirm_link(delivery, tournament)
    return build_tournament_draft(tournament, _("You have a place"), lead, button)


def build_confirmation_request(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft that asks for confirmation of the entry."""
    tournament = get_tournament(delivery)
    lead = [say_start(tournament), _("Confirm before the start, or you will not play.")]
    return build_tournament_draft(
        tournament, _("Confirm that you will play"), lead, build_confirm_link(delivery, tournament)
    )


def build_confirm_link(delivery: Delivery, tournament: Tournament) -> Link:
    """Return the link to the confirmation page, where a second click confirms: mail scanners open links."""
    return _("I will play"), links.build_confirm_url(delivery.player.mail_token, tournament.code)


def build_start_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about the start, with or without the reader."""
    tournament = get_tournament(delivery)
    entrant = get_own_entrant(tournament, delivery)
    if entrant.status == Entrant.Status.WAITING:
        return build_tournament_draft(
            tournament,
            _("It has begun without you"),
            [_("No place became free this time.")],
        )
    if entrant.status != Entrant.Status.ENTERED:
        return build_tournament_draft(
            tournament, _("It has begun without you"), [_("You did not confirm that you would play.")]
        )
    entrant_count = tournament.entrants.filter(status=Entrant.Status.ENTERED).count()
    lead = [
        say_format(tournament),
        ngettext("%(n)d entrant.", "%(n)d entrants.", entrant_count) % {"n": entrant_count},
        _("We will write when your first game is ready."),
    ]
    return build_tournament_draft(tournament, _("It has begun"), lead)


# -------------------------------------------------------------------------------------------------- decisions


def build_cancellation(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about a cancelled tournament."""
    tournament = get_tournament(delivery)
    lead = [quote_text(delivery.data.get("text", ""))]
    if tournament.started_at:
        lead.append(_("You can finish your running games, but they no longer count."))
    return build_tournament_draft(tournament, _("Tournament cancelled"), lead)


def build_exclusion_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft for a player who no longer plays, by the reason in the delivery."""
    tournament = get_tournament(delivery)
    quoted_note = quote_text(delivery.data.get("text", ""))
    if delivery.data.get("reason") == NoticeReason.REPLACED:
        explanation = (
            _("The organiser decided this.") if "text" in delivery.data else _("You gave up your place.")
        )
        return build_tournament_draft(
            tournament, _("Somebody else plays for you now"), [explanation, quoted_note]
        )
    if delivery.data.get("reason") == NoticeReason.PUT_BACK:
        return build_tournament_draft(
            tournament,
            _("You are no longer taking over the seat"),
            [_("The organiser has withdrawn the replacement.")],
        )
    if delivery.data.get("reason") == NoticeReason.PARTED:
        return build_tournament_draft(
            tournament, _("Your partner has left"), [_("Your pair no longer plays.")]
        )
    if delivery.data.get("reason") == NoticeReason.REMOVED:
        lead = [
            _("The organiser has removed you from the entrants."),
            quoted_note,
            _("You can enter again only if the organiser invites you."),
        ]
        return build_tournament_draft(tournament, _("You no longer take part"), lead)
    lead = [
        _("The organiser has disqualified you."),
        quoted_note,
        _("You have resigned from your running games."),
    ]
    return build_tournament_draft(tournament, _("You are out"), lead)


def build_takeover_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft for a player who replaces somebody, or whose own replacement was undone."""
    tournament = get_tournament(delivery)
    entrant = get_own_entrant(tournament, delivery)
    plays_as = _("You play as: %(name)s.") % {"name": get_entrant_name(entrant)}
    if delivery.data.get("reason") == NoticeReason.PUT_BACK:
        headline = _("You play again")
        lead = [
            _("The organiser has withdrawn the replacement: nobody else plays for you."),
            _("Your games continue where they are, with the same cards, points and clock."),
        ]
    else:
        headline = _("You take over a seat")
        lead = [
            _("The seat comes with its cards, points and clock."),
            _("In a running game you see the cards once you take the seat for good, on the game’s page."),
        ]
    draft = build_tournament_draft(
        tournament, headline, [*lead, plays_as if len(entrant.entrant_players.all()) > 1 else ""]
    )
    game_codes = tuple(delivery.data.get("games", ()))
    return replace(draft, game_codes=game_codes)


def build_newcomer_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft for opponents and partner of a replaced player. Raises NothingToSend."""
    tournament = get_tournament(delivery)
    data = delivery.data
    players_by_id = Player.objects.in_bulk(
        [player_id for player_id in (data.get("player"), data.get("predecessor")) if player_id]
    )
    new_player, predecessor = (players_by_id.get(data.get(role)) for role in ("player", "predecessor"))
    if new_player is None:
        raise NothingToSend
    text_args = {
        "new": new_player.name,
        "old": predecessor.name if predecessor else _("a player who left"),
    }
    lead = [
        _("The cards, the points and the clock stay the same."),
        _("Results of finished games stay with the player who played them."),
    ]
    return build_tournament_draft(tournament, _("%(new)s replaces %(old)s") % text_args, lead)


def build_hold_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft for the organiser of a tournament on hold."""
    tournament = get_tournament(delivery)
    entrant_names = load_mail_context(tournament).entrant_names
    lead = [text.describe_hold_reason(tournament.hold_reason)] + [
        text.describe_warning(note, entrant_names) for note in tournament.warnings
    ]
    lead.append(
        _("The tournament goes on once you enter the result.")
        if tournament.hold_reason == Tournament.HoldReason.UNDECIDED_TABLE
        else _("The tournament goes on once you decide.")
    )
    return build_tournament_draft(
        tournament, name_hold(tournament), lead, (_("Decide"), links.build_organiser_url(tournament.code))
    )


def name_hold(tournament: Tournament) -> str:
    """Name what a tournament on hold needs from its organiser."""
    match Tournament.HoldReason(tournament.hold_reason):
        case Tournament.HoldReason.UNDECIDED_TABLE:
            return _("A result is missing")
        case Tournament.HoldReason.TOO_FEW | Tournament.HoldReason.TOO_MANY_GAMES:
            return _("The start needs your decision")
        case Tournament.HoldReason.STALE_AT_END:
            return _("The end needs your decision")
    return _("Round %(n)d needs your OK") % {"n": tournament.rounds.count() + 1}


def build_appeal_notice(delivery: Delivery, now: datetime) -> MailDraft:
    """Build the draft about an appeal, or about its answer. Raises NothingToSend."""
    tournament = get_tournament(delivery)
    appeals = Appeal.objects.filter(pk=delivery.data.get("appeal", 0), pairing__tournament=tournament)
    appeal = appeals.select_related("created_by", "pairing").first()
    if appeal is None:
        raise NothingToSend
    text_args = {
        "match": text.format_match_name(appeal.pairing.match, load_mail_context(tournament).round_count)
    }
    if delivery.data.get("answered"):
        lead = [
            _("Your appeal (%(match)s):") % text_args,
            quote_text(appeal.text),
            _("The organiser’s answer:"),
            quote_text(appeal.answer) or "–",
        ]
        button = (_("See the table"), links.build_pairing_url(tournament.code, appeal.pairing.pk))
        return build_tournament_draft(tournament, _("The organiser answered your appeal"), lead, button)
    author_name = appeal.created_by.name if appeal.created_by else "–"
    lead = [
        _("Table: %(match)s.") % text_args,
        quote_text(appeal.text),
        _("The table’s page shows what we sent to whom, and when."),
    ]
    button = (_("Answer"), links.build_organiser_url(tournament.code, "appeals/"))
    return build_tournament_draft(tournament, _("%(who)s appeals") % {"who": author_name}, lead, button)
