"""The admin: it shows operators no secrets, offers only permitted actions, and logs every action."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from accounts.models import Player, Token
from accounts.services import players, tokens
from common.models import MetricCounter
from games import engine
from games.models import Game, GameSecrets, Incident, Message, Note, Report, Seat
from games.services import social
from notifications.models import Delivery, InboundMail, PushDevice, Webhook
from notifications.services import webhooks
from tests.factories.cast import NOW, Api, player
from tests.factories.events import DAY, create_started_tournament, find_pairing_of, get_host, get_player
from tests.factories.other_worlds import build_other_world
from tests.helpers.page_policy import check_page
from tournaments.leagues.services import leagues
from tournaments.models import LeagueSecret, Season, TournamentSecret
from tournaments.services import appeals, decisions

from .restore_checks import fill_database

pytestmark = pytest.mark.django_db
MOST_QUERIES = 9
CANARY = "zq9canary"
PASSWORD = "a long word that nobody guesses"


@pytest.fixture
def fill_site() -> str:
    """Create at least one row of everything that operators can see; return a game's code."""
    code = fill_database()
    game, ada = Game.objects.get(code=code), player("ada")
    message = Message.objects.get()
    social.report_message(player=player("bob"), code=code, message_id=message.pk, reason="rude", now=NOW)
    hook = webhooks.create_webhook(player=ada, url=f"https://example.org/{CANARY}", preset="json", now=NOW)
    Webhook.objects.filter(pk=hook.pk).update(signing_secret=CANARY)
    PushDevice.objects.create(
        player=ada,
        endpoint=f"https://push.example.org/{CANARY}",
        p256dh=CANARY,
        auth=CANARY,
        label="Firefox, Linux",
        created_at=NOW,
    )
    InboundMail.objects.create(
        digest=CANARY,
        received_at=NOW,
        sender="ada@example.org",
        recipient=f"{CANARY}@x.org",
        player=ada,
        outcome="played",
    )
    Incident.objects.create(
        started_at=NOW - DAY, ended_at=NOW - DAY, deadlines_recomputed=True, is_open=None, reason="of old"
    )
    cup = create_started_tournament("swiss", 4)
    appeals.file_appeal(
        player=get_player("p1"),
        code=cup.code,
        pairing_id=find_pairing_of(cup, "p1").pk,
        text="unfair",
        now=NOW,
    )
    entrant = cup.entrants.get(entrant_players__player__name="p2")
    decisions.disqualify_entrant(by=get_host(), code=cup.code, entrant=entrant.pk, reason="rude", now=NOW)
    league = leagues.create_league(organiser=get_host(), name="The league", division_size=4, now=NOW)
    Season.objects.create(league=league, number=1, started_at=NOW)
    # Data that only its owner may see, or nobody.
    social.post_chat_message(player=ada, code=code, text=f"not reported {CANARY}", now=NOW)
    Note.objects.update(text=CANARY)
    Player.objects.update(password=CANARY)
    Player.objects.filter(pk=ada.pk).update(feed_token=CANARY, mail_token=CANARY)
    Token.objects.update(digest=CANARY)
    Delivery.objects.update(data={"x": CANARY}, message_id=CANARY)
    Game.objects.filter(pk=game.pk).update(seat_clocks=game.seat_clocks | {CANARY: CANARY})
    Seat.objects.filter(game=game, player=ada).update(client_seed=CANARY)
    return code


def open_operator_client(name: str = "ops", **fields: Any) -> Client:
    fields = {"is_staff": True, "is_superuser": True} | fields
    Player.objects.create_user(f"{name}@example.org", PASSWORD, name=name, joined_at=NOW, **fields)
    client = Client()
    client.force_login(Player.objects.get(name=name))
    return client


def list_admin_models() -> list[tuple[Any, str]]:
    """List every model of the admin with the address of its list."""
    models = sorted(admin.site._registry, key=lambda model: model._meta.label)
    return [(model, f"/admin/{model._meta.app_label}/{model._meta.model_name}/") for model in models]


def get_change_page(model: Any, path: str) -> str:
    """Return the change page of the first row."""
    row = admin.site._registry[model].get_queryset(None).order_by("pk").first()
    assert row is not None, f"there is no {model.__name__} to look at"
    return f"{path}{quote(row.pk)}/change/"


def iter_pages() -> Iterator[str]:
    yield "/admin/"
    yield from (f"/admin/{app}/" for app in ("common", "accounts", "notifications", "games", "tournaments"))
    yield "/admin/games/incident/add/"
    for model, path in list_admin_models():
        yield from (path, f"{path}?q=ada", get_change_page(model, path))


