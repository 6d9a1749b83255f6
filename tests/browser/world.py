"""A small world for looking at pages: a few people, games in every state, and what an account gathers.

Made through the services, without pytest: whoever wants a database that looks lived in may call `world()`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
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

from games import signed_links
from games.engine.bots import choose_action
from games.mail import mail_sender, mailbox
from games.models import Game, Invitation, Player
from games.selectors import load_view_for
from games.selectors.contacts import digest_of_address
from games.services import (
    invitations,
    lobby,
    notices,
    oauth_apps,
    pauses,
    social,
    sweep,
    tokens,
    turns,
    webhooks,
)
from tests.games.cast import player
from tests.games.linking import link, new_game, on_turn, set_up

from .entered import entered
from .leaguing import in_leagues
from .organised import organised
from .rated import rate

NAMES = ("ada", "bob", "cleo", "dirk", "eve", "fay")  # eve and fay have played nothing yet
PASSWORD = "a long walk by the canal"
BACK = "https://board.example/back"
DOMAIN = "otto.localhost"
MAILS = 8  # that have gone out already; the others wait
CORNER = {"a5": "E", "e5": "E"}


# Nobody signs in with these passwords but we, here; a real one would take half a second.
HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MAILBOX_KEY = "the key that the terminal printed"


@dataclass
class World:
    """Codes of games and addresses of pages, by name."""

    games: dict[str, str] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)

    def visitor(self, name: str) -> Client:
        """The browser of somebody who looks at a page; much of what is in it lasts a few minutes only."""
        client = Client()
        with override_settings(PASSWORD_HASHERS=HASHERS, ALLOWED_HOSTS=["testserver"]):
            VISITORS[name](client)
        return client


def world(mails: Path) -> World:
    """Make it all, as of this moment; mails that have gone out lie as files in that folder."""
    made, now = World(), timezone.now()
    mailing = {"EMAIL_BACKEND": mailbox.MAILBOX_BACKEND, "EMAIL_FILE_PATH": mails, "REPLY_DOMAIN": DOMAIN}
    with override_settings(PASSWORD_HASHERS=HASHERS, WEBHOOKS_TO_PRIVATE=True, **mailing):
        people()
        games(made, now)
        small_links(made)
        account(made, now)
        rate(made.paths, now)
        later = now + timedelta(minutes=2)
        while notices.fan_out_notices(now=later):
            pass
        mail_sender.send_due_mails(now=later, limit=MAILS)
        Player.objects.filter(mailed_at=later).update(
            mailed_at=now
        )  # or everybody would come back until then
        made.paths["mail"] = next(
            f"/mailbox/{line.name}/" for line in mailbox.list_mails() if turn_mail(line)
        )
        organised(made.paths, now)
        entered(made.paths, made.games, now)
        in_leagues(made.paths, now)
    return made


def turn_mail(line: mailbox.MailboxEntry) -> bool:
    """Whether it is one that can be answered."""
    letter = mailbox.read_mail(line.name)
    return bool(letter and mailbox.read_addresses(letter, "Reply-To"))


def people() -> None:
    """The cast, each with an address that is known to be theirs; ada and cleo have passwords."""
    for name in NAMES:
        one = player(name)
        EmailAddress.objects.create(user=one, email=one.email, primary=True, verified=True)
    for name in ("ada", "cleo"):
        one = player(name)
        one.set_password(PASSWORD)
        one.save()
    TOTP.activate(player("cleo"), generate_totp_secret())
    RecoveryCodes.activate(player("cleo"))
    Player.objects.filter(name="dirk").update(language="nl", time_zone="Europe/Amsterdam")
    Player.objects.filter(name="bob").update(language="it", time_zone="Europe/Rome")


# ------------------------------------------------------------------------------------------------- the games


def games(made: World, now: datetime) -> None:
    """One game in each state that a page can show."""
    ada, bob = player("ada"), player("bob")
    waiting = lobby.create_game(player=bob, now=now, seats=3, clock_name="12h")
    lobby.join_game(player=bob, code=waiting.code, now=now, client_seed="bob")
    made.games["open"] = waiting.code
    own = lobby.create_game(player=ada, now=now, mode="pairs", private=True, weekends=True)
    lobby.join_game(player=ada, code=own.code, now=now, client_seed="ada")
    invited = invitations.invite_to_game(player=ada, code=own.code, email="fred@example.org", now=now)
    invitations.invite_to_game(player=ada, code=own.code, name="eve", now=now)
    made.games["own"] = own.code
    made.paths["invitation"] = invitation_path(invited)

    made.games["start"] = under_way(on_turn_with("ada", "start"), "ada", "bob").code
    made.games["place"] = under_way(on_turn_with("ada", "place"), "ada", "bob").code
    made.games["waiting"] = under_way(on_turn_with("cleo", "place"), "ada", "cleo", "dirk").code
    made.games["pairs"] = under_way(
        on_turn_with("ada", "start"), "ada", "bob", "cleo", "dirk", mode="pairs"
    ).code
    made.games["solo"] = under_way(lambda game: True, "ada", mode="solo").code
    lost = under_way(lambda game: True, "ada", mode="solo")
    turns.play_action(player=ada, code=lost.code, text="resign", seq=None, key="", now=now)
    made.games["solo lost"] = lost.code
    made.games["dutch"] = under_way(on_turn_with("dirk", "place"), "dirk", "cleo", edition="bannan-nl").code
    made.games["italian"] = under_way(on_turn_with("bob", "place"), "bob", "cleo").code
    made.games["react"] = an_8_to_answer().code
    over = under_way(lambda game: game.status == Game.Status.OVER, "ada", "bob", target=4)
    made.games["over"] = over.code
    social.post_chat_message(player=ada, code=made.games["place"], text="Good luck, and have fun!", now=now)
    social.post_chat_message(
        player=bob, code=made.games["place"], text="You too. " + "Take your time. " * 6, now=now
    )
    social.write_note(player=ada, code=made.games["place"], text="They hold a Meteorite.", now=now)
    pauses.propose_pause(player=bob, code=made.games["place"], until=now + timedelta(days=7), now=now)


def under_way(enough: Callable[[Game], bool], *names: str, **terms: Any) -> Game:
    """A game played for a while by sensible people, until it is as it should be."""
    rng = random.Random("world")
    for _attempt in range(20):
        game = new_game(*names, **terms)
        for moves in range(400):
            if game.status == Game.Status.TIEBREAK:
                sweep.sweep_games(now=timezone.now())
            elif (moves > 9 and enough(game)) or game.status == Game.Status.OVER:
                break
            else:
                move(game, rng)
            game.refresh_from_db()
        if enough(game):
            return game
    raise AssertionError("no game ever comes to what a page should show")


def on_turn_with(name: str, phase: str) -> Callable[[Game], bool]:
    """Whether somebody is to act, in that phase."""
    return lambda game: (
        game.status == "running" and game.phase == phase and on_turn(game).player == player(name)
    )


def move(game: Game, rng: random.Random) -> None:
    """Whoever is to act does what a bot would."""
    who = on_turn(game).player
    assert who
    shown = load_view_for(who, game.code)
    action = choose_action("greedy", shown.view, shown.legal_actions, rng)
    turns.play_action(player=who, code=game.code, text=action, seq=game.seq, key="", now=timezone.now())


def an_8_to_answer() -> Game:
    """Bob has made an 8, and ada holds the card that saves her points."""
    for _attempt in range(100):
        game = new_game("ada", "bob")
        seat = on_turn(game)
        if seat.player == player("bob"):
            break
    else:
        raise AssertionError("bob never begins")
    assert seat.number
    other = 3 - seat.number
    marks = {("frame+a5", 2): seat.number, ("frame+e5", 2): other}
    board = {"a2": "H", "b2": "D0", **CORNER}
    set_up(
        game,
        cells=board,
        marked=marks,
        drawn="H",
        table={seat.number: "H", other: "E"},
        hands={other: ["OO"]},
    )
    turns.play_action(player=player("bob"), code=game.code, text="H-c2-0", seq=0, key="", now=timezone.now())
    game.refresh_from_db()
    assert game.phase == "react"
    return game


# ------------------------------------------------------------------------------------------------- the links


def invitation_path(invited: Invitation) -> str:
    return f"/invitations/{signed_links.make_invitation_token(invited.pk)}/"


def small_links(made: World) -> None:
    """What mails lead to."""
    of = {name: Game.objects.get(code=code) for name, code in made.games.items()}
    for name in ("start", "place", "react", "dutch", "italian"):
        made.paths[f"turn {name}"] = link(of[name])
    seat = on_turn(of["place"])
    cell = load_view_for(player("ada"), of["place"].code).legal_actions[0].split("-")[1]
    made.paths["turn cell"] = f"{link(of['place'])}?cell={cell}"
    made.paths["turn passed"] = link(of["place"], seat, turn=1)
    over = of["over"].places.get(player=player("ada"))
    made.paths["turn of a game that is over"] = link(of["over"], over, turn=1)
    key = player("ada").mail_key
    made.paths["mute"] = f"/mute/{signed_links.make_mute_token(key, made.games['place'])}/"
    made.paths["refusing mail"] = (
        f"/no-mail/{signed_links.make_refusal_token(digest_of_address('a@example.org'))}/"
    )
    made.paths["unsubscribe"] = f"/unsubscribe/{signed_links.make_unsubscribe_token(key)}/"
    host, now = player("dirk"), timezone.now()
    full = lobby.create_game(player=host, now=now, seats=2)
    late = invitations.invite_to_game(player=host, code=full.code, email="late@example.org", now=now)
    lobby.cancel_game_by_host(player=host, code=full.code, now=now)
    made.paths["invitation that came too late"] = invitation_path(late)


# ----------------------------------------------------------------------------------------------- the account


def account(made: World, now: datetime) -> None:
    """What ada has gathered, and the links of her account's mails."""
    ada, bob = player("ada"), player("bob")
    tokens.create_token(player=ada, name="my bot", scopes=("read", "play"), expires_in_days=30, now=now)
    tokens.create_token(player=ada, name="a clock on the wall", scopes=("read",), now=now)
    oauth_apps.register_app(player=ada, name="Board on a watch", addresses=[BACK], secret=True, now=now)
    app, _secret = oauth_apps.register_app(
        player=bob, name="Pocket board", addresses=[BACK], secret=False, now=now
    )
    asked = {
        "response_type": "code",
        "client_id": app.client_id,
        "redirect_uri": BACK,
        "scope": "read play",
        "code_challenge": "x" * 43,
        "code_challenge_method": "S256",
    }
    made.paths["authorize"] = f"/oauth/authorize/?{urlencode(asked)}"
    made.paths["authorize nobody"] = f"/oauth/authorize/?{urlencode(asked | {'client_id': 'unknown'})}"
    for number, preset in enumerate(("json", "discord")):
        url = f"http://127.0.0.1:1024/{number}/a/rather/long/address/for/a/webhook/of/mine"
        webhooks.create_webhook(player=ada, url=url, preset=preset, now=now)
    webhooks.set_webhook_active(player=ada, webhook_id=ada.webhooks.earliest("pk").pk, active=False, now=now)
    notices.create_test_mail(player=ada, now=now)
    notices.mark_email_bounced(
        player=player("dirk"), reason="550 5.1.1 there is nobody of that name", now=now
    )
    confirming(made)
    made.paths["reset"] = f"/accounts/password/reset/key/{reset_key(player('fay'), 'set-password')}/"


