"""Invitations to games: by name, or by email with a link that also works without an account. Rematches."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games import clock, seed_offers, signed_links
from games.email_addresses import canonical_address
from games.models import FeedEntry, Game, Invitation, Player
from games.name_validation import MAX_NAME_LENGTH
from games.selectors import find_player_by_name

from . import clocks, contact_limits, lobby, outbox, partners
from .contact_limits import ContactKind
from .errors import Conflict, Denied, Invalid, NotFound


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
        raise Invalid(_("invite somebody by name or by email, one of the two"))
    loaded_game = lobby.lock_open_game(code, now, player)
    lobby.check_is_host(loaded_game, player)
    if partner:
        partners.check_partner_is_free(loaded_game, player)
    invited_player = None
    if name:
        invited_player = find_player_by_name(name)
        if invited_player is None:
            raise Invalid(
                _("nobody here is called %(name)s") % {"name": name[:MAX_NAME_LENGTH]}, code="no-such-player"
            )
        if loaded_game.seat_of(invited_player):
            raise Conflict(_("they have joined already"), code="already-joined")
    else:
        email = check_email(email)
    if lobby.count_free_seats(loaded_game, player) - (0 if loaded_game.seat_of(player) else 1) < 1:
        raise Conflict(_("all seats of this game are taken"), code="full")
    try:
        with transaction.atomic():
            invitation = Invitation.objects.create(
                game=loaded_game.game,
                by=player,
                player=invited_player,
                email=email,
                partner=partner,
                opponent=opponent and not partner and loaded_game.game.mode == "pairs",
                at=now,
                due_at=now if email else None,
            )
    except IntegrityError:
        raise Conflict(_("they are invited already"), code="already-invited") from None
    partners.separate_opponents(loaded_game)
    if email:
        contact_limits.count_mail_to_address(
            kind=ContactKind.MAILED_INVITATION, sender=player, email=email, now=now
        )
    elif invited_player and not already_counted:
        count_game_invitations(player, [invited_player], now)
    if invited_player:
        FeedEntry.objects.create(
            player=invited_player,
            game=loaded_game.game,
            kind="invited",
            reason=f"{loaded_game.game.code}:invited:{invitation.pk}",
            data={"game": loaded_game.game.code, "by": player.name, "partner": partner},
            at=now,
            due_at=clock.notice_due_at(
                now, loaded_game.game.allowance, clocks.build_quiet_calendar(invited_player)
            ),
        )
    return invitation


def check_email(email: str) -> str:
    """Return the address as it is stored. Raises Invalid if it is not an email address."""
    try:
        return canonical_address(email)
    except ValidationError:
        raise Invalid(_("this is not an email address")) from None


def count_game_invitations(player: Player, invited_players: Iterable[Player], now: datetime) -> None:
    """Count game invitations, all at once. Raises LimitReached, or Denied by a recipient's preference."""
    contact_limits.count_contacts(
        kind=ContactKind.GAME_INVITATION, sender=player, recipients=invited_players, now=now
    )


# ------------------------------------------------------------------------------------ sending


def find_due_mails(*, now: datetime, limit: int) -> list[tuple[int, datetime]]:
    """Return the mails that are due, oldest first, each with the due time that a claim must match."""
    due_invitations = Invitation.objects.filter(
        due_at__lte=now, sent_at=None, answered="", game__status=Game.Status.OPEN, game__expires_at__gt=now
    ).order_by("due_at", "pk")
    return [(pk, at) for pk, at in due_invitations.values_list("pk", "due_at")[:limit] if at]


def claim_mail(*, pk: int, seen_due_at: datetime, now: datetime) -> Invitation | None:
    """Claim a mail for the time of the lease, or return None if another worker was faster."""
    row = Invitation.objects.filter(pk=pk, due_at=seen_due_at, sent_at=None, answered="")
    if not row.update(due_at=now + outbox.MAIL_LEASE, tries=F("tries") + 1):
        return None
    return Invitation.objects.select_related("game", "by").filter(pk=pk).first()


def mark_mail_sent(*, invitation: Invitation, now: datetime) -> None:
    """Record that the mail server accepted the mail."""
    Invitation.objects.filter(pk=invitation.pk).update(sent_at=now, due_at=None, trouble="")


def mark_mail_failed(
    *, invitation: Invitation, reason: str, now: datetime, maybe_accepted: bool = False
) -> None:
    """Record a failed attempt: retry after growing delays, then give up.

    `maybe_accepted` changes nothing: the link in a mail that arrived anyway shows the current state.
    """
    if invitation.tries > len(outbox.MAIL_RETRY_DELAYS):
        mark_invitation_lost(invitation=invitation, reason=reason, now=now)
    else:
        retry_at = now + outbox.MAIL_RETRY_DELAYS[invitation.tries - 1]
        Invitation.objects.filter(pk=invitation.pk).update(due_at=retry_at, trouble=reason[:200])


def postpone_mail(*, invitation: Invitation, reason: str, now: datetime) -> None:
    """Postpone a mail because no mail server was reachable; this does not count as an attempt."""
    retry_at = now + outbox.SERVER_OUTAGE_RETRY_DELAY
    row = Invitation.objects.filter(pk=invitation.pk)
    row.update(due_at=retry_at, tries=F("tries") - 1, trouble=reason[:200])


def mark_invitation_lost(*, invitation: Invitation, reason: str, now: datetime) -> None:
    """Give up an invitation that cannot be delivered: the seat is free, and the host sees the reason."""
    row = Invitation.objects.filter(pk=invitation.pk, answered="")
    row.update(due_at=None, trouble=reason[:200], answered="lost")


