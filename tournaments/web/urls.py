"""URLs of all tournament and league pages."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournaments.ratings.web")),
    path("tournaments/", include("tournaments.web.calendar")),
    path("", include("tournaments.web.mail_links")),
    path("", include("tournaments.web.proposals")),
    path("tournaments/", include("tournaments.web.organiser_views")),
    path("tournaments/", include("tournaments.web.tournaments")),
    path("leagues/", include("tournaments.leagues.web.pages")),
]
