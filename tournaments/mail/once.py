"""One mail for one moment: who is told of a new game is not told of its first turn as well.

Looked at when a mail is sent, by what stands in the player's feed: whatever was written together is told
together, and what no other mail will tell is told on its own.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games import kinds
from games.models import Delivery
from games.models import Event as Line
from tournaments.models import Appeal, Entrant, Event, League, Membership, Proposal, Season

BEGINNINGS, NEWS = ("turn", "started"), ("event-pairing", "event-bye", "event-end")
PLAYED = ("event-pairing", "event-bye")
NEAR = timedelta(days=1)
LOOKED_AT = 20  # lines of a feed
MAX_TRIES_WAITED_FOR = 1  # of a tournament's mail: one that fails again and again must not keep a turn quiet


def lines(delivery: Delivery, *found: str) -> QuerySet[Line]:
    """A player's lines of some kinds that they want mails of."""
    wanted = [kind for kind in found if kinds.wanted(delivery.player, kind)]
    return Line.objects.filter(player=delivery.player_id, kind__in=wanted)


def own_line(delivery: Delivery) -> Line | None:
    """The line that a mail was made of; of several the first."""
    if delivery.kind == "event-pairing":
        same = Line.objects.filter(player=delivery.player_id, kind=delivery.kind, game=delivery.game_id)
        return same.order_by("pk").first()
    return Line.objects.filter(player=delivery.player_id, reason=delivery.reason).first()


def also_said(delivery: Delivery) -> str:
    """Why a mail about a game is not needed: one of a tournament says the same; else ""."""
    said = False
    if delivery.kind == "over":
        said = lines(delivery, "event-result").filter(game=delivery.game_id).exists()
    elif delivery.kind in BEGINNINGS and (own := own_line(delivery)):
        said = any(tells_of_beginning(line, delivery, own) for line in beginnings(delivery, own))
    return _("The mail about your tournament says it, too.") if said else ""


def beginnings(delivery: Delivery, own: Line) -> list[Line]:
    """The lines that told a player of the game of a mail, as it began or was taken over."""
    code = delivery.game.code if delivery.game else ""
    earlier = lines(delivery, "event-pairing", "event-replaced").filter(at__lte=own.at)
    about = Q(game=delivery.game_id) | Q(kind="event-replaced")
    found = earlier.filter(about).order_by("-pk")[:LOOKED_AT]
    return [one for one in found if one.game_id == delivery.game_id or code in one.data.get("games", ())]


def tells_of_beginning(line: Line, delivery: Delivery, own: Line) -> bool:
    """Whether the mail of a tournament that a line makes tells what a mail about the game would.

    One that is still to come shows the game as it is then, with the turn that its reader is at.
    """
    if line.due_at is not None:
        return True
    mail = Delivery.objects.filter(
        player=delivery.player_id, reason=reason_of_mail(line), webhook=None
    ).first()
    if mail is None:
        return False
    if mail.status == Delivery.Status.WAITING:
        return mail.tries <= MAX_TRIES_WAITED_FOR
    if mail.status not in (Delivery.Status.SENT, Delivery.Status.UNCERTAIN):
        return False
    shown = mail.data.get("shown_turns")
    if shown is None:  # sent before this was written down, or perhaps sent
        return line.at == own.at
    code = delivery.game.code if delivery.game else ""
    return code in shown and (delivery.kind == "started" or shown[code] == delivery.data.get("seq"))


def reason_of_mail(line: Line) -> str:
    """What the mail of a line is made for: one tells of all games of a round."""
    if line.kind == "event-pairing":
        return f"{line.data['event']}:published:{line.data['published']}"
    return line.reason


def untold(delivery: Delivery) -> list[Line]:
    """Results of an event that have come since its last news and that no mail has told."""
    own = own_line(delivery)
    if own is None or not kinds.wanted(delivery.player, "event-result"):
        return []
    earlier = Line.objects.filter(
        of_event(delivery.data["event"]),
        player=delivery.player_id,
        kind__in=("event-result", *NEWS),
        pk__lt=own.pk,
    )
    some: list[Line] = []
    for line in earlier.order_by("-pk")[:LOOKED_AT]:
        if line.kind in NEWS and not same_round(line, own):
            break
        if line.kind == "event-result" and line.game_id:
            some.insert(0, line)
    sent = Delivery.objects.filter(
        player=delivery.player_id,
        webhook=None,
        status=Delivery.Status.SENT,
        reason__in=[one.reason for one in some],
    )
    known = set(sent.values_list("reason", flat=True))
    return [one for one in some if one.reason not in known]


def same_round(one: Line, other: Line) -> bool:
    """Whether two lines tell of games that were paired together."""
    paired = one.kind == other.kind == "event-pairing"
    return paired and one.data.get("published") == other.data.get("published")


def of_event(code: str) -> Q:
    """Lines of an event or a league: its code is what their reasons begin with."""
    return Q(reason__startswith=f"{code}:")


# -------------------------------------------------------------------------------------- mails of tournaments


def unneeded(delivery: Delivery, now: datetime) -> str:
    """Why nobody needs a mail of a tournament or a league any more, else ""."""
    if delivery.kind.startswith("league-"):
        return league_unneeded(delivery)
    event = Event.objects.filter(code=delivery.data.get("event", "")).first()
    if event is None:
        return _("There is no such tournament any more.")
    return event_unneeded(delivery, event) or covered(delivery, event)


