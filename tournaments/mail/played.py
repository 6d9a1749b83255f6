"""What is told of games in a tournament and of seasons in a league: pairings, results, places."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.mail.compose import Nothing
from games.mail.scene import when
from games.models import Delivery
from games.selectors.deadlines import PLAYING
from tournaments import links, words
from tournaments.models import Event, League, Membership, Place, Season, Table
from tournaments.pairing.league import exchanges
from tournaments.selectors import seats_of
from tournaments.services.leagues import UNPLAYABLE_TERMS
from tournaments.services.terms import why_unplayable
from tournaments.words import leagues as league_words
from tournaments.words import proposals as said

from .known import Known, event_of, known, table_of
from .notes import Told, answer_link, named, page, proposal_of, quoted, told
from .once import untold


def results(delivery: Delivery, about: Known, mine: int) -> list[str]:
    """Results that this mail tells along with its own news, as nobody has told them before."""
    lead = []
    games = dict.fromkeys(line.game_id for line in untold(delivery))  # a corrected one has several lines
    for game in games:
        table = next((one for one in about.course.tables if one.game_id == game and one.result), None)
        if table and mine in seats_of(table):
            lead.append(about.outcome(table, mine) + ".")
            lead += about.result(table, mine)
    return lead


def pairing(delivery: Delivery, now: datetime) -> Told:
    """New games: whom one meets, why, until when. Raises Nothing when all of them are over."""
    event = event_of(delivery)
    about = known(event)
    mine = about.entrant(delivery.player_id).pk
    tables = new_tables(delivery, about, mine)
    if not tables:
        raise Nothing
    lead = [*results(delivery, about, mine), season_words(event, tables[0], mine)]
    rounds = about.round_name(tables[0].match)
    if len(tables) == 1:
        (table,) = tables
        headline = _("You meet %(who)s") % {"who": about.others(table, mine)}
        subject = f"{event.name}, {rounds}: {headline}"
        lead += [about.why(table, mine), about.until(table)]
        button = (_("See the table"), links.table(event.code, table.pk))
    else:
        n = len(tables)
        headline = ngettext("%(n)d new game", "%(n)d new games", n) % {"n": n}
        subject = f"{event.name}: {headline}"
        lead += [_("They have begun all at once."), about.until(tables[0])]
        button = page(event)
    return Told(
        subject,
        headline,
        [line for line in lead if line],
        button,
        event.code,
        named(event.name, rounds if len(tables) == 1 else ""),
        games=tuple(table.game.code for table in tables if table.game),
        whys=tuple(about.why(table, mine) for table in tables if table.game),
    )


def new_tables(delivery: Delivery, about: Known, mine: int) -> list[Table]:
    """The reader's tables of the round that a mail tells of, but what is over by now."""
    return [
        table
        for table in about.course.tables
        if table.published_id == delivery.data.get("published")
        and table.settled_at is None
        and (delivery.webhook_id is None or table.game_id == delivery.game_id)
        and mine in seats_of(table)
    ]


def round_end(delivery: Delivery, now: datetime) -> Told:
    """A round that has begun ends sooner, or at all. Raises Nothing if the reader plays in it no more."""
    event = event_of(delivery)
    about = known(event)
    mine = about.entrant(delivery.player_id).pk
    tables = [
        table
        for table in about.course.tables
        if table.published_id == delivery.data.get("published")
        and table.settled_at is None
        and mine in seats_of(table)
    ]
    if not tables or tables[0].published.ends_at is None:
        raise Nothing
    first = delivery.data.get("first")
    headline = _("Your round has an end now") if first else _("Your round ends sooner")
    lead = [
        _("The organiser decided so."),
        quoted(delivery.data.get("text", "")),
        about.until(tables[0]),
    ]
    if len(tables) > 1:
        return told(event, headline, lead)
    button = (_("See the table"), links.table(event.code, tables[0].pk))
    return told(event, headline, lead, button, about.round_name(tables[0].match))


