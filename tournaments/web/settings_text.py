"""Game settings of a tournament or league as text."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import option_text, rule_text
from games.engine import RULES_VERSION
from games.engine.view import build_options_data
from games.selectors.clocks import blind_turn_allowance
from games.web import settings_text as game_settings_text
from tournaments.models import GameSettings
from tournaments.options import GAME_SETTINGS_OPTIONS


def build_game_data(game_settings: GameSettings) -> dict[str, Any]:
    """Return the settings in the form that `games.web.settings_text` expects of a game."""
    return {
        "mode": game_settings.mode,
        "seats_wanted": 4 if game_settings.mode == GameSettings.Mode.PAIRS else game_settings.table_size,
        "edition": game_settings.edition,
        "options": build_options_data(game_settings, RULES_VERSION),
        "hints": game_settings.hints,
        "clock": {
            "allowance_seconds": game_settings.allowance,
            "bank_seconds": game_settings.bank,
            "weekends": game_settings.weekends,
            "nights": game_settings.nights,
        },
        "rated": game_settings.rated,
        "bots_allowed": False,  # what a tournament says of bots is said of entering it
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
    sentences.append(
        rule_text.describe_blind_allowance(
            blind_turn_allowance(game_settings.allowance, game_settings.blind_allowance)
        )
    )
    sentences.append(
        _("timeout: %(what)s") % {"what": option_text.describe_timeout_policy(game_settings.timeout_policy)}
    )
    sentences += [
        option.describe_value(getattr(game_settings, name)) for name, option in GAME_SETTINGS_OPTIONS.items()
    ]
    return [capfirst(sentence) for sentence in sentences if sentence]
