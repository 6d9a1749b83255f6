"""The form of a league; only the name is required."""

from __future__ import annotations

from typing import Any

from games.options import group_by_section, read_options
from games.web.option_fields import add_form_fields
from tournaments.models import League
from tournaments.options import GAME_SETTINGS_OPTIONS, LEAGUE_OPTIONS
from tournaments.web.game_settings_form import GameSettingsForm, build_initial_settings

SECTIONS = group_by_section(LEAGUE_OPTIONS, GAME_SETTINGS_OPTIONS)


@add_form_fields(LEAGUE_OPTIONS)
class LeagueForm(GameSettingsForm):
    """All settings of a league."""

    own_options = LEAGUE_OPTIONS
    # On this page the custom clock is with the games, and the length of a round with the seasons.
    sections = {
        "shape": (*SECTIONS["shape"], *SECTIONS["running"]),
        "games": (*SECTIONS["games"], "allowance", "bank"),
    }
    field_order = (
        *("name", "text", "division_size", "promotion_count", "seats", "time_control", "format"),
        "newcomer_policy",
    )

    def build_settings(self) -> dict[str, Any]:
        """Return all settings as keyword arguments of the service; an empty pause is none."""
        return super().build_settings() | {"season_pause": self.cleaned_data["season_pause"] or 0}


def build_initial_values(league: League) -> dict[str, Any]:
    """Return the initial values of the form for a league."""
    return {
        **read_options(league, LEAGUE_OPTIONS),
        **build_initial_settings(league),
    }
