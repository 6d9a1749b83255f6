"""The first mail that somebody causes to a player whom they never met: its subject is ours alone."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.mail.compose import how_not_to_be_asked
from games.mail.quoting import Quoted
from games.models import Delivery, Player
from games.selectors.contacts import have_met
from tournaments.models import Event, League, Member, Membership

from .notes import Told

A_TOURNAMENT_WAITS = lazy("A tournament on OTTO online waits for you")
# Kinds of mails that need no doing of the reader's own, and what they are called then.
SUBJECTS = {
    "event-invited": lazy("You are invited to a tournament on OTTO online"),
    "event-partner": lazy("You were entered into a tournament on OTTO online"),
    "league-partner": lazy("You were entered into a league on OTTO online"),
    "event-replaced": lazy("You were given a seat in a tournament on OTTO online"),
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
    """Who made us write: the other one of a pair, else who organises the event; None if nobody is known."""
    if delivery.kind == "league-partner":
        mine = Membership.objects.filter(
            player=delivery.player_id, league__code=delivery.data.get("league", "")
        )
        found = mine.select_related("partner").first()
        return found.partner if found else None
    code = delivery.data.get("event", "")
    if delivery.kind == "event-partner":
        pair = Member.objects.filter(event__code=code, entrant__members__player=delivery.player_id)
        other = pair.exclude(player=delivery.player_id).select_related("player").first()
        return other.player if other else None
    event = Event.objects.filter(code=code).select_related("organiser").first()
    if event is None or event.organiser or event.division_id is None:
        return event.organiser if event else None
    league = League.objects.filter(played__divisions=event.division_id).select_related("organiser").first()
    return league.organiser if league else None
