"""A small world for tests of pages: a few people, games in every state, and an account in use.

Built through the services, without pytest: `build_world` also fills a database for other purposes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.http import HttpRequest
from django.test import Client, override_settings
from django.utils import timezone

from accounts.mail_refusals import make_refusal_token
from accounts.models import Player
from accounts.selectors.contacts import digest_of_address
from accounts.services import oauth_apps, tokens
from games import signed_links
from games.models import Game, Invitation
from games.selectors import load_view_for
from games.services import invitations, lobby, pauses, social, turns
from notifications.channels.email import mail_sender, mailbox
from notifications.models import PushDevice
from notifications.services import notices, webhooks
from notifications.unsubscribe_links import make_unsubscribe_token
from tests.factories.bots import declare_bot
from tests.factories.cast import player, prove_address
from tests.factories.linking import (
    get_seat_on_turn,
    make_turn_link,
    put_position,
    start_game,
    start_game_begun_by,
)
from tests.factories.played_games import is_over, is_turn_of, start_played_game
from tests.helpers.push_service import Browser

from .league_world import add_leagues
from .organiser_world import add_organised_tournaments
from .rating_world import add_ratings
from .tournament_world import add_entered_tournaments

NAMES = ("ada", "bob", "cleo", "dirk", "eve", "fay")  # eve and fay have not played yet
PASSWORD = "a long walk by the canal"
BACK = "https://board.example/back"
DOMAIN = "otto.localhost"
MAILS = 8  # mails that are sent; the others wait
CORNER = {"a5": "E", "e5": "E"}


# The passwords are for tests only; a secure hasher would take half a second each time.
HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MAILBOX_KEY = "the key that the terminal printed"


@dataclass
class World:
    """Codes of games and addresses of pages, by name."""

    games: dict[str, str] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)

    def visitor(self, name: str) -> Client:
        """Return the client of a visitor; its session may be valid for a few minutes only."""
        client = Client()
        with override_settings(PASSWORD_HASHERS=HASHERS, ALLOWED_HOSTS=["testserver"]):
            VISITORS[name](client)
        return client


def build_world(mails: Path) -> World:
    """Build the world as of now; sent mails are files in this folder."""
    world, now = World(), timezone.now()
    mailing = {"EMAIL_BACKEND": mailbox.MAILBOX_BACKEND, "EMAIL_FILE_PATH": mails, "REPLY_DOMAIN": DOMAIN}
    with override_settings(PASSWORD_HASHERS=HASHERS, WEBHOOKS_TO_PRIVATE=True, **mailing):
        create_people()
        create_games(world, now)
        add_small_links(world)
        add_account_pages(world, now)
        add_ratings(world.paths, now)
        later = now + timedelta(minutes=2)
        while notices.fan_out_notices(now=later):
            pass
        mail_sender.send_due_mails(now=later, limit=MAILS)
        Player.objects.filter(last_turn_mail_at=later).update(
            last_turn_mail_at=now
        )  # otherwise their next visit would seem to be before this mail
        world.paths["mail"] = next(
            f"/mailbox/{line.name}/" for line in mailbox.list_mails() if is_turn_mail(line)
        )
        add_organised_tournaments(world.paths, now)
        add_entered_tournaments(world.paths, world.games, now)
        add_leagues(world.paths, now)
    return world


def is_turn_mail(line: mailbox.MailboxEntry) -> bool:
    """True if a mail can be replied to."""
    letter = mailbox.read_mail(line.name)
    return bool(letter and mailbox.read_addresses(letter, "Reply-To"))


def create_people() -> None:
    """Create the cast with confirmed addresses; ada and cleo have passwords."""
    for name in NAMES:
        prove_address(name, password=PASSWORD if name in ("ada", "cleo") else "")
    declare_bot("robo", owner="ada", about="Takes what it can.")
    TOTP.activate(player("cleo"), generate_totp_secret())
    RecoveryCodes.activate(player("cleo"))
    Player.objects.filter(name="dirk").update(language="nl", time_zone="Europe/Amsterdam")
    Player.objects.filter(name="bob").update(language="it", time_zone="Europe/Rome")


# ------------------------------------------------------------------------------------------------- the games


def create_games(world: World, now: datetime) -> None:
    """Create a game in each state that a page can show."""
    ada, bob = player("ada"), player("bob")
    world.games["open"] = start_game("bob", seat_count=3, time_control="12h").code
    own = start_game("ada", seat_count=4, mode="pairs", private=True, weekends=True)
    invited = invitations.invite_to_game(player=ada, code=own.code, email="fred@example.org", now=now)
    invitations.invite_to_game(player=ada, code=own.code, name="eve", now=now)
    world.games["own"] = own.code
    world.paths["invitation"] = invitation_path(invited)

    world.games["start"] = start_played_game(is_turn_of("ada", "start"), "ada", "bob", now=now).code
    world.games["place"] = start_played_game(is_turn_of("ada", "place"), "ada", "bob", now=now).code
    world.games["waiting"] = start_played_game(
        is_turn_of("cleo", "place"), "ada", "cleo", "dirk", now=now
    ).code
    world.games["pairs"] = start_played_game(
        is_turn_of("ada", "start"), "ada", "bob", "cleo", "dirk", mode="pairs", now=now
    ).code
    world.games["solo"] = start_played_game(lambda game: True, "ada", mode="solo", now=now).code
    lost = start_played_game(lambda game: True, "ada", mode="solo", now=now)
    turns.play_action(player=ada, code=lost.code, text="resign", seq=None, key="", now=now)
    world.games["solo lost"] = lost.code
    world.games["dutch"] = start_played_game(
        is_turn_of("dirk", "place"), "dirk", "cleo", edition="bannan-nl", now=now
    ).code
    world.games["italian"] = start_played_game(is_turn_of("bob", "place"), "bob", "cleo", now=now).code
    world.games["react"] = start_eight_to_answer().code
    over = start_played_game(is_over, "ada", "bob", target=4, now=now)
    world.games["over"] = over.code
    social.post_chat_message(player=ada, code=world.games["place"], text="Good luck, and have fun!", now=now)
    social.post_chat_message(
        player=bob, code=world.games["place"], text="You too. " + "Take your time. " * 6, now=now
    )
    social.write_note(player=ada, code=world.games["place"], text="They hold a Meteorite.", now=now)
    pauses.propose_pause(player=bob, code=world.games["place"], until=now + timedelta(days=7), now=now)


def start_eight_to_answer() -> Game:
    """Start a game in which bob has made an 8 and ada holds the card that protects her points."""
    game = start_game_begun_by("bob", "ada", "bob")
    seat = get_seat_on_turn(game)
    assert seat.seat_no
    other = 3 - seat.seat_no
    marks = {("frame+a5", 2): seat.seat_no, ("frame+e5", 2): other}
    board = {"a2": "H", "b2": "D0", **CORNER}
    put_position(
        game,
        board,
        marked=marks,
        drawn="H",
        table={seat.seat_no: "H", other: "E"},
        hands={other: ["OO"]},
    )
    turns.play_action(player=player("bob"), code=game.code, text="H-c2-0", seq=0, key="", now=timezone.now())
    game.refresh_from_db()
    assert game.phase == "react"
    return game


# ------------------------------------------------------------------------------------------------- the links


def invitation_path(invited: Invitation) -> str:
    return f"/invitations/{signed_links.make_invitation_token(invited.pk)}/"


def add_small_links(world: World) -> None:
    """Add the paths of links in mails about games."""
    of = {name: Game.objects.get(code=code) for name, code in world.games.items()}
    for name in ("start", "place", "react", "dutch", "italian"):
        world.paths[f"turn {name}"] = make_turn_link(of[name])
    seat = get_seat_on_turn(of["place"])
    cell = load_view_for(player("ada"), of["place"].code).legal_actions[0].split("-")[1]
    world.paths["turn cell"] = f"{make_turn_link(of['place'])}?cell={cell}"
    world.paths["turn passed"] = make_turn_link(of["place"], seat, turn=1)
    over = of["over"].seats.get(player=player("ada"))
    world.paths["turn of a game that is over"] = make_turn_link(of["over"], over, turn=1)
    key = player("ada").mail_token
    world.paths["mute"] = f"/mute/{signed_links.make_mute_token(key, world.games['place'])}/"
    world.paths["refusing mail"] = f"/no-mail/{make_refusal_token(digest_of_address('a@example.org'))}/"
    world.paths["unsubscribe"] = f"/unsubscribe/{make_unsubscribe_token(key)}/"
    host, now = player("dirk"), timezone.now()
    full = lobby.create_game(player=host, now=now, seat_count=2)
    late = invitations.invite_to_game(player=host, code=full.code, email="late@example.org", now=now)
    lobby.cancel_game_by_host(player=host, code=full.code, now=now)
    world.paths["invitation that came too late"] = invitation_path(late)


# ----------------------------------------------------------------------------------------------- the account


def add_account_pages(world: World, now: datetime) -> None:
    """Create the tokens, apps and settings of ada, and the links in mails about her account."""
    ada, bob = player("ada"), player("bob")
    tokens.create_token(player=ada, name="my bot", scopes=("read", "play"), expires_in_days=30, now=now)
    tokens.create_token(player=ada, name="a clock on the wall", scopes=("read",), now=now)
    oauth_apps.register_app(player=ada, name="Board on a watch", addresses=[BACK], secret=True, now=now)
    app, _secret = oauth_apps.register_app(
        player=bob, name="Pocket board", addresses=[BACK], secret=False, now=now
    )
    params = {
        "response_type": "code",
        "client_id": app.client_id,
        "redirect_uri": BACK,
        "scope": "read play",
        "code_challenge": "x" * 43,
        "code_challenge_method": "S256",
    }
    world.paths["authorize"] = f"/oauth/authorize/?{urlencode(params)}"
    world.paths["authorize nobody"] = f"/oauth/authorize/?{urlencode(params | {'client_id': 'unknown'})}"
    for number, preset in enumerate(("json", "discord")):
        url = f"http://127.0.0.1:1024/{number}/a/rather/long/address/for/a/webhook/of/mine"
        webhooks.create_webhook(player=ada, url=url, preset=preset, now=now)
    webhooks.set_webhook_active(player=ada, webhook_id=ada.webhooks.earliest("pk").pk, active=False, now=now)
    for number in range(2):
        endpoint = f"http://127.0.0.1:1024/push/{number}"
        device = Browser().subscribe(endpoint, player=ada, label="Firefox, Android", now=now)
    PushDevice.objects.filter(pk=device.pk).update(disabled_reason="The host answered 500.")
    notices.create_test_mail(player=ada, now=now)
    notices.mark_email_bounced(
        player=player("dirk"), reason="550 5.1.1 there is nobody of that name", now=now
    )
    add_confirmations(world)
    world.paths["reset"] = f"/accounts/password/reset/key/{make_reset_key(player('fay'), 'set-password')}/"


def add_confirmations(world: World) -> None:
    """Add links to confirm an address: of hanna after sign-up, of eve for a new address, and a used one."""
    hanna = player("hanna")
    hanna.set_password(PASSWORD)
    hanna.save()
    links_of = {
        "confirm": EmailAddress.objects.create(user=hanna, email=hanna.email, primary=True),
        "confirm new": EmailAddress.objects.create(user=player("eve"), email="eve.vermeer@example.net"),
        "confirm used": EmailAddress.objects.get(user=player("eve"), verified=True),
    }
    for name, address in links_of.items():
        world.paths[name] = f"/accounts/confirm-email/{EmailConfirmationHMAC(address).key}/"


# ---------------------------------------------------------------------------------------------- the visitors


def sign_in_visitor(name: str, *, recently: bool = True) -> Callable[[Client], None]:
    """Return a function that signs in; without `recently`, account changes ask for the password again."""

    def sign_in(client: Client) -> None:
        who = player(name)
        client.force_login(who)
        if recently:
            request = HttpRequest()
            request.session = client.session
            record_authentication(request, who, "password", reauthenticated=True)
            request.session.save()

    return sign_in


def stop_at_second_factor(client: Client) -> None:
    """Sign in with the password, up to the second factor."""
    client.post("/accounts/login/", {"login": player("cleo").email, "password": PASSWORD})


def stop_at_confirmation(client: Client) -> None:
    """Sign in with an unconfirmed address, up to its confirmation."""
    client.post("/accounts/login/", {"login": player("hanna").email, "password": PASSWORD})


def ask_for_code(client: Client) -> None:
    """Ask for a code by mail."""
    client.post("/accounts/login/code/", {"email": player("bob").email})


def open_reset_link(client: Client) -> None:
    """Open the link for a new password."""
    who = player("fay")
    client.get(
        f"/accounts/password/reset/key/{make_reset_key(who, default_token_generator.make_token(who))}/"
    )


def make_reset_key(who: Player, word: str) -> str:
    return f"{user_pk_to_url_str(who)}-{word}"


def open_mailbox(client: Client) -> None:
    """Open the mailbox with the printed key."""
    client.cookies["mailbox"] = MAILBOX_KEY


VISITORS: dict[str, Callable[[Client], None]] = {
    "nobody": lambda client: None,
    "whoever started the site": open_mailbox,
    **{name: sign_in_visitor(name) for name in NAMES},
    "gus": sign_in_visitor("gus"),
    "robo": sign_in_visitor("robo"),
    "ada, a while ago": sign_in_visitor("ada", recently=False),
    "cleo, a while ago": sign_in_visitor("cleo", recently=False),
    "cleo, without a second factor": stop_at_second_factor,
    "bob, with a code in the mail": ask_for_code,
    "fay, with a link in the mail": open_reset_link,
    "hanna, who signed up here": stop_at_confirmation,
}