def event_unneeded(delivery: Delivery, event: Event) -> str:
    """What has happened meanwhile."""
    kind = delivery.kind
    open_now = event.status == Event.Status.PUBLISHED or (event.status == Event.Status.RUNNING and event.late)
    entrant = event.entrants.filter(members__player=delivery.player_id).first()
    if kind == "event-invited":
        invited = event.invites.filter(player=delivery.player_id).exists()
        return "" if open_now and invited and entrant is None else _("It was answered, or is over.")
    if kind == "event-held":
        return "" if event.held else _("It was decided meanwhile.")
    if kind == "event-appeal":
        made = Appeal.objects.filter(pk=delivery.data.get("appeal", 0)).first()
        asked = not delivery.data.get("answered")
        return _("It was decided meanwhile.") if made is None or (asked and made.answered_at) else ""
    if kind in ("event-partner", "event-replacement", "event-co-organiser"):
        return proposal_unneeded(delivery)
    if kind in ("event-cancelled", "event-answered"):
        return ""
    plays = entrant is not None and entrant.status == Entrant.Status.ENTERED and entrant.left is None
    if kind == "event-out":  # who is in again is told so by another mail
        return _("It was decided meanwhile.") if plays else ""
    if kind == "event-newcomer":
        sits = event.members.filter(player=delivery.data.get("player"), entrant=delivery.data.get("entrant"))
        if not sits.exists():  # the replacement was taken back, or another one followed
            return _("It was decided meanwhile.")
    if entrant is None:
        return _("You do not take part any more.")
    before = event.status == Event.Status.PUBLISHED
    if kind == "event-confirm":
        waits = before and not entrant.confirmed_at and entrant.status == Entrant.Status.ENTERED
        return "" if waits else _("It was answered, or is over.")
    if kind in ("event-place", "event-table") and entrant.left is not None:
        return _("You do not play there any more.")
    if kind in PLAYED and (entrant.left is not None or event.status != Event.Status.RUNNING):
        return _("You do not play there any more.")
    if kind == "event-end" and event.status != Event.Status.FINISHED:  # a correction has reopened it
        return _("It was decided meanwhile.")
    return ""


def proposal_unneeded(delivery: Delivery) -> str:
    """Whether a proposal still waits for its answer."""
    waits = Proposal.objects.filter(pk=delivery.data.get("proposal", 0), status=Proposal.Status.OPEN).exists()
    return "" if waits else _("It was answered, or is over.")


def covered(delivery: Delivery, event: Event) -> str:
    """Another mail says it, too."""
    mine, own = of_event(event.code), own_line(delivery)
    said = False
    if own is None:
        return ""
    if delivery.kind == "event-start":
        said = lines(delivery, *PLAYED).filter(mine).exists()
    elif delivery.kind == "event-result":
        # Where a game goes on after a correction was taken back, no other mail tells of a result.
        news = lines(delivery, *NEWS if "ranks" in own.data else ()).filter(mine, pk__gt=own.pk)
        said = own.game_id is not None and (news.exists() or is_told_later(delivery, own))
    elif delivery.kind == "event-confirm":
        said = lines(delivery, "event-place").filter(mine, at__gt=own.at - NEAR).exists()
    elif delivery.kind == "event-end":
        said = is_told_later(delivery, own)
        if event.division and not said:
            season = event.division.season
            reason = f"{season.league.code}:season-end:{season.number}"
            said = lines(delivery, "league-season-end").filter(reason=reason).exists()
    return _("Another mail about this tournament says it, too.") if said else ""


def is_told_later(delivery: Delivery, own: Line) -> bool:
    """Whether the event of a mail, or its game, has ended once more since, and another mail tells so.

    A line that makes no mail, as there were too many of them that day, does not count.
    """
    mine = of_event(delivery.data["event"])
    later = lines(delivery, own.kind).filter(mine, game=own.game_id, pk__gt=own.pk)
    mails = Delivery.objects.filter(player=delivery.player_id, webhook=None, reason=OuterRef("reason"))
    return later.filter(Q(due_at__isnull=False) | Exists(mails)).exists()


def league_unneeded(delivery: Delivery) -> str:
    """The same for leagues."""
    league = League.objects.filter(code=delivery.data.get("league", "")).first()
    if league is None:
        return _("There is no such league any more.")
    if delivery.kind in ("league-partner", "league-co-organiser"):
        return proposal_unneeded(delivery)
    if delivery.kind in ("league-answered", "league-out"):
        return ""
    if delivery.kind == "league-parted":
        plays = league.memberships.filter(player=delivery.player_id, status=Membership.Status.MEMBER).exists()
        return _("It was decided meanwhile.") if plays else ""
    season = Season.objects.filter(league=league, number=delivery.data.get("season", 0)).first()
    if season is None:
        return _("There is no such league any more.")
    if delivery.kind == "league-season":
        mine = Event.objects.filter(division__season=season, members__player=delivery.player_id).first()
        if mine and lines(delivery, *PLAYED).filter(of_event(mine.code)).exists():
            return _("Another mail about this league says it, too.")
    return ""
