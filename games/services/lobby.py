"""Before the first tile: making a game, finding people for it, starting it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games import clock, engine, offers
from games.engine import fairness
from games.engine.bots import POLICIES
from games.models import Event, Game, Invitation, Player, Seat, Secret, SpentCommitment
from games.models.games import code_of, new_code
from games.selectors import Table, may_see, seats_free, setup_of

from . import clocks, limits, log, partners
from .budget import Budget
from .errors import Conflict, Denied, Invalid, NotFound

BOTS = tuple(policy for policy in POLICIES if policy != "clock")
ORDERS = ("as-joined", "shuffled")
MOST_OPEN = 20  # open games of one player at a time


def terms(
    *,
    mode: str = "singles",
    seats: int | None = None,
    edition: str = engine.DEFAULT_EDITION,
    cards: bool = True,
    obligation: str = "strict",
    target: int = 24,
    clock_name: str = clock.DEFAULT,
    allowance: int | None = None,
    bank: int | None = None,
    blind_allowance: int | None = None,
    timeouts: str = Game.Timeouts.AUTOPLAY,
    weekends: bool = False,
    nights: bool = False,
    vacation: bool | None = None,
    order: str = "as-joined",
    private: bool = False,
    rated: bool = False,
    chat: bool = True,
) -> dict[str, Any]:
    """The columns of a game that say how it is played. Raises Invalid."""
    if mode not in engine.MODES:
        raise Invalid(_("mode is one of {modes}").format(modes=", ".join(engine.MODES)))
    try:
        setup = engine.Setup(
            mode=mode,
            seats=engine.MODES[mode][0] if seats is None else seats,
            edition=edition,
            cards=cards,
            obligation=obligation,
            target=target,
        )
        time = clock.clock(clock_name, allowance, bank)
    except (engine.Unfit, clock.Unfit) as error:
        raise Invalid(error.said(_)) from None
    if timeouts not in Game.Timeouts.values:
        raise Invalid(_("timeouts is one of %(words)s") % {"words": ", ".join(Game.Timeouts.values)})
    if blind_allowance is not None:
        check_allowance(blind_allowance)
    if order not in ORDERS:
        raise Invalid(_("order is one of %(words)s") % {"words": ", ".join(ORDERS)})
    if rated and mode != "solo" and not can_be_rated(obligation=obligation):
        said = _("games in which nobody has to close figures are not rated")
        raise Invalid(said, errors={"rated": [said]})
    return {
        "mode": mode,
        "edition": edition,
        "seats": setup.seats,
        "cards": cards,
        "obligation": obligation,
        "target": target,
        "clock": clock_name,
        "allowance": time.allowance,
        "bank": time.bank,
        "blind_allowance": blind_allowance,
        "timeouts": timeouts,
        "weekends": weekends,
        "nights": nights,
        "vacation": time.allowance >= clock.LIVE if vacation is None else vacation,
        "order": order,
        "private": private,
        "rated": rated and mode != "solo",
        "chat": chat,
    }


def can_be_rated(*, obligation: str) -> bool:
    """Whether games may count for ratings: without the duty to close figures it pays never to score."""
    return obligation == "strict"


def create(
    *,
    player: Player | None,
    now: datetime,
    rematch_of: Game | None = None,
    seed: bytes | None = None,
    offer: str = "",
    offered_to: int | None = None,
    key: str = "",
    **wanted: Any,
) -> Game:
    """A game that waits for players; its seed is drawn and its commitment public before anyone can join.

    What is wanted are `terms`. With a `key` it can be made only once: see `once`. An `offer` is the token of
    a commitment that a page has shown to whoever asks (`offered_to`). Raises Invalid, or Conflict if the
    player has too many open games, or too many games at all, or if the offer is not theirs, too old or spent.
    """
    columns = terms(**wanted)
    if offer:
        seed = offered_seed(offer, offered_to, now)
    seed = seed or secrets.token_bytes(fairness.SEED_BYTES)
    with transaction.atomic():
        if player:
            limits.check_running_games(player)
            if Game.objects.filter(creator=player, status=Game.Status.OPEN).count() >= MOST_OPEN:
                raise Conflict(_("you have too many open games already"), code="too-many-open")
        game = Game.objects.create(
            code=code_of(player.pk, key) if player and key else new_code(),
            creator=player,
            created_at=now,
            expires_at=clock.open_until(now, columns["allowance"]),
            rules=engine.RULES,
            commitment=fairness.commitment(seed),
            committed_first=True,  # every door shows it before it takes a seed
            rematch_of=rematch_of,
            **columns,
        )
        Secret.objects.create(game=game, server_seed=seed)
        if offer:
            spend_commitment(game, now)
    return game


def offered_seed(offer: str, offered_to: int | None, now: datetime) -> bytes:
    """The seed behind an offer. Raises Conflict if it is none of ours to this viewer, or too old."""
    try:
        return offers.open_offer(token=offer, viewer_id=offered_to, now=now)
    except offers.BadOffer:
        raise Conflict(
            _("This page was open for too long. Here is a new one: please try again."), code="bad-offer"
        ) from None


def spend_commitment(game: Game, now: datetime) -> None:
    """No other game is made with this commitment. Raises Conflict if one was."""
    try:
        with transaction.atomic():
            SpentCommitment.objects.create(commitment=game.commitment, game=game, at=now)
    except IntegrityError:
        raise Conflict(
            _("A game was already made from this page. Here is a new one: please try again."),
            code="spent-offer",
        ) from None


def check_seed_order(*, client_seed: str, offer: str) -> None:
    """Raise Conflict if somebody who makes a game sends a seed before they were shown a commitment."""
    if client_seed and not offer:
        raise Conflict(
            _("Your part of the shuffle arrived before ours was sealed. Please try again from the new page."),
            code="no-offer",
        )


def create_once(*, player: Player, now: datetime, key: str, **wanted: Any) -> Game:
    """A new game, or the one that this key has made before. Raises Conflict if that is another game."""
    game = once(player=player, key=key, make=lambda: create(player=player, now=now, key=key, **wanted))
    if any(getattr(game, name) != value for name, value in terms(**wanted).items()):
        raise Conflict(_("this Idempotency-Key belongs to another request"), code="idempotency-key-reused")
    return game


def once(*, player: Player, key: str, make: Callable[[], Game]) -> Game:
    """What `make` makes with a key, whole or not at all; if a game was made with it before, that one."""
    if game := made_before(player, key):
        return game
    try:
        with transaction.atomic():
            return make()
    except (IntegrityError, Conflict):
        if game := made_before(player, key):
            return game  # the same request was faster; with it the player may have all that they may have
        raise


def made_before(player: Player, key: str) -> Game | None:
    """The game that this player's request of this key has made, if it has come before."""
    return Game.objects.filter(code=code_of(player.pk, key), creator=player).first() if key else None


