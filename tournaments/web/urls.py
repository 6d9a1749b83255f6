"""Every page of tournaments and leagues."""

from django.urls import include, path

# What an organiser opens is named first: a word of theirs is no deed of a player's.
urlpatterns = [
    path("", include("tournaments.web.ratings")),
    path("tournaments/", include("tournaments.web.calendar")),
    path("", include("tournaments.web.by_mail")),
    path("", include("tournaments.web.proposals")),
    path("tournaments/", include("tournaments.web.organise")),
    path("tournaments/", include("tournaments.web.events")),
    path("leagues/", include("tournaments.web.leagues")),
]
