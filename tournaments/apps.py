from typing import Any

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Tell games what is known here of players: export, pages, calendars, mails, and their leaving."""
        from games.selectors import contacts
        from games.services import clearing, players
        from games.services import export as of_games
        from games.web import feeds, people

        from .mail import letters
        from .selectors import relations
        from .services import appeals, entries, export
        from .web import calendar, league_honours, ratings

        more: list[tuple[list[Any], Any]] = [
            (of_games.ELSEWHERE, export.of_player),
            (players.LEAVING, entries.leave_events),
            (contacts.RELATIONS, relations.take_part_together),
            (clearing.EVIDENCE, appeals.may_be_asked_for),
            (people.PARTS, ratings.of_player),
            (people.PARTS, league_honours.of_player),
            (feeds.DATES, calendar.of_player),
        ]
        for known, new in more:
            if new not in known:
                known.append(new)
        letters.register()
