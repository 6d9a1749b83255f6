"""Invitations to games: by name, or by email with a link that also works without an account. Rematches."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.email_addresses import canonical_address
from accounts.models import Player
from accounts.name_validation import MAX_NAME_LENGTH
from accounts.selectors.profiles import find_player_by_name
from accounts.services import contact_limits
from common.refusals import check_allowed
from common.service_errors import Conflict, Denied, Invalid, NotFound
from games import clock, permissions, seed_offers, signed_links
from games.contact_kinds import GameContactKind
from games.game_notice_kinds import GameNoticeKind
from games.models import Game, Invitation
from games.options import GAME_OPTIONS, read_options
from games.permissions import PermissionContext
from games.refusals import Refusal
from games.selectors import LoadedGame
from notifications.models import Delivery
from notifications.services import notices
from notifications.services.requested_deliveries import create_requested_delivery

from . import clocks, lobby, partners


@transaction.atomic
def invite_to_game(
    *,
    player: Player,
    code: str,
    now: datetime,
    name: str = "",
    email: str = "",
    partner: bool = False,
    opponent: bool = False,
) -> Invitation:
    """Invite somebody to an open game, in pairs optionally as the host's `partner` or `opponent`.

    Raises NotFound, Denied, Invalid, Conflict (full, already-invited, …) or LimitReached.
    """
    return reserve_seat(player, code, now, name=name, email=email, partner=partner, opponent=opponent)


def reserve_seat(
    player: Player,
    code: str,
    now: datetime,
    *,
    name: str = "",
    email: str = "",
    partner: bool = False,
    opponent: bool = False,
    already_counted: bool = False,
) -> Invitation:
    """Create an invitation in the caller's transaction; `already_counted` skips the contact limit.

    Raises what `invite_to_game` raises.
    """
    if bool(name) == bool(email):
        raise Invalid(_("give a name or an email address, not both"), field="name")
    loaded_game = lobby.lock_open_game(code, now, player)
    context = lobby.build_host_context(loaded_game, player, now)
    if partner:
        partners.check_can_choose_partner(loaded_game, player)
    invited_player = None
    if name:
        invited_player = find_player_by_name(name)
        if invited_player is None:
            raise Invalid(
                _("no player is called %(name)s") % {"name": name[:MAX_NAME_LENGTH]},
                code="no-such-player",
                field="name",
            )
        if loaded_game.seat_of(invited_player):
            raise Conflict(_("this player has already joined"), code="already-joined")
        check_allowed(permissions.find_bot_refusal(PermissionContext(loaded_game, invited_player, now)))
    else:
        check_allowed(Refusal.BOT_SENDS_NO_MAIL if player.is_bot else None)
        email = check_email(email)
    check_allowed(permissions.find_invite_refusal(context))
    try:
        with transaction.atomic():
            invitation = Invitation.objects.create(
                game=loaded_game.game,
                inviter=player,
                player=invited_player,
                email=email,
                as_partner=partner,
                as_opponent=opponent and not partner and loaded_game.game.mode == Game.Mode.PAIRS,
                created_at=now,
            )
    except IntegrityError:
        raise Conflict(_("this player already has an invitation"), code="already-invited") from None
    partners.separate_opponents(loaded_game)
    if email:
        contact_limits.count_mail_to_address(
            kind=GameContactKind.MAILED_INVITATION, sender=player, email=email, now=now
        )
        invitation.delivery = create_requested_delivery(
            player=player,
            kind=GameNoticeKind.MAILED_INVITATION,
            dedup_key=f"mailed-invitation:{invitation.pk}",
            now=now,
        )
        invitation.save(update_fields=["delivery"])
    elif invited_player and not already_counted:
        count_game_invitations(player, [invited_player], now)
    if invited_player:
        quiet_hours = clocks.build_quiet_calendar(invited_player)
        notices.notify(
            {invited_player.pk: clock.notice_due_at(now, loaded_game.game.allowance, quiet_hours)},
            topic=loaded_game.game.topic,
            kind=GameNoticeKind.INVITED,
            dedup_key=f"{loaded_game.game.code}:invited:{invitation.pk}",
            data={
                "game": loaded_game.game.code,
                "by": player.name,
                "partner": partner,
                **({"by_bot": True} if player.is_bot else {}),
            },
            now=now,
        )
    return invitation


def build_rematch_settings(old_game: Game) -> dict[str, Any]:
    """Return the options of a rematch: those of the old game, in private."""
    settings = read_options(old_game, GAME_OPTIONS)
    if old_game.time_control != "custom":  # the preset says both
        settings |= {"allowance": None, "bank": None}
    is_rated = old_game.rated and lobby.can_be_rated(obligation=old_game.obligation)
    return settings | {"private": True, "rated": is_rated}


def check_email(email: str) -> str:
    """Return the address as it is stored. Raises Invalid if it is not an email address."""
    try:
        return canonical_address(email)
    except ValidationError:
        raise Invalid(_("this is not an email address"), field="email") from None


def count_game_invitations(player: Player, invited_players: Iterable[Player], now: datetime) -> None:
    """Count game invitations, all at once. Raises LimitReached, or Denied by a recipient's preference."""
    contact_limits.count_contacts(
        kind=GameContactKind.GAME_INVITATION, sender=player, recipients=invited_players, now=now
    )


