"""Replies as players write them: to the address of a turn, by whichever program."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from pathlib import Path
from typing import Any

from games import engine, signed_links
from games.mail import inbound
from games.models import Action, Delivery, Game, InboundMail, Player, Seat
from games.selectors import load_game
from games.selectors.clocks import seat_clock_of
from games.services import game_audit, turns
from tests.games.cast import NOW, game_of

FOLDER = Path(__file__).parent / "mails"
DOMAIN = "play.otto.example"
SOON = NOW + timedelta(hours=1)


def set_domain(settings: Any) -> None:
    """Replies come in here, as the mails of the folder have it."""
    settings.REPLY_DOMAIN = DOMAIN
    settings.SITE_URL = "https://otto.example"
    settings.DEFAULT_FROM_EMAIL = "OTTO online <otto@otto.example>"


def mover(game: Game) -> Seat:
    """The seat that is to act."""
    found = load_game(game.code)
    return found.seat_by_no(found.to_act[0])


def owner(place: Seat) -> Player:
    assert place.player_id
    return Player.objects.get(pk=place.player_id)


def address(game: Game, place: Seat, purpose: str = signed_links.REPLY_PURPOSE, **other: Any) -> str:
    """Where a seat's present turn takes replies."""
    game.refresh_from_db()
    assert place.number
    assert place.player_id
    facts: dict[str, Any] = {
        "game_code": game.code,
        "seat_no": place.number,
        "turn_seq": seat_clock_of(game, place.number).turn_seq,
        "player_id": place.player_id,
    }
    return signed_links.build_address(purpose, signed_links.make_turn_token(purpose=purpose, **facts | other))


def letter(text: str, sender: str, to: str, **headers: str) -> bytes:
    """A plain mail, unlike any other."""
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, to, "Re: Your turn"
    mail["Message-ID"] = make_msgid(domain="mail.example.org")
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return mail.as_bytes()


def send(text: str, place: Seat, to: str, *, sender: str = "", **headers: str) -> InboundMail:
    """A reply of a seat's player."""
    author = sender or owner(place).email
    raw = letter(text, author, to, **headers)
    return inbound.receive_mail(raw, recipient=to, sender=author, now=SOON)


def answers() -> list[Delivery]:
    return list(Delivery.objects.filter(kind="reply").order_by("pk"))


def legal(game: Game, place: Seat) -> tuple[str, ...]:
    state = load_game(game.code).state
    assert state
    assert place.number
    return engine.legal_actions(state, place.number)


def to_placing(game: Game) -> Seat:
    """The seat on turn, with a tile drawn; the first one may lose its turn by that."""
    for _attempt in range(20):
        place = mover(game)
        state = load_game(game.code).state
        assert state
        if state.phase == "place":
            return place
        played(game, place, legal(game, place)[0])
    raise AssertionError("nobody ever places a tile")


def played(game: Game, place: Seat, action: str) -> None:
    """Played at the board."""
    game.refresh_from_db()
    turns.play_action(player=owner(place), code=game.code, text=action, seq=game.seq, key="", now=SOON)


def log_of(game: Game) -> list[str]:
    return list(Action.objects.filter(game=game).order_by("seq").values_list("action", flat=True))


def well(game: Game) -> None:
    game = Game.objects.select_related("secret").get(pk=game.pk)
    assert game_audit.audit_game(game) is None


def with_cards() -> Game:
    """A game in which whoever is on turn holds a card: they say `draw` first, and then place a tile."""
    for _attempt in range(100):
        game = game_of("ada", "bob")
        place = mover(game)
        if legal(game, place)[0] == "draw" and len(two_lines(game, place)) == 2:
            return game
    raise AssertionError("nobody ever holds a card")


def two_lines(game: Game, place: Seat) -> list[str]:
    """A draw and a placement that is legal after it, unless the tile cannot be placed."""
    state = load_game(game.code).state
    assert state
    assert place.number
    after, _events = engine.apply_action(state, place.number, "draw")
    return ["draw", *engine.legal_actions(after, place.number)[:1]]


def raw(name: str) -> bytes:
    """A mail of the folder."""
    return (FOLDER / f"{name}.eml").read_bytes()
