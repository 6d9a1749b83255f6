"""Viewers: players, a spectator, an anonymous visitor, an organiser, an operator; by browser and API."""

from __future__ import annotations

import random
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

from django.core import mail
from django.db.models import prefetch_related_objects
from django.test import Client
from oauth2_provider.models import AccessToken

from accounts.models import Player
from accounts.services import oauth_apps, tokens
from games import engine, signed_links
from games.engine import State
from notifications.channels.email import mail_sender
from notifications.channels.webhook import webhook_sender
from notifications.inbound import mail_processing
from notifications.inbound.addresses import build_address
from notifications.models import Delivery, Webhook
from notifications.services import notices, webhooks
from tests.factories.cast import player

from .endpoints import AROUND, TELLING, Endpoint, count_share, is_asked, list_endpoints
from .game_fixtures import LOOK, MODES, NAMES, STARTED_AT, GameFixture
from .observations import Observation, lines, observe_request

SCOPES = (("read",), ("play",), ("organise",), ("account",), ("read", "email", "play", "organise", "account"))
OPERATOR = "root"
OTHERS = (None, "eve", "host", OPERATOR)  # anonymous, a spectator, an organiser, an operator
CAST = (*NAMES, *OTHERS)
PRESETS = Webhook.Preset.values
# Actions to try: cards not in hand, actions of other phases, and invalid text.
REFUSED_TEXTS = (
    *("TT", "AK-1", "AK-2", "MI-2", "QL-c3-a1-0", "OO", "8", "CV=8", "pass", "A-a1-0", "mi", "ak", "rubbish"),
    *("RC", "RV-cw", "ME", "draw", "H-c2-0", "J-c2-0", "cv ak", "c2 90"),
)
TRIED = 10  # one of this many texts per game
MOVING = ("api/v1/games/<slug:code>/actions/", "api/v1/games/<slug:code>/resign/")
AFTER_MAILS = ("/api/v1/me/deliveries/", "/me/delivery/")


class Viewer:
    """A viewer with a browser and an API client; None is anonymous."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.player: Player | None = None
        self.browser, self.program = Client(), Client()
        self.tokens: list[str] = []
        if name:
            self.player = player(name)
            self.browser.force_login(self.player)
            self.tokens = [
                tokens.create_token(player=self.player, name="mine", scopes=scopes, now=STARTED_AT)[1]
                for scopes in SCOPES
            ]
            app, _ = oauth_apps.register_app(
                player=self.player,
                name="an app",
                addresses=["https://a.example"],
                secret=False,
                now=STARTED_AT,
            )
            AccessToken.objects.create(
                user=self.player,
                application=app,
                token=f"app of {name}",
                scope="read play",
                expires=LOOK + timedelta(days=9),
            )
            self.tokens.append(f"app of {name}")
            Webhook.objects.create(
                player=self.player,
                url=f"https://hooks.example.org/{name}",
                preset=PRESETS[len(name) % len(PRESETS)],
                signing_secret="c2VjcmV0",
                created_at=STARTED_AT,
            )
            prefetch_related_objects([self.player], "webhooks")  # for building their addresses repeatedly
        self.cookies = self.browser.cookies.output()

    def reset(self) -> None:
        """Reset the cookies to those before any request."""
        self.browser.cookies = SimpleCookie(self.cookies.replace("Set-Cookie: ", ""))

    def side(self, fixture: GameFixture) -> int:
        """The viewer's side, 0 for none."""
        seat = self.seat(fixture)
        return fixture.setup.sides[seat] if seat else 0

    def present(self, fixture: GameFixture) -> bool:
        """True if the viewer matters for a game: a player of this one, or a viewer who never plays."""
        return self.name in fixture.seats or self.name in OTHERS

    def seat(self, fixture: GameFixture) -> int | None:
        return fixture.seats.get(self.name or "")

    def ask(self, path: str, token: int = -2, data: Any = None, **headers: str) -> list[Observation]:
        """Request an address, and again with its ETag if there is one."""
        request_headers = {"X-Request-ID": "one-and-the-same", **headers}
        client = self.browser
        if path.startswith("/api/v1/"):
            client = self.program
            if self.tokens:
                request_headers["Authorization"] = f"Bearer {self.tokens[token % len(self.tokens)]}"
        method = "GET" if data is None else "POST"

        def asking() -> Any:
            if data is None:
                return client.get(path, headers=request_headers)
            kind = {"content_type": "application/json"} if client is self.program else {}
            return client.post(path, data, headers=request_headers, **kind)

        observation, answer = observe_request(f"{self.name}: {method} {path}", asking)
        if data is None and "ETag" in answer and not headers:
            return [observation, *self.ask(path, token, **{"If-None-Match": answer["ETag"]})]
        return [observation]


# ----------------------------------------------------------------------------------------------- requests


def look_at_endpoints(viewer: Viewer, fixture: GameFixture, number: int, share: int) -> list[Observation]:
    """Request a rotating share of the endpoints, and always those in TELLING."""
    observations = []
    telling = TELLING if viewer.seat(fixture) else TELLING[:1]
    for endpoint in list_endpoints(fixture, viewer.player):
        if endpoint.route in telling and "?" not in endpoint.path:
            observations += viewer.ask(endpoint.path)
        elif is_time_to_ask(viewer.name, endpoint, number, share):
            observations += viewer.ask(endpoint.path, token=number + endpoint.place)
    return observations


def is_time_to_ask(name: str | None, endpoint: Endpoint, number: int, share: int) -> bool:
    """True if this viewer requests the endpoint in this game."""
    who = CAST.index(name)
    if endpoint.route.startswith("admin/") and name == OPERATOR:
        number, share = count_share(endpoint, number, share)
        return (endpoint.place + number) % share == 0
    return is_asked(endpoint, who, number, share) and (
        name in OTHERS or not endpoint.route.startswith(AROUND)
    )