def season_words(event: Event, table: Table, mine: int) -> str:
    """In the first round of a league's season: which division, and why."""
    if not event.division or table.published.number > 1:
        return ""
    found = Place.objects.filter(entrant=mine).first()
    facts = {
        "season": event.division.season.number,
        "division": event.division.number,
        "why": words.moved(found.why) if found else "",
    }
    return _("Season %(season)s has begun: you play in division %(division)s (%(why)s).") % facts


def bye(delivery: Delivery, now: datetime) -> Told:
    """A round without a game."""
    event = event_of(delivery)
    about = known(event)
    mine = about.entrant(delivery.player_id).pk
    table = table_of(delivery, event)
    lead = [*results(delivery, about, mine), season_words(event, table, mine)]
    lead += [words.reason(note, about.names) for note in table.reasons[:2]]
    lead.append(_("It counts for you as a win.") if event.format == Event.Format.SWISS else "")
    headline = _("%(round)s: you have no game") % {"round": about.round_name(table.match)}
    return told(event, headline, lead)


def result(delivery: Delivery, now: datetime) -> Told:
    """How a table ended, and what comes next."""
    event = event_of(delivery)
    about = known(event)
    mine = about.entrant(delivery.player_id).pk
    table = table_of(delivery, event)
    note = quoted(delivery.data.get("text", ""))  # of a correction, unless that was taken back since
    if delivery.data.get("ranks") != (table.result or {}).get("ranks"):
        note = ""
    button = (_("See the table"), links.table(event.code, table.pk))
    back = _("The organiser has taken a correction of this result back.")
    if table.result is None and delivery.data.get("taken_back"):
        headline, lead = no_result(table)
        return told(event, headline, [back, *lead], button, about.round_name(table.match))
    lead = [*about.result(table, mine), note, about.next_step(table, mine)]
    if delivery.data.get("taken_back"):
        lead.insert(0, back)
    return told(event, about.outcome(table, mine), lead, button, about.round_name(table.match))


def no_result(table: Table) -> tuple[str, list[str]]:
    """What becomes of a table that counts again without a result. Raises Nothing if it will have one soon."""
    if table.settled_at:
        said = [
            _("Its game cannot decide it: it ended, or somebody gave it up, while the table did not count."),
            _("The organiser writes the result."),
        ]
        return _("The organiser decides your table"), said
    if table.game is None or table.game.status not in PLAYING:
        raise Nothing
    return _("Your game counts again"), [_("It goes on as it stands.")]


def table_change(delivery: Delivery, now: datetime) -> Told:
    """A table counts no more, or again without a result. Raises Nothing if that has changed since."""
    event = event_of(delivery)
    void = delivery.data.get("why") == "void"
    found = event.tables.filter(void=void, match=delivery.data.get("match", ""), game=delivery.game_id)
    table = found.select_related("game").order_by("-pk").first()
    if table is None or (table.result and not void):
        raise Nothing
    part = known(event).round_name(table.match)
    button = (_("See the table"), links.table(event.code, table.pk))
    if not void:
        headline, lead = no_result(table)
        return told(event, headline, [_("Your table counts again."), *lead], button, part)
    lead = [
        _("Something that was decided before has changed: others play this match now, or nobody does."),
        _("If that changes back, your table counts again as it stands."),
    ]
    if table.result is None and table.game and table.game.status in PLAYING:
        lead += [
            _("Until then you may play on there, but for nothing; moves made meanwhile stay made."),
            _("If the game ends in that time, or somebody gives it up, the organiser writes the result."),
        ]
    return told(event, _("Your table does not count any more"), lead, button, part)


