"""Proposals that a player must accept before they take effect, and replacements of players."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from . import limits
from .decisions import Decision
from .leagues import League
from .tournaments import Entrant, EntrantPlayer, Tournament

PLAYER_MODEL = settings.AUTH_USER_MODEL


class Proposal(models.Model):
    """A player is asked to be a partner, replacement or co-organiser; it takes effect when they accept."""

    class Kind(models.TextChoices):
        """The kinds of proposals."""

        PARTNER = "partner", _("partner")
        LEAGUE_PARTNER = "league-partner", _("partner in a league")
        REPLACEMENT = "replacement", _("replacement")
        CO_ORGANISER = "co-organiser", _("organiser")

    class Status(models.TextChoices):
        """The states of a proposal, unanswered or answered."""

        OPEN = "open", _("waiting for an answer")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        LAPSED = "lapsed", _("no longer valid")

    kind = models.CharField(max_length=14, choices=Kind.choices)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.OPEN)
    tournament = models.ForeignKey(Tournament, null=True, on_delete=models.CASCADE, related_name="proposals")
    league = models.ForeignKey(League, null=True, on_delete=models.CASCADE, related_name="proposals")
    proposer = models.ForeignKey(PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    player = models.ForeignKey(PLAYER_MODEL, on_delete=models.CASCADE, related_name="proposals")
    entrant_player = models.ForeignKey(
        EntrantPlayer,
        null=True,
        on_delete=models.CASCADE,
        related_name="proposals",
        help_text="who is to be replaced",
    )
    predecessor = models.ForeignKey(PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(
        max_length=limits.MAX_REASON_LENGTH,
        blank=True,
        default="",
        help_text="the reason, for the organisers only",
    )
    public_note = models.CharField(
        max_length=limits.MAX_REASON_LENGTH,
        blank=True,
        default="",
        db_default="",
        help_text="for whoever is asked, and for everybody once it is done",
    )
    client_seed = models.CharField(
        max_length=limits.MAX_CLIENT_SEED_LENGTH,
        blank=True,
        default="",
        help_text="what whoever asks brings for the shuffles of their games",
    )
    commitment = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="what the site had sealed when whoever was asked agreed and brought a seed of their own",
    )
    created_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entrant_player"], condition=Q(status="open"), name="proposal_open_player_once"
            ),
            models.UniqueConstraint(
                fields=["tournament", "proposer"],
                condition=Q(status="open", kind="partner"),
                name="proposal_open_partner_once",
            ),
            models.UniqueConstraint(
                fields=["league", "proposer"],
                condition=Q(status="open", kind="league-partner"),
                name="proposal_open_league_partner_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.player_id}"

    @property
    def is_open(self) -> bool:
        """Not answered, withdrawn or lapsed."""
        return self.status == self.Status.OPEN


class Replacement(models.Model):
    """A player of an entrant who was replaced, and when: earlier results stay theirs."""

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="replacements")
    position = models.PositiveSmallIntegerField(help_text="1, or 2 in a pair")
    predecessor = models.ForeignKey(PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    since_round = models.PositiveSmallIntegerField(help_text="the first round that the successor plays in")
    last_pairing_id = models.BigIntegerField(
        help_text="the newest table by then: what is newer is the successor's"
    )
    open_pairing_ids = models.JSONField(
        default=list, help_text="not over by then: the successor played on there"
    )
    decision = models.OneToOneField(Decision, on_delete=models.CASCADE, related_name="replacement")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.entrant_id}/{self.position} until {self.created_at}"