def is_turn_for_slow(number: int) -> int:
    """Return the turn of a game for slow work, which rotates over three games of each mode."""
    return number // len(MODES) % 3


def collect_refusals(viewer: Viewer, fixture: GameFixture, state: State, number: int) -> list[Observation]:
    """Collect some refusals of actions: over the API, at the board, by a mail's link, and by reply."""
    seat, code = viewer.seat(fixture), fixture.game.code
    actions = f"/api/v1/games/{code}/actions/"
    still = [
        endpoint.path
        for endpoint in list_endpoints(fixture, viewer.player)
        if is_harmless_game_post(endpoint)
    ]
    posted = viewer.ask(still[(number + CAST.index(viewer.name)) % len(still)], data={})
    if not seat:
        draw = {"action": "draw", "seq": state.seq}
        return posted if number % 2 else viewer.ask(actions, data=draw)
    legal = engine.legal_actions(state, seat)
    wrong = [text for text in REFUSED_TEXTS if parse_meant_action(state, seat, text) not in legal]
    observations = posted
    for text in wrong[number % TRIED :: TRIED]:
        observations += viewer.ask(actions, data={"action": text, "seq": state.seq})
    stale = (0, state.seq + 1)[number % 2]
    observations += viewer.ask(actions, data={"action": "draw", "seq": stale})
    text = wrong[number % len(wrong)]
    if is_turn_for_slow(number) == 1:
        observations += send_refused_reply(viewer, fixture, state, text)
    elif is_turn_for_slow(number) == 2:
        observations += viewer.ask(f"/games/{code}/play/", data={"action": text, "seq": state.seq})
        observations += viewer.ask(f"/games/{code}/")  # shows the error
    return observations


def is_harmless_game_post(endpoint: Endpoint) -> bool:
    """True if a POST to the endpoint does not advance the game."""
    return endpoint.route.startswith("api/v1/games/<slug:code>/") and endpoint.route not in MOVING


def parse_meant_action(state: State, seat: int | None, text: str) -> str | None:
    """Return the action that a text means, or None."""
    try:
        return engine.parse_action(state, seat or 1, text)
    except engine.ActionError:
        return None


def send_refused_reply(viewer: Viewer, fixture: GameFixture, state: State, text: str) -> list[Observation]:
    """Send a reply with an illegal action; return the answers."""
    assert viewer.player
    token = next(
        endpoint.path
        for endpoint in list_endpoints(fixture, viewer.player)
        if endpoint.route == "turn/<str:token>/"
    )
    observations = viewer.ask(token, data={"action": text, "seq": state.seq})
    seat = viewer.seat(fixture)
    assert seat
    place = signed_links.read_turn(token.split("/")[2])
    assert place
    to = build_address(
        signed_links.REPLY_PURPOSE,
        signed_links.make_turn_token(
            purpose=signed_links.REPLY_PURPOSE,
            game_code=fixture.game.code,
            seat_no=seat,
            turn_seq=place.turn_seq,
            player_id=viewer.player.pk,
        ),
    )
    author = viewer.player.email
    raw = f"From: {author}\r\nTo: {to}\r\nMessage-ID: <1@example.org>\r\n\r\n{text}\r\n".encode()
    mail_processing.receive_mail(raw, recipient=to, sender=author, now=LOOK)
    return observations + send_due([viewer], LOOK)


# ---------------------------------------------------------------------------------------- mails and calls


def collect_mails(fixture: GameFixture, viewers: list[Viewer], number: int) -> list[Observation]:
    """Collect the notices that go out soon after the action and when time has passed."""
    observations = []
    soon, late = LOOK + timedelta(minutes=2), LOOK + timedelta(seconds=fixture.game.allowance) * 0.8
    for now in ((soon,), (), (soon, late))[is_turn_for_slow(number)]:
        while notices.fan_out_notices(now=now):
            pass
        observations += send_due(viewers, now)
    for viewer in viewers:
        if viewer.seat(fixture):
            observations += viewer.ask(AFTER_MAILS[number % len(AFTER_MAILS)])
    return observations


def send_due(viewers: list[Viewer], now: Any) -> list[Observation]:
    """Send the due mails and webhook calls of these viewers; return them."""
    player_ids = [viewer.player.pk for viewer in viewers if viewer.player]
    Delivery.objects.filter(next_attempt_at__lte=now).exclude(player__in=player_ids).update(
        next_attempt_at=None
    )
    lines.clear()
    mail.outbox = []
    mail_sender.send_due_mails(now=now)
    observations = [observe_mail(message) for message in mail.outbox]
    while claimed := webhooks.claim_due_calls(now=now, limit=100):
        for delivery in claimed:
            if call := webhook_sender.prepare_call(delivery, now):
                headers = tuple(call.headers.items())
                observations.append(
                    Observation(f"call {call.url}", 0, headers, (), call.body, 0, tuple(lines))
                )
            webhooks.mark_call_sent(delivery=delivery, now=now)
    return observations


def observe_mail(outgoing: Any) -> Observation:
    message = outgoing.message()
    del message["Date"]
    return Observation(
        f"mail to {outgoing.to}", 0, tuple(message.items()), (), message.as_bytes(), 0, tuple(lines)
    )


def set_random_wishes(rng: random.Random) -> None:
    """Give every player random notification settings."""
    for account in Player.objects.order_by("pk"):
        account.mail_frequency, account.language = (
            rng.choice(("each", "each", "once", "digest")),
            rng.choice(("en", "it", "nl")),
        )
        account.save(update_fields=["mail_frequency", "language"])
