"""Games before their start: creating, joining, leaving, adding bots, starting."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from common.budget import Budget
from common.refusals import check_allowed
from common.service_errors import Conflict, Invalid
from games import clock, engine, permissions, seed_offers
from games.engine import fairness
from games.engine.bots import BOT_POLICIES
from games.game_notice_kinds import GameNoticeKind
from games.models import Game, GameSecrets, Invitation, Seat, SpentCommitment
from games.models.games import derive_game_code, generate_public_code
from games.options import GAME_OPTIONS, add_defaults
from games.permissions import PermissionContext
from games.refusals import Refusal
from games.selectors import LoadedGame, can_see, count_unreserved_seats, engine_setup_of
from notifications.services import notices

from . import action_log, clocks, limits, partners, wake_ups
from .option_checks import check_options

BOT_POLICY_NAMES = tuple(policy for policy in BOT_POLICIES if policy != "clock")
MAX_OPEN_GAMES_PER_PLAYER = 20


def validate_game_settings(**choices: Any) -> dict[str, Any]:
    """Validate options of a game and return all of them as columns. Raises Invalid."""
    options = add_defaults(GAME_OPTIONS, choices)
    check_options(GAME_OPTIONS, options, ("mode", "timeout_policy", "seat_order"))
    add_edition_defaults(options)
    mode, obligation = options["mode"], options["obligation"]
    try:
        setup = engine.Setup(
            mode=mode,
            seats=engine.MODES[mode][0] if options["seat_count"] is None else options["seat_count"],
            edition=options["edition"],
            cards=options["cards"],
            obligation=obligation,
            target=options["target"],
            cards_from=options["cards_from"],
            seniority_rule=options["seniority_rule"],
        )
        turn_times = clock.build_time_control(options["time_control"], options["allowance"], options["bank"])
    except (engine.InvalidSetup, clock.InvalidTimeControl) as error:
        raise Invalid(error.translate_message(_), field=error.field) from None
    if options["blind_allowance"] is not None:
        check_allowance(options["blind_allowance"], field="blind_allowance_seconds")
    if options["rated"] and mode != Game.Mode.SOLO and not can_be_rated(obligation=obligation):
        message = _("a rated game needs the duty to close figures")
        raise Invalid(message, field="rated")
    if options["vacation"] is None:
        options["vacation"] = turn_times.allowance >= clock.LIVE_ALLOWANCE_SECONDS
    return options | {
        "seat_count": setup.seats,
        "allowance": turn_times.allowance,
        "bank": turn_times.bank,
        "rated": options["rated"] and mode != Game.Mode.SOLO,
    }


def add_edition_defaults(options: dict[str, Any]) -> None:
    """Fill in what the edition has where a game does not say; an unknown edition is left to the engine."""
    if options["edition"] in engine.list_edition_names():
        edition = engine.load_edition(options["edition"])
        if options["cards"] is None:
            options["cards"] = edition.default_cards
        options["seniority_rule"] = options["seniority_rule"] or edition.default_seniority


def settle_bots_option(player: Player | None, game_settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings with bots allowed in a game that a bot creates. Raises Invalid.

    A person's rated game allows none.
    """
    if player and player.is_bot:
        return game_settings | {"bots_allowed": True}
    if player and game_settings.get("rated") and game_settings.get("bots_allowed"):
        message = _("a rated game is for people or for bots, not both: allow no bots, or leave it unrated")
        raise Invalid(message, field="bots_allowed")
    return game_settings


def can_be_rated(*, obligation: str) -> bool:
    """Return whether games may be rated: without the obligation to close figures it pays never to score."""
    return obligation == "strict"


