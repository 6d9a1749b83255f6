"""Strangers join a league in two steps: an address and a name here, a button behind the link in the mail."""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.models import Player
from games.models.players import NAME
from games.plain_names import check_no_link
from games.services import contacts, guests
from games.services.contacts import Contact
from games.services.errors import Conflict, Invalid, NotFound
from games.services.invitations import check_email
from tournaments.models import Knock, League

SALT = "tournaments.knock"
LASTS = timedelta(days=1)
SHORTEST_NAME, LONGEST_NAME = 2, 30


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
    check_email(email)
    contacts.count_mail_to_address(kind=Contact.LEAGUE_LINK, sender=client, email=email, now=now)
    return Knock.objects.create(
        league=league,
        email=email.lower(),
        name=name.strip()[:LONGEST_NAME],
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
    """Whose address it is: who has shown that it is theirs, else who has signed up with it."""
    shown = EmailAddress.objects.filter(email__iexact=email, verified=True).select_related("user").first()
    if shown:
        return shown.user
    return Player.objects.filter(email__iexact=email, guest=False).first()


@transaction.atomic
def accept(*, token: str, name: str, now: datetime) -> tuple[Knock, Player]:
    """Whoever opens the link has the mailbox: the account is theirs, and made if there is none.

    Raises NotFound, Conflict, or Invalid if a new account cannot have this name.
    """
    knock = opened(token=token, now=now, lock=True)
    player = account_of(knock.email)
    if player is None:
        player = made(knock, name, now)
    confirm(player, knock.email)
    knock.used_at = now
    knock.save(update_fields=["used_at"])
    return knock, player


def made(knock: Knock, name: str, now: datetime) -> Player:
    """A new account, without a password: a mailed code lets its owner in. It keeps the guest's games."""
    name = name.strip()
    try:
        NAME(name)
        check_no_link(name)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="name") from None
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME:
        raise Invalid(
            _("A name has %(least)d to %(most)d letters.") % {"least": SHORTEST_NAME, "most": LONGEST_NAME},
            code="name",
        )
    try:
        with transaction.atomic():
            player = Player.objects.create_user(
                email=knock.email, name=name, language=knock.language, joined_at=now
            )
    except IntegrityError:
        raise Invalid(_("This name is taken."), code="name") from None
    if knock.guest:
        guests.keep(guest=knock.guest, player=player, now=now)
    return player


def confirm(player: Player, email: str) -> None:
    """The address is known to be theirs."""
    address, new = EmailAddress.objects.get_or_create(
        user=player, email=email, defaults={"verified": True, "primary": True}
    )
    if new or address.verified:
        return
    address.verified = address.primary = True
    address.save(update_fields=["verified", "primary"])
    if player.last_login is None:
        # Anybody can sign up with anybody's address: the password may be that of somebody else.
        player.set_unusable_password()
        player.save(update_fields=["password"])


def forget(*, now: datetime) -> int:
    """Addresses of those who never came are not kept. Returns how many."""
    return Knock.objects.filter(at__lte=now - 2 * LASTS).delete()[0]