# ------------------------------------------------------------------------------------ mails to addresses


def mark_invitation_lost(*, delivery: Delivery) -> None:
    """Give up the invitation of a mail that is not sent: the seat is free, and the host sees the reason."""
    Invitation.objects.open().filter(delivery=delivery).update(status=Invitation.Status.LOST)


# -------------------------------------------------------------------------- answers to invitations, rematches


def get_invitation_by_token(token: str) -> Invitation:
    """Return the invitation of a link. Raises NotFound."""
    invitation_id = signed_links.read_invitation(token)
    invitation = (
        Invitation.objects.filter(pk=invitation_id).select_related("game", "inviter").first()
        if invitation_id
        else None
    )
    if invitation is None:
        raise NotFound(_("this invitation does not exist"))
    return invitation


def accept_invitation(
    *,
    player: Player,
    token: str,
    client_seed: str,
    now: datetime,
    code: str | None = None,
    accepts_bots: bool = False,
) -> Game:
    """Join the game of an invitation link. Raises NotFound, Denied or Conflict."""
    invitation = get_invitation_by_token(token)
    if code not in (None, invitation.game.code):
        raise NotFound(_("this invitation does not exist"))
    if invitation.player_id not in (None, player.pk):
        raise Denied(_("this invitation is for somebody else"), code="not-yours")
    return lobby.join_game(
        player=player,
        code=invitation.game.code,
        now=now,
        client_seed=client_seed,
        invitation=invitation,
        accepts_bots=accepts_bots,
    )


@transaction.atomic
def decline_invitation(*, player: Player, code: str, now: datetime) -> None:
    """Decline an invitation: the seat is free again and the host is notified. Raises NotFound."""
    invitation = (
        Invitation.objects.open()
        .select_for_update()
        .filter(game__code=code, player=player)
        .select_related("game")
        .first()
    )
    if invitation is None:
        raise Refusal.NOT_INVITED.build_error()
    invitation.status = Invitation.Status.DECLINED
    invitation.save(update_fields=["status"])
    notices.notify(
        {invitation.inviter_id: None},
        topic=invitation.game.topic,
        kind=GameNoticeKind.DECLINED,
        dedup_key=f"{code}:declined:{invitation.pk}",
        data={"game": code, "name": player.name},
        now=now,
    )