def create_game(
    *,
    player: Player | None,
    now: datetime,
    rematch_of: Game | None = None,
    seed: bytes | None = None,
    offer: str = "",
    offered_to: int | None = None,
    key: str = "",
    **game_settings: Any,
) -> Game:
    """Create an open game; its seed is drawn and its commitment public before anyone can join.

    `game_settings` are those of `validate_game_settings`. With a `key` the game is created only once, see
    `make_game_once`. An `offer` is the token of a commitment that a page has shown to `offered_to`. Raises
    Invalid, or Conflict if the player has too many open or unfinished games, or if the offer belongs to
    somebody else, is too old or is spent.
    """
    setting_columns = validate_game_settings(**settle_bots_option(player, game_settings))
    if offer:
        seed = read_offered_seed(offer, offered_to, now)
    seed = seed or secrets.token_bytes(fairness.SEED_LENGTH_BYTES)
    with transaction.atomic():
        if player:
            limits.check_running_games(player)
            limits.check_bot_games(player)
            if Game.objects.open().filter(creator=player).count() >= MAX_OPEN_GAMES_PER_PLAYER:
                raise Conflict(_("you already have too many open games"), code="too-many-open")
        game = Game.objects.create(
            code=derive_game_code(player.pk, key) if player and key else generate_public_code(),
            creator=player,
            created_at=now,
            expires_at=clock.compute_open_until(now, setting_columns["allowance"]),
            rules_version=engine.RULES_VERSION,
            commitment=fairness.compute_commitment(seed),
            committed_first=True,  # every client sees it before it sends a seed
            rematch_of=rematch_of,
            **setting_columns,
        )
        GameSecrets.objects.create(game=game, server_seed=seed)
        if offer:
            spend_commitment(game, now)
        wake_ups.wake_viewers_after_commit(game, in_lobby=True)
    return game


def read_offered_seed(offer: str, offered_to: int | None, now: datetime) -> bytes:
    """Return the seed of an offer. Raises Conflict if it was not made for this viewer or is too old."""
    try:
        return seed_offers.recover_offered_seed(token=offer, viewer_id=offered_to, now=now)
    except seed_offers.InvalidOffer:
        raise Conflict(
            _("This page was open too long. Here is a new one: try again."), code="bad-offer"
        ) from None


def spend_commitment(game: Game, now: datetime) -> None:
    """Mark a commitment as used. Raises Conflict if another game was created with it."""
    try:
        with transaction.atomic():
            SpentCommitment.objects.create(commitment=game.commitment, game=game, spent_at=now)
    except IntegrityError:
        raise Conflict(
            _("You have already created a game from this page. Here is a new one: try again."),
            code="spent-offer",
        ) from None


def check_seed_order(*, client_seed: str, offer: str) -> None:
    """Raise Conflict if a client seed is sent before a commitment was shown."""
    if client_seed and not offer:
        raise Conflict(
            _("Your part of the shuffle arrived before ours was sealed. Try again from the new page."),
            code="no-offer",
        )


def create_game_once(*, player: Player, now: datetime, key: str, **game_settings: Any) -> Game:
    """Create a game, or return the one created with this key. Raises Conflict if its settings differ."""
    game = make_game_once(
        player=player,
        key=key,
        make_game=lambda: create_game(player=player, now=now, key=key, **game_settings),
    )
    wanted_columns = validate_game_settings(**settle_bots_option(player, game_settings))
    if any(getattr(game, name) != value for name, value in wanted_columns.items()):
        raise Conflict(_("this Idempotency-Key belongs to another request"), code="idempotency-key-reused")
    return game


def make_game_once(*, player: Player, key: str, make_game: Callable[[], Game]) -> Game:
    """Return the game created with this key, or create it with `make_game` in one transaction."""
    if game := find_game_by_key(player, key):
        return game
    try:
        with transaction.atomic():
            return make_game()
    except (IntegrityError, Conflict):
        if game := find_game_by_key(player, key):
            return game  # a concurrent identical request, which may have reached the limit
        raise


def find_game_by_key(player: Player, key: str) -> Game | None:
    """Return the game that a player created with this key, or None."""
    return Game.objects.filter(code=derive_game_code(player.pk, key), creator=player).first() if key else None