def check_allowance(seconds: int) -> None:
    """Raise Invalid unless it can be the time for a turn."""
    try:
        clock.clock("custom", seconds, 0)
    except clock.Unfit as error:
        raise Invalid(error.said(_)) from None


def check_client_seed(client_seed: str) -> None:
    """Raise Invalid unless it is empty or can be a client seed."""
    if "\0" in client_seed:
        raise Invalid(_("a client seed is text that a database can store"))
    try:
        fairness.check_client_seed(client_seed or "1")
    except engine.Unfit as error:
        raise Invalid(error.said(_)) from None


def waiting_game(code: str, now: datetime, player: Player | None = None) -> Table:
    """An open game with its row locked. Raises NotFound, also if the player may not see it, or Conflict."""
    game = Game.objects.select_for_update().filter(code=code).first()
    if game is None:
        raise NotFound(_("there is no such game"))
    found = Table(game, list(game.places.select_related("player").order_by("joined")), None)
    if player and not may_see(player, found):
        raise NotFound(_("there is no such game"))
    if game.status != Game.Status.OPEN:
        raise Conflict(_("the game has started or was cancelled"), code="not-open")
    if game.expires_at <= now:
        raise Conflict(_("the game waited too long for players and was given up"), code="expired")
    return found


def free_seats(found: Table, player: Player | None) -> int:
    """The seats that somebody could take who is not invited: the host's and the invited ones are kept."""
    return seats_free(found.game, found.places, list(found.game.invitations.filter(answered="")), player)


