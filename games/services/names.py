"""Names of players and of what they make: checked at every door, and held apart by the database."""

from __future__ import annotations

import logging
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.batches import batches
from games.models import Player
from games.models.players import LOOKS_TAKEN
from games.names import MAX_NAME_LENGTH, check_name, check_title, fold, normalize_name, skeletons_of
from games.plain_names import check_no_link
from games.reserved_names import is_reserved, is_reserved_title

from .errors import Invalid

log = logging.getLogger(__name__)


def check_new_name(name: str) -> str:
    """The name as a new player would have it. Raises ValidationError.

    Two who ask at once may both be let through here; the database then takes one of them.
    """
    found = normalize_name(name)
    check_name(found)
    check_no_link(found)
    least = settings.ACCOUNT_USERNAME_MIN_LENGTH
    if not least <= len(found) <= MAX_NAME_LENGTH:
        raise ValidationError(
            _("A name has %(least)d to %(most)d letters."), params={"least": least, "most": MAX_NAME_LENGTH}
        )
    if is_reserved(found):
        raise ValidationError(_("This name is reserved. Please choose another one."))
    twin = find_twin(found)
    if twin is not None:
        raise ValidationError(_("This name is taken.") if fold(twin) == fold(found) else LOOKS_TAKEN)
    return found


def find_twin(name: str) -> str | None:
    """The name of a player that a name looks like, if there is one."""
    written, small = skeletons_of(name)
    alike = Player.objects.filter(Q(name_skeleton=written) | Q(name_folded_skeleton=small))
    return alike.values_list("name", flat=True).first()


def check_app_name(name: str) -> str:
    """The name as players are asked about the app; it is not the site's own. Raises Invalid."""
    found = check_title_of(name)
    if is_reserved_title(found):
        raise Invalid(_("This name is reserved. Please choose another one."), code="name")
    return found


def check_title_of(name: str) -> str:
    """The name of a thing, with single spaces. Raises Invalid if something in it cannot be seen."""
    title = " ".join(name.split())  # ends of lines are shown as spaces
    try:
        check_title(title)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="name") from None
    return title


def check_mailed_title(name: str) -> None:
    """Raise Invalid if the name of an event or league, told in mails, hides letters or looks like a link."""
    try:
        check_no_link(check_title_of(name))
    except ValidationError as error:
        raise Invalid(error.messages[0], code="name") from None


def settle_skeletons(*, now: datetime) -> int:
    """Give a skeleton to names without one, if nobody else has it now. Returns how many got theirs.

    Names lack it that are older than the rule and look like an older one; those that were taken while a
    release was going in; and those that the site uses itself, which never get one.
    """
    done = 0
    lacking = Player.objects.filter(Q(name_skeleton="") | Q(name_folded_skeleton=""))
    for some in batches(lacking):
        for player in Player.objects.filter(pk__in=some).only("pk", "name"):
            if is_reserved(player.name) and not player.guest:
                continue
            written, small = skeletons_of(player.name)
            try:
                with transaction.atomic():
                    done += Player.objects.filter(pk=player.pk, name=player.name).update(
                        name_skeleton=written, name_folded_skeleton=small
                    )
            except IntegrityError:
                log.info("player %s has a name that looks like another's", player.pk)
    return done