def check_allowance(seconds: int, *, field: str) -> None:
    """Raise Invalid unless the seconds are a valid allowance for a turn."""
    try:
        clock.build_time_control("custom", seconds, 0)
    except clock.InvalidTimeControl as error:
        raise Invalid(error.translate_message(_), field=field) from None


def check_client_seed(client_seed: str) -> None:
    """Raise Invalid unless the client seed is empty or valid."""
    if "\0" in client_seed:
        raise Invalid(_("a client seed must not contain a null character"), field="client_seed")
    try:
        fairness.check_client_seed(client_seed or "1")
    except engine.InvalidSetup as error:
        raise Invalid(error.translate_message(_), field="client_seed") from None


def lock_open_game(code: str, now: datetime, player: Player | None = None) -> LoadedGame:
    """Return an open game with its row locked; after the commit streams of it and of the lobby wake.

    Raises Conflict, or NotFound, also if it is not visible.
    """
    game = Game.objects.select_for_update().filter(code=code).first()
    if game is None:
        raise Refusal.NO_SUCH_GAME.build_error()
    seats = game.seats.select_related("player__bot_owner").order_by("join_order")
    loaded_game = LoadedGame(game, list(seats), None)
    if player and not can_see(player, loaded_game):
        raise Refusal.NO_SUCH_GAME.build_error()
    check_allowed(permissions.find_closed_refusal(game, now))
    wake_ups.wake_viewers_after_commit(game, in_lobby=True)
    return loaded_game


def count_free_seats(loaded_game: LoadedGame, player: Player | None) -> int:
    """Return how many seats are neither taken nor reserved for the host or for invited players."""
    return count_unreserved_seats(
        loaded_game.game,
        loaded_game.seats,
        list(loaded_game.game.invitations.open()),
        player,
    )


@transaction.atomic
def join_game(
    *,
    player: Player,
    code: str,
    now: datetime,
    client_seed: str = "",
    invitation: Invitation | None = None,
    sat_before: bool = False,
    accepts_bots: bool = False,
) -> Game:
    """Join a game; the last seat taken starts it.

    With `sat_before`, the player sat in the game that this is a rematch of and needs no invitation; with
    `accepts_bots` they agree to play with a bot. Raises NotFound, Denied, Invalid or Conflict (not-open,
    expired, already-joined, full, too-many-games, bots-not-allowed, bots-unconfirmed, …).
    """
    check_client_seed(client_seed)
    loaded_game = lock_open_game(code, now, None if invitation or sat_before else player)
    game = loaded_game.game
    context = PermissionContext(loaded_game, player, now)
    check_allowed(permissions.find_join_refusal(context))
    limits.check_running_games(player)
    check_allowed(permissions.find_bot_refusal(context))  # again, with the player's row locked
    check_allowed(permissions.find_bot_consent_refusal(context, accepts_bots=accepts_bots or sat_before))
    limits.check_bot_games(player, game)
    open_invitations = game.invitations.open().filter(player=player)
    accepted_invitation = (
        game.invitations.filter(pk=invitation.pk).first() if invitation else open_invitations.first()
    )
    if invitation and (
        accepted_invitation is None or not accepted_invitation.is_open
    ):  # read again under the game's lock
        raise Refusal.INVITATION_USED.build_error()
    if game.private and accepted_invitation is None and player.pk != game.creator_id and not sat_before:
        raise Refusal.NO_SUCH_GAME.build_error()
    if accepted_invitation:
        accepted_invitation.status = Invitation.Status.JOINED
        accepted_invitation.player = player
        accepted_invitation.save(update_fields=["status", "player"])
        open_invitations.update(status=Invitation.Status.JOINED)
    else:
        free_seat_count = count_free_seats(loaded_game, player)
        check_allowed(permissions.find_join_refusal(replace(context, free_seat_count=free_seat_count)))
    partner_seat = None
    if game.mode == Game.Mode.PAIRS:
        partner_seat = (
            loaded_game.seat_of(accepted_invitation.inviter)
            if accepted_invitation and accepted_invitation.as_partner
            else partners.find_earlier_partner(loaded_game, player)
        )
    joined_game = add_seat(loaded_game, player=player, client_seed=client_seed, partner_seat=partner_seat)
    return start_game_if_full(joined_game, now).game