@transaction.atomic
def join(
    *,
    player: Player,
    code: str,
    now: datetime,
    client_seed: str = "",
    invitation: Invitation | None = None,
    sat_before: bool = False,
) -> Game:
    """Take a seat; the last one to be taken starts the game.

    Whoever `sat_before`, in the game that this is a rematch of, needs no invitation.
    Raises NotFound, Denied, Invalid or Conflict (not-open, expired, already-joined, full, too-many-games).
    """
    check_client_seed(client_seed)
    found = waiting_game(code, now, None if invitation or sat_before else player)
    game = found.game
    if found.place_of(player):
        raise Conflict(_("you have joined this game already"), code="already-joined")
    limits.check_running_games(player)
    kept = game.invitations.filter(player=player, answered="")
    asked = game.invitations.filter(pk=invitation.pk).first() if invitation else kept.first()
    if invitation and (asked is None or asked.answered):  # read again, now that the game is locked
        raise Conflict(_("this invitation was used already"), code="used")
    if game.private and asked is None and player.pk != game.creator_id and not sat_before:
        raise NotFound(_("there is no such game"))
    if asked:
        asked.answered = "joined"
        asked.player = player
        asked.save(update_fields=["answered", "player"])
        kept.update(answered="joined")
    elif free_seats(found, player) < 1:
        raise Conflict(_("all seats of this game are taken"), code="full")
    if len(found.places) >= game.seats:
        raise Conflict(_("all seats of this game are taken"), code="full")
    partner = None
    if game.mode == "pairs":
        partner = (
            found.place_of(asked.by) if asked and asked.partner else partners.partner_before(found, player)
        )
    sit(found, player=player, client_seed=client_seed, partner=partner)
    start_if_full(found, now)
    return game


def sit(
    found: Table,
    *,
    player: Player | None = None,
    bot: str = "",
    client_seed: str = "",
    partner: Seat | None = None,
) -> None:
    """Put somebody on the next free place."""
    place = Seat(
        game=found.game,
        joined=len(found.places) + 1,
        player=player,
        bot=bot,
        client_seed=client_seed,
        partner=partner.joined if partner else None,
    )
    place.save(force_insert=True)
    found.places.append(place)


@transaction.atomic
def leave(*, player: Player, code: str, now: datetime) -> Game:
    """Leave before the start; who comes after moves up. Raises NotFound, Denied or Conflict."""
    found = waiting_game(code, now, player)
    game, place = found.game, found.place_of(player)
    if place is None:
        raise Denied(_("you do not sit at this game"), code="not-seated")
    place.delete()
    rest = [other for other in found.places if other is not place]
    for joined, other in enumerate(rest, 1):
        partner = None if other.partner == place.joined else other.partner
        if partner and partner > place.joined:
            partner -= 1
        Seat.objects.filter(pk=other.pk).update(joined=joined, partner=partner)
    if game.creator_id == player.pk:
        heir = next((other.player for other in rest if other.player), None)
        if heir is None:
            cancel(game, rest, now)
        else:
            game.creator = heir
            game.save(update_fields=["creator"])
    return game