# ------------------------------------------------------------------------------------------------- reading


def test_operators_see_this_and_nothing_else() -> None:
    assert {model._meta.label for model, _ in list_admin_models()} == {
        *("notifications.Delivery", "games.Game", "games.Incident", "games.Message", "accounts.Player"),
        *(
            "notifications.InboundMail",
            "games.Report",
            "common.MetricCounter",
            "accounts.Token",
            "notifications.PushDevice",
            "notifications.Webhook",
        ),
        *("tournaments.Appeal", "tournaments.Decision", "tournaments.Entrant", "tournaments.Tournament"),
        *("tournaments.League", "tournaments.Season", "tournaments.Pairing"),
    }
    for secret in (GameSecrets, TournamentSecret, LeagueSecret, Note, EmailAddress):
        assert not admin.site.is_registered(secret)


def test_no_list_can_be_filtered_by_what_it_does_not_show(fill_site: str) -> None:
    """Otherwise a filter on a password hash or a key would reveal it character by character."""
    client, request = open_operator_client(), RequestFactory().get("/")
    client.raise_request_exception = False
    for model, _ in list_admin_models():
        lists = admin.site._registry[model]
        for field in model._meta.get_fields():
            for lookup in (field.name, f"{field.name}__startswith", f"{field.name}__regex"):
                allowed = lists.lookup_allowed(lookup, "x", request)
                assert allowed <= (field.name in lists.list_filter), (model, lookup)
    for lookup in ("password__startswith", "feed_token__startswith", "mail_token", "email__contains"):
        assert client.get("/admin/accounts/player/", {lookup: CANARY[:3]}).status_code == 400
    assert client.get("/admin/accounts/player/", {"is_active__exact": 1}).status_code == 200


def strip_token(answer: Any) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", answer.content.decode())


def test_every_page_is_cheap_strict_and_the_same_in_two_worlds(fill_site: str) -> None:
    client, rng = open_operator_client(), random.Random("worlds")
    game = Game.objects.get(code=fill_site)
    of_game = f"/admin/games/game/{game.pk}/change/"
    page_texts = {}
    for path in [*iter_pages(), of_game, f"/admin/games/game/{game.pk}/history/"]:
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(path)
        assert answer.status_code == 200, path
        assert len(queries) <= MOST_QUERIES, (path, [query["sql"] for query in queries])
        assert CANARY not in answer.content.decode(), path
        check_page(answer)
        page_texts[path] = strip_token(answer)
    assert len(page_texts) > 50
    assert fill_site in page_texts[of_game]
    assert "ciao" in page_texts["/admin/games/report/"], "what was reported can be read"
    secret = GameSecrets.objects.get(game=game)
    other = build_other_world(engine.load_state(secret.state), None, rng)
    GameSecrets.objects.filter(game=game).update(
        state=engine.dump_state(other), server_seed=rng.randbytes(32)
    )
    # The time of the next sweep may depend on a hand.
    Game.objects.filter(pk=game.pk).update(next_sweep_at=NOW + 99 * DAY, seat_clocks={}, initial_events=[])
    for path in page_texts:
        if "?" not in path:
            assert strip_token(client.get(path)) == page_texts[path], path
    Game.objects.filter(pk=game.pk).update(deadline=NOW + 99 * DAY)
    assert strip_token(client.get(of_game)) != page_texts[of_game], "what all may know is there"


@pytest.mark.parametrize("model", ["accounts/player", "games/game", "common/metriccounter"])
def test_nonsense_in_an_address_is_no_failure_of_ours(model: str) -> None:
    client = open_operator_client()
    for more in ("?q=%00", "?nonsense=1", f"?p={10**20}", "?o=x", "%00/change/", f"{10**30}/change/"):
        assert client.get(f"/admin/{model}/{more}").status_code < 500, more


# ---------------------------------------------------------------------------------------------- permissions


def test_the_admin_is_for_staff_and_what_they_may(fill_site: str) -> None:
    anonymous = Client()
    staff = open_operator_client("new", is_superuser=False)
    other = open_operator_client("ben", is_staff=False, is_superuser=False)
    for model, path in list_admin_models():
        for address in (path, get_change_page(model, path)):
            answer = anonymous.get(address)
            assert answer.status_code == 302, address
            assert answer["Location"].startswith("/admin/login/"), address
            assert staff.get(address).status_code == 403, address
        assert other.get(path, follow=True).status_code == 403, path


