from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Tell the accounts what is stored here, what leaving means here, and what a player has won."""
        from games.services import export as of_games
        from games.services import players
        from games.web import people

        from .services import entries, export
        from .web import league_honours

        if export.of_player not in of_games.ELSEWHERE:
            of_games.ELSEWHERE.append(export.of_player)
        if entries.leave_seasons not in players.LEAVING:
            players.LEAVING.append(entries.leave_seasons)
        if league_honours.of_player not in people.PARTS:
            people.PARTS.append(league_honours.of_player)
