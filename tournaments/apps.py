from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Tell the export of accounts what is stored here."""
        from games.services import export as of_games

        from .services import export

        if export.of_player not in of_games.ELSEWHERE:
            of_games.ELSEWHERE.append(export.of_player)
