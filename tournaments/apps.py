"""The app's configuration, and what it registers with games at start-up."""

from typing import Any

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """The tournaments app."""

    name = "tournaments"

    def ready(self) -> None:
        """Register with games: export, profile parts, calendars, mails, the clean-up of deleted players."""
        from games.selectors import contacts
        from games.services import export as games_export
        from games.services import players, retention
        from games.web import feeds, profile

        from .mail import composers
        from .selectors import shared_tournaments
        from .services import appeals, entries, export
        from .web import calendar, league_honours, ratings

        extensions: list[tuple[list[Any], Any]] = [
            (games_export.EXTRA_EXPORTERS, export.export_tournament_data),
            (players.BEFORE_LEAVING_HOOKS, entries.leave_all_tournaments),
            (contacts.HAVE_MET_CHECKS, shared_tournaments.have_played_together),
            (retention.DELIVERY_KEEP_CONDITIONS, appeals.build_evidence_condition),
            (profile.PROFILE_SECTIONS, ratings.build_ratings_section),
            (profile.PROFILE_SECTIONS, league_honours.build_honours_section),
            (feeds.CALENDAR_SOURCES, calendar.list_player_dates),
        ]
        for registry, extension in extensions:
            if extension not in registry:
                registry.append(extension)
        composers.register_notice_kinds()
