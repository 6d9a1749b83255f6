"""What is told of a tournament before and around its games, kind by kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.mail.compose import Nothing
from games.mail.quoting import Quoted
from games.mail.scene import when
from games.models import Delivery, Player
from tournaments import links, words
from tournaments.models import Appeal, Entrant, Event, Proposal
from tournaments.selectors import name_of
from tournaments.selectors.undecided import UNDECIDED
from tournaments.words import proposals as said

from .known import event_of, known

Link = tuple[str, str]  # what it says, and where it leads


@dataclass(frozen=True)
class Told:
    """A mail before it is a mail."""

    subject: str
    headline: str
    lead: list[str]
    button: Link
    code: str  # of the event or the league: its mails are one thread
    about: str  # what that is called, and which part of it the mail is about
    also: Link | None = None
    games: tuple[str, ...] = ()  # that begin for the reader
    whys: tuple[str, ...] = ()  # for each of them


def told(event: Event, headline: str, lead: list[str], button: Link | None = None, part: str = "") -> Told:
    """A mail about an event, or a part of it."""
    lead = [line for line in lead if line]
    subject, about = f"{event.name}: {headline}", named(event.name, part)
    return Told(subject, headline, lead, button or page(event), event.code, about)


def named(name: str, part: str = "") -> str:
    """What a mail is about, on one line."""
    return " ".join((f"{name}, {part}." if part else f"{name}.").split())


def page(event: Event) -> Link:
    """The page of an event."""
    if event.division:
        league = event.division.season.league
        return _("See the league"), links.league(league.code)
    return _("See the tournament"), links.tournament(event.code)


def starts(event: Event) -> str:
    """When it begins."""
    if event.starts_at:
        return _("It begins on %(when)s.") % {"when": when(event.starts_at)}
    return _("It begins as soon as all places are taken.") if event.when_full else ""


def kind_of(event: Event) -> str:
    """What is played, in a line."""
    return _("What is played: %(format)s.") % {"format": words.format_name(event.format)}


def own_entrant(event: Event, delivery: Delivery) -> Entrant:
    """The reader's entrant, also on the waiting list. Raises Nothing."""
    found = event.entrants.filter(members__player=delivery.player_id)
    entrant = found.prefetch_related("members__player").first()
    if entrant is None:
        raise Nothing
    return entrant


def quoted(text: str) -> str:
    """What somebody wrote, to be marked as theirs; nothing, if it is nothing."""
    return Quoted(text.strip()) if text.strip() else ""


# ------------------------------------------------------------------------------------------- before the start


def invited(delivery: Delivery, now: datetime) -> Told:
    """Somebody may enter."""
    event = event_of(delivery)
    by = event.organiser.name if event.organiser else ""
    lead = [
        _("%(who)s invites you.") % {"who": by} if by else "",
        kind_of(event),
        starts(event),
        _("If you want to play, enter on its page. If not, do nothing."),
    ]
    return told(event, _("You are invited"), lead)


def partner(delivery: Delivery, now: datetime) -> Told:
    """Somebody asks the reader to play as a pair."""
    found = proposal_of(delivery)
    who = found.by.name if found.by else "–"
    event = event_of(delivery)
    lead = [said.question_in_mail(found), kind_of(event), starts(event), *said.consequences(found)]
    return told(
        event, _("%(who)s asks you to play as a pair") % {"who": who}, lead, answer_link(delivery, found)
    )


def replacement(delivery: Delivery, now: datetime) -> Told:
    """An organiser asks the reader to play on for somebody."""
    found = proposal_of(delivery)
    event = event_of(delivery)
    lead = [
        said.question_in_mail(found),
        quoted(found.public_note),
        kind_of(event),
        *said.consequences(found),
    ]
    return told(event, _("Will you play on for somebody?"), lead, answer_link(delivery, found))