def end(delivery: Delivery, now: datetime) -> Told:
    """It is over: who won, and where the reader came."""
    event = event_of(delivery)
    about = known(event)
    entrant = about.entrant(delivery.player_id)
    first = [about.names[one.pk] for one in about.course.entrants.values() if one.rank == 1]
    lead = results(delivery, about, entrant.pk)
    before = delivery.data.get("before")
    if before == entrant.rank:  # corrected back meanwhile
        before = None
    if before:
        lead.append(
            _("A result was corrected after the end. Before that, your place was %(n)d.") % {"n": before}
        )
    if entrant.rank == 1:
        headline = _("Corrected: you have won") if before else _("You have won")
    elif entrant.rank and before:
        n = sum(one.rank is not None for one in about.course.entrants.values())
        headline = _("Corrected: place %(n)d of %(of)d for you") % {"n": entrant.rank, "of": n}
        lead.append(_("The winner: %(who)s.") % {"who": ", ".join(first)} if first else "")
    elif entrant.rank:
        n = sum(one.rank is not None for one in about.course.entrants.values())
        headline = _("It is over: place %(n)d of %(of)d for you") % {"n": entrant.rank, "of": n}
        lead.append(_("The winner: %(who)s.") % {"who": ", ".join(first)} if first else "")
    else:
        headline = _("It is over")
    lead.append(_("All results, and the seed behind every draw, are on its page."))
    return told(event, headline, lead)


# ------------------------------------------------------------------------------------------------- leagues


def season_of(delivery: Delivery) -> Season:
    """The season that a mail is about. Raises Nothing."""
    found = Season.objects.filter(
        league__code=delivery.data.get("league", ""), number=delivery.data.get("season", 0)
    )
    season = found.select_related("league").first()
    if season is None:
        raise Nothing
    return season


def place_in(season: Season, player: int) -> Place | None:
    """Where somebody plays in a season."""
    places = season.places.select_related("division")
    return places.filter(player=player).first() or places.filter(partner=player).first()


def about_league(league: League, headline: str, lead: list[str], also: tuple[str, str] | None = None) -> Told:
    """A mail about a league."""
    button = (_("See the league"), links.league(league.code))
    lead = [line for line in lead if line]
    subject = f"{league.name}: {headline}"
    return Told(subject, headline, lead, button, league.code, named(league.name), also)


def partner(delivery: Delivery, now: datetime) -> Told:
    """Somebody asks the reader to play as a pair in a league. Raises Nothing."""
    found = proposal_of(delivery)
    if found.league is None:
        raise Nothing
    who = found.by.name if found.by else "–"
    lead = [said.question_in_mail(found), *said.consequences(found)]
    told = about_league(found.league, _("%(who)s asks you to play as a pair") % {"who": who}, lead)
    return replace(told, button=answer_link(delivery, found))


def co_organiser(delivery: Delivery, now: datetime) -> Told:
    """Somebody asks the reader to organise a league with them. Raises Nothing."""
    found = proposal_of(delivery)
    if found.league is None:
        raise Nothing
    who = {"who": found.by.name if found.by else "–"}
    lead = [said.question_in_mail(found), *said.consequences(found)]
    told = about_league(found.league, _("%(who)s asks you to organise it with them") % who, lead)
    return replace(told, button=answer_link(delivery, found))


def answered(delivery: Delivery, now: datetime) -> Told:
    """What became of a proposal in a league, for whoever asked. Raises Nothing."""
    found = proposal_of(delivery)
    if found.league is None:
        raise Nothing
    return about_league(found.league, said.outcome(found).rstrip("."), [said.in_the_log(found)])


def parted(delivery: Delivery, now: datetime) -> Told:
    """The reader's partner has left a league. Raises Nothing."""
    lead = [
        _("A season that has begun is played to its end; in the next one your pair does not play."),
        _("With another partner you can join again."),
    ]
    return about_league(membership(delivery).league, _("Your partner has left"), lead)


