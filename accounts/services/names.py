"""Names of players, apps and titles: validation, and uniqueness against lookalikes."""

from __future__ import annotations

import logging
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.link_detection import check_no_link
from accounts.models import Player
from accounts.models.players import LOOKALIKE_NAME_ERROR
from accounts.name_validation import (
    MAX_NAME_LENGTH,
    check_name,
    check_title,
    fold_case,
    normalize_name,
    skeletons_of,
)
from accounts.reserved_names import is_reserved, is_reserved_title
from common.batches import iter_pk_batches
from common.service_errors import Invalid

logger = logging.getLogger(__name__)


def check_new_name(name: str) -> str:
    """Return the normalized name for a new player. Raises ValidationError.

    Two concurrent requests may both pass; the database constraint then accepts one of them.
    """
    normalized_name = normalize_name(name)
    check_name(normalized_name)
    check_no_link(normalized_name)
    min_length = settings.ACCOUNT_USERNAME_MIN_LENGTH
    if not min_length <= len(normalized_name) <= MAX_NAME_LENGTH:
        raise ValidationError(
            _("Use %(least)d to %(most)d characters."),
            params={"least": min_length, "most": MAX_NAME_LENGTH},
        )
    if is_reserved(normalized_name):
        raise ValidationError(_("This name is reserved. Choose another one."))
    lookalike = find_lookalike_name(normalized_name)
    if lookalike is not None:
        raise ValidationError(
            _("This name is taken. Choose another one.")
            if fold_case(lookalike) == fold_case(normalized_name)
            else LOOKALIKE_NAME_ERROR
        )
    return normalized_name


def find_lookalike_name(name: str) -> str | None:
    """Return the name of a player that this name looks like, or None."""
    skeleton, folded_skeleton = skeletons_of(name)
    lookalikes = Player.objects.filter(Q(name_skeleton=skeleton) | Q(name_folded_skeleton=folded_skeleton))
    return lookalikes.values_list("name", flat=True).first()


def check_app_name(name: str) -> str:
    """Return the normalized name of an app; reserved names are refused. Raises Invalid."""
    title = clean_title(name)
    if is_reserved_title(title):
        raise Invalid(_("This name is reserved. Choose another one."), code="name")
    return title


def clean_title(name: str) -> str:
    """Return a title with single spaces. Raises Invalid if it has invisible characters."""
    title = " ".join(name.split())  # line breaks become spaces
    try:
        check_title(title)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="name") from None
    return title


def check_mailed_title(name: str) -> None:
    """Raise Invalid if the title of a tournament or league has invisible characters or looks like a link."""
    try:
        check_no_link(clean_title(name))
    except ValidationError as error:
        raise Invalid(error.messages[0], code="name") from None


def assign_missing_skeletons(*, now: datetime) -> int:
    """Assign skeletons to names without one, where they are free by now. Returns how many.

    Names lack one if they are older than the rule and look like an older name, or were taken during a
    release. Reserved names of the site itself never get one.
    """
    updated_count = 0
    players_without_skeleton = Player.objects.filter(Q(name_skeleton="") | Q(name_folded_skeleton=""))
    for batch_ids in iter_pk_batches(players_without_skeleton):
        for player in Player.objects.filter(pk__in=batch_ids).only("pk", "name"):
            if is_reserved(player.name) and not player.is_guest:
                continue
            skeleton, folded_skeleton = skeletons_of(player.name)
            try:
                with transaction.atomic():
                    updated_count += Player.objects.filter(pk=player.pk, name=player.name).update(
                        name_skeleton=skeleton, name_folded_skeleton=folded_skeleton
                    )
            except IntegrityError:
                logger.info("name of player %s looks like another player's", player.pk)
    return updated_count