def co_organiser(delivery: Delivery, now: datetime) -> Told:
    """Somebody asks the reader to organise an event with them."""
    found = proposal_of(delivery)
    event = event_of(delivery)
    lead = [said.question_in_mail(found), kind_of(event), starts(event), *said.consequences(found)]
    who = {"who": found.by.name if found.by else "–"}
    headline = _("%(who)s asks you to organise it with them") % who
    return told(event, headline, lead, answer_link(delivery, found))


def answered(delivery: Delivery, now: datetime) -> Told:
    """What became of a proposal, for whoever asked; that it has lapsed, for both."""
    found = proposal_of(delivery)
    lead = [said.in_the_log(found)]
    return told(event_of(delivery), said.outcome(found).rstrip("."), lead)


def proposal_of(delivery: Delivery) -> Proposal:
    """The proposal that a mail is about. Raises Nothing."""
    found = Proposal.objects.filter(pk=delivery.data.get("proposal", 0))
    made = found.select_related("event", "league", "by", "player", "predecessor").first()
    if made is None:
        raise Nothing
    return made


def answer_link(delivery: Delivery, found: Proposal) -> Link:
    """One click, and one more on the page: mail scanners open every link."""
    return _("Answer"), links.answer(delivery.player.mail_key, found.pk)


def place(delivery: Delivery, now: datetime) -> Told:
    """From the waiting list into the event, or back into it."""
    event = event_of(delivery)
    entrant = own_entrant(event, delivery)
    if delivery.data.get("why") == "readmitted":
        return told(event, _("You are in again"), [_("The organiser has taken your disqualification back.")])
    lead = [_("A place has become free, and it is yours."), starts(event)]
    button = None
    if event.confirmation and not entrant.confirmed_at and event.status == Event.Status.PUBLISHED:
        lead.append(_("Only those who confirm before the start will play."))
        button = confirm_link(delivery, event)
    return told(event, _("You have a place"), lead, button)


def confirm(delivery: Delivery, now: datetime) -> Told:
    """Will the reader be there?"""
    event = event_of(delivery)
    lead = [starts(event), _("Only those who confirm before the start will play.")]
    return told(event, _("Please confirm that you play"), lead, confirm_link(delivery, event))


def confirm_link(delivery: Delivery, event: Event) -> Link:
    """One click, and one more on the page: mail scanners open every link."""
    return _("I will play"), links.confirm(delivery.player.mail_key, event.code)


def start(delivery: Delivery, now: datetime) -> Told:
    """It has begun, with the reader or without."""
    event = event_of(delivery)
    entrant = own_entrant(event, delivery)
    if entrant.status == Entrant.Status.WAITING:
        return told(
            event, _("It has begun without you"), [_("No place became free. Perhaps there is one next time.")]
        )
    if entrant.status != Entrant.Status.ENTERED:
        return told(event, _("It has begun without you"), [_("You had not confirmed that you would play.")])
    n = event.entrants.filter(status=Entrant.Status.ENTERED).count()
    lead = [
        kind_of(event),
        ngettext("%(n)d takes part.", "%(n)d take part.", n) % {"n": n},
        _("Your first game is told as soon as it is paired."),
    ]
    return told(event, _("It has begun"), lead)


# ------------------------------------------------------------------------------------------- what is decided


def cancelled(delivery: Delivery, now: datetime) -> Told:
    """It came to nothing."""
    event = event_of(delivery)
    lead = [quoted(delivery.data.get("text", ""))]
    if event.started_at:
        lead.append(_("Whoever likes may play the games that run to their end, but for nothing."))
    return told(event, _("It was cancelled"), lead)