def test_who_may_look_may_not_do(fill_site: str) -> None:
    client = open_operator_client("eye", is_superuser=False)
    eye = Player.objects.get(name="eye")
    eye.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    ada = player("ada")
    assert client.get(f"/admin/accounts/player/{ada.pk}/change/").status_code == 200
    assert "Block" not in client.get("/admin/accounts/player/").content.decode()
    client.post("/admin/accounts/player/", {"action": "block", "_selected_action": [ada.pk], "sure": "yes"})
    ada.refresh_from_db()
    assert ada.is_active
    assert client.post("/admin/games/incident/add/", {"reason": "x", "sure": "on"}).status_code == 403
    message = Message.objects.filter(reports__isnull=False).get()
    path = f"/admin/games/message/{message.pk}/change/"
    assert client.post(path, {"hidden": "on"}).status_code == 403
    assert not Incident.objects.filter(deadlines_recomputed=False).exists()
    assert not LogEntry.objects.exists()


def test_nothing_can_be_written_but_what_is_an_operators_to_settle(fill_site: str) -> None:
    client = open_operator_client()
    writable_fields = {Report: "resolved", Message: "hidden"}
    for model, path in list_admin_models():
        row = admin.site._registry[model].get_queryset(None).order_by("pk").first()
        assert row is not None
        names = [field.name for field in model._meta.concrete_fields if not field.primary_key]
        before = type(row)._default_manager.filter(pk=row.pk).values().get()
        answer = client.post(f"{path}{quote(row.pk)}/change/", dict.fromkeys(names, "7"))
        assert answer.status_code == (302 if model in writable_fields else 403), path
        after = type(row)._default_manager.filter(pk=row.pk).values().get()
        changed = {name for name in before if before[name] != after[name]}
        assert changed == ({writable_fields[model]} if model in writable_fields else set()), path
        assert client.post(f"{path}{quote(row.pk)}/delete/", {"post": "yes"}).status_code == 403
        if model is not Incident:
            assert client.post(f"{path}add/", dict.fromkeys(names, "7")).status_code == 403
        client.post(path, {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
        assert type(row)._default_manager.filter(pk=row.pk).exists()


def test_operators_sign_in_where_everybody_does_and_as_often(settings: Any) -> None:
    cache.clear()
    open_operator_client()
    EmailAddress.objects.create(
        user=Player.objects.get(name="ops"), email="ops@example.org", verified=True, primary=True
    )
    client = Client()
    right = {"username": "ops@example.org", "password": PASSWORD}
    answer = client.post("/admin/login/?next=/admin/games/", right)
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=%2Fadmin%2Fgames%2F")
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/accounts/login/")
    wrong = {"login": "ops@example.org", "password": "a guess"}
    for _ in range(12):
        answer = client.post("/accounts/login/?next=/admin/", wrong)
    answer = client.post("/accounts/login/?next=/admin/", wrong | {"password": PASSWORD})
    assert answer.status_code in (200, 429), "after so many guesses the right one does not help either"
    cache.clear()
    answer = client.post("/accounts/login/?next=/admin/", wrong | {"password": PASSWORD})
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")
    assert client.get("/admin/").status_code == 200
    assert client.get("/admin/password_change/")["Location"] == "/accounts/password/change/"
    cache.clear()


# -------------------------------------------------------------------------------------------------- actions


def run_action(client: Client, model: str, action: str, *keys: Any, sure: bool = True) -> Any:
    data = {"action": action, "_selected_action": list(keys)} | ({"sure": "yes"} if sure else {})
    [path] = [
        path for registered_model, path in list_admin_models() if registered_model._meta.model_name == model
    ]
    return client.post(path, data)


def list_log_entries() -> list[tuple[str, str, str]]:
    lines = LogEntry.objects.order_by("pk").select_related("user")
    return [(line.user.name, line.object_repr, line.get_change_message()) for line in lines]


def test_a_blocked_player_is_out_at_once_and_may_be_let_in_again() -> None:
    client, api, browser = open_operator_client(), Api("ada"), Client()
    ada = player("ada")
    browser.force_login(ada)
    assert api.get("me/").status_code == browser.get("/me/profile/").status_code == 200
    response = run_action(client, "player", "block", ada.pk, sure=False)
    assert b"Block these players?" in response.content
    assert not list_log_entries()
    check_page(response)
    run_action(client, "player", "block", ada.pk)
    assert api.get("me/").status_code == 401
    assert browser.get("/me/profile/").status_code == 302
    assert list_log_entries() == [("ops", "ada", "blocked")]
    run_action(client, "player", "unblock", ada.pk)
    assert api.get("me/").status_code == 200
    assert list_log_entries()[1:] == [("ops", "ada", "unblocked")]


def test_operators_do_not_block_each_other_or_themselves() -> None:
    client = open_operator_client()
    ops = Player.objects.get(name="ops")
    run_action(client, "player", "block", ops.pk)
    ops.refresh_from_db()
    assert ops.is_active
    assert not list_log_entries()


def test_a_mail_that_was_given_up_is_sent_again_and_no_other() -> None:
    client, ada = open_operator_client(), player("ada")
    status = Delivery.Status
    deliveries = {
        state: Delivery.objects.create(
            player=ada, kind="test", dedup_key=state, status=state, created_at=NOW, attempts=9
        )
        for state in (status.FAILED, status.BOUNCED, status.SENT, status.DROPPED)
    }
    run_action(client, "delivery", "resend", *(delivery.pk for delivery in deliveries.values()))
    waiting = Delivery.objects.filter(status=status.WAITING, attempts=0, next_attempt_at__isnull=False)
    assert set(waiting) == {deliveries[status.FAILED], deliveries[status.BOUNCED]}
    assert len(list_log_entries()) == 2


def test_a_webhook_is_switched_off_and_a_token_revoked() -> None:
    client, ada = open_operator_client(), player("ada")
    hook = webhooks.create_webhook(player=ada, url="https://example.org/x", preset="json", now=NOW)
    Delivery.objects.create(
        player=ada, kind="turn", dedup_key="x", webhook=hook, created_at=NOW, next_attempt_at=NOW
    )
    token, _ = tokens.create_token(player=ada, name="bot", scopes=["read"], now=NOW)
    run_action(client, "webhook", "turn_off", hook.pk, sure=False)
    run_action(client, "token", "revoke", token.pk, sure=False)
    assert not list_log_entries()
    run_action(client, "webhook", "turn_off", hook.pk)
    run_action(client, "token", "revoke", token.pk)
    hook.refresh_from_db()
    token.refresh_from_db()
    assert not hook.active
    assert token.revoked_at
    assert Delivery.objects.get().status == Delivery.Status.DROPPED
    assert [line[2] for line in list_log_entries()] == ["turned off", "revoked"]


def test_the_switch_that_stops_all_clocks_asks_first() -> None:
    client = open_operator_client()
    path = "/admin/games/incident/add/"
    assert client.post(path, {"reason": "disk full"}).status_code == 200
    assert not Incident.objects.exists()
    assert client.post(path, {"reason": "disk full", "sure": "on"}).status_code == 302
    incident = Incident.objects.get()
    assert (incident.reason, incident.ended_at, incident.is_open) == ("disk full", None, True)
    assert b"an incident is open already" in client.post(path, {"reason": "x", "sure": "on"}).content
    response = run_action(client, "incident", "end_incident", incident.pk, sure=False)
    assert b"End the incident and restart all clocks?" in response.content
    assert Incident.objects.get().ended_at is None
    run_action(client, "incident", "end_incident", incident.pk)
    incident.refresh_from_db()
    assert incident.deadlines_recomputed
    assert incident.ended_at - incident.started_at < timedelta(minutes=5)
    assert [line[0] for line in list_log_entries()] == ["ops", "ops"]
    run_action(client, "incident", "end_incident", incident.pk)
    assert len(list_log_entries()) == 2, "what is over is not ended again"


def test_who_works_here_is_said_on_the_machine() -> None:
    ada, client = player("ada"), Client()
    client.force_login(ada)
    block_action = b"Block: the player can no longer sign in"
    for may, status, offered in (("none", 403, False), ("look", 200, False), ("all", 200, True)):
        call_command("operator", "ADA@example.org", may, stdout=io.StringIO())
        answer = client.get("/admin/accounts/player/", follow=True)
        assert (answer.status_code, block_action in answer.content) == (status, offered), may
    call_command("operator", "ada@example.org", "none", stdout=io.StringIO())
    assert client.get("/admin/", follow=True).status_code == 403
    with pytest.raises(CommandError, match="No account has the address"):
        call_command("operator", "nobody@example.org", "all")
    players.block_player(player=Player.objects.get(pk=ada.pk), now=NOW)
    with pytest.raises(CommandError, match="Only a confirmed account"):
        call_command("operator", "ada@example.org", "all")


def test_counters_are_found_by_name() -> None:
    MetricCounter.objects.create(name="mail:sent", count=7, updated_at=NOW)
    assert b"mail:sent" in open_operator_client().get("/admin/common/metriccounter/?q=mail").content
