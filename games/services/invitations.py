"""Asking people to a game: by name, or by email with a link that also works without an account."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games import clock, links, offers
from games.email_addresses import canonical_address
from games.models import Event, Game, Invitation, Player
from games.names import MAX_NAME_LENGTH
from games.selectors import player_named

from . import clocks, contacts, lobby, outbox, partners
from .contacts import Contact
from .errors import Conflict, Denied, Invalid, NotFound


@transaction.atomic
def invite(
    *,
    player: Player,
    code: str,
    now: datetime,
    name: str = "",
    email: str = "",
    partner: bool = False,
    opponent: bool = False,
) -> Invitation:
    """Keep a seat for somebody, in pairs perhaps as the host's `partner` or as their `opponent`.

    Raises NotFound, Denied, Invalid, Conflict (full, already-invited, …) or LimitReached.
    """
    return keep_seat(player, code, now, name=name, email=email, partner=partner, opponent=opponent)


def keep_seat(
    player: Player,
    code: str,
    now: datetime,
    *,
    name: str = "",
    email: str = "",
    partner: bool = False,
    opponent: bool = False,
    counted: bool = False,
) -> Invitation:
    """The same, in the transaction of the caller, who may have counted the invited already."""
    if bool(name) == bool(email):
        raise Invalid(_("invite somebody by name or by email, one of the two"))
    found = lobby.waiting_game(code, now, player)
    lobby.host_only(found, player)
    if partner:
        partners.check_partner_is_free(found, player)
    friend = None
    if name:
        friend = player_named(name)
        if friend is None:
            raise Invalid(
                _("nobody here is called %(name)s") % {"name": name[:MAX_NAME_LENGTH]}, code="no-such-player"
            )
        if found.place_of(friend):
            raise Conflict(_("they have joined already"), code="already-joined")
    else:
        email = check_email(email)
    if lobby.free_seats(found, player) - (0 if found.place_of(player) else 1) < 1:
        raise Conflict(_("all seats of this game are taken"), code="full")
    try:
        with transaction.atomic():
            invitation = Invitation.objects.create(
                game=found.game,
                by=player,
                player=friend,
                email=email,
                partner=partner,
                opponent=opponent and not partner and found.game.mode == "pairs",
                at=now,
                due_at=now if email else None,
            )
    except IntegrityError:
        raise Conflict(_("they are invited already"), code="already-invited") from None
    partners.separate_opponents(found)
    if email:
        contacts.count_mail_to_address(kind=Contact.MAILED_INVITATION, sender=player, email=email, now=now)
    elif friend and not counted:
        count_invited(player, [friend], now)
    if friend:
        Event.objects.create(
            player=friend,
            game=found.game,
            kind="invited",
            reason=f"{found.game.code}:invited:{invitation.pk}",
            data={"game": found.game.code, "by": player.name, "partner": partner},
            at=now,
            due_at=clock.notice_due(now, found.game.allowance, clocks.quiet(friend)),
        )
    return invitation


def check_email(email: str) -> str:
    """The address as it is stored. Raises Invalid if no mail can go there."""
    try:
        return canonical_address(email)
    except ValidationError:
        raise Invalid(_("this is not an email address")) from None


def count_invited(player: Player, invited: Iterable[Player], now: datetime) -> None:
    """Count who is asked to a game, all at once. Raises LimitReached, or Denied by who wants no strangers."""
    contacts.count_contacts(kind=Contact.GAME_INVITATION, sender=player, recipients=invited, now=now)


# ------------------------------------------------------------------------------------ what becomes of a mail


def due(*, now: datetime, limit: int) -> list[tuple[int, datetime]]:
    """The mails to be sent, oldest first, each with the time that whoever claims it must have seen."""
    found = Invitation.objects.filter(
        due_at__lte=now, sent_at=None, answered="", game__status=Game.Status.OPEN, game__expires_at__gt=now
    ).order_by("due_at", "pk")
    return [(pk, at) for pk, at in found.values_list("pk", "due_at")[:limit] if at]


def claim(*, pk: int, seen: datetime, now: datetime) -> Invitation | None:
    """Take a mail, None if another worker was faster; if this one dies, it is due again after the lease."""
    row = Invitation.objects.filter(pk=pk, due_at=seen, sent_at=None, answered="")
    if not row.update(due_at=now + outbox.LEASE, tries=F("tries") + 1):
        return None
    return Invitation.objects.select_related("game", "by").filter(pk=pk).first()


def sent(*, invitation: Invitation, now: datetime) -> None:
    """A mail server has it."""
    Invitation.objects.filter(pk=invitation.pk).update(sent_at=now, due_at=None, trouble="")


def failed(*, invitation: Invitation, why: str, now: datetime, maybe_taken: bool = False) -> None:
    """It could not be sent: later again, after pauses that grow, and then no more.

    `maybe_taken` changes nothing: the link of one that arrived all the same says how things stand.
    """
    if invitation.tries > len(outbox.DELAYS):
        lost(invitation=invitation, why=why, now=now)
    else:
        later = now + outbox.DELAYS[invitation.tries - 1]
        Invitation.objects.filter(pk=invitation.pk).update(due_at=later, trouble=why[:200])


def held(*, invitation: Invitation, why: str, now: datetime) -> None:
    """No mail server took our call: that counts as no try. It waits as long as the game does."""
    later = now + outbox.SERVER_AWAY
    row = Invitation.objects.filter(pk=invitation.pk)
    row.update(due_at=later, tries=F("tries") - 1, trouble=why[:200])


def lost(*, invitation: Invitation, why: str, now: datetime) -> None:
    """Nobody hears of it: the seat is free again, and whoever invited sees why and may ask once more."""
    row = Invitation.objects.filter(pk=invitation.pk, answered="")
    row.update(due_at=None, trouble=why[:200], answered="lost")


# ------------------------------------------------------------------------------------------------- answers


def by_token(token: str) -> Invitation:
    """The invitation of a link. Raises NotFound."""
    number = links.read_invitation(token)
    found = Invitation.objects.filter(pk=number).select_related("game", "by").first() if number else None
    if found is None:
        raise NotFound(_("this invitation does not exist"))
    return found


def accept(*, player: Player, token: str, client_seed: str, now: datetime, code: str | None = None) -> Game:
    """Take the seat of a link. Raises NotFound, Denied or Conflict."""
    invitation = by_token(token)
    if code not in (None, invitation.game.code):
        raise NotFound(_("this invitation does not exist"))
    if invitation.player_id not in (None, player.pk):
        raise Denied(_("this invitation is for somebody else"), code="not-yours")
    return lobby.join(
        player=player, code=invitation.game.code, now=now, client_seed=client_seed, invitation=invitation
    )


@transaction.atomic
def decline(*, player: Player, code: str, now: datetime) -> None:
    """Say no; the seat is free again and the host hears of it. Raises NotFound."""
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
    Event.objects.create(
        player_id=invitation.by_id,
        game=invitation.game,
        kind="declined",
        reason=f"{code}:declined:{invitation.pk}",
        data={"game": code, "name": player.name},
        at=now,
    )


@transaction.atomic
def rematch(
    *, player: Player, code: str, now: datetime, client_seed: str = "", offer: str = "", commitment: str = ""
) -> Game:
    """The same people at a new table; all who ask get the same game.

    Whoever asks sits down, with their client seed, if they were shown what this game is sealed with: the
    `offer` that it is made from, or the `commitment` of the game that somebody else was faster to ask for.
    Else a seat is kept for them, so that they see the commitment before they join.
    Raises NotFound, Invalid, Conflict or LimitReached.
    """
    old = Game.objects.select_for_update().filter(code=code).first()
    place = old.places.filter(player=player).first() if old else None
    if old is None or place is None:
        raise NotFound(_("there is no such game"))
    if old.status != Game.Status.OVER:
        raise Conflict(_("the game is not over yet"), code="not-over")
    again = Game.objects.select_for_update().filter(rematch_of=old).first()
    if again and again.status == Game.Status.OPEN and again.expires_at <= now:
        lobby.cancel(again, list(again.places.all()), now)
    if again and again.status != Game.Status.CANCELLED:
        return join_rematch(again, player, client_seed, commitment or offers.commitment_in(offer), now)
    Game.objects.filter(rematch_of=old).update(rematch_of=None)
    lobby.check_seed_order(client_seed=client_seed, offer=offer)
    game = lobby.create(
        player=player,
        now=now,
        offer=offer,
        offered_to=player.pk,
        mode=old.mode,
        seats=old.seats,
        edition=old.edition,
        cards=old.cards,
        obligation=old.obligation,
        target=old.target,
        clock_name=old.clock,
        allowance=old.allowance if old.clock == "custom" else None,
        bank=old.bank if old.clock == "custom" else None,
        blind_allowance=old.blind_allowance,
        timeouts=old.timeouts,
        weekends=old.weekends,
        nights=old.nights,
        vacation=old.vacation,
        order=old.order,
        private=True,
        rated=old.rated and lobby.can_be_rated(obligation=old.obligation),
        chat=old.chat,
        rematch_of=old,
    )
    if offer:
        game = lobby.join(player=player, code=game.code, now=now, client_seed=client_seed)
    others = list(old.places.exclude(pk=place.pk).select_related("player").order_by("joined"))
    count_invited(player, [other.player for other in others if other.player], now)
    pairs = old.mode == "pairs"
    partner_of_old = partners.seat_opposite(place) if pairs else None
    # Those who are asked first: bots may be all that the game still waits for. The partner before the others.
    for other in sorted(others, key=lambda other: (bool(other.bot), other != partner_of_old)):
        partner = other == partner_of_old
        if other.bot:  # without a seat of the host's, joining finds the bot that was their partner
            game = lobby.add_bot(
                player=player, code=game.code, policy=other.bot, partner=partner and bool(offer), now=now
            )
        elif other.player:
            keep_seat(
                player,
                game.code,
                now,
                name=other.player.name,
                partner=partner,
                opponent=pairs and not partner,
                counted=True,
            )
    return game


def join_rematch(game: Game, player: Player, client_seed: str, shown: str, now: datetime) -> Game:
    """Take a seat at a rematch that there is, or keep it for whoever was not `shown` its commitment.

    Raises Conflict if it began without them, or if they send a client seed for another commitment.
    """
    if game.places.filter(player=player).exists():
        return game
    if game.status == Game.Status.OPEN and shown != game.commitment:
        if client_seed:
            raise Conflict(
                _("The rematch is sealed with another number than you were shown. Please try again."),
                code="no-offer",
            )
        keep_seat_at_rematch(game, player, now)
        return game
    return lobby.join(player=player, code=game.code, now=now, client_seed=client_seed, sat_before=True)


def keep_seat_at_rematch(game: Game, player: Player, now: datetime) -> None:
    """Invite whoever asks for a rematch again if they declined or left it. Raises Conflict if it is full."""
    found, host = lobby.waiting_game(game.code, now), game.creator
    invited = game.invitations.filter(player=player, answered="").exists()
    if host is None or host == player or invited:
        return
    if lobby.free_seats(found, player) < 1:
        raise Conflict(_("all seats of this game are taken"), code="full")
    before = game.invitations.filter(player=player, by=host).order_by("pk").last()
    Invitation.objects.create(
        game=game,
        by=host,
        player=player,
        partner=bool(before and before.partner and not partners.has_partner(found, host)),
        opponent=bool(before and before.opponent),
        at=now,
    )
