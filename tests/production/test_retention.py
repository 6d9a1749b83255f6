"""Retention: which rows are kept, and for how long."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application

from accounts.models import Player, Token
from accounts.services import retention, tokens
from common.batches import iter_pk_batches
from games.models import Action, Game, Invitation
from games.selectors.notices import list_messages_since_last_mail
from games.services import invitations, lobby, social, turns
from games.tasks import clear_expired_data
from notifications import retention as notifications_retention
from notifications.models import Delivery, FeedEntry, InboundMail
from otto_site.celery import app
from tests.extra_app import extra_app
from tests.factories.cast import NOW, Api, player, start_cast_game
from tests.factories.events import create_started_tournament, find_pairing_of, get_host, get_player
from tests.factories.timing import get_name_to_act, play_first_legal, start_quick_game
from tournaments.models import Tournament
from tournaments.services import appeals

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
AFTER_RETENTION = NOW + 1000 * DAY


def get_retention(name: str) -> timedelta:
    return timedelta(days=site.RETENTION_DAYS[name])


def create_delivery(name: str, at: datetime = NOW, **more: Any) -> Delivery:
    fields = {
        "kind": "turn",
        "dedup_key": f"r{Delivery.objects.count()}",
        "status": "sent",
        "created_at": at,
    } | more
    return Delivery.objects.create(player=get_player(name), **fields)


def test_a_delivery_goes_when_it_is_old_and_done_with() -> None:
    old, young = create_delivery("x"), create_delivery("x", NOW + DAY)
    waiting = create_delivery("x", status="waiting", next_attempt_at=NOW)
    now = NOW + get_retention("deliveries") + DAY / 2
    assert notifications_retention.delete_old_deliveries(now=now) == 1
    assert set(Delivery.objects.all()) == {young, waiting}
    assert notifications_retention.delete_old_deliveries(now=now) == 0
    assert old.pk


def test_many_go_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(7):
        create_delivery("x")
    monkeypatch.setattr(
        notifications_retention, "iter_pk_batches", lambda rows: iter_pk_batches(rows, size=2)
    )
    assert notifications_retention.delete_old_deliveries(now=AFTER_RETENTION) == 7
    assert list(iter_pk_batches(Player.objects.all(), size=1)) == [
        [pk] for pk in Player.objects.values_list("pk", flat=True)
    ]


def test_the_feed_of_a_game_that_goes_on_stays() -> None:
    game = start_quick_game("ada", "bob")
    social.post_chat_message(player=player("bob"), code=game.code, text="known", now=NOW)
    create_delivery("ada", NOW + DAY, topic=game.topic, sent_at=NOW + DAY)
    retention.delete_expired_rows(now=AFTER_RETENTION)
    assert list_messages_since_last_mail(player("ada"), game) == [], (
        "or their next mail would tell it once more"
    )
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    retention.delete_expired_rows(now=AFTER_RETENTION)
    assert not Delivery.objects.exists()


def test_evidence_stays_for_as_long_as_somebody_may_ask_for_it() -> None:
    cup = create_started_tournament("swiss", 4)
    before, digest, stranger = (
        create_delivery("p1", NOW - DAY),
        create_delivery("p1", kind="digest"),
        create_delivery("x"),
    )
    retention.delete_expired_rows(now=AFTER_RETENTION)
    assert set(Delivery.objects.filter(pk__in=[before.pk, digest.pk, stranger.pk])) == {digest}
    Tournament.objects.filter(pk=cup.pk).update(
        finished_at=AFTER_RETENTION, status=Tournament.Status.FINISHED
    )
    appeal = appeals.file_appeal(
        player=get_player("p1"),
        code=cup.code,
        pairing_id=find_pairing_of(cup, "p1").pk,
        text="unfair",
        now=AFTER_RETENTION,
    )
    last = AFTER_RETENTION + appeals.APPEAL_PERIOD_AFTER_END
    for now in (last - DAY, last + DAY):
        retention.delete_expired_rows(now=now)
        assert Delivery.objects.filter(pk=digest.pk).exists(), "an appeal waits for its answer"
    appeals.answer_appeal(by=get_host(), code=cup.code, appeal_id=appeal.pk, text="it stands", now=last)
    retention.delete_expired_rows(now=last - DAY)
    assert Delivery.objects.filter(pk=digest.pk).exists(), "others may appeal still"
    retention.delete_expired_rows(now=last + DAY)
    assert not Delivery.objects.filter(pk=digest.pk).exists()


def test_received_mails_and_dead_tokens_go() -> None:
    ada = player("ada")
    InboundMail.objects.create(digest="a", received_at=NOW, outcome="played")
    InboundMail.objects.create(digest="b", received_at=NOW + 2 * DAY, outcome="played")
    lasting, _ = tokens.create_token(player=ada, name="for ever", scopes=["read"], now=NOW)
    over, _ = tokens.create_token(player=ada, name="a day", scopes=["read"], expires_in_days=1, now=NOW)
    revoked, _ = tokens.create_token(player=ada, name="lost", scopes=["read"], now=NOW)
    tokens.revoke_token(player=ada, token_id=revoked.pk, now=NOW)
    retention.delete_expired_rows(now=NOW + get_retention("tokens") + DAY / 2)
    assert set(Token.objects.all()) == {lasting, over}
    retention.delete_expired_rows(now=NOW + get_retention("received") + DAY)
    assert set(Token.objects.all()) == {lasting}
    assert list(InboundMail.objects.values_list("digest", flat=True)) == ["b"]


def test_an_idempotency_key_is_forgotten_and_the_line_of_the_feed_stays() -> None:
    game = start_quick_game("ada", "bob")
    api, key = Api(get_name_to_act(game)), {"Idempotency-Key": "k"}
    first = api.play(game.code, "draw", 0, **key)
    assert first.status_code == 201
    assert api.play(game.code, "draw", 0, **key).content == first.content
    lines, now = FeedEntry.objects.count(), timezone.now()
    assert notifications_retention.clear_idempotency_keys(now=now + get_retention("keys") - DAY) == 0
    assert notifications_retention.clear_idempotency_keys(now=now + get_retention("keys") + DAY) == 1
    assert notifications_retention.clear_idempotency_keys(now=now + get_retention("keys") + DAY) == 0
    assert not FeedEntry.objects.exclude(idempotency_key="", request_hash="", response_body="").exists()
    assert FeedEntry.objects.count() == lines
    second_response = api.play(game.code, "draw", 0, **key)
    assert second_response.status_code == 409, "nothing is played twice, with or without a key"
    assert Action.objects.count() == 1


def test_the_address_of_a_stranger_goes_with_the_game_they_were_asked_to() -> None:
    game = lobby.create_game(player=player("ada"), now=NOW, seat_count=2)
    invitations.invite_to_game(player=player("ada"), code=game.code, now=NOW, email="friend@example.com")
    retention.delete_expired_rows(now=AFTER_RETENTION)
    assert Invitation.objects.exists(), "the game waits still"
    Game.objects.update(status=Game.Status.CANCELLED)
    retention.delete_expired_rows(now=AFTER_RETENTION)
    assert not Invitation.objects.exists()


def test_what_apps_were_allowed_goes_when_it_has_run_out() -> None:
    application = Application.objects.create(
        user=player("ada"), name="x", client_type="public", authorization_grant_type="authorization-code"
    )
    now = timezone.now()
    for days in (-1, 1):
        AccessToken.objects.create(
            user=player("ada"),
            application=application,
            token=f"t{days}",
            expires=now + days * DAY,
            scope="read",
        )
    retention.delete_expired_rows(now=now)
    assert AccessToken.objects.get().expires > now


def test_no_game_and_no_move_is_ever_cleared() -> None:
    game = start_cast_game("ada", mode="solo")
    play_first_legal(game)
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    before = [list(model.objects.order_by("pk").values()) for model in (Game, Action, Player)]
    lines = FeedEntry.objects.count()
    retention.delete_expired_rows(now=NOW + 10_000 * DAY)
    assert [list(model.objects.order_by("pk").values()) for model in (Game, Action, Player)] == before
    assert FeedEntry.objects.count() == lines


def test_it_is_a_chore_of_every_hour() -> None:
    create_delivery("x")
    clear_expired_data()
    assert not Delivery.objects.exists()
    assert app.conf.beat_schedule["mail.clear"]["schedule"].seconds == 3600


RULE_OF_AN_APP = """
from accounts.services.retention import RetentionRule
RETENTION = (RetentionRule("club-books", lambda *, now, budget: 3 if budget.allows_more() else 0),)
"""
DELIVERIES_OF_AN_APP = """
from django.db.models import Q
from notifications.retention import KeptDeliveries
KEPT_DELIVERIES = KeptDeliveries(lambda batch, now: Q(kind="club", created_at__lt=now))
"""


def test_an_app_clears_rows_of_its_own_and_holds_on_to_deliveries(tmp_path: Path, settings: Any) -> None:
    needed, _other = create_delivery("x", kind="club"), create_delivery("x")
    app_modules = {"retention": RULE_OF_AN_APP, "kept_deliveries": DELIVERIES_OF_AN_APP}
    with extra_app(tmp_path, settings, **app_modules):
        deleted_counts = retention.delete_expired_rows(now=AFTER_RETENTION)
    assert (deleted_counts["club-books"], deleted_counts["deliveries"]) == (3, 1)
    assert Delivery.objects.get() == needed
    assert retention.delete_expired_rows(now=AFTER_RETENTION)["deliveries"] == 1
