"""The profile of a bot, for players who look for an opponent."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.link_detection import check_no_link

from .limits import BOT_GAMES, MAX_BOT_TEXT_LENGTH


class BotProfile(models.Model):
    """The settings of a bot account. The account itself says that it is one, and who runs it."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="bot_profile"
    )
    declared_at = models.DateTimeField(help_text="when the account was declared a bot")
    takes_challenges = models.BooleanField(
        _("Accepts challenges and appears in the list of bots"), default=True
    )
    about = models.CharField(
        _("Playing style"), max_length=MAX_BOT_TEXT_LENGTH, blank=True, default="", validators=[check_no_link]
    )
    plays_cards = models.BooleanField(_("Plays with secret cards"), default=True)
    max_games = models.SmallIntegerField(
        _("Challenges at the same time"),
        default=5,
        validators=BOT_GAMES.validators,
        help_text="challenges at once",
    )

    def __str__(self) -> str:
        return f"bot {self.player_id}"
