"""Requests of strangers to join a league: an address and a name, then a button behind a mailed link."""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.email_addresses import comparable_address
from accounts.models import Player
from accounts.name_validation import MAX_NAME_LENGTH, normalize_name
from accounts.selectors.addresses import find_owner_of_address
from accounts.services import addresses, contact_limits, guests, names
from accounts.time_zones import time_zone_or_default
from common.batches import iter_pk_batches
from common.budget import Budget
from common.refusals import check_allowed
from common.service_errors import Conflict, Invalid, NotFound
from games.services.invitations import check_email
from tournaments.contact_kinds import TournamentContactKind
from tournaments.leagues.permissions import find_closed_refusal
from tournaments.models import JoinRequest, League

JOIN_LINK_SALT = "tournaments.join-link"
JOIN_LINK_LIFETIME = timedelta(days=1)


@transaction.atomic
def create_join_request(
    *,
    code: str,
    email: str,
    name: str,
    language: str,
    now: datetime,
    client_address: str = "",
    guest: Player | None = None,
) -> JoinRequest:
    """Store a join request, without looking up the address. `client_address` is where the request came from.

    Raises NotFound, Invalid, Conflict or LimitReached.
    """
    league = League.objects.filter(code=code).first()
    if league is None:
        raise NotFound(_("There is no such league."))
    check_allowed(find_closed_refusal(league))
    email = check_email(email)
    contact_limits.count_mail_to_address(
        kind=TournamentContactKind.LEAGUE_LINK, sender=client_address, email=email, now=now
    )
    return JoinRequest.objects.create(
        league=league,
        email=email,
        name=name.strip()[:MAX_NAME_LENGTH],
        language=language,
        guest=guest,
        created_at=now,
    )


def sign_join_token(join_request: JoinRequest) -> str:
    """Return the signed token for the link in the mail."""
    return signing.Signer(salt=JOIN_LINK_SALT).sign(str(join_request.pk))


def get_join_request(*, token: str, now: datetime, lock: bool = False) -> JoinRequest:
    """Return the join request of a link. Raises NotFound if invalid, Conflict if used or too old."""
    try:
        request_id = int(signing.Signer(salt=JOIN_LINK_SALT).unsign(token))
    except (signing.BadSignature, ValueError):  # ValueError: a lone surrogate, which cannot be encoded
        raise NotFound(_("This link has expired or is incomplete.")) from None
    join_requests = JoinRequest.objects.select_related("league").filter(pk=request_id)
    if lock:
        join_requests = join_requests.select_for_update(of=("self",))
    join_request = join_requests.first()
    if join_request and join_request.used_at:
        raise Conflict(_("This link has already been used."), code="used")
    if join_request is None or join_request.created_at <= now - JOIN_LINK_LIFETIME:
        raise Conflict(_("This link has expired."), code="too-old")
    return join_request


def find_account(email: str) -> Player | None:
    """Return the account that confirmed an address, otherwise the one that signed up with it.

    Compared in stored lower case: a case-insensitive database comparison would confuse ı with i.
    """
    email = comparable_address(email)
    verified_address = EmailAddress.objects.filter(email=email, verified=True).select_related("user").first()
    if verified_address:
        return verified_address.user
    return Player.objects.filter(email=email, is_guest=False).first()


@transaction.atomic
def accept_join_request(
    *, token: str, name: str, now: datetime, time_zone: str = ""
) -> tuple[JoinRequest, Player]:
    """Accept a join request: opening the link proves ownership of the mailbox.

    The account of the address is confirmed, or created if there is none. An account that was unconfirmed
    takes the name chosen now and the `time_zone` of the browser. Raises NotFound, Conflict, or Invalid on a
    bad name.
    """
    join_request = get_join_request(token=token, now=now, lock=True)
    player = find_owner_of_address(join_request.email)
    if player:
        player = confirm_address(player, join_request.email, now)
    elif claimant := find_account(join_request.email):
        new_name = "" if normalize_name(name) == claimant.name else clean_player_name(name)
        player = confirm_address(claimant, join_request.email, now, name=new_name, time_zone=time_zone)
    else:
        player = confirm_address(
            create_account(join_request, clean_player_name(name), time_zone, now), join_request.email, now
        )
    join_request.used_at = now
    join_request.save(update_fields=["used_at"])
    return join_request, player


def clean_player_name(name: str) -> str:
    """Return a valid player name. Raises Invalid."""
    try:
        return names.check_new_name(name)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="name") from None


def create_account(join_request: JoinRequest, name: str, time_zone: str, now: datetime) -> Player:
    """Create an account without a password (a mailed code signs in), and let it claim the guest's games."""
    try:
        with transaction.atomic():
            player = Player.objects.create_user(
                email=join_request.email,
                name=name,
                language=join_request.language,
                time_zone=time_zone_or_default(time_zone),
                joined_at=now,
            )
    except IntegrityError:
        raise Invalid(_("This name is taken. Choose another one."), code="name") from None
    if join_request.guest:
        guests.claim_guest(guest=join_request.guest, player=player, now=now)
    return player


def confirm_address(player: Player, email: str, now: datetime, **choices: str) -> Player:
    """Confirm the address for its player; access from before the confirmation is revoked."""
    address, _created = EmailAddress.objects.get_or_create(user=player, email=email)
    if address.verified:
        return player
    return addresses.confirm_address(address=address, keep_access=False, now=now, **choices)


def delete_expired_join_requests(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete join requests that nobody accepted. Returns how many."""
    deleted_count, budget = 0, budget or Budget.unlimited()
    for batch_ids in iter_pk_batches(
        JoinRequest.objects.filter(created_at__lte=now - 2 * JOIN_LINK_LIFETIME)
    ):
        if not budget.allows_more():
            break
        deleted_count += JoinRequest.objects.filter(pk__in=batch_ids).delete()[0]
    return deleted_count
