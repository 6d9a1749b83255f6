from django.urls import include, path

from . import views

urlpatterns = [
    path("", views.home, name="home"),
    path("me/", include("games.web.me")),
]
