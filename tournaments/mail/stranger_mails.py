"""First mails that a stranger causes: the subject contains only our own words."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.selectors.contacts import have_met
from games.mail.compose import build_stranger_opt_out
from notifications.channels.email.quoting import QuotedText
from notifications.models import Delivery
from tournaments.models import League, Proposal, Tournament

from .announcements import MailDraft, end_sentence


def replace_stranger_subject(draft: MailDraft, delivery: Delivery, own_subject: str) -> MailDraft:
    """Give a draft caused by a stranger our own subject, and mark their words as quotes."""
    if delivery.data.get("answered"):  # the reader asked first
        return draft
    sender = find_sender(delivery)
    if sender is None or have_met(delivery.player, sender):
        return draft
    introduction = _("A player called “%(who)s” asked us to write to you. It is about:") % {
        "who": sender.name
    }
    quoted_name, headline = QuotedText(draft.context_line), end_sentence(draft.headline)
    lead = [introduction, quoted_name, headline, *draft.lead, *build_stranger_opt_out()]
    return replace(draft, subject=own_subject, headline=own_subject, lead=lead, context_line="")


def find_sender(delivery: Delivery) -> Player | None:
    """Return who caused a mail: the author of the proposal, otherwise the organiser; None if unknown."""
    if "proposal" in delivery.data:
        proposal = Proposal.objects.filter(pk=delivery.data["proposal"]).select_related("proposer").first()
        return proposal.proposer if proposal else None
    code = delivery.data.get("tournament", "")
    tournament = Tournament.objects.filter(code=code).select_related("organiser").first()
    if tournament is None or tournament.organiser or tournament.division_id is None:
        return tournament.organiser if tournament else None
    league = (
        League.objects.filter(seasons__divisions=tournament.division_id).select_related("organiser").first()
    )
    return league.organiser if league else None
