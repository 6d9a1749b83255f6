"""Strangers join a league in two steps: an address and a name here, a button behind the link in the mail."""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.batches import batches
from games.email_addresses import comparable_address
from games.models import Player
from games.names import MAX_NAME_LENGTH, normalize_name
from games.selectors.addresses import owner_of_address
from games.services import addresses, contacts, guests, names
from games.services.budget import Budget
from games.services.contacts import Contact
from games.services.errors import Conflict, Invalid, NotFound
from games.services.invitations import check_email
from games.time_zones import time_zone_or_default
from tournaments.models import Knock, League

SALT = "tournaments.knock"
LASTS = timedelta(days=1)


@transaction.atomic
def ask(
    *,
    code: str,
    email: str,
    name: str,
    language: str,
    now: datetime,
    client: str = "",
    guest: Player | None = None,
) -> Knock:
    """Note who asks; nobody looks whether the address has an account. `client`: where the request is from.

    Raises NotFound, Invalid, Conflict or LimitReached.
    """
    league = League.objects.filter(code=code).first()
    if league is None:
        raise NotFound(_("There is no such league."))
    if league.status == League.Status.CLOSED:
        raise Conflict(_("The league is closed already."))
    email = check_email(email)
    contacts.count_mail_to_address(kind=Contact.LEAGUE_LINK, sender=client, email=email, now=now)
    return Knock.objects.create(
        league=league,
        email=email,
        name=name.strip()[:MAX_NAME_LENGTH],
        language=language,
        guest=guest,
        at=now,
    )


def token_of(knock: Knock) -> str:
    """What stands in the link."""
    return signing.Signer(salt=SALT).sign(str(knock.pk))


def opened(*, token: str, now: datetime, lock: bool = False) -> Knock:
    """What a link belongs to. Raises NotFound if it is none of ours, Conflict if its time has passed."""
    try:
        number = int(signing.Signer(salt=SALT).unsign(token))
    except (signing.BadSignature, ValueError):  # ValueError: half a character, that no bytes can say
        raise NotFound(_("This link is too old or not whole.")) from None
    found = Knock.objects.select_related("league").filter(pk=number)
    if lock:
        found = found.select_for_update(of=("self",))
    knock = found.first()
    if knock and knock.used_at:
        raise Conflict(_("This link was used already."), code="used")
    if knock is None or knock.at <= now - LASTS:
        raise Conflict(_("This link is too old."), code="too-old")
    return knock


def account_of(email: str) -> Player | None:
    """Whose address it is: who has shown that it is theirs, else who has signed up with it.

    Compared as it is stored, in small letters. A database that ignores case takes ı for i, and an address
    with an ı is somebody else's.
    """
    email = comparable_address(email)
    shown = EmailAddress.objects.filter(email=email, verified=True).select_related("user").first()
    if shown:
        return shown.user
    return Player.objects.filter(email=email, guest=False).first()


@transaction.atomic
def accept(*, token: str, name: str, now: datetime, time_zone: str = "") -> tuple[Knock, Player]:
    """Whoever opens the link has the mailbox: the account is theirs, and made if there is none.

    One that nobody had confirmed has the name that they choose now, as a new one has, and the `time_zone` of
    their browser.

    Raises NotFound, Conflict, or Invalid if a new account cannot have this name.
    """
    knock = opened(token=token, now=now, lock=True)
    player = owner_of_address(knock.email)
    if player:
        player = confirm(player, knock.email, now)
    elif claimant := account_of(knock.email):
        chosen = "" if normalize_name(name) == claimant.name else checked_name(name)
        player = confirm(claimant, knock.email, now, name=chosen, time_zone=time_zone)
    else:
        player = confirm(create_account(knock, checked_name(name), time_zone, now), knock.email, now)
    knock.used_at = now
    knock.save(update_fields=["used_at"])
    return knock, player


def checked_name(name: str) -> str:
    """A name as a player would have it. Raises Invalid."""
    try:
        return names.check_new_name(name)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="name") from None


def create_account(knock: Knock, name: str, time_zone: str, now: datetime) -> Player:
    """Create an account without a password: a mailed code lets its owner in. It keeps the guest's games."""
    try:
        with transaction.atomic():
            player = Player.objects.create_user(
                email=knock.email,
                name=name,
                language=knock.language,
                time_zone=time_zone_or_default(time_zone),
                joined_at=now,
            )
    except IntegrityError:
        raise Invalid(_("This name is taken."), code="name") from None
    if knock.guest:
        guests.keep(guest=knock.guest, player=player, now=now)
    return player


def confirm(player: Player, email: str, now: datetime, **choice: str) -> Player:
    """The address is known to be theirs; whoever signed up with it before may have been somebody else."""
    address, _new = EmailAddress.objects.get_or_create(user=player, email=email)
    if address.verified:
        return player
    return addresses.confirm_address(address=address, keep_access=False, now=now, **choice)


def forget(*, now: datetime, budget: Budget | None = None) -> int:
    """Addresses of those who never came are not kept. Returns how many."""
    done, budget = 0, budget or Budget.unlimited()
    for some in batches(Knock.objects.filter(at__lte=now - 2 * LASTS)):
        if not budget.allows_more():
            break
        done += Knock.objects.filter(pk__in=some).delete()[0]
    return done
