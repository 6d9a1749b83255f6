"""An unconfirmed claim to an address does not prevent its owner from signing up with it or receiving mail."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings as site
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.selectors.profiles import find_player_by_name
from accounts.services import addresses, oauth_apps, retention, tokens
from common.service_errors import Invalid
from games import signed_links, tasks
from games.models import Invitation, Seat
from games.services import invitations, lobby
from notifications.models import Delivery
from tests.factories.cast import player
from tests.factories.events import published
from tests.factories.guesting import check_game_is_sound, play_now
from tests.factories.linking import start_game
from tests.helpers import mail_outages
from tests.helpers.accounts import find_link, is_signed_in
from tests.helpers.address_claims import (
    HERS,
    OTHER,
    STRANGERS,
    X,
    can_sign_in,
    create_account_client,
    sign_up,
    squat_address,
)
from tests.helpers.oauth import BACK, allow_app, exchange_code
from tests.helpers.tokens import ask_api
from tournaments.services import entries

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def reset_limits(settings: Any) -> None:
    """Reset the request counts, and use a fast password hasher."""
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "http://testserver"


# --------------------------------------------------------------------------------------- sign-up of the owner


def check_is_elsa(browser: Client) -> None:
    """Check that Elsa is signed in with her own name and password, and that only she has the address."""
    assert browser.get("/me/profile/").context["user"].name == "Elsa"
    assert Player.objects.get(email=X).name == "Elsa"
    assert EmailAddress.objects.get(email=X).verified
    assert can_sign_in(HERS)
    assert not can_sign_in(STRANGERS)
    assert not Player.objects.filter(name="Mallory").exists()


@pytest.mark.parametrize("by", ["her own link", "the stranger's link", "the only link"])
def test_who_was_not_first_signs_up_all_the_same(by: str) -> None:
    stranger = Client()
    first = sign_up(stranger, "Mallory", STRANGERS)
    if by != "the only link":  # one link in three minutes: the second sign-up may send none
        cache.clear()
    owner = Client()
    link = sign_up(owner, "Elsa", HERS)
    assert (link == first) is (by == "the only link")
    owner.post(link if by == "her own link" else first)
    check_is_elsa(owner)
    assert not is_signed_in(stranger)


def test_who_was_first_is_not_shut_out_by_a_stranger_who_comes_later() -> None:
    owner, stranger = Client(), Client()
    link = sign_up(owner, "Elsa", HERS)
    cache.clear()
    sign_up(stranger, "Mallory", STRANGERS)
    owner.post(link)
    check_is_elsa(owner)
    assert not is_signed_in(stranger)


def test_in_another_browser_each_link_is_for_its_own_account() -> None:
    _stranger, other_link = squat_address()
    hers = sign_up(Client(), "Elsa", HERS)
    phone = Client()
    assert "Mallory" in phone.get(other_link).content.decode()
    assert "Elsa" in phone.get(hers).content.decode()
    phone.post(hers, {"without": "1"})
    assert phone.get("/me/profile/").context["user"].name == "Elsa"
    assert not can_sign_in(HERS)
    assert Client().post(other_link, {"without": "1"}).status_code == 404
    assert not Player.objects.filter(name="Mallory").exists()


def test_what_the_stranger_played_as_a_guest_is_not_handed_to_her() -> None:
    stranger = Client()
    guest, game = play_now(stranger)
    sign_up(stranger, "Mallory", STRANGERS)
    owner = Client()
    cache.clear()
    owner.post(sign_up(owner, "Elsa", HERS))
    check_is_elsa(owner)
    guest.refresh_from_db()
    assert (guest.claimed_by, game.seats.get(bot_policy="").player) == (None, guest)
    assert stranger.get(f"/games/{game.code}/").status_code == 200


def test_an_address_that_waits_on_another_account_can_be_signed_up_with() -> None:
    stranger = create_account_client()
    stranger.post("/accounts/email/", {"action_add": "", "email": X})
    link, owner = find_link(mail.outbox[-1]), Client()
    owner.post(sign_up(owner, "Elsa", HERS))  # uses the earlier mail: the second sign-up sends none yet
    assert owner.get("/me/profile/").context["user"].name == "Elsa"
    assert stranger.post(link).status_code == 409
    assert b"Another account already uses" in stranger.get(link).content
    assert (is_signed_in(stranger), Player.objects.get(name="Mallory").email) == (True, OTHER)


def test_an_address_that_has_an_account_is_not_given_to_whoever_signs_up() -> None:
    create_account_client("Elsa", HERS, X)
    stranger = Client()
    stranger.post("/accounts/signup/", {"email": X, "username": "Mallory", "password1": STRANGERS})
    assert Player.objects.get(email=X).name == "Elsa"
    assert not EmailAddress.objects.filter(user__name="Mallory", verified=True).exists()
    assert "already has an account" in mail.outbox[-1].body
    assert not can_sign_in(STRANGERS)
    assert can_sign_in(HERS)


# ------------------------------------------------------------------------------- the link "this was not me"


def test_whoever_has_the_mailbox_takes_the_claim_back() -> None:
    stranger, link = squat_address()
    now, ada = timezone.now(), player("ada")
    game = lobby.create_game(player=ada, now=now, seat_count=2)
    invitation = invitations.invite_to_game(player=ada, code=game.code, email=X, now=now)
    owner = Client()
    assert b"This was not me" in owner.get(link).content
    assert owner.post(link, {"withdraw": "1"})["Location"] == "/"
    assert not Player.objects.filter(name="Mallory").exists()
    assert Invitation.objects.filter(pk=invitation.pk).exists(), "what was sent to her is hers"
    assert not is_signed_in(owner)
    assert owner.post(link, {"withdraw": "1"}).status_code == 404
    assert stranger.post(link).status_code == 404
    cache.clear()
    owner.post(sign_up(owner, "Elsa", HERS))
    check_is_elsa(owner)


def test_a_sign_up_whose_mail_cannot_be_sent_takes_no_invitation_along() -> None:
    now, ada = timezone.now(), player("ada")
    game = lobby.create_game(player=ada, now=now, seat_count=2)
    invitations.invite_to_game(player=ada, code=game.code, email=X, now=now)
    with mail_outages.refuse_connections():
        Client().post("/accounts/signup/", {"email": X, "username": "Mallory", "password1": STRANGERS})
    assert not Player.objects.filter(name="Mallory").exists()
    assert Invitation.objects.filter(email=X).exists()


# --------------------------------------------------------------------- restrictions of unconfirmed accounts


def test_nobody_asks_an_unconfirmed_account_to_anything() -> None:
    """Otherwise a stranger could make the site write to the owner through names of the stranger's choice."""
    squat_address()
    mail.outbox.clear()
    now, ada = timezone.now(), player("ada")
    game = lobby.create_game(player=ada, now=now, seat_count=2)
    with pytest.raises(Invalid):
        invitations.invite_to_game(player=ada, code=game.code, name="Mallory", now=now)
    assert Client().get("/players/Mallory/").status_code == 404
    tasks.deliver_mail()
    assert mail.outbox == []
    assert not Delivery.objects.exists()