@transaction.atomic
def request_rematch(
    *, player: Player, code: str, now: datetime, client_seed: str = "", offer: str = "", commitment: str = ""
) -> Game:
    """Create a rematch with the same players, or join the one that another player requested first.

    The requester joins with their client seed if they were shown the commitment of this game: that of the
    `offer` from which it is created, or the `commitment` of the game that another player requested first.
    Otherwise a seat is reserved, and they see the commitment before they join. Raises NotFound, Invalid,
    Conflict or LimitReached.
    """
    old_game = Game.objects.select_for_update().filter(code=code).first()
    own_seat = old_game.seats.filter(player=player).first() if old_game else None
    if old_game is None or own_seat is None:
        raise Refusal.NO_SUCH_GAME.build_error()
    check_allowed(
        permissions.find_rematch_refusal(PermissionContext(LoadedGame(old_game, [own_seat], None), player))
    )
    existing_rematch = Game.objects.select_for_update().filter(rematch_of=old_game).first()
    if existing_rematch and existing_rematch.is_open and existing_rematch.expires_at <= now:
        existing_rematch = lobby.cancel_game(
            LoadedGame(existing_rematch, list(existing_rematch.seats.all()), None), now
        )
    if existing_rematch and not existing_rematch.current_status.is_cancelled:
        return join_rematch(
            existing_rematch, player, client_seed, commitment or seed_offers.commitment_of_token(offer), now
        )
    Game.objects.filter(rematch_of=old_game).update(rematch_of=None)
    lobby.check_seed_order(client_seed=client_seed, offer=offer)
    game = lobby.create_game(
        player=player,
        now=now,
        offer=offer,
        offered_to=player.pk,
        rematch_of=old_game,
        **build_rematch_settings(old_game),
    )
    if offer:
        game = lobby.join_game(player=player, code=game.code, now=now, client_seed=client_seed)
    other_seats = list(old_game.seats.exclude(pk=own_seat.pk).select_related("player").order_by("join_order"))
    count_game_invitations(
        player, [other_seat.player for other_seat in other_seats if other_seat.player], now
    )
    is_pairs = old_game.mode == Game.Mode.PAIRS
    old_partner_seat = partners.find_opposite_seat(own_seat) if is_pairs else None
    # People before bots, as the last bot starts the game; the partner before the others.
    for other_seat in sorted(
        other_seats, key=lambda other_seat: (bool(other_seat.bot_policy), other_seat != old_partner_seat)
    ):
        is_partner = other_seat == old_partner_seat
        if other_seat.bot_policy:  # if the host has no seat yet, joining pairs them with this bot
            game = lobby.add_bot(
                player=player,
                code=game.code,
                policy=other_seat.bot_policy,
                partner=is_partner and bool(offer),
                now=now,
            )
        elif other_seat.player:
            reserve_seat(
                player,
                game.code,
                now,
                name=other_seat.player.name,
                partner=is_partner,
                opponent=is_pairs and not is_partner,
                already_counted=True,
            )
    return game


def join_rematch(game: Game, player: Player, client_seed: str, shown_commitment: str, now: datetime) -> Game:
    """Join an existing rematch, or reserve a seat for a player who was not shown its commitment.

    Raises Conflict if it has started without them, or if they send a client seed for another commitment.
    """
    if game.seats.filter(player=player).exists():
        return game
    if game.is_open and shown_commitment != game.commitment:
        if client_seed:
            raise Conflict(
                _("The rematch has a different sealed number from the one you saw. Try again."),
                code="no-offer",
            )
        reserve_rematch_seat(game, player, now)
        return game
    return lobby.join_game(player=player, code=game.code, now=now, client_seed=client_seed, sat_before=True)


def reserve_rematch_seat(game: Game, player: Player, now: datetime) -> None:
    """Invite a player again who declined or left a rematch. Raises Conflict if it is full."""
    loaded_game, host = lobby.lock_open_game(game.code, now), game.creator
    is_invited = game.invitations.open().filter(player=player).exists()
    if host is None or host == player or is_invited:
        return
    free_seat_count = lobby.count_free_seats(loaded_game, player)
    check_allowed(permissions.find_join_refusal(PermissionContext(loaded_game, player, now, free_seat_count)))
    previous_invitation = game.invitations.filter(player=player, inviter=host).order_by("pk").last()
    Invitation.objects.create(
        game=game,
        inviter=host,
        player=player,
        as_partner=bool(
            previous_invitation
            and previous_invitation.as_partner
            and not partners.has_partner(loaded_game, host)
        ),
        as_opponent=bool(previous_invitation and previous_invitation.as_opponent),
        created_at=now,
    )
