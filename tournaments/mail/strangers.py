"""The first mail that somebody causes to a player whom they never met: its subject is ours alone."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.mail.compose import how_not_to_be_asked
from games.mail.quoting import Quoted
from games.models import Delivery, Player
from games.selectors.contacts import have_met
from tournaments.models import Event, League, Proposal

from .notes import Told

ASKED_TO_ORGANISE = lazy("You are asked to organise something on OTTO online")
NEWS_OF_A_REQUEST = lazy("News of a request on OTTO online")
A_TOURNAMENT_WAITS = lazy("A tournament on OTTO online waits for you")
# Kinds of mails that need no doing of the reader's own, and what they are called then.
SUBJECTS = {
    "event-invited": lazy("You are invited to a tournament on OTTO online"),
    "event-partner": lazy("You are asked to play as a pair on OTTO online"),
    "league-partner": lazy("You are asked to play as a pair on OTTO online"),
    "event-replacement": lazy("You are asked to take over a seat on OTTO online"),
    "event-co-organiser": ASKED_TO_ORGANISE,
    "league-co-organiser": ASKED_TO_ORGANISE,
    "event-answered": NEWS_OF_A_REQUEST,
    "league-answered": NEWS_OF_A_REQUEST,
    "event-held": A_TOURNAMENT_WAITS,
    "event-appeal": A_TOURNAMENT_WAITS,
}


def in_our_words(told: Told, delivery: Delivery) -> Told:
    """The same mail; if a stranger causes it, with our subject, and with their words marked as theirs."""
    if delivery.kind not in SUBJECTS or delivery.data.get("answered"):  # who gets an answer has asked
        return told
    sender = sender_of(delivery)
    if sender is None or have_met(delivery.player, sender):
        return told
    who = _("We write because of a player who goes by “%(who)s”. It is about:") % {"who": sender.name}
    lead = [who, Quoted(told.about), *told.lead, *how_not_to_be_asked()]
    subject = str(SUBJECTS[delivery.kind])
    return replace(told, subject=subject, headline=subject, lead=lead, about="")


def sender_of(delivery: Delivery) -> Player | None:
    """Who made us write: who proposes something, else who organises the event; None if nobody is known."""
    if "proposal" in delivery.data:
        proposal = Proposal.objects.filter(pk=delivery.data["proposal"]).select_related("by").first()
        return proposal.by if proposal else None
    code = delivery.data.get("event", "")
    event = Event.objects.filter(code=code).select_related("organiser").first()
    if event is None or event.organiser or event.division_id is None:
        return event.organiser if event else None
    league = League.objects.filter(played__divisions=event.division_id).select_related("organiser").first()
    return league.organiser if league else None