@transaction.atomic
def add_bot(*, player: Player, code: str, policy: str, now: datetime, partner: bool = False) -> Game:
    """The host fills a seat with a bot, as `partner` the one opposite their own.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    if policy not in BOTS:
        raise Invalid(_("bot is one of %(words)s") % {"words": ", ".join(BOTS)})
    found = waiting_game(code, now, player)
    host_only(found, player)
    if free_seats(found, None) < 1:
        raise Conflict(_("all seats of this game are taken"), code="full")
    if found.game.rated:
        raise Conflict(_("bots do not play rated games"), code="rated")
    mine = found.place_of(player)
    if partner:
        partners.check_partner_is_free(found, player)
        if mine is None:
            raise Denied(_("you do not sit at this game"), code="not-seated")
    sit(found, bot=policy, partner=mine if partner else None)
    start_if_full(found, now)
    return found.game


def host_only(found: Table, player: Player) -> None:
    """Raise Denied unless the player made the game; NotFound if it is private and none of theirs."""
    if found.game.creator_id != player.pk:
        if found.game.private and not found.place_of(player):
            raise NotFound(_("there is no such game"))
        raise Denied(_("only the player who made this game can do that"), code="not-host")


@transaction.atomic
def cancel_by_host(*, player: Player, code: str, now: datetime) -> Game:
    """The host gives an open game up. Raises NotFound, Denied or Conflict."""
    found = waiting_game(code, now, player)
    host_only(found, player)
    cancel(found.game, found.places, now)
    return found.game


def cancel(game: Game, places: list[Seat], now: datetime) -> None:
    """An open game comes to nothing; those who joined hear of it."""
    game.status = Game.Status.CANCELLED
    game.finished_at = now
    game.save(update_fields=["status", "finished_at"])
    Event.objects.bulk_create(
        [
            Event(
                player_id=place.player_id,
                game=game,
                kind="cancelled",
                reason=f"{game.code}:cancelled",
                data={"game": game.code},
                at=now,
                due_at=clock.notice_due(now, game.allowance, clocks.quiet(place.player)),
            )
            for place in places
            if place.player_id
        ]
    )


def expire(*, now: datetime, limit: int = 500, budget: Budget | None = None) -> int:
    """Give up open games whose time has come. Returns how many."""
    budget = budget or Budget()
    due = Game.objects.filter(status=Game.Status.OPEN, expires_at__lte=now).order_by("expires_at")
    done = 0
    for game in due[:limit]:
        if not budget.allows_more():
            break
        with transaction.atomic():
            locked = Game.objects.select_for_update().filter(pk=game.pk, status=Game.Status.OPEN).first()
            if locked:
                cancel(locked, list(locked.places.all()), now)
                done += 1
    return done


def start_if_full(found: Table, now: datetime) -> None:
    """Number the seats and deal, once everybody is there; the caller holds the game's row."""
    game, places = found.game, found.places
    partners.separate_opponents(found)
    if len(places) < game.seats:
        return
    partners.pair_two_people(found)
    seeds = [place.client_seed or str(place.joined) for place in places]
    seed = bytes(Secret.objects.values_list("server_seed", flat=True).get(game=game))
    couples = [(place.joined - 1, place.partner - 1) for place in places if place.partner]
    if game.order == "shuffled":
        numbers = fairness.seating(seed, seeds, couples=couples)
    else:
        numbers = fairness.seats_of(fairness.opposite(range(len(places)), couples))
    for place, number, client_seed in zip(places, numbers, seeds, strict=True):
        place.number, place.client_seed = number, client_seed
    Seat.objects.bulk_update(places, ["number", "client_seed"])
    places.sort(key=lambda place: place.number or 0)
    game.seniority = seniority(places)
    key = fairness.game_key(seed, [place.client_seed for place in places])
    log.begin(found=found, setup=setup_of(found, key), now=now)


def seniority(places: list[Seat]) -> list[int]:
    """People by the date of their account, then bots, ties by seat."""

    def age(place: Seat) -> tuple[Any, ...]:
        since = place.player.joined_at.timestamp() if place.player else 0
        return (place.player is None, since, place.number)

    return [place.number or 0 for place in sorted(places, key=age)]
