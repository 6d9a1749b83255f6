"""The world of security tests: ada owns an object of every kind, bob plays with her, eve has no rights."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps as installed
from django.test import Client
from django.utils import timezone

from accounts.services import oauth_apps, tokens
from games import signed_links
from games.models import Game, GameSecrets, Message
from games.services import invitations, social, turns
from notifications.services import notices, webhooks
from tests.factories.cast import player, prove_address
from tests.factories.events import publish_tournament, start_tournament
from tests.factories.leagues import join_league, start_league
from tests.factories.linking import start_game, start_game_begun_by
from tests.helpers.push_service import Browser
from tournaments.models import League, LeagueSecret, Pairing, Tournament, TournamentSecret
from tournaments.services import appeals, decisions, entries
from tournaments.services import tournaments as tournament_services

EMAIL, PASSWORD = "ada-behind-the-dike@example.net", "a long walk by the canal"
HOOK = "https://hooks.example.org/adas-secret-address"
PUSH_ENDPOINT = "https://push.example.org/adas-secret-browser"
# Private texts: any other viewer who can read them has found a leak.
NOTE, CHAT, DRAFT = "adas-note-to-herself", "said-at-a-private-table", "Adas unannounced cup"
TOKEN_NAME, APP_NAME = "adas-own-token", "adas-own-app"
OTHERS = ("bob", "cleo", "dirk", "eve", "fay")
COMPETITORS = ("bob", "cleo", "dirk", "fay")  # entrants of the tournament and members of the league
VIEWERS = ("nobody", "eve", "bob")
# Tables that every request may write, and tables that never change.
NOT_LOOKED_AT = {"django_session", "accounts_player", "auth_permission", "django_content_type"}
NOT_LOOKED_AT |= {"accounts_contactcount"}  # counts of mails, which belong to nobody
# Columns that schedule work of the worker.
WORK_DATES = {"next_sweep_at", "notify_at", "next_attempt_at", "next_run_at"}
Rows = dict[str, dict[Any, dict[str, Any]]]


@dataclass
class World:
    """The objects by name; `parts` fills in addresses."""

    now: datetime
    game: Game  # private, ada's turn, against bob
    waiting: Game  # private, ada's, waits for a player invited by mail
    over: Game  # private, ada resigned
    draft: Tournament
    tournament: Tournament  # by invitation, running; ada organises, bob plays
    league: League
    parts: dict[str, Any] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()  # for ada alone, most of them not shown even to her
    at_table: tuple[str, ...] = ()  # for players of the private table
    tokens: dict[str, str] = field(default_factory=dict)
    bodies: dict[str, Any] = field(default_factory=dict)  # request bodies, built once

    def browser(self, name: str) -> Client:
        """Return a viewer's browser, which turns exceptions into responses as the site does."""
        client = Client(raise_request_exception=False)
        if name != "nobody":
            client.force_login(player(name))
        return client

    def program(self, name: str) -> dict[str, str]:
        """Return the headers of a token with all scopes."""
        return {"Authorization": f"Bearer {self.tokens[name]}"} if name in self.tokens else {}


def build_world() -> World:
    """Build everything through the services, at the current time."""
    now = timezone.now()
    ada = prove_address("ada", email=EMAIL, password=PASSWORD)
    for name in OTHERS:
        prove_address(name)
    game = start_game_begun_by("ada", "ada", "bob", private=True)
    waiting = start_game("ada", seat_count=3, private=True)
    invitation = invitations.invite_to_game(player=ada, code=waiting.code, email="fred@example.org", now=now)
    over = start_game("ada", "bob", private=True)
    turns.play_action(player=ada, code=over.code, text="resign", seq=None, key="", now=now)
    world = World(now, game, waiting, over, *create_tournaments(now), create_league(now))
    social.write_note(player=ada, code=game.code, text=NOTE, now=now)
    message = social.post_chat_message(player=ada, code=game.code, text=CHAT, now=now)
    fill_account(world, message, now)
    world.parts |= {"invitation": signed_links.make_invitation_token(invitation.pk)}
    return world


