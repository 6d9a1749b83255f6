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
    details = build_names(proposal)
    if proposal.kind == ProposalKind.REPLACEMENT:
        return _("%(who)s asks you to replace %(old)s in %(name)s.") % details
    if proposal.kind == ProposalKind.CO_ORGANISER:
        return _("%(who)s asks you to co-organise %(name)s.") % details
    return _("%(who)s invites you to play in %(name)s as a pair.") % details


def describe_replacement_question(proposal: Proposal) -> str:
    """Ask in a mail, without the tournament's name: it may be a stranger's words and is quoted apart."""
    return _("%(who)s asks you to replace %(old)s.") % build_names(proposal)


def describe_proposal_to_others(proposal: Proposal) -> str:
    """Describe a proposal to others, and to the player who made it."""
    details = build_names(proposal)
    if proposal.kind == ProposalKind.REPLACEMENT:
        return _("%(who)s has asked %(player)s to replace %(old)s.") % details
    if proposal.kind == ProposalKind.CO_ORGANISER:
        return _("%(who)s has asked %(player)s to co-organise.") % details
    return _("%(who)s has invited %(player)s to play as a pair.") % details


def build_names(proposal: Proposal) -> dict[str, str]:
    """Return the names that sentences about a proposal mention."""
    return {
        "who": proposal.proposer.name if proposal.proposer else "–",
        "player": proposal.player.name,
        "name": get_subject_name(proposal),
        "old": proposal.predecessor.name if proposal.predecessor else _("a player who left"),
    }


def list_consequences(proposal: Proposal) -> list[str]:
    """List what follows from accepting."""
    if proposal.kind == ProposalKind.REPLACEMENT:
        return [
            _("If you accept, you take over the seat as it is: points, clock and running games."),
            _("In a running game you see the cards once you take the seat for good, on the game’s page."),
            _("Only games in which you make a move count for your rating."),
        ]
    if proposal.kind == ProposalKind.CO_ORGANISER:
        return [
            _(
                "If you accept, you can decide everything the other organisers can, and everybody sees"
                " your name."
            ),
            _("We mail you when a decision is due or somebody appeals. You can stop at any time."),
        ]
    if proposal.kind == ProposalKind.LEAGUE_PARTNER:
        return [_("If you accept, you play every season until one of you leaves.")]
    return [_("If you accept, you enter as a pair. Until then no place is taken.")]


def describe_outcome(proposal: Proposal) -> str:
    """Describe the status of a proposal."""
    return {
        ProposalStatus.OPEN: lambda: _("Waiting for an answer."),
        ProposalStatus.ACCEPTED: lambda: _("%(player)s has accepted.") % {"player": proposal.player.name},
        ProposalStatus.DECLINED: lambda: _("%(player)s has declined.") % {"player": proposal.player.name},
        ProposalStatus.WITHDRAWN: lambda: _("Withdrawn."),
        ProposalStatus.LAPSED: lambda: _("No longer valid: something has changed since."),
    }[ProposalStatus(proposal.status)]()