def confirming(made: World) -> None:
    """Links to confirm: of hanna, who signed up, of eve, who wants another address, and a used one."""
    hanna = player("hanna")
    hanna.set_password(PASSWORD)
    hanna.save()
    links_of = {
        "confirm": EmailAddress.objects.create(user=hanna, email=hanna.email, primary=True),
        "confirm new": EmailAddress.objects.create(user=player("eve"), email="eve.vermeer@example.net"),
        "confirm used": EmailAddress.objects.get(user=player("eve"), verified=True),
    }
    for name, address in links_of.items():
        made.paths[name] = f"/accounts/confirm-email/{EmailConfirmationHMAC(address).key}/"


# ---------------------------------------------------------------------------------------------- the visitors


def signed_in(name: str, *, recently: bool = True) -> Callable[[Client], None]:
    """Signed in; if that is a while ago, what changes the account itself asks for the password once more."""

    def visit(client: Client) -> None:
        who = player(name)
        client.force_login(who)
        if recently:
            request = HttpRequest()
            request.session = client.session
            record_authentication(request, who, "password", reauthenticated=True)
            request.session.save()

    return visit


def half_way(client: Client) -> None:
    """Has given the password, and is asked for the second factor."""
    client.post("/accounts/login/", {"login": player("cleo").email, "password": PASSWORD})