def test_nobody_works_here_who_has_not_confirmed() -> None:
    squat_address()
    with pytest.raises(CommandError):
        call_command("operator", X, "all")
    assert not Player.objects.get(email=X).is_staff


def test_to_sign_up_by_an_invitation_in_the_mail_confirms_nothing() -> None:
    """The inviter knows the link as well as the invited person."""
    now, ada = timezone.now(), player("ada")
    game = lobby.create_game(player=ada, now=now, seat_count=2, private=True)
    invitation_row = invitations.invite_to_game(player=ada, code=game.code, email=X, now=now)
    client, invitation = Client(), f"/invitations/{signed_links.make_invitation_token(invitation_row.pk)}/"
    assert client.get(invitation).status_code == 200
    fields = {"email": X, "username": "Elsa", "password1": HERS, "next": invitation}
    client.post("/accounts/signup/", fields)
    assert not EmailAddress.objects.get(email=X).verified
    assert not is_signed_in(client)
    assert not can_sign_in(HERS)


# ------------------------------------------------------------------------------------------------- retention


def get_retention() -> timedelta:
    return timedelta(days=site.RETENTION_DAYS["unconfirmed"])


def test_who_never_confirms_is_removed_after_a_week(settings: Any) -> None:
    _stranger, link = squat_address()
    create_account_client("Olga", HERS, OTHER)
    player("ada")  # created by a command, without an address to confirm
    joined = Player.objects.get(email=X).joined_at
    assert get_retention() == 7 * DAY
    assert retention.delete_expired_rows(now=joined + get_retention() - DAY / 24)["unconfirmed"] == 0
    assert retention.delete_expired_rows(now=joined + get_retention() + DAY / 24)["unconfirmed"] == 1
    assert retention.delete_expired_rows(now=joined + get_retention() + DAY / 24)["unconfirmed"] == 0
    assert set(Player.objects.values_list("name", flat=True)) == {"Olga", "ada"}
    assert Client().post(link, {"without": "1"}).status_code == 404
    settings.RETENTION_DAYS = settings.RETENTION_DAYS | {"unconfirmed": 30}
    cache.clear()
    sign_up(Client(), "Mallory", STRANGERS)
    assert retention.delete_expired_rows(now=timezone.now() + 29 * DAY)["unconfirmed"] == 0
    assert retention.delete_expired_rows(now=timezone.now() + 31 * DAY)["unconfirmed"] == 1


def test_who_was_replaced_by_a_later_claim_is_removed_as_well() -> None:
    squat_address()
    sign_up(Client(), "Elsa", HERS)
    assert Player.objects.count() == 2
    assert retention.delete_expired_rows(now=timezone.now() + get_retention() + DAY)["unconfirmed"] == 2
    assert not Player.objects.exists()