def create_tournaments(now: datetime) -> tuple[Tournament, Tournament]:
    """Create a draft that only ada knows, and a running tournament."""
    ada = player("ada")
    draft = tournament_services.create_tournament(
        organiser=ada, name=DRAFT, text=DRAFT, format="knockout", now=now
    )
    tournament = publish_tournament(
        *map(player, COMPETITORS),
        organiser=ada,
        now=now,
        format="swiss",
        target=4,
        hold_on_warnings=False,
        round_count=3,
        by_invitation=True,
        private=True,
        round_length=14 * 86400,
    )
    return draft, start_tournament(tournament, now)


def create_league(now: datetime) -> League:
    """Create a league in its first season, with bob as a member."""
    return start_league(
        join_league(*map(player, COMPETITORS), organiser=player("ada"), target=4, now=now), now
    )


def fill_account(world: World, message: Message, now: datetime) -> None:
    """Create ada's objects, and collect their secrets and the values for addresses."""
    ada = player("ada")
    token, plain = tokens.create_token(player=ada, name=TOKEN_NAME, scopes=("read",), now=now)
    app, app_secret = oauth_apps.register_app(
        player=ada, name=APP_NAME, addresses=["https://back.example.org/"], secret=True, now=now
    )
    hook = webhooks.create_webhook(player=ada, url=HOOK, preset="json", now=now)
    device = Browser().subscribe(PUSH_ENDPOINT, player=ada, now=now)
    notices.create_test_mail(player=ada, now=now)
    for name in ("eve", "bob"):
        row, world.tokens[name] = tokens.create_token(
            player=player(name), name="all", scopes=tokens.SCOPES, now=now
        )
        tokens.touch_token(token=row, now=now)  # otherwise each use would write a row
    bobs = world.tournament.pairings.get(pairing_seats__entrant__entrant_players__player=player("bob"))
    other = Pairing.objects.filter(tournament=world.tournament).exclude(pk=bobs.pk).get()
    made_appeal = file_appeal(world, bobs)
    duo = publish_tournament(organiser=ada, name="The duo", format="swiss", mode="pairs", target=4, now=now)
    request = entries.ask_partner(player=ada, partner=player("bob"), code=duo.code, now=now)
    decision = decisions.extend_round(
        by=ada, code=world.tournament.code, round_number=1, until=now + timedelta(days=30), now=now
    )
    world.parts |= {
        "token_id": token.pk,
        "app_id": app.pk,
        "webhook_id": hook.pk,
        "device_id": device.pk,
        "message_id": message.pk,
        "pairing": other.pk,
        "pk": other.pk,
        "appeal": made_appeal.pk,
        "decision": decision.pk,
        "proposal": request.pk,
        "entrant": world.tournament.entrants.get(entrant_players__player=player("cleo")).pk,
        "name": "ada",
        "number": 1,
    }
    seeds = [
        bytes(secret_row.server_seed).hex() for secret_row in GameSecrets.objects.exclude(game=world.over)
    ]
    seeds += [
        bytes(secret_row.seed).hex()
        for secret_row in [*TournamentSecret.objects.all(), *LeagueSecret.objects.all()]
    ]
    world.secrets = (
        *(
            NOTE,
            DRAFT,
            TOKEN_NAME,
            APP_NAME,
            HOOK,
            ada.email,
            ada.feed_token,
            ada.mail_token,
            ada.password,
            plain,
        ),
        *(token.digest, app.client_secret, app_secret, hook.signing_secret, *seeds),
    )
    world.at_table = (CHAT,)


def file_appeal(world: World, table: Pairing) -> Any:
    """Let bob file an appeal about his pairing."""
    return appeals.file_appeal(
        player=player("bob"),
        code=world.tournament.code,
        pairing_id=table.pk,
        text="Please look.",
        now=world.now,
    )


def dump_rows(only: set[str] | None = None) -> Rows:
    """Return every row by table and key, of the project's tables and its dependencies' or of some tables.

    Columns that schedule work are left out.
    """
    rows_by_table: Rows = {}
    for model in installed.get_models(include_auto_created=True):
        table = model._meta.db_table
        if table in NOT_LOOKED_AT or (only is not None and table not in only):
            continue
        fields = [
            concrete_field.attname
            for concrete_field in model._meta.concrete_fields
            if concrete_field.attname not in WORK_DATES
        ]
        rows_by_table[table] = {row["pk"]: row for row in model._default_manager.values("pk", *fields)}
    return rows_by_table
