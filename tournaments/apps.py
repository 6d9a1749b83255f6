from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Tell the accounts what is stored here, and what leaving means here."""
        from games.services import export as of_games
        from games.services import players

        from .services import entries, export

        if export.of_player not in of_games.ELSEWHERE:
            of_games.ELSEWHERE.append(export.of_player)
        if entries.leave_seasons not in players.LEAVING:
            players.LEAVING.append(entries.leave_seasons)