def removed(delivery: Delivery, now: datetime) -> Told:
    """An organiser has removed the reader from a league. Raises Nothing."""
    lead = [
        _("The organiser has removed you from the league."),
        quoted(delivery.data.get("text", "")),
        _("A season that has begun is played to its end; you do not play in the next one."),
    ]
    return about_league(membership(delivery).league, _("You are out of the league"), lead)


def held_league(delivery: Delivery, now: datetime) -> Told:
    """The next season waits for the organiser. Raises Nothing."""
    league = League.objects.filter(code=delivery.data.get("league", "")).first()
    if league is None or league.trouble != UNPLAYABLE_TERMS:
        raise Nothing
    lead = [league_words.trouble(league.trouble), why_unplayable(league)]
    told = about_league(league, _("It waits for you"), lead)
    return replace(told, button=(_("Decide"), links.league_desk(league.code)))


def held_league_unneeded(delivery: Delivery, now: datetime) -> str:
    """Why nobody needs to be told any more that a league waits, else ""."""
    league = League.objects.filter(code=delivery.data.get("league", "")).first()
    waits = league is not None and league.trouble == UNPLAYABLE_TERMS
    return "" if waits else _("It was decided meanwhile.")


def membership(delivery: Delivery) -> Membership:
    """What the reader is in a league. Raises Nothing."""
    found = Membership.objects.filter(player=delivery.player_id, league__code=delivery.data.get("league", ""))
    mine = found.select_related("league", "partner").first()
    if mine is None:
        raise Nothing
    return mine


def season_begins(delivery: Delivery, now: datetime) -> Told:
    """A season begins: the division, and why."""
    season = season_of(delivery)
    found = place_in(season, delivery.player_id)
    headline = _("Season %(n)d has begun") % {"n": season.number}
    if found is None:
        return about_league(season.league, headline, [_("You do not play in this season.")])
    facts = {"n": found.division.number, "why": words.moved(found.why)}
    lead = [
        _("You play in division %(n)d: %(why)s.") % facts,
        _("Your first game is told as soon as it is paired."),
    ]
    return about_league(season.league, headline, lead)


def season_ends(delivery: Delivery, now: datetime) -> Told:
    """A season ends: the place, up or down, and staying in unless one says otherwise."""
    season = season_of(delivery)
    league, found = season.league, place_in(season, delivery.player_id)
    headline = _("Season %(n)d is over") % {"n": season.number}
    lead = []
    if found and found.rank:
        size = found.division.places.count()
        facts = {"n": found.rank, "of": size, "division": found.division.number}
        headline += ": " + _("place %(n)d of %(of)d in division %(division)d") % facts
        lead.append(up_or_down(season, found))
    if league.status == League.Status.CLOSED:
        return about_league(league, headline, [_("It was the last season.")])
    staying = league.memberships.filter(player=delivery.player_id, status=Membership.Status.MEMBER).exists()
    if not staying:
        return about_league(league, headline, lead)
    assert season.finished_at
    at = season.finished_at + timedelta(seconds=league.pause)
    if at > now:
        lead.append(_("The next season begins on %(when)s.") % {"when": when(at)})
    lead.append(_("You stay in, unless you say otherwise."))
    leave = (_("Leave the league"), links.leave(delivery.player.mail_key, league.code))
    return about_league(league, headline, lead, leave)


def up_or_down(season: Season, place: Place) -> str:
    """Where a place leads, as far as it can be said before people have left and come."""
    found = season.divisions.annotate(size=Count("places")).order_by("number")
    sizes, number = list(found.values_list("size", flat=True)), place.division.number
    swaps = [0, *exchanges(sizes, season.league.moves), 0]  # above each division, and below the last
    assert place.rank
    if place.rank <= swaps[number - 1]:
        return _("By this place you go up to division %(n)d.") % {"n": number - 1}
    if place.rank > sizes[number - 1] - swaps[number]:
        return _("By this place you go down to division %(n)d.") % {"n": number + 1}
    return _("By this place you stay in your division.")