# -------------------------------------------------------------------------- answers to invitations, rematches


def get_invitation_by_token(token: str) -> Invitation:
    """Return the invitation of a link. Raises NotFound."""
    invitation_id = signed_links.read_invitation(token)
    invitation = (
        Invitation.objects.filter(pk=invitation_id).select_related("game", "by").first()
        if invitation_id
        else None
    )
    if invitation is None:
        raise NotFound(_("this invitation does not exist"))
    return invitation


def accept_invitation(
    *, player: Player, token: str, client_seed: str, now: datetime, code: str | None = None
) -> Game:
    """Join the game of an invitation link. Raises NotFound, Denied or Conflict."""
    invitation = get_invitation_by_token(token)
    if code not in (None, invitation.game.code):
        raise NotFound(_("this invitation does not exist"))
    if invitation.player_id not in (None, player.pk):
        raise Denied(_("this invitation is for somebody else"), code="not-yours")
    return lobby.join_game(
        player=player, code=invitation.game.code, now=now, client_seed=client_seed, invitation=invitation
    )


@transaction.atomic
def decline_invitation(*, player: Player, code: str, now: datetime) -> None:
    """Decline an invitation: the seat is free again and the host is notified. Raises NotFound."""
    invitation = (
        Invitation.objects.select_for_update()
        .filter(game__code=code, player=player, answered="")
        .select_related("game")
        .first()
    )
    if invitation is None:
        raise NotFound(_("you are not invited to this game"))
    invitation.answered = "declined"
    invitation.save(update_fields=["answered"])
    FeedEntry.objects.create(
        player_id=invitation.by_id,
        game=invitation.game,
        kind="declined",
        reason=f"{code}:declined:{invitation.pk}",
        data={"game": code, "name": player.name},
        at=now,
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
    own_seat = old_game.places.filter(player=player).first() if old_game else None
    if old_game is None or own_seat is None:
        raise NotFound(_("there is no such game"))
    if old_game.status != Game.Status.OVER:
        raise Conflict(_("the game is not over yet"), code="not-over")
    existing_rematch = Game.objects.select_for_update().filter(rematch_of=old_game).first()
    if (
        existing_rematch
        and existing_rematch.status == Game.Status.OPEN
        and existing_rematch.expires_at <= now
    ):
        lobby.cancel_game(existing_rematch, list(existing_rematch.places.all()), now)
    if existing_rematch and existing_rematch.status != Game.Status.CANCELLED:
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
        mode=old_game.mode,
        seats=old_game.seats,
        edition=old_game.edition,
        cards=old_game.cards,
        obligation=old_game.obligation,
        target=old_game.target,
        clock_name=old_game.clock,
        allowance=old_game.allowance if old_game.clock == "custom" else None,
        bank=old_game.bank if old_game.clock == "custom" else None,
        blind_allowance=old_game.blind_allowance,
        timeouts=old_game.timeouts,
        weekends=old_game.weekends,
        nights=old_game.nights,
        vacation=old_game.vacation,
        order=old_game.order,
        private=True,
        rated=old_game.rated and lobby.can_be_rated(obligation=old_game.obligation),
        chat=old_game.chat,
        rematch_of=old_game,
    )
    if offer:
        game = lobby.join_game(player=player, code=game.code, now=now, client_seed=client_seed)
    other_seats = list(old_game.places.exclude(pk=own_seat.pk).select_related("player").order_by("joined"))
    count_game_invitations(
        player, [other_seat.player for other_seat in other_seats if other_seat.player], now
    )
    is_pairs = old_game.mode == "pairs"
    old_partner_seat = partners.find_opposite_seat(own_seat) if is_pairs else None
    # People before bots, as the last bot starts the game; the partner before the others.
    for other_seat in sorted(
        other_seats, key=lambda other_seat: (bool(other_seat.bot), other_seat != old_partner_seat)
    ):
        is_partner = other_seat == old_partner_seat
        if other_seat.bot:  # if the host has no seat yet, joining pairs them with this bot
            game = lobby.add_bot(
                player=player,
                code=game.code,
                policy=other_seat.bot,
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
    if game.places.filter(player=player).exists():
        return game
    if game.status == Game.Status.OPEN and shown_commitment != game.commitment:
        if client_seed:
            raise Conflict(
                _("The rematch is sealed with another number than you were shown. Please try again."),
                code="no-offer",
            )
        reserve_rematch_seat(game, player, now)
        return game
    return lobby.join_game(player=player, code=game.code, now=now, client_seed=client_seed, sat_before=True)


def reserve_rematch_seat(game: Game, player: Player, now: datetime) -> None:
    """Invite a player again who declined or left a rematch. Raises Conflict if it is full."""
    loaded_game, host = lobby.lock_open_game(game.code, now), game.creator
    is_invited = game.invitations.filter(player=player, answered="").exists()
    if host is None or host == player or is_invited:
        return
    if lobby.count_free_seats(loaded_game, player) < 1:
        raise Conflict(_("all seats of this game are taken"), code="full")
    previous_invitation = game.invitations.filter(player=player, by=host).order_by("pk").last()
    Invitation.objects.create(
        game=game,
        by=host,
        player=player,
        partner=bool(
            previous_invitation
            and previous_invitation.partner
            and not partners.has_partner(loaded_game, host)
        ),
        opponent=bool(previous_invitation and previous_invitation.opponent),
        at=now,
    )
