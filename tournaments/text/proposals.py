"""Text about proposals, for pages and mails."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.models import Proposal

ProposalStatus, ProposalKind = Proposal.Status, Proposal.Kind


def get_subject_name(proposal: Proposal) -> str:
    """Return the name of the tournament or league."""
    subject = proposal.tournament or proposal.league
    return subject.name if subject else "–"


def describe_question(proposal: Proposal) -> str:
    """Ask the proposed player in a sentence."""
    details = {
        "who": proposal.proposer.name if proposal.proposer else "–",
        "name": get_subject_name(proposal),
        "old": proposal.predecessor.name if proposal.predecessor else _("a player who left"),
    }
    if proposal.kind == ProposalKind.REPLACEMENT:
        return _("%(who)s asks you to play on for %(old)s in %(name)s.") % details
    if proposal.kind == ProposalKind.CO_ORGANISER:
        return _("%(who)s asks you to organise %(name)s with them.") % details
    return _("%(who)s asks you to play in %(name)s as a pair.") % details


def describe_replacement_question(proposal: Proposal) -> str:
    """Ask in a mail, without the tournament's name: it may be a stranger's words and is quoted apart."""
    return _("%(who)s asks you to take over the seat of %(old)s.") % {
        "who": proposal.proposer.name if proposal.proposer else "–",
        "old": proposal.predecessor.name if proposal.predecessor else _("a player who left"),
    }


def describe_proposal_to_others(proposal: Proposal) -> str:
    """Describe a proposal to others, and to the player who made it."""
    details = {
        "who": proposal.proposer.name if proposal.proposer else "–",
        "player": proposal.player.name,
        "old": proposal.predecessor.name if proposal.predecessor else "–",
    }
    if proposal.kind == ProposalKind.REPLACEMENT:
        return _("%(player)s is asked to play on for %(old)s.") % details
    if proposal.kind == ProposalKind.CO_ORGANISER:
        return _("%(player)s is asked to organise it, too.") % details
    return _("%(who)s has asked %(player)s to play as a pair.") % details


def list_consequences(proposal: Proposal) -> list[str]:
    """List what follows from accepting."""
    if proposal.kind == ProposalKind.REPLACEMENT:
        return [
            _("If you agree you take the seat over as it is: its points, its clock, its running games."),
            _("In a running game you see the cards once you take the seat for good, on the game’s page."),
            _("You are rated only for games in which you make a move yourself."),
        ]
    if proposal.kind == ProposalKind.CO_ORGANISER:
        return [
            _("If you agree you can decide all that its other organisers can, and your name is shown there."),
            _("You then get mail when it needs a decision or somebody appeals. You can stop at any time."),
        ]
    if proposal.kind == ProposalKind.LEAGUE_PARTNER:
        return [_("If you agree you play season after season, until one of you says otherwise.")]
    return [_("If you agree you have entered as a pair. Until then nothing counts, and no place is taken.")]


def describe_outcome(proposal: Proposal) -> str:
    """Describe the status of a proposal."""
    return {
        ProposalStatus.OPEN: lambda: _("It waits for an answer."),
        ProposalStatus.ACCEPTED: lambda: _("%(player)s has agreed.") % {"player": proposal.player.name},
        ProposalStatus.DECLINED: lambda: _("%(player)s has declined.") % {"player": proposal.player.name},
        ProposalStatus.WITHDRAWN: lambda: _("It was withdrawn."),
        ProposalStatus.LAPSED: lambda: _("It has lapsed, as things have changed meanwhile."),
    }[ProposalStatus(proposal.status)]()
