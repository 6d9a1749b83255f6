"""First mails that a stranger causes: the subject contains only our own words."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.mail.compose import build_stranger_opt_out
from games.mail.quoting import QuotedText
from games.models import Delivery, Player
from games.selectors.contacts import have_met
from tournaments.models import League, Proposal, Tournament

from .announcements import MailDraft

CO_ORGANISER_SUBJECT = lazy("You are asked to organise something on OTTO online")
PROPOSAL_ANSWER_SUBJECT = lazy("News of a request on OTTO online")
ORGANISER_NEEDED_SUBJECT = lazy("A tournament on OTTO online waits for you")
# Notice kinds that strangers can cause, and their subjects.
SUBJECTS_BY_KIND = {
    "event-invited": lazy("You are invited to a tournament on OTTO online"),
    "event-partner": lazy("You are asked to play as a pair on OTTO online"),
    "league-partner": lazy("You are asked to play as a pair on OTTO online"),
    "event-replacement": lazy("You are asked to take over a seat on OTTO online"),
    "event-co-organiser": CO_ORGANISER_SUBJECT,
    "league-co-organiser": CO_ORGANISER_SUBJECT,
    "event-answered": PROPOSAL_ANSWER_SUBJECT,
    "league-answered": PROPOSAL_ANSWER_SUBJECT,
    "event-held": ORGANISER_NEEDED_SUBJECT,
    "event-appeal": ORGANISER_NEEDED_SUBJECT,
}


def replace_stranger_subject(draft: MailDraft, delivery: Delivery) -> MailDraft:
    """Give a draft caused by a stranger our own subject, and mark their words as quotes."""
    if delivery.kind not in SUBJECTS_BY_KIND or delivery.data.get("answered"):  # the reader asked first
        return draft
    sender = find_sender(delivery)
    if sender is None or have_met(delivery.player, sender):
        return draft
    introduction = _("We write because of a player who goes by “%(who)s”. It is about:") % {
        "who": sender.name
    }
    lead = [introduction, QuotedText(draft.context_line), *draft.lead, *build_stranger_opt_out()]
    subject = str(SUBJECTS_BY_KIND[delivery.kind])
    return replace(draft, subject=subject, headline=subject, lead=lead, context_line="")


def find_sender(delivery: Delivery) -> Player | None:
    """Return who caused a mail: the author of the proposal, otherwise the organiser; None if unknown."""
    if "proposal" in delivery.data:
        proposal = Proposal.objects.filter(pk=delivery.data["proposal"]).select_related("by").first()
        return proposal.by if proposal else None
    code = delivery.data.get("event", "")
    tournament = Tournament.objects.filter(code=code).select_related("organiser").first()
    if tournament is None or tournament.organiser or tournament.division_id is None:
        return tournament.organiser if tournament else None
    league = (
        League.objects.filter(played__divisions=tournament.division_id).select_related("organiser").first()
    )
    return league.organiser if league else None
