"""Push messages are sent, browsers can read them, and each response of a push service is handled."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from games.services import seat_settings
from notifications.channels.push import push_sender
from notifications.channels.push.encryption import MAX_PLAINTEXT_BYTES, encrypt_message
from notifications.channels.push.vapid import derive_public_key, generate_private_key, get_public_key
from notifications.models import Delivery, PushDevice
from notifications.services import notices, outbox, push_devices
from tests.factories.cast import NOW, player
from tests.helpers.listener import Listener, read_state
from tests.helpers.notice_helpers import (
    HOUR,
    MINUTE,
    ONE_MINUTE_LATER,
    deliveries_to,
    fan_out,
    play_turn,
    set_wishes,
    start_table,
)
from tests.helpers.push_service import SITE_PRIVATE_KEY, Browser, decode, encode, read_vapid

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def site_key(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = SITE_PRIVATE_KEY
    settings.VAPID_SUBJECT = "mailto:operator@example.org"
    settings.WEBHOOKS_TO_PRIVATE = True


@pytest.fixture
def service() -> Iterator[Listener]:
    with Listener(status=201) as listener:
        yield listener


def create_test(device: PushDevice, now: Any = NOW) -> Delivery:
    return push_devices.create_test_push(player=device.player, device_id=device.pk, now=now)


# ------------------------------------------------------------------------------------------- encryption


def load_key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decode(text)), ec.SECP256R1())


def test_the_example_of_rfc_8291_is_encrypted_to_the_byte() -> None:
    body = encrypt_message(
        b"When I grow up, I want to be a watermelon",
        p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth="BTBZMqHH6r4Tts7J_aSIgg",
        sender_key=load_key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        salt=decode("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encode(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
        "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    browser = Browser(
        load_key("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), decode("BTBZMqHH6r4Tts7J_aSIgg")
    )
    assert browser.decrypt(body) == b"When I grow up, I want to be a watermelon"


@pytest.mark.parametrize("length", [0, 1, 500, MAX_PLAINTEXT_BYTES])
def test_a_message_of_any_length_that_fits_is_read_by_its_browser_and_by_no_other(length: int) -> None:
    browser, text = Browser(), b"x" * length
    body = encrypt_message(text, **browser.keys)
    assert browser.decrypt(body) == text
    assert len(body) <= 4096
    assert encrypt_message(text, **browser.keys) != body, "keys and salt are made anew"
    with pytest.raises(InvalidTag):
        Browser(secret=browser.secret).decrypt(body)
    with pytest.raises(ValueError, match="too long"):
        encrypt_message(b"x" * (MAX_PLAINTEXT_BYTES + 1), **browser.keys)


def test_a_new_key_pair_is_one_that_the_settings_take() -> None:
    key = generate_private_key()
    assert len(decode(key)) == 32
    assert key != generate_private_key()
    assert len(decode(derive_public_key(key))) == 65


# ------------------------------------------------------------------------------------------- one message


def test_a_message_says_what_is_new_to_its_browser_and_names_its_sender_to_the_service(
    service: Listener,
) -> None:
    browser = Browser()
    device = browser.subscribe(service.url)
    delivery = create_test(device)
    assert push_sender.send_due_pushes(now=NOW) == 1
    [call] = service.calls
    assert call.path == "/otto?room=7"
    message = browser.read(call)
    assert message["title"] == "Test message"
    assert message["body"].startswith("This is a test from OTTO online")
    assert urlsplit(message["url"]).path == "/"
    assert set(message) == {"title", "body", "url", "tag"}
    claims, key = read_vapid(call)
    assert claims == {
        "aud": f"http://127.0.0.1:{service.port}",
        "exp": int((NOW + 12 * HOUR).timestamp()),
        "sub": "mailto:operator@example.org",
    }
    assert key == get_public_key()
    assert (call.headers["TTL"], call.headers["Urgency"]) == ("86400", "normal")
    assert len(call.headers["Topic"]) == 32
    assert call.headers["Topic"] == message["tag"]
    assert read_state(delivery) == ("sent", "")
    device.refresh_from_db()
    assert device.last_used_at == NOW
    assert (delivery.channel, delivery.address) == ("push", "127.0.0.1")


def test_a_test_is_one_a_minute(service: Listener) -> None:
    device = Browser().subscribe(service.url)
    assert create_test(device) == create_test(device, NOW + timedelta(seconds=59))
    assert create_test(device) != create_test(device, NOW + MINUTE)


def test_each_language_has_its_own_message(service: Listener) -> None:
    set_wishes("ada", language="it")
    browser = Browser()
    create_test(browser.subscribe(service.url))
    push_sender.send_due_pushes(now=NOW)
    assert "OTTO online" in browser.read(service.calls[0])["body"]
    assert not browser.read(service.calls[0])["body"].startswith("This is a test")


# --------------------------------------------------------------------------------------------- failures


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_takes_its_device_along_and_no_other(
    service: Listener, status: int
) -> None:
    expired = Browser().subscribe(service.url)
    create_test(expired)
    Browser().subscribe(f"{service.url}&second")
    Browser().subscribe(f"{service.url}&bob", "bob")
    service.status = status
    push_sender.send_due_pushes(now=NOW)
    assert not PushDevice.objects.filter(pk=expired.pk).exists()
    assert PushDevice.objects.count() == 2
    assert not Delivery.objects.filter(push_device__isnull=False).exists()


def test_a_failed_message_is_tried_again_by_the_policy_of_all_calls_and_then_given_up(
    service: Listener,
) -> None:
    browser = Browser()
    delivery, now = create_test(browser.subscribe(service.url)), NOW
    service.status = 500
    for delay in outbox.WEBHOOK_RETRY_DELAYS:
        push_sender.send_due_pushes(now=now)
        delivery.refresh_from_db()
        assert delivery.next_attempt_at == now + delay
        assert delivery.status_reason == "The host answered 500."
        assert push_sender.send_due_pushes(now=now + delay - timedelta(seconds=1)) == 0
        now += delay
    push_sender.send_due_pushes(now=now)
    assert read_state(delivery) == ("failed", "The host answered 500.")
    assert len(service.calls) == len(outbox.WEBHOOK_RETRY_DELAYS) + 1
    assert len({browser.read(call)["tag"] for call in service.calls}) == 1


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("value", "wait"),
    [
        ("3600", timedelta(hours=1)),
        ("5", timedelta(minutes=1)),  # our own delay is longer
        ("99999999999", timedelta(minutes=1)),
        ("900000", timedelta(days=1)),
        ("soon", timedelta(minutes=1)),
        ("-3", timedelta(minutes=1)),
    ],
)
def test_a_service_says_when_to_come_again(
    service: Listener, status: int, value: str, wait: timedelta
) -> None:
    delivery = create_test(Browser().subscribe(service.url))
    service.status, service.headers = status, {"Retry-After": value}
    push_sender.send_due_pushes(now=NOW)
    delivery.refresh_from_db()
    assert delivery.next_attempt_at == NOW + wait


def test_a_service_may_name_a_date(service: Listener) -> None:
    assert push_sender.parse_retry_after("", NOW) is None
    delivery = create_test(Browser().subscribe(service.url))
    later = (NOW + 2 * HOUR).strftime("%a, %d %b %Y %H:%M:%S GMT")
    service.status, service.headers = 503, {"Retry-After": later}
    push_sender.send_due_pushes(now=NOW)
    delivery.refresh_from_db()
    assert delivery.next_attempt_at == NOW + 2 * HOUR
    assert push_sender.parse_retry_after("Mon, 01 Jan 2001 00:00:00 GMT", NOW) is None


def test_a_message_that_may_have_arrived_is_not_called_dropped(service: Listener) -> None:
    def hang_up(handler: Any) -> bool:
        handler.close_connection = True
        return True

    delivery = create_test(Browser().subscribe(service.url))
    service.act = hang_up
    push_sender.send_due_pushes(now=NOW)
    delivery.refresh_from_db()
    assert delivery.submitted_at == NOW
    assert delivery.status == "waiting"


def test_a_device_that_fails_again_and_again_gets_no_more_until_it_is_registered_again(
    service: Listener,
) -> None:
    browser = Browser()
    device = browser.subscribe(service.url)
    service.status = 500
    for number in range(3):
        last = create_test(device, NOW + number * MINUTE)
        Delivery.objects.filter(pk=last.pk).update(attempts=len(outbox.WEBHOOK_RETRY_DELAYS))
        push_sender.send_due_pushes(now=NOW + number * MINUTE)
        device.refresh_from_db()
        assert bool(device.disabled_reason) == (number == 2)
    start_table()
    fan_out()
    assert not Delivery.objects.filter(push_device=device, status="waiting").exists()
    browser.subscribe(service.url)
    device.refresh_from_db()
    assert device.disabled_reason == ""


def test_a_worker_that_died_leaves_the_message_to_another_after_its_lease(service: Listener) -> None:
    create_test(Browser().subscribe(service.url))
    assert push_devices.claim_due_messages(now=NOW, limit=9)
    assert push_sender.send_due_pushes(now=NOW) == 0
    assert push_sender.send_due_pushes(now=NOW + push_devices.PUSH_LEASE) == 1
    assert len(service.calls) == 1


# ------------------------------------------------------------------------------------------- notices


def send_all(now: Any = ONE_MINUTE_LATER) -> None:
    fan_out(now)
    while push_sender.send_due_pushes(now=now):
        pass


def test_a_turn_rings_on_every_device_beside_the_mail(service: Listener) -> None:
    game, first, second = start_table()
    browsers = [Browser(), Browser()]
    for number, browser in enumerate(browsers):
        browser.subscribe(f"{service.url}&{number}", first.name)
    send_all()
    assert ("turn", "waiting") in deliveries_to(first), "the mail is another delivery"
    for number, browser in enumerate(browsers):
        [call] = [call for call in service.calls if call.path.endswith(f"&{number}")]
        message = browser.read(call)
        assert message["title"] == "Your turn"
        assert second.name in message["body"]
        assert urlsplit(message["url"]).path == f"/games/{game.code}/"
    topics = {call.headers["Topic"] for call in service.calls}
    assert len(topics) == 2, "a service cannot tell that two devices are told the same"
    assert not any(game.code in str(call.headers) for call in service.calls)
    send_all()
    assert len(service.calls) == 2, "once"


def test_messages_about_one_game_replace_each_other_and_about_another_they_do_not(service: Listener) -> None:
    game, first, second = start_table()
    Browser().subscribe(service.url, first.name)
    send_all()
    play_turn(game, ONE_MINUTE_LATER)
    play_turn(game, ONE_MINUTE_LATER)
    send_all(ONE_MINUTE_LATER + MINUTE)
    other, _first, _second = start_table(first.name, second.name)
    while other.seats.get(seat_no=other.to_act_mask.bit_length() - 1).player != first:
        play_turn(other, ONE_MINUTE_LATER)
        other.refresh_from_db()
    send_all(ONE_MINUTE_LATER + 2 * MINUTE)
    topics = [call.headers["Topic"] for call in service.calls]
    assert len(topics) == 3
    assert topics[0] == topics[1] != topics[2]


def test_an_older_message_that_waited_does_not_replace_a_newer_one(service: Listener) -> None:
    game, first, _second = start_table()
    device = Browser().subscribe(service.url, first.name)
    fan_out()
    old = Delivery.objects.get(push_device=device)
    newer = Delivery.objects.create(
        player=first,
        push_device=device,
        topic=game.topic,
        kind="turn",
        dedup_key="p0:newer",
        data=old.data,
        created_at=ONE_MINUTE_LATER,
        next_attempt_at=ONE_MINUTE_LATER,
    )
    push_sender.send_due_pushes(now=ONE_MINUTE_LATER)
    assert read_state(old) == ("dropped", "A newer notification replaced it.")
    assert read_state(newer) == ("sent", "")


def test_what_is_about_no_game_replaces_nothing(service: Listener) -> None:
    ada = player("ada")
    Browser().subscribe(service.url)
    for number in range(2):
        notices.notify({ada.pk: NOW}, kind="test", dedup_key=f"test:{number}", now=NOW, data={})
    send_all()
    assert len({call.headers["Topic"] for call in service.calls}) == 2


def test_a_turn_that_has_passed_does_not_ring(service: Listener) -> None:
    game, first, _second = start_table()
    Browser().subscribe(service.url, first.name)
    fan_out()
    play_turn(game, ONE_MINUTE_LATER)
    push_sender.send_due_pushes(now=ONE_MINUTE_LATER)
    assert not service.calls
    assert Delivery.objects.get(push_device__isnull=False).status_reason == "The turn is over."


def test_in_quiet_hours_nothing_rings_and_after_them_it_does(service: Listener) -> None:
    quiet = {"quiet_from": (NOW - HOUR).time(), "quiet_until": (NOW + 2 * HOUR).time(), "time_zone": "UTC"}
    for name in ("ada", "bob"):
        set_wishes(name, **quiet)
    _game, first, _second = start_table()
    Browser().subscribe(service.url, first.name)
    send_all()
    assert not service.calls
    send_all(NOW + 2 * HOUR + MINUTE)
    assert len(service.calls) == 1


def test_a_reminder_is_urgent(service: Listener) -> None:
    for name in ("ada", "bob"):
        set_wishes(name, remind_at_used_percent=50, remind_at_left_percent=None)
    _game, first, _second = start_table()
    browser = Browser()
    browser.subscribe(service.url, first.name)
    send_all()
    send_all(NOW + timedelta(days=1, minutes=5))
    assert [call.headers["Urgency"] for call in service.calls] == ["normal", "high"]
    assert browser.read(service.calls[1])["title"] == "Reminder of your turn"


@pytest.mark.parametrize("frequency", ["none", "digest", "until-seen", "each"])
def test_how_often_mails_come_says_nothing_about_push(service: Listener, frequency: str) -> None:
    for name in ("ada", "bob"):
        set_wishes(name, mail_frequency=frequency, email_bounced_at=NOW)
    _game, first, _second = start_table()
    Browser().subscribe(service.url, first.name)
    send_all()
    assert len(service.calls) == 1


def test_a_muted_game_is_muted_on_devices_too(service: Listener) -> None:
    game, first, _second = start_table()
    Browser().subscribe(service.url, first.name)
    seat_settings.set_game_muted(player=first, code=game.code, muted=True, now=NOW)
    send_all()
    assert not service.calls


@pytest.mark.parametrize(("wish", "count"), [("all", 1), ("none", 0)])
def test_news_of_tournaments_come_as_the_player_wants_them(service: Listener, wish: str, count: int) -> None:
    ada = set_wishes("ada", tournament_mails=wish)
    Browser().subscribe(service.url)
    data = {"tournament": "none", "name": "A cup"}
    notices.notify({ada.pk: NOW}, kind="tournament-end", dedup_key="cup:over", now=NOW, data=data)
    fan_out()
    assert Delivery.objects.filter(push_device__isnull=False).count() == count


def test_without_a_key_push_is_off(service: Listener, settings: Any) -> None:
    device = Browser().subscribe(service.url)
    delivery = create_test(device)
    settings.VAPID_PRIVATE_KEY = ""
    _game, _first, _second = start_table()
    send_all()
    assert not service.calls
    assert read_state(delivery) == ("dropped", "Push is off on this site.")
    assert Delivery.objects.filter(push_device__isnull=False).count() == 1


def test_a_closed_account_gets_no_message(service: Listener) -> None:
    delivery = create_test(Browser().subscribe(service.url))
    set_wishes("ada", is_active=False)
    push_sender.send_due_pushes(now=NOW)
    assert not service.calls
    assert read_state(delivery) == ("dropped", "The account is closed.")


def test_mails_leave_push_messages_alone(service: Listener) -> None:
    delivery = create_test(Browser().subscribe(service.url))
    assert outbox.find_due_mails(now=NOW, limit=9) == []
    assert delivery.player == player("ada")