def test_an_operator_who_has_not_confirmed_yet_stays() -> None:
    operator = Player.objects.create_superuser(email=X, password=HERS, name="Op", joined_at=timezone.now())
    client = Client()
    client.post("/accounts/login/", {"login": X, "password": HERS})
    assert retention.delete_expired_rows(now=timezone.now() + 100 * DAY)["unconfirmed"] == 0
    stranger = Client()
    cache.clear()
    stranger.post("/accounts/signup/", {"email": X, "username": "Mallory", "password1": STRANGERS})
    operator.refresh_from_db()
    assert operator.email == X
    client.post(find_link(mail.outbox[0]))
    assert is_signed_in(client)
    assert can_sign_in(HERS)


def test_seats_and_places_of_who_never_confirms_are_left_as_those_of_a_deleted_account() -> None:
    """Seats and places can no longer be given to them by name; earlier ones are not kept for ever."""
    squat_address()
    who = Player.objects.get(email=X)
    now = who.joined_at
    player("Mallory")
    running, waiting = (
        start_game("ada", "Mallory"),
        lobby.create_game(player=player("bob"), now=now, seat_count=2),
    )
    lobby.join_game(player=who, code=waiting.code, now=now)
    cup = published("swiss", 3)
    entries.enter_tournament(player=who, code=cup.code, now=now)
    assert retention.delete_expired_rows(now=now + get_retention() + DAY)["unconfirmed"] == 1
    running.refresh_from_db()
    waiting.refresh_from_db()
    assert (running.status, waiting.status) == ("over", "open")
    assert set(Seat.objects.filter(game=running).values_list("player__name", flat=True)) == {"ada", None}
    assert not waiting.seats.exists()
    assert not cup.entrants.filter(entrant_players__player__isnull=False, left_after_round=None).exclude(
        entrant_players__player__name__startswith="p"
    )
    check_game_is_sound(running)


def test_one_that_cannot_be_removed_does_not_keep_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    squat_address()
    sign_up(Client(), "Trudy", STRANGERS, OTHER)
    remove = addresses.players.remove_player

    def break_for_one(*, player: Player, now: Any) -> None:
        if player.name == "Mallory":
            raise RuntimeError("a broken game")
        remove(player=player, now=now)

    monkeypatch.setattr(addresses.players, "remove_player", break_for_one)
    later = timezone.now() + get_retention() + DAY
    assert retention.delete_expired_rows(now=later)["unconfirmed"] == 1
    monkeypatch.undo()
    assert retention.delete_expired_rows(now=later)["unconfirmed"] == 1, "the next sweep tries again"
    assert not Player.objects.exists()


def test_a_guest_outlives_the_account_that_was_never_confirmed() -> None:
    client = Client()
    guest, game = play_now(client)
    sign_up(client, "Elsa", HERS)
    assert retention.delete_expired_rows(now=timezone.now() + get_retention() + DAY)["unconfirmed"] == 1
    guest.refresh_from_db()
    assert guest.claimed_by is None
    assert client.get(f"/games/{game.code}/").status_code == 200


# ---------------------------------------------------------------------------------------- password reset


def test_a_forgotten_password_set_anew_ends_sessions_tokens_and_apps() -> None:
    thief = create_account_client("Elsa", HERS, X)
    who, now = Player.objects.get(email=X), timezone.now()
    app, _secret = oauth_apps.register_app(
        player=player("bob"), name="Pocket board", addresses=[BACK], secret=False, now=now
    )
    oauth = exchange_code(app, allow_app(thief, app)["code"]).json()
    _row, token = tokens.create_token(player=who, name="mine", scopes=("read",), now=now)
    TOTP.activate(who, generate_totp_secret())
    RecoveryCodes.activate(who)
    assert (ask_api(oauth["access_token"]).status_code, ask_api(token).status_code) == (200, 200)

    owner = Client()
    owner.post("/accounts/password/reset/", {"email": X})
    form = owner.get(find_link(mail.outbox[-1]), follow=True).redirect_chain[-1][0]
    new = "another walk, another canal"
    assert owner.post(form, {"password1": "12345678", "password2": "12345678"}).status_code == 200
    assert is_signed_in(thief), "a password that is refused ends nothing"
    owner.post(form, {"password1": new, "password2": new})
    assert not is_signed_in(thief)
    assert (ask_api(oauth["access_token"]).status_code, ask_api(token).status_code) == (401, 401)
    refresh = {
        "grant_type": "refresh_token",
        "refresh_token": oauth["refresh_token"],
        "client_id": app.client_id,
    }
    assert Client().post("/oauth/token/", refresh).status_code == 400
    assert Authenticator.objects.filter(user=who).count() == 2, (
        "a mailbox alone does not take the second factor"
    )
    assert find_player_by_name("Elsa") == who