def add_seat(
    loaded_game: LoadedGame,
    *,
    player: Player | None = None,
    bot_policy: str = "",
    client_seed: str = "",
    partner_seat: Seat | None = None,
) -> LoadedGame:
    """Add a player or a bot as the next seat, and return the game with it."""
    seat = Seat(
        game=loaded_game.game,
        join_order=len(loaded_game.seats) + 1,
        player=player,
        bot_policy=bot_policy,
        client_seed=client_seed,
        partner_join_order=partner_seat.join_order if partner_seat else None,
    )
    seat.save(force_insert=True)
    return replace(loaded_game, seats=[*loaded_game.seats, seat])


@transaction.atomic
def leave_game(*, player: Player, code: str, now: datetime) -> Game:
    """Leave an open game; later seats move up, and the next player becomes host.

    Raises NotFound, Denied or Conflict.
    """
    loaded_game = lock_open_game(code, now, player)
    check_allowed(permissions.find_leave_refusal(PermissionContext(loaded_game, player, now)))
    game, own_seat = loaded_game.game, loaded_game.seat_of(player)
    assert own_seat is not None
    own_seat.delete()
    remaining_seats = [seat for seat in loaded_game.seats if seat is not own_seat]
    for join_order, seat in enumerate(remaining_seats, 1):
        partner_join_order = (
            None if seat.partner_join_order == own_seat.join_order else seat.partner_join_order
        )
        if partner_join_order and partner_join_order > own_seat.join_order:
            partner_join_order -= 1
        Seat.objects.filter(pk=seat.pk).update(join_order=join_order, partner_join_order=partner_join_order)
    if game.creator_id == player.pk:
        new_host = next((seat.player for seat in remaining_seats if seat.player), None)
        if new_host is None:
            return cancel_game(replace(loaded_game, seats=remaining_seats), now)
        game = loaded_game.with_changes({"creator": new_host}, None).game
        game.save(update_fields=["creator"])
    return game