def out(delivery: Delivery, now: datetime) -> Told:
    """The reader plays no more."""
    event = event_of(delivery)
    note = quoted(delivery.data.get("text", ""))
    if delivery.data.get("why") == "replaced":
        by_whom = _("The organiser decided so.") if "text" in delivery.data else _("You had left your place.")
        return told(event, _("Somebody else plays for you now"), [by_whom, note])
    if delivery.data.get("why") == "put-back":
        return told(
            event, _("You do not play on there"), [_("The organiser has taken the replacement back.")]
        )
    if delivery.data.get("why") == "parted":
        return told(event, _("Your partner has left"), [_("Your pair does not play any more.")])
    if delivery.data.get("why") == "removed":
        lead = [
            _("The organiser has taken you off the list of entrants."),
            note,
            _("You can enter again only if the organiser invites you."),
        ]
        return told(event, _("You do not take part any more"), lead)
    lead = [_("The organiser has disqualified you."), note, _("Your games that run are resigned.")]
    return told(event, _("You are out"), lead)


def replaced(delivery: Delivery, now: datetime) -> Told:
    """The reader takes over, or plays again as nobody else does so for them."""
    event = event_of(delivery)
    entrant = own_entrant(event, delivery)
    plays_as = _("You play as: %(name)s.") % {"name": name_of(entrant)}
    if delivery.data.get("why") == "put-back":
        headline = _("You play again yourself")
        lead = [
            _("The organiser has taken the replacement back: nobody else plays for you."),
            _("Your games go on as they stand, with the same hand, points and clock."),
        ]
    else:
        headline = _("You play for somebody who has left")
        lead = [
            _("You take over a seat with everything that is there: hand, points and clock."),
            _("You see the cards of a running game once you take its seat for good, on its page."),
        ]
    made = told(event, headline, [*lead, plays_as if len(entrant.members.all()) > 1 else ""])
    games = tuple(delivery.data.get("games", ()))
    return replace(made, games=games)


def newcomer(delivery: Delivery, now: datetime) -> Told:
    """Somebody else plays at the reader's table, or with them."""
    event = event_of(delivery)
    data = delivery.data
    people = Player.objects.in_bulk([pk for pk in (data.get("player"), data.get("predecessor")) if pk])
    new, old = (people.get(data.get(name)) for name in ("player", "predecessor"))
    if new is None:
        raise Nothing
    facts = {"new": new.name, "old": old.name if old else _("somebody who has left")}
    lead = [
        _("%(new)s plays on for %(old)s, with the same hand, points and clock.") % facts,
        _("Results of games that were over by then stay with whoever played them."),
    ]
    return told(event, _("%(new)s plays on for %(old)s") % facts, lead)


def held(delivery: Delivery, now: datetime) -> Told:
    """The organiser is asked."""
    event = event_of(delivery)
    names = known(event).names
    lead = [words.held(event.held)] + [words.warning(note, names) for note in event.warnings]
    lead.append(
        _("It goes on when you have written it.")
        if event.held == UNDECIDED
        else _("It goes on when you say so.")
    )
    return told(event, _("It waits for you"), lead, (_("Decide"), links.desk(event.code)))


def appeal(delivery: Delivery, now: datetime) -> Told:
    """Somebody asks for a look at a table; or the answer to that."""
    event = event_of(delivery)
    found = Appeal.objects.filter(pk=delivery.data.get("appeal", 0), table__event=event)
    made = found.select_related("by", "table").first()
    if made is None:
        raise Nothing
    about = {"match": words.match_name(made.table.match, known(event).rounds)}
    if delivery.data.get("answered"):
        lead = [
            _("You had appealed (%(match)s):") % about,
            quoted(made.text),
            _("The answer:"),
            quoted(made.answer) or "–",
        ]
        button = (_("See the table"), links.table(event.code, made.table.pk))
        return told(event, _("Your appeal was answered"), lead, button)
    who = made.by.name if made.by else "–"
    lead = [
        _("It is about: %(match)s.") % about,
        quoted(made.text),
        _("The page of the table shows what was sent to whom, and when."),
    ]
    button = (_("Answer"), links.desk(event.code, "appeals/"))
    return told(event, _("%(who)s appeals") % {"who": who}, lead, button)
