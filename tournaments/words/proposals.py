"""Proposals in sentences, for pages and mails."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.models import Proposal

S, KIND = Proposal.Status, Proposal.Kind


def about(proposal: Proposal) -> str:
    """The name of the tournament or the league."""
    found = proposal.event or proposal.league
    return found.name if found else "–"


def question(proposal: Proposal) -> str:
    """What somebody is asked, in a sentence to them."""
    facts = {
        "who": proposal.by.name if proposal.by else "–",
        "name": about(proposal),
        "old": proposal.predecessor.name if proposal.predecessor else _("somebody who has left"),
    }
    if proposal.kind == KIND.REPLACEMENT:
        return _("%(who)s asks you to play on for %(old)s in %(name)s.") % facts
    if proposal.kind == KIND.CO_ORGANISER:
        return _("%(who)s asks you to organise %(name)s with them.") % facts
    return _("%(who)s asks you to play in %(name)s as a pair.") % facts


def question_in_mail(proposal: Proposal) -> str:
    """The same in a mail, which says elsewhere what it is about: the name may be a stranger's words."""
    facts = {
        "who": proposal.by.name if proposal.by else "–",
        "old": proposal.predecessor.name if proposal.predecessor else _("somebody who has left"),
    }
    if proposal.kind == KIND.REPLACEMENT:
        return _("%(who)s asks you to play on for %(old)s.") % facts
    if proposal.kind == KIND.CO_ORGANISER:
        if proposal.league:
            return _("%(who)s asks you to organise a league with them.") % facts
        return _("%(who)s asks you to organise a tournament with them.") % facts
    return _("%(who)s asks you to play as a pair.") % facts


def in_the_log(proposal: Proposal) -> str:
    """The same for others, and for whoever asked."""
    facts = {
        "who": proposal.by.name if proposal.by else "–",
        "player": proposal.player.name,
        "old": proposal.predecessor.name if proposal.predecessor else "–",
    }
    if proposal.kind == KIND.REPLACEMENT:
        return _("%(player)s is asked to play on for %(old)s.") % facts
    if proposal.kind == KIND.CO_ORGANISER:
        return _("%(player)s is asked to organise it, too.") % facts
    return _("%(who)s has asked %(player)s to play as a pair.") % facts


def consequences(proposal: Proposal) -> list[str]:
    """What comes of agreeing."""
    if proposal.kind == KIND.REPLACEMENT:
        return [
            _("If you agree you take the seat over as it is: its points, its clock, its running games."),
            _("You see the cards of a running game once you take its seat for good, on its page."),
            _("You are rated only for games in which you make a move yourself."),
        ]
    if proposal.kind == KIND.CO_ORGANISER:
        return [
            _("If you agree you can decide all that its other organisers can, and your name is shown there."),
            _("You then get mail when it needs a decision or somebody appeals. You can stop at any time."),
        ]
    if proposal.kind == KIND.LEAGUE_PARTNER:
        return [_("If you agree you play season after season, until one of you says otherwise.")]
    return [_("If you agree you have entered as a pair. Until then nothing counts, and no place is taken.")]


def outcome(proposal: Proposal) -> str:
    """What became of it."""
    return {
        S.OPEN: lambda: _("It waits for an answer."),
        S.ACCEPTED: lambda: _("%(player)s has agreed.") % {"player": proposal.player.name},
        S.DECLINED: lambda: _("%(player)s has declined.") % {"player": proposal.player.name},
        S.WITHDRAWN: lambda: _("It was withdrawn."),
        S.LAPSED: lambda: _("It has lapsed, as things have changed meanwhile."),
    }[S(proposal.status)]()