@transaction.atomic
def add_bot(*, player: Player, code: str, policy: str, now: datetime, partner: bool = False) -> Game:
    """Add a bot to a game as its host, with `partner` as the host's partner.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    if policy not in BOT_POLICY_NAMES:
        message = _("bot must be one of %(words)s") % {"words": ", ".join(BOT_POLICY_NAMES)}
        raise Invalid(message, field="policy")
    loaded_game = lock_open_game(code, now, player)
    context = build_host_context(loaded_game, player, now)
    check_allowed(permissions.find_add_bot_refusal(context))
    own_seat = loaded_game.seat_of(player)
    if partner:
        partners.check_can_choose_partner(loaded_game, player)
        check_allowed(permissions.find_seated_refusal(context))
    joined_game = add_seat(loaded_game, bot_policy=policy, partner_seat=own_seat if partner else None)
    return start_game_if_full(joined_game, now).game


def build_host_context(loaded_game: LoadedGame, player: Player, now: datetime) -> PermissionContext:
    """Return how the host stands to an open game. Raises Denied or NotFound for everybody else."""
    check_allowed(permissions.find_host_refusal(PermissionContext(loaded_game, player, now)))
    return PermissionContext(loaded_game, player, now, free_seat_count=count_free_seats(loaded_game, player))


@transaction.atomic
def cancel_game_by_host(*, player: Player, code: str, now: datetime) -> Game:
    """Cancel an open game as its host. Raises NotFound, Denied or Conflict."""
    loaded_game = lock_open_game(code, now, player)
    check_allowed(permissions.find_host_refusal(PermissionContext(loaded_game, player, now)))
    return cancel_game(loaded_game, now)


def cancel_game(open_game: LoadedGame, now: datetime) -> Game:
    """Cancel an open game, notify those who joined, and return the cancelled game."""
    game = open_game.with_changes({"status": Game.Status.CANCELLED, "finished_at": now}, None).game
    game.save(update_fields=["status", "finished_at"])
    wake_ups.wake_viewers_after_commit(game, in_lobby=True)
    notices.notify(
        {
            seat.player_id: clock.notice_due_at(now, game.allowance, clocks.build_quiet_calendar(seat.player))
            for seat in open_game.seats
            if seat.player_id
        },
        topic=game.topic,
        kind=GameNoticeKind.CANCELLED,
        dedup_key=f"{game.code}:cancelled",
        data={"game": game.code},
        now=now,
    )
    return game


def expire_open_games(*, now: datetime, limit: int = 500, budget: Budget | None = None) -> int:
    """Cancel open games that have expired. Returns how many."""
    budget = budget or Budget()
    expired_games = Game.objects.open().filter(expires_at__lte=now).order_by("expires_at")
    cancelled_count = 0
    for game in expired_games[:limit]:
        if not budget.allows_more():
            break
        with transaction.atomic():
            locked_game = Game.objects.open().select_for_update().filter(pk=game.pk).first()
            if locked_game:
                cancel_game(LoadedGame(locked_game, list(locked_game.seats.all()), None), now)
                cancelled_count += 1
    return cancelled_count


def start_game_if_full(loaded_game: LoadedGame, now: datetime) -> LoadedGame:
    """Number the seats and deal once all seats are taken, and return the game as it then is.

    The caller holds the game's row.

    Steps:
    1. Give a host who invited opponents another partner.
    2. Return if seats are free.
    3. Number the seats, in joining order or shuffled, with partners opposite each other.
    4. Compute the seniority and the game key, and deal the first match.
    """
    game = loaded_game.game
    loaded_game = partners.separate_opponents(loaded_game)
    if len(loaded_game.seats) < game.seat_count:
        return loaded_game
    seats = partners.pair_two_people(loaded_game).seats
    client_seeds = [seat.client_seed or str(seat.join_order) for seat in seats]
    server_seed = bytes(GameSecrets.objects.values_list("server_seed", flat=True).get(game=game))
    partner_pairs = [
        (seat.join_order - 1, seat.partner_join_order - 1) for seat in seats if seat.partner_join_order
    ]
    if game.seat_order == Game.SeatOrder.SHUFFLED:
        seat_numbers = fairness.assign_seats(server_seed, client_seeds, couples=partner_pairs)
    else:
        seat_numbers = fairness.invert_seat_order(
            fairness.seat_couples_opposite(range(len(seats)), partner_pairs)
        )
    numbered_seats = [copy(seat) for seat in seats]
    for seat, seat_no, client_seed in zip(numbered_seats, seat_numbers, client_seeds, strict=True):
        seat.seat_no, seat.client_seed = seat_no, client_seed
    Seat.objects.bulk_update(numbered_seats, ["seat_no", "client_seed"])
    numbered_seats.sort(key=lambda seat: seat.seat_no or 0)
    game_key = fairness.derive_game_key(server_seed, [seat.client_seed for seat in numbered_seats])
    seniority = order_by_seniority(numbered_seats) if game.seniority_rule == "account" else []
    full_game = replace(loaded_game, seats=numbered_seats).with_changes({"seniority": seniority}, None)
    setup = engine_setup_of(full_game, game_key)  # draws the seniority by lot if there is none
    return action_log.begin_game(loaded_game=full_game, setup=setup, now=now)


def order_by_seniority(seats: list[Seat]) -> list[int]:
    """Return seat numbers: people by the age of their accounts, then bot accounts likewise, then our bots.

    Ties go by seat number.
    """

    def seniority_key(seat: Seat) -> tuple[Any, ...]:
        if seat.player is None:
            return (True, True, 0, seat.seat_no)
        return (seat.player.is_bot, False, seat.player.joined_at.timestamp(), seat.seat_no)

    return [seat.seat_no or 0 for seat in sorted(seats, key=seniority_key)]
