"""What is kept, and for how long."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings as site
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application

from games.batches import iter_pk_batches
from games.models import Action, Delivery, FeedEntry, Game, InboundMail, Invitation, Player, Token
from games.selectors.outbox import list_messages_since_last_mail
from games.services import invitations, lobby, retention, social, tokens, turns
from games.tasks import clear_expired_data
from otto_site.celery import app
from tests.games.cast import NOW, Api, game_of, player
from tests.games.timing import act, mover, quick
from tests.tournaments.play import host, someone, started, table_of
from tournaments.models import Tournament
from tournaments.services import appeals

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
LATER = NOW + 1000 * DAY


def kept(name: str) -> timedelta:
    return timedelta(days=site.RETENTION_DAYS[name])


def delivery(name: str, at: datetime = NOW, **more: Any) -> Delivery:
    fields = {
        "kind": "turn",
        "reason": f"r{Delivery.objects.count()}",
        "status": "sent",
        "made_at": at,
    } | more
    return Delivery.objects.create(player=someone(name), **fields)


def test_a_delivery_goes_when_it_is_old_and_done_with() -> None:
    old, young = delivery("x"), delivery("x", NOW + DAY)
    waiting = delivery("x", status="waiting", due_at=NOW)
    now = NOW + kept("deliveries") + DAY / 2
    assert retention.delete_old_deliveries(now=now) == 1
    assert set(Delivery.objects.all()) == {young, waiting}
    assert retention.delete_old_deliveries(now=now) == 0
    assert old.pk


def test_many_go_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(7):
        delivery("x")
    monkeypatch.setattr(retention, "iter_pk_batches", lambda rows: iter_pk_batches(rows, size=2))
    assert retention.delete_old_deliveries(now=LATER) == 7
    assert list(iter_pk_batches(Player.objects.all(), size=1)) == [
        [pk] for pk in Player.objects.values_list("pk", flat=True)
    ]


def test_what_was_told_of_a_game_that_goes_on_stays() -> None:
    game = quick("ada", "bob")
    social.post_chat_message(player=player("bob"), code=game.code, text="known", now=NOW)
    delivery("ada", NOW + DAY, game=game, sent_at=NOW + DAY)
    retention.delete_expired_rows(now=LATER)
    assert list_messages_since_last_mail(player("ada"), game) == [], (
        "or their next mail would tell it once more"
    )
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    retention.delete_expired_rows(now=LATER)
    assert not Delivery.objects.exists()


def test_evidence_stays_for_as_long_as_somebody_may_ask_for_it() -> None:
    cup = started("swiss", 4)
    before, digest, stranger = delivery("p1", NOW - DAY), delivery("p1", kind="digest"), delivery("x")
    retention.delete_expired_rows(now=LATER)
    assert set(Delivery.objects.filter(pk__in=[before.pk, digest.pk, stranger.pk])) == {digest}
    Tournament.objects.filter(pk=cup.pk).update(finished_at=LATER, status=Tournament.Status.FINISHED)
    appeal = appeals.file_appeal(
        player=someone("p1"), code=cup.code, pairing_id=table_of(cup, "p1").pk, text="unfair", now=LATER
    )
    last = LATER + appeals.APPEAL_PERIOD_AFTER_END
    for now in (last - DAY, last + DAY):
        retention.delete_expired_rows(now=now)
        assert Delivery.objects.filter(pk=digest.pk).exists(), "an appeal waits for its answer"
    appeals.answer_appeal(by=host(), code=cup.code, appeal_id=appeal.pk, text="it stands", now=last)
    retention.delete_expired_rows(now=last - DAY)
    assert Delivery.objects.filter(pk=digest.pk).exists(), "others may appeal still"
    retention.delete_expired_rows(now=last + DAY)
    assert not Delivery.objects.filter(pk=digest.pk).exists()


def test_received_mails_and_dead_tokens_go() -> None:
    ada = player("ada")
    InboundMail.objects.create(digest="a", at=NOW, outcome="played")
    InboundMail.objects.create(digest="b", at=NOW + 2 * DAY, outcome="played")
    lasting, _ = tokens.create_token(player=ada, name="for ever", scopes=["read"], now=NOW)
    over, _ = tokens.create_token(player=ada, name="a day", scopes=["read"], expires_in_days=1, now=NOW)
    revoked, _ = tokens.create_token(player=ada, name="lost", scopes=["read"], now=NOW)
    tokens.revoke_token(player=ada, token_id=revoked.pk, now=NOW)
    retention.delete_expired_rows(now=NOW + kept("tokens") + DAY / 2)
    assert set(Token.objects.all()) == {lasting, over}
    retention.delete_expired_rows(now=NOW + kept("received") + DAY)
    assert set(Token.objects.all()) == {lasting}
    assert list(InboundMail.objects.values_list("digest", flat=True)) == ["b"]


def test_an_idempotency_key_is_forgotten_and_the_line_of_the_feed_stays() -> None:
    game = quick("ada", "bob")
    api, key = Api(mover(game)), {"Idempotency-Key": "k"}
    first = api.play(game.code, "draw", 0, **key)
    assert first.status_code == 201
    assert api.play(game.code, "draw", 0, **key).content == first.content
    lines, now = FeedEntry.objects.count(), timezone.now()
    assert retention.clear_idempotency_keys(now=now + kept("keys") - DAY) == 0
    assert retention.clear_idempotency_keys(now=now + kept("keys") + DAY) == 1
    assert retention.clear_idempotency_keys(now=now + kept("keys") + DAY) == 0
    assert not FeedEntry.objects.exclude(key="", asked="", answer="").exists()
    assert FeedEntry.objects.count() == lines
    again = api.play(game.code, "draw", 0, **key)
    assert again.status_code == 409, "nothing is played twice, with or without a key"
    assert Action.objects.count() == 1


def test_the_address_of_a_stranger_goes_with_the_game_they_were_asked_to() -> None:
    game = lobby.create_game(player=player("ada"), now=NOW, seats=2)
    invitations.invite_to_game(player=player("ada"), code=game.code, now=NOW, email="friend@example.com")
    retention.delete_expired_rows(now=LATER)
    assert Invitation.objects.exists(), "the game waits still"
    Game.objects.update(status=Game.Status.CANCELLED)
    retention.delete_expired_rows(now=LATER)
    assert not Invitation.objects.exists()


def test_what_apps_were_allowed_goes_when_it_has_run_out() -> None:
    made = Application.objects.create(
        user=player("ada"), name="x", client_type="public", authorization_grant_type="authorization-code"
    )
    now = timezone.now()
    for days in (-1, 1):
        AccessToken.objects.create(
            user=player("ada"), application=made, token=f"t{days}", expires=now + days * DAY, scope="read"
        )
    retention.delete_expired_rows(now=now)
    assert AccessToken.objects.get().expires > now


def test_no_game_and_no_move_is_ever_cleared() -> None:
    game = game_of("ada", mode="solo")
    act(game)
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    before = [list(model.objects.order_by("pk").values()) for model in (Game, Action, Player)]
    lines = FeedEntry.objects.count()
    retention.delete_expired_rows(now=NOW + 10_000 * DAY)
    assert [list(model.objects.order_by("pk").values()) for model in (Game, Action, Player)] == before
    assert FeedEntry.objects.count() == lines


def test_it_is_a_chore_of_every_hour() -> None:
    delivery("x")
    clear_expired_data()
    assert not Delivery.objects.exists()
    assert app.conf.beat_schedule["mail.clear"]["schedule"].seconds == 3600
