"""The limits of a field agree on the page, in the API, in the model and in the service."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.db import models
from django.utils import timezone
from rest_framework import serializers

from accounts.api import me
from accounts.models import Player, Token
from accounts.models.limits import MAX_EMAIL_LENGTH
from accounts.name_validation import MAX_NAME_LENGTH
from accounts.web import account_settings_forms
from common.api.openapi import read_document
from common.service_errors import Invalid
from games import clock
from games.api import serializers as game_serializers
from games.engine.action_parser import MAX_TEXT_LENGTH
from games.models import Game, Message, Note, Report, limits
from games.services import lobby, social
from games.web import create_game_form
from notifications.api import notices
from notifications.models import Webhook
from notifications.web import notification_settings_forms
from tests.factories.cast import Api, open_browser, player, start_cast_game
from tests.helpers.field_limits import api_fields, limits_of, numbers, own_limits
from tests.markup import normalise_html

WRITTEN: list[tuple[type[forms.BaseForm], type[serializers.Serializer], type[models.Model]]] = [
    (create_game_form.NewGameForm, game_serializers.NewGameSerializer, Game),
    (notification_settings_forms.NoticesForm, me.ProfileSerializer, Player),
    (notification_settings_forms.WebhookForm, notices.NewWebhookSerializer, Webhook),
    (account_settings_forms.TokenForm, me.NewTokenSerializer, Token),
]
CHOSEN_OTHERWISE = {
    "mode",
    "seat_count",
    "expires_in_days",
    "digest_hour",
}  # choices on a page, integers in the API
# Serializers of fields that pages take without a Django form, and their models.
TEXTS: list[tuple[type[serializers.Serializer], str, type[models.Model] | None, int]] = [
    (game_serializers.NewMessage, "text", Message, limits.MAX_MESSAGE_LENGTH),
    (game_serializers.NewNote, "text", Note, limits.MAX_NOTE_LENGTH),
    (game_serializers.ReasonSerializer, "reason", Report, limits.MAX_REPORT_LENGTH),
    (game_serializers.InviteSerializer, "name", Player, MAX_NAME_LENGTH),
    (game_serializers.ChosenPartnerSerializer, "name", Player, MAX_NAME_LENGTH),
    (game_serializers.InviteSerializer, "email", Player, MAX_EMAIL_LENGTH),
    (game_serializers.JoinSerializer, "client_seed", None, limits.MAX_CLIENT_SEED_LENGTH),
    (game_serializers.RematchSerializer, "client_seed", None, limits.MAX_CLIENT_SEED_LENGTH),
    (game_serializers.PlayActionSerializer, "action", None, MAX_TEXT_LENGTH),
]
CUSTOM = {"time_control": "custom", "allowance": 3600, "bank": 3600}


def list_shared_fields() -> list[tuple[Any, Any, Any, str]]:
    return [
        (form, serializer, model, name)
        for form, serializer, model in WRITTEN
        for name in sorted({*form.base_fields} & {*api_fields(serializer)} - CHOSEN_OTHERWISE)  # type: ignore[attr-defined]
    ]


@pytest.mark.parametrize(
    ("form", "serializer", "model", "name"),
    list_shared_fields(),
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_field_has_one_limit(form: Any, serializer: Any, model: Any, name: str) -> None:
    page_field, api_field = form.base_fields[name], api_fields(serializer)[name]
    if isinstance(api_field, serializers.ChoiceField | serializers.ListField):
        return
    on_page = limits_of(page_field)
    if isinstance(page_field, forms.TypedChoiceField) and isinstance(api_field, serializers.IntegerField):
        numbers = [int(word) for word, _label in page_field.choices]  # the page offers every number
        on_page = {"least": min(numbers), "most": max(numbers)}
    assert on_page == limits_of(api_field)
    stored = own_limits(model, name)
    if stored:
        assert on_page == stored


@pytest.mark.parametrize(("serializer", "name", "model", "most"), TEXTS)
def test_a_text_has_one_limit(serializer: Any, name: str, model: Any, most: int) -> None:
    assert serializer().fields[name].max_length == most
    if model:
        assert model._meta.get_field(name).max_length == most


def test_the_document_says_the_same() -> None:
    parts = read_document()["components"]["schemas"]
    assert parts["NewMessage"]["properties"]["text"]["maxLength"] == limits.MAX_MESSAGE_LENGTH
    assert parts["NewNote"]["properties"]["text"]["maxLength"] == limits.MAX_NOTE_LENGTH
    fields = parts["NewGame"]["properties"]
    for name, least, most in (
        ("allowance_seconds", clock.MIN_TIME_CONTROL.allowance, clock.MAX_TIME_CONTROL.allowance),
        ("blind_allowance_seconds", clock.MIN_TIME_CONTROL.allowance, clock.MAX_TIME_CONTROL.allowance),
        ("bank_seconds", clock.MIN_TIME_CONTROL.bank, clock.MAX_TIME_CONTROL.bank),
    ):
        assert (fields[name]["minimum"], fields[name]["maximum"]) == (least, most)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "least", "most"),
    [field for field in numbers(game_serializers.NewGameSerializer) if field[0] != "seat_count"],
)
def test_no_game_goes_beyond_what_the_fields_allow(name: str, least: int, most: int) -> None:
    fields = CUSTOM if name in ("allowance", "bank") else {}
    for value in (least - 1, most + 1):
        with pytest.raises(Invalid):
            lobby.create_game(player=player("ada"), now=timezone.now(), **{**fields, name: value})
    assert not Game.objects.exists()
    for value in (least, most):
        assert lobby.create_game(player=player("ada"), now=timezone.now(), **{**fields, name: value})


@pytest.mark.django_db
def test_chat_and_notes_end_where_they_say() -> None:
    game = start_cast_game("ada", "bob")
    api, now = Api("ada"), timezone.now()
    chat_text, note_text = "s" * limits.MAX_MESSAGE_LENGTH, "n" * limits.MAX_NOTE_LENGTH
    assert api.post(f"games/{game.code}/chat/", {"text": chat_text}).status_code == 201
    answer = api.post(f"games/{game.code}/chat/", {"text": chat_text + "s"})
    assert (answer.status_code, set(answer.json()["errors"])) == (400, {"text"})
    with pytest.raises(Invalid):
        social.post_chat_message(player=player("ada"), code=game.code, text=chat_text + "s", now=now)
    social.write_note(player=player("ada"), code=game.code, text=note_text, now=now)
    with pytest.raises(Invalid):
        social.write_note(player=player("ada"), code=game.code, text=note_text + "n", now=now)
    page = normalise_html(open_browser("ada").get(f"/games/{game.code}/").text)
    assert f'id="say" name="text" maxlength="{len(chat_text)}"' in page
    assert f'id="note" name="text" rows="3" maxlength="{len(note_text)}"' in page


def test_no_template_has_a_limit_of_its_own() -> None:
    """Templates take limits from constants. A reply in a trial's mailbox is a mail and is not stored."""
    own = {
        path.name: attributes
        for path in sorted((Path(settings.BASE_DIR) / "templates").rglob("*.html"))
        if (attributes := re.findall(r'maxlength="\d+"', path.read_text()))
    }
    assert own == {"mail.html": ['maxlength="10000"']}
