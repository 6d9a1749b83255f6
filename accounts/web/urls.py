"""URLs of the pages of accounts."""

from django.urls import include, path

from . import address_confirmation, display_settings, language, profile

urlpatterns = [
    path("players/<str:name>/", profile.show_player, name="player"),
    path("language/", language.choose_language, name="language"),
    path("display/", display_settings.edit_display, name="display"),
    # Before allauth's URLs: allauth's view confirms in any browser.
    path(
        "accounts/confirm-email/<str:key>/",
        address_confirmation.confirm_address,
        name="account_confirm_email",
    ),
    path("me/", include("accounts.web.account_settings")),
    path("me/", include("accounts.web.bot_settings")),
]
