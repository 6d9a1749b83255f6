"""The settings that every game of a tournament or league has."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Game

from . import limits


class GameSettings(models.Model):
    """Settings chosen once for all games: fields of a game, and the length of a round."""

    class Mode(models.TextChoices):
        """The modes: entrants are single players or pairs."""

        SINGLES = "singles", _("single players")
        PAIRS = "pairs", _("pairs")

    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.SINGLES)
    table_size = models.PositiveSmallIntegerField(
        default=2, validators=limits.TABLE_SIZE.validators, help_text="most entrants at a table; pairs: 2"
    )
    edition = models.CharField(max_length=40)
    cards = models.BooleanField(default=True)
    obligation = models.CharField(max_length=10, default="strict")
    target = models.PositiveSmallIntegerField(default=24, validators=limits.TARGET_SCORE.validators)
    cards_from = models.SmallIntegerField(
        default=1,
        db_default=1,
        validators=limits.CARDS_FROM.validators,
        help_text="the first match with cards",
    )
    seniority_rule = models.CharField(
        max_length=10,
        default="account",
        db_default="account",
        help_text="how seniority is decided: account or lot",
    )
    hints = models.BooleanField(
        default=True, db_default=True, help_text="pages and mails show where a tile closes a figure"
    )
    time_control = models.CharField(max_length=20)
    allowance = models.PositiveIntegerField(
        validators=limits.ALLOWANCE.validators, help_text="seconds for each turn"
    )
    bank = models.PositiveIntegerField(
        "reserve", validators=limits.BANK.validators, help_text="seconds for the whole game"
    )
    blind_allowance = models.PositiveIntegerField(
        null=True, validators=limits.ALLOWANCE.validators, help_text="seconds for a turn of a blind match"
    )
    rematch_allowance = models.PositiveIntegerField(
        validators=limits.ALLOWANCE.validators, help_text="seconds for each turn of a rematch"
    )
    rematch_bank = models.PositiveIntegerField(
        "rematch reserve", validators=limits.BANK.validators, help_text="seconds for a whole rematch"
    )
    timeout_policy = models.CharField(
        max_length=10, choices=Game.TimeoutPolicy.choices, default=Game.TimeoutPolicy.AUTOPLAY
    )
    weekends = models.BooleanField(default=False, help_text="clocks stop at weekends")
    nights = models.BooleanField(default=False, help_text="clocks stop during the player’s night")
    vacation = models.BooleanField(default=True, help_text="a player’s clock stops during vacation")
    chat = models.BooleanField(default=True)
    rated = models.BooleanField(default=True)
    private = models.BooleanField(default=False, help_text="only the players can see the games")
    round_length = models.PositiveIntegerField(
        null=True,
        validators=limits.ROUND_LENGTH.validators,
        help_text="seconds from a round’s start to its deadline",
    )

    class Meta:
        abstract = True

    @property
    def is_for_pairs(self) -> bool:
        """True if entrants are pairs."""
        return self.mode == self.Mode.PAIRS
