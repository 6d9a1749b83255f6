"""Retention rules of games. Games and their actions are kept."""

from __future__ import annotations

from datetime import datetime

from accounts.services.retention import RetentionRule, compute_retention_cutoff, delete_in_batches
from common.budget import Budget
from games.models import Game, Invitation, SpentCommitment
from games.seed_offers import OFFER_LIFETIME


def delete_old_invitations(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete invitations by email to people without an account, once their game is no longer open."""
    old_invitations = Invitation.objects.filter(
        player=None, created_at__lt=compute_retention_cutoff("invitations", now)
    ).exclude(game__status=Game.Status.OPEN)
    return delete_in_batches(old_invitations, budget)


def delete_spent_commitments(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete spent commitments; offers of that age are refused as too old."""
    return delete_in_batches(SpentCommitment.objects.filter(spent_at__lt=now - 2 * OFFER_LIFETIME), budget)


RETENTION = (
    RetentionRule("invitations", delete_old_invitations),
    RetentionRule("commitments", delete_spent_commitments),
)
