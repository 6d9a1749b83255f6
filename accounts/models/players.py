"""Players: people with an account, guests without one, and bot accounts.

A bot of the site itself is no player but a policy name on a seat.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.email_addresses import comparable_address
from accounts.link_detection import check_no_link
from accounts.name_validation import MAX_NAME_LENGTH, MAX_SKELETON_LENGTH, check_name, skeletons_of
from accounts.time_zones import load_time_zone_names

from .limits import LAST_HOUR_OF_DAY, MAX_TIME_ZONE_LENGTH, PERCENTAGE

FORMER_PLAYER_NAME = _("a former player")
LOOKALIKE_NAME_ERROR = _("This name looks too much like another player’s. Choose another one.")


def generate_url_token() -> str:
    """Generate an unguessable token for URLs; replacing it invalidates the old URLs."""
    return secrets.token_hex(12)


def check_time_zone(name: str) -> None:
    """Raise ValidationError unless the name is a known time zone."""
    if name not in load_time_zone_names():
        raise ValidationError(_("%(name)s is not a time zone."), params={"name": name})


class PlayerManager(BaseUserManager["Player"]):
    """Creates accounts from the command line; people sign up through allauth."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> Player:
        """Create an account with a normalised address."""
        player = self.model(email=comparable_address(email), **fields)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def bulk_create(self, objs: Iterable[Player], *args: Any, **kwargs: Any) -> list[Player]:
        """Create players with their name skeletons, which `save` would set."""
        players = list(objs)
        for player in players:
            player.set_name_skeletons()
        return super().bulk_create(players, *args, **kwargs)

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> Player:
        """Create an account with all permissions."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class Player(AbstractBaseUser, PermissionsMixin):
    """An account, or a guest, who is known only by a browser session and never gets mail."""

    class MailFrequency(models.TextChoices):
        """The frequencies of notices by mail."""

        EACH_TURN = "each", _("One for each turn")
        UNTIL_SEEN = "once", _("One, then none until I visit")
        DIGEST = "digest", _("One a day")
        NONE = "none", _("none")

    class TournamentMails(models.TextChoices):
        """The notices of tournaments and leagues that are sent by mail."""

        ALL = "all", _("All, including starts, results and final places")
        DUTIES = "duties", _("Only what needs me: invitations, new games, changes")
        NONE = "none", _("none")

    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH, validators=[check_name, check_no_link])
    # Two names look alike if either skeleton is equal. Empty: the name is older than this rule and looks like
    # another player's or the site's own.
    name_skeleton = models.CharField(
        max_length=MAX_SKELETON_LENGTH, default="", db_default="", editable=False
    )
    name_folded_skeleton = models.CharField(
        max_length=MAX_SKELETON_LENGTH, default="", db_default="", editable=False
    )
    email = models.EmailField(_("email address"), unique=True)
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES, default="en")
    time_zone = models.CharField(
        _("time zone"), max_length=MAX_TIME_ZONE_LENGTH, default="UTC", validators=[check_time_zone]
    )
    mail_frequency = models.CharField(
        _("mails"), max_length=10, choices=MailFrequency.choices, default=MailFrequency.EACH_TURN
    )
    tournament_mails = models.CharField(
        _("mails about tournaments and leagues"),
        max_length=10,
        choices=TournamentMails.choices,
        default=TournamentMails.ALL,
    )
    digest_hour = models.PositiveSmallIntegerField(
        _("hour of the daily mail"), default=8, validators=[MaxValueValidator(LAST_HOUR_OF_DAY)]
    )
    remind_at_used_percent = models.PositiveSmallIntegerField(
        _("remind me when this percentage of the turn has passed"),
        null=True,
        blank=True,
        default=75,
        validators=PERCENTAGE.validators,
    )
    remind_at_left_percent = models.PositiveSmallIntegerField(
        _("remind me when this percentage of my time is left"),
        null=True,
        blank=True,
        default=10,
        validators=PERCENTAGE.validators,
    )
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet until"), null=True, blank=True)
    allow_any_sender = models.BooleanField(_("accept replies from any address"), default=False)
    invitations_from_strangers = models.BooleanField(
        _("let players I have not met invite me"), default=True, db_default=True
    )
    last_seen_at = models.DateTimeField(null=True, help_text="the last visit")
    last_turn_mail_at = models.DateTimeField(null=True, help_text="the last mail about a turn")
    email_bounced_at = models.DateTimeField(null=True, help_text="mail to the address fails since then")
    email_bounce_reason = models.CharField(max_length=200, blank=True, default="")
    vacation_balance = models.DurationField(default=timedelta, help_text="vacation at `vacation_accrued_at`")
    vacation_accrued_at = models.DateTimeField(null=True, help_text="empty: since they joined")
    vacation_start = models.DateTimeField(null=True, help_text="the current vacation, or the last one")
    vacation_end = models.DateTimeField(null=True)
    past_vacations = models.JSONField(
        null=True, help_text="former vacations that watches which run may not know of yet"
    )
    feed_token = models.CharField(
        max_length=32,
        default=generate_url_token,
        db_index=True,
        help_text="in the addresses of their private feeds",
    )
    mail_token = models.CharField(
        max_length=32, default=generate_url_token, db_index=True, help_text="in links of mails; never changes"
    )
    joined_at = models.DateTimeField(_("member since"))
    is_guest = models.BooleanField(
        default=False, help_text="plays without an account; the address is a placeholder"
    )
    claimed_by = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.SET_NULL,
        related_name="claimed_guests",
        help_text="the account that takes a guest's games over once its address is confirmed",
    )
    is_bot = models.BooleanField(
        default=False, db_default=False, help_text="a program plays for this account"
    )
    bot_owner = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.SET_NULL,
        related_name="owned_bots",
        db_index=False,
        help_text="the player who runs a bot; empty once their account is deleted",
    )
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField("is operator", default=False)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name", "joined_at"]

    objects = PlayerManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("name"),
                name="player_name_unique",
                violation_error_message=_("This name is taken. Choose another one."),
            ),
            # With a condition they are indexes, which a migration can build without locking the table.
            models.UniqueConstraint(
                fields=["name_skeleton"],
                condition=~Q(name_skeleton=""),
                name="player_name_skeleton",
                violation_error_message=LOOKALIKE_NAME_ERROR,
            ),
            models.UniqueConstraint(
                fields=["name_folded_skeleton"],
                condition=~Q(name_folded_skeleton=""),
                name="player_name_folded_skeleton",
                violation_error_message=LOOKALIKE_NAME_ERROR,
            ),
        ]
        indexes = [
            models.Index(fields=["last_seen_at"], condition=Q(is_guest=True), name="player_guest_seen"),
            models.Index(fields=["name"], condition=Q(name_skeleton=""), name="player_lookalike"),
            models.Index(fields=["bot_owner"], condition=Q(is_bot=True), name="player_bot_owner"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save, and update the name skeletons when the name is written."""
        fields = kwargs.get("update_fields")
        if fields is None and (self._state.adding or self.name_skeleton):
            self.set_name_skeletons()
        elif fields is not None and "name" in fields:
            self.set_name_skeletons()
            kwargs["update_fields"] = {*fields, "name_skeleton", "name_folded_skeleton"}
        super().save(*args, **kwargs)

    def set_name_skeletons(self) -> None:
        """Set the skeletons of the name; a database constraint then refuses names that look the same."""
        self.name_skeleton, self.name_folded_skeleton = skeletons_of(self.name)

    @property
    def is_lookalike(self) -> bool:
        """True if the name, older than the rule, can be mistaken for another player's or the site's own."""
        return not self.name_skeleton

    @property
    def display_name(self) -> str:
        """The name in a sentence, where a bot is marked as one; pages put a badge beside the name."""
        return gettext("%(name)s (bot)") % {"name": self.name} if self.is_bot else self.name
