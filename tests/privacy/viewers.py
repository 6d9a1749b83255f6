"""Who looks: all at a table, an onlooker, nobody, an organiser, an operator; in browsers and by programs."""

from __future__ import annotations

import random
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

from django.core import mail
from django.test import Client
from oauth2_provider.models import AccessToken

from games import engine, signed_links
from games.engine import State
from games.mail import inbound, mail_sender, webhook_sender
from games.models import Delivery, Player, Webhook
from games.services import notices, oauth_apps, tokens, webhooks
from tests.games.cast import player

from .doors import AROUND, TELLING, Door, asked, counted, doors
from .grounds import BEGAN, LOOK, MODES, NAMES, Ground
from .hearing import Heard, hear, lines

SCOPES = (("read",), ("play",), ("organise",), ("account",), ("read", "email", "play", "organise", "account"))
OPERATOR = "root"
OTHERS = (None, "eve", "host", OPERATOR)  # nobody, an onlooker, who organises, an operator
CAST = (*NAMES, *OTHERS)
PRESETS = Webhook.Preset.values
# What somebody might try to play: what they do not hold, what is not theirs to do, what means nothing.
TRIES = (
    *("TT", "AK-1", "AK-2", "MI-2", "QL-c3-a1-0", "OO", "8", "CV=8", "pass", "A-a1-0", "mi", "ak", "rubbish"),
    *("RC", "RV-cw", "ME", "draw", "H-c2-0", "J-c2-0", "cv ak", "c2 90"),
)
TRIED = 10  # one in so many each time
MOVING = ("api/v1/games/<slug:code>/actions/", "api/v1/games/<slug:code>/resign/")
AFTER_MAILS = ("/api/v1/me/deliveries/", "/me/delivery/")


class Viewer:
    """Somebody, or nobody (None), who asks."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.player: Player | None = None
        self.browser, self.program = Client(), Client()
        self.tokens: list[str] = []
        if name:
            self.player = player(name)
            self.browser.force_login(self.player)
            self.tokens = [
                tokens.create_token(player=self.player, name="mine", scopes=scopes, now=BEGAN)[1]
                for scopes in SCOPES
            ]
            app, _ = oauth_apps.register_app(
                player=self.player, name="an app", addresses=["https://a.example"], secret=False, now=BEGAN
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
                secret="s",
                at=BEGAN,
            )
        self.cookies = self.browser.cookies.output()

    def anew(self) -> None:
        """As the browser was before it asked anything."""
        self.browser.cookies = SimpleCookie(self.cookies.replace("Set-Cookie: ", ""))

    def side(self, ground: Ground) -> int:
        """For whom they play, 0 for nobody."""
        seat = self.seat(ground)
        return ground.setup.sides[seat] if seat else 0

    def present(self, ground: Ground) -> bool:
        """Whether they have anything to do with a game: they play it, or never play any."""
        return self.name in ground.seats or self.name in OTHERS

    def seat(self, ground: Ground) -> int | None:
        return ground.seats.get(self.name or "")

    def ask(self, path: str, token: int = -2, data: Any = None, **headers: str) -> list[Heard]:
        """What is heard at a door; who has it already asks whether it changed."""
        named = {"X-Request-ID": "one-and-the-same", **headers}
        client = self.browser
        if path.startswith("/api/v1/"):
            client = self.program
            if self.tokens:
                named["Authorization"] = f"Bearer {self.tokens[token % len(self.tokens)]}"
        method = "GET" if data is None else "POST"

        def asking() -> Any:
            if data is None:
                return client.get(path, headers=named)
            kind = {"content_type": "application/json"} if client is self.program else {}
            return client.post(path, data, headers=named, **kind)

        heard, answer = hear(f"{self.name}: {method} {path}", asking)
        if data is None and "ETag" in answer and not headers:
            return [heard, *self.ask(path, token, **{"If-None-Match": answer["ETag"]})]
        return [heard]


# ------------------------------------------------------------------------------------------ what they ask


def looks(viewer: Viewer, ground: Ground, number: int, share: int) -> list[Heard]:
    """One door in so many, others each time, and always those that tell most."""
    found = []
    telling = TELLING if viewer.seat(ground) else TELLING[:1]
    for door in doors(ground, viewer.player):
        if door.route in telling and "?" not in door.path:
            found += viewer.ask(door.path)
        elif comes_by(viewer.name, door, number, share):
            found += viewer.ask(door.path, token=number + door.place)
    return found


def comes_by(name: str | None, door: Door, number: int, share: int) -> bool:
    """Whether it is time for somebody to ask at a door."""
    who = CAST.index(name)
    if door.route.startswith("admin/") and name == OPERATOR:
        number, share = counted(door, number, share)
        return (door.place + number) % share == 0
    return asked(door, who, number, share) and (name in OTHERS or not door.route.startswith(AROUND))


def turn(number: int) -> int:
    """What takes long is done in one game of three, whatever its mode."""
    return number // len(MODES) % 3


def refusals(viewer: Viewer, ground: Ground, state: State, number: int) -> list[Heard]:
    """Some of what cannot be played: over the API, at the board, from a mail's link, by reply."""
    seat, code = viewer.seat(ground), ground.game.code
    actions = f"/api/v1/games/{code}/actions/"
    still = [door.path for door in doors(ground, viewer.player) if of_a_game(door)]
    posted = viewer.ask(still[(number + CAST.index(viewer.name)) % len(still)], data={})
    if not seat:
        draw = {"action": "draw", "seq": state.seq}
        return posted if number % 2 else viewer.ask(actions, data=draw)
    legal = engine.legal_actions(state, seat)
    wrong = [text for text in TRIES if meant(state, seat, text) not in legal]
    found = posted
    for text in wrong[number % TRIED :: TRIED]:
        found += viewer.ask(actions, data={"action": text, "seq": state.seq})
    stale = (0, state.seq + 1)[number % 2]
    found += viewer.ask(actions, data={"action": "draw", "seq": stale})
    text = wrong[number % len(wrong)]
    if turn(number) == 1:
        found += by_mail(viewer, ground, state, text)
    elif turn(number) == 2:
        found += viewer.ask(f"/games/{code}/play/", data={"action": text, "seq": state.seq})
        found += viewer.ask(f"/games/{code}/")  # it tells what was wrong
    return found