def signed_up(client: Client) -> None:
    """Has signed up, or typed in the password, and waits for the link."""
    client.post("/accounts/login/", {"login": player("hanna").email, "password": PASSWORD})


def with_a_code(client: Client) -> None:
    """Has asked for a code by mail."""
    client.post("/accounts/login/code/", {"email": player("bob").email})


def forgetful(client: Client) -> None:
    """Has opened the link for a new password."""
    who = player("fay")
    client.get(f"/accounts/password/reset/key/{reset_key(who, default_token_generator.make_token(who))}/")


def reset_key(who: Player, word: str) -> str:
    return f"{user_pk_to_url_str(who)}-{word}"


def at_the_terminal(client: Client) -> None:
    """Opens the mailbox with the address that the terminal printed."""
    client.cookies["mailbox"] = MAILBOX_KEY


VISITORS: dict[str, Callable[[Client], None]] = {
    "nobody": lambda client: None,
    "whoever started the site": at_the_terminal,
    **{name: signed_in(name) for name in NAMES},
    "gus": signed_in("gus"),
    "ada, a while ago": signed_in("ada", recently=False),
    "cleo, a while ago": signed_in("cleo", recently=False),
    "cleo, without a second factor": half_way,
    "bob, with a code in the mail": with_a_code,
    "fay, with a link in the mail": forgetful,
    "hanna, who signed up here": signed_up,
}
