"""Game settings of a tournament or league as text."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import rule_text
from games.selectors.clocks import blind_turn_allowance
from games.web import settings_text as game_settings_text
from tournaments.models import GameSettings
from tournaments.text import rules


def build_game_data(game_settings: GameSettings) -> dict[str, Any]:
    """Return the settings in the form that `games.web.settings_text` expects of a game."""
    return {
        "mode": game_settings.mode,
        "seats_wanted": 4 if game_settings.mode == GameSettings.Mode.PAIRS else game_settings.table,
        "edition": game_settings.edition,
        "options": {
            "cards": game_settings.cards,
            "obligation": game_settings.obligation,
            "target": game_settings.target,
        },
        "clock": {
            "allowance": game_settings.allowance,
            "bank": game_settings.bank,
            "weekends": game_settings.weekends,
            "nights": game_settings.nights,
        },
        "rated": game_settings.rated,
    }


def summarise_settings(game_settings: GameSettings) -> str:
    """Summarise players, cards and clock in one line."""
    game_data = build_game_data(game_settings)
    return " · ".join(
        [
            game_settings_text.describe_players(game_data["mode"], game_data["seats_wanted"]),
            game_settings_text.describe_cards(game_data),
            game_settings_text.describe_clock(game_data),
        ]
    )


def list_all_settings(game_settings: GameSettings) -> list[str]:
    """List all settings, one sentence each."""
    sentences = game_settings_text.list_all_settings(build_game_data(game_settings))
    if game_settings.round_length:
        sentences.append(rules.describe_round_length(game_settings.round_length))
    sentences.append(
        rule_text.describe_blind_allowance(
            blind_turn_allowance(game_settings.allowance, game_settings.blind_allowance)
        )
    )
    sentences.append(
        _("out of time: %(what)s") % {"what": rule_text.describe_timeout_policy(game_settings.timeouts)}
    )
    if not game_settings.vacation:
        sentences.append(_("Clocks run through vacations"))
    if not game_settings.chat:
        sentences.append(_("No talk at the tables"))
    if game_settings.private:
        sentences.append(_("Only those who play a game can see it"))
    return [capfirst(sentence) for sentence in sentences]