def of_a_game(door: Door) -> bool:
    """Whether something may be posted here that does not move a game on."""
    return door.route.startswith("api/v1/games/<slug:code>/") and door.route not in MOVING


def meant(state: State, seat: int | None, text: str) -> str | None:
    """The action that a text is read as, if any."""
    try:
        return engine.parse_action(state, seat or 1, text)
    except engine.ActionError:
        return None


def by_mail(viewer: Viewer, ground: Ground, state: State, text: str) -> list[Heard]:
    """The answers to a reply that cannot be played."""
    assert viewer.player
    token = next(door.path for door in doors(ground, viewer.player) if door.route == "turn/<str:token>/")
    found = viewer.ask(token, data={"action": text, "seq": state.seq})
    seat = viewer.seat(ground)
    assert seat
    place = signed_links.read_turn(token.split("/")[2])
    assert place
    to = signed_links.build_address(
        signed_links.REPLY_PURPOSE,
        signed_links.make_turn_token(
            purpose=signed_links.REPLY_PURPOSE,
            game_code=ground.game.code,
            seat_no=seat,
            turn_seq=place.turn_seq,
            player_id=viewer.player.pk,
        ),
    )
    author = viewer.player.email
    raw = f"From: {author}\r\nTo: {to}\r\nMessage-ID: <1@example.org>\r\n\r\n{text}\r\n".encode()
    inbound.receive_mail(raw, recipient=to, sender=author, now=LOOK)
    return found + sent([viewer], LOOK)


# ------------------------------------------------------------------------------------- what they are sent


def mails(ground: Ground, viewers: list[Viewer], number: int) -> list[Heard]:
    """All that goes out to them of its own: soon after the action, and when time has gone by."""
    found = []
    soon, late = LOOK + timedelta(minutes=2), LOOK + timedelta(seconds=ground.game.allowance) * 0.8
    for now in ((soon,), (), (soon, late))[turn(number)]:
        while notices.fan_out_notices(now=now):
            pass
        found += sent(viewers, now)
    for viewer in viewers:
        if viewer.seat(ground):
            found += viewer.ask(AFTER_MAILS[number % len(AFTER_MAILS)])
    return found


def sent(viewers: list[Viewer], now: Any) -> list[Heard]:
    """Mails and calls that are due to somebody, as they go out."""
    theirs = [viewer.player.pk for viewer in viewers if viewer.player]
    Delivery.objects.filter(due_at__lte=now).exclude(player__in=theirs).update(due_at=None)
    lines.clear()
    mail.outbox = []
    mail_sender.send_due_mails(now=now)
    told = [heard_mail(one) for one in mail.outbox]
    while claimed := webhooks.claim_due_calls(now=now, limit=100):
        for delivery in claimed:
            if made := webhook_sender.prepare_call(delivery, now):
                url, body, headers = made
                told.append(Heard(f"call {url}", 0, tuple(headers.items()), (), body, 0, tuple(lines)))
            webhooks.mark_call_sent(delivery=delivery, now=now)
    return told


def heard_mail(one: Any) -> Heard:
    message = one.message()
    del message["Date"]
    return Heard(f"mail to {one.to}", 0, tuple(message.items()), (), message.as_bytes(), 0, tuple(lines))


def wishes(rng: random.Random) -> None:
    """Everybody wants their mails in some way."""
    for one in Player.objects.order_by("pk"):
        one.mails, one.language = (
            rng.choice(("each", "each", "once", "digest")),
            rng.choice(("en", "it", "nl")),
        )
        one.save(update_fields=["mails", "language"])
