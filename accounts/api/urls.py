"""URLs of accounts in the API."""

from django.urls import path

from . import bots, me

urlpatterns = [
    path("me/", me.ProfileView.as_view(), name="api-me"),
    path("me/export/", me.ExportView.as_view(), name="api-export"),
    path("me/tokens/", me.TokenListView.as_view(), name="api-tokens"),
    path("me/tokens/<int:token_id>/", me.TokenDetailView.as_view(), name="api-token"),
    path("me/bot/", bots.OwnBotView.as_view(), name="api-bot"),
    path("me/bots/", bots.OwnedBotListView.as_view(), name="api-own-bots"),
    path("me/bots/code/", bots.OwnerCodeView.as_view(), name="api-owner-code"),
    path("players/<str:name>/", me.PlayerDetailView.as_view(), name="api-player"),
]
