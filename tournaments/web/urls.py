"""URLs of all tournament and league pages."""

from django.urls import include, path

# Organiser pages come first: `<slug:deed>/` of the player actions would match their paths.
urlpatterns = [
    path("", include("tournaments.web.ratings")),
    path("tournaments/", include("tournaments.web.calendar")),
    path("", include("tournaments.web.mail_links")),
    path("", include("tournaments.web.proposals")),
    path("tournaments/", include("tournaments.web.organiser_views")),
    path("tournaments/", include("tournaments.web.tournaments")),
    path("leagues/", include("tournaments.web.leagues")),
]
