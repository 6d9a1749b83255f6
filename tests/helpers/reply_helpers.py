"""Replies of players to the address of a turn, from various mail programs."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from pathlib import Path
from typing import Any

from accounts.models import Player
from games import engine, signed_links
from games.models import Action, Game, Seat
from games.selectors import load_game
from games.selectors.clocks import seat_clock_of
from games.services import game_audit, turns
from notifications.inbound import mail_processing
from notifications.inbound.addresses import build_address
from notifications.models import Delivery, InboundMail
from tests.factories.cast import NOW, start_cast_game

FOLDER = Path(__file__).parents[1] / "notifications" / "mails"
DOMAIN = "play.otto.example"
ONE_HOUR_LATER = NOW + timedelta(hours=1)


def set_domain(settings: Any) -> None:
    """Set the reply domain to that of the mails in the folder."""
    settings.REPLY_DOMAIN = DOMAIN
    settings.SITE_URL = "https://otto.example"
    settings.DEFAULT_FROM_EMAIL = "OTTO online <otto@otto.example>"


def get_seat_to_act(game: Game) -> Seat:
    """Return the first seat to act."""
    loaded_game = load_game(game.code)
    return loaded_game.seat_by_no(loaded_game.to_act[0])


def get_owner(place: Seat) -> Player:
    assert place.player_id
    return Player.objects.get(pk=place.player_id)


def make_reply_address(
    game: Game, place: Seat, purpose: str = signed_links.REPLY_PURPOSE, **other: Any
) -> str:
    """Make the reply address of a seat's current turn."""
    game.refresh_from_db()
    assert place.seat_no
    assert place.player_id
    fields: dict[str, Any] = {
        "game_code": game.code,
        "seat_no": place.seat_no,
        "turn_seq": seat_clock_of(game, place.seat_no).turn_seq,
        "player_id": place.player_id,
    }
    return build_address(purpose, signed_links.make_turn_token(purpose=purpose, **fields | other))


def build_mail(text: str, sender: str, to: str, **headers: str) -> bytes:
    """Build a plain mail with a unique Message-ID."""
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, to, "Re: Your turn"
    mail["Message-ID"] = make_msgid(domain="mail.example.org")
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return mail.as_bytes()


def send_reply(text: str, place: Seat, to: str, *, sender: str = "", **headers: str) -> InboundMail:
    """Process a reply of a seat's player."""
    author = sender or get_owner(place).email
    raw = build_mail(text, author, to, **headers)
    return mail_processing.receive_mail(raw, recipient=to, sender=author, now=ONE_HOUR_LATER)


def list_answers() -> list[Delivery]:
    return list(Delivery.objects.filter(kind="reply").order_by("pk"))


def list_legal_actions(game: Game, place: Seat) -> tuple[str, ...]:
    state = load_game(game.code).state
    assert state
    assert place.seat_no
    return engine.legal_actions(state, place.seat_no)


def play_until_placing(game: Game) -> Seat:
    """Play until a seat is to place a drawn tile; return that seat. Another seat may lose its turn before."""
    for _attempt in range(20):
        place = get_seat_to_act(game)
        state = load_game(game.code).state
        assert state
        if state.phase == "place":
            return place
        play_action(game, place, list_legal_actions(game, place)[0])
    raise AssertionError("nobody ever places a tile")


def play_action(game: Game, place: Seat, action: str) -> None:
    """Play an action through the service."""
    game.refresh_from_db()
    turns.play_action(
        player=get_owner(place), code=game.code, text=action, seq=game.seq, key="", now=ONE_HOUR_LATER
    )


def list_log(game: Game) -> list[str]:
    return list(Action.objects.filter(game=game).order_by("seq").values_list("action", flat=True))


def check_game_is_sound(game: Game) -> None:
    game = Game.objects.select_related("secrets").get(pk=game.pk)
    assert game_audit.audit_game(game) is None


def start_game_with_cards() -> Game:
    """Start a game in which the seat on turn holds a card: it plays `draw` first, then a placement."""
    for _attempt in range(100):
        game = start_cast_game("ada", "bob")
        place = get_seat_to_act(game)
        if list_legal_actions(game, place)[0] == "draw" and len(build_two_lines(game, place)) == 2:
            return game
    raise AssertionError("nobody ever holds a card")


def build_two_lines(game: Game, place: Seat) -> list[str]:
    """Return a draw and a legal placement after it, if the tile can be placed."""
    state = load_game(game.code).state
    assert state
    assert place.seat_no
    after, _events = engine.apply_action(state, place.seat_no, "draw")
    return ["draw", *engine.legal_actions(after, place.seat_no)[:1]]


def read_mail_file(name: str) -> bytes:
    """Read a mail of the folder."""
    return (FOLDER / f"{name}.eml").read_bytes()
