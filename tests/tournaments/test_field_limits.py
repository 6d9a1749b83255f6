"""The limits of a field agree on the page, in the API, in the model and in the service."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django import forms
from django.db import models
from django.utils import timezone
from rest_framework import serializers

from common.service_errors import Invalid
from tests.factories.cast import player
from tests.helpers.field_limits import api_fields, limits_of, numbers, own_limits
from tournaments.api import request_serializers
from tournaments.leagues.services import leagues
from tournaments.leagues.web.form import LeagueForm
from tournaments.models import Decision, League, Tournament
from tournaments.services import tournaments
from tournaments.web import decision_action_forms, entrant_action_forms, tournament_action_forms
from tournaments.web.tournament_form import TournamentForm

WRITTEN: list[tuple[type[forms.Form], type[serializers.Serializer], type[models.Model]]] = [
    (TournamentForm, request_serializers.NewTournamentSerializer, Tournament),
    (LeagueForm, request_serializers.NewLeagueSerializer, League),
    (tournament_action_forms.CancelTournamentForm, request_serializers.DecisionReasonSerializer, Decision),
    (tournament_action_forms.AskCoOrganiserForm, request_serializers.PlayerNameSerializer, Decision),
    (decision_action_forms.ExtendRoundForm, request_serializers.ExtendRoundSerializer, Decision),
    (decision_action_forms.UndoDecisionForm, request_serializers.DecisionReasonSerializer, Decision),
    (entrant_action_forms.DisqualifyEntrantForm, request_serializers.DisqualifyEntrantSerializer, Decision),
    (entrant_action_forms.ReplacePlayerForm, request_serializers.ReplacePlayerSerializer, Decision),
]


def list_shared_fields() -> list[tuple[Any, Any, Any, str]]:
    return [
        (form, serializer, model, name)
        for form, serializer, model in WRITTEN
        for name in sorted({*form.base_fields} & {*api_fields(serializer)} - {"position"})  # by name
    ]


def test_there_are_fields_to_compare() -> None:
    assert len(list_shared_fields()) > 50


@pytest.mark.parametrize(
    ("form", "serializer", "model", "name"),
    list_shared_fields(),
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_field_has_one_limit(form: Any, serializer: Any, model: Any, name: str) -> None:
    page_field, api_field = form.base_fields[name], api_fields(serializer)[name]
    if isinstance(api_field, serializers.ChoiceField):
        # The page's empty choice, the default of the edition, is an absent field in the API.
        offered = {str(value) for value, _label in page_field.choices} - {""}
        assert offered == {str(value) for value in api_field.choices}
        return
    if isinstance(page_field, forms.ChoiceField) and isinstance(api_field, serializers.IntegerField):
        offered_numbers = {int(value) for value, _label in page_field.choices}
        assert limits_of(api_field) == {"least": min(offered_numbers), "most": max(offered_numbers)}
        return
    on_page = limits_of(page_field)
    assert on_page == limits_of(api_field)
    stored = own_limits(model, name)
    moments = {key for key, value in on_page.items() if not isinstance(value, int)}
    if stored is not None:
        assert {key: on_page[key] for key in on_page.keys() - moments} == stored


CUSTOM = {"time_control": "custom", "allowance": 3600, "bank": 3600}


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "least", "most"), numbers(request_serializers.NewTournamentSerializer))
def test_no_tournament_goes_beyond_what_the_fields_allow(name: str, least: int, most: int) -> None:
    clock = CUSTOM if name in ("allowance", "bank") else {}
    for value in (least - 1, most + 1):
        with pytest.raises(Invalid):
            tournaments.create_tournament(
                organiser=player("host"),
                name="Cup",
                now=timezone.now(),
                **{"format": "swiss", **clock, name: value},
            )
    assert not Tournament.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "least", "most"), numbers(request_serializers.NewLeagueSerializer))
def test_no_league_goes_beyond_what_the_fields_allow(name: str, least: int, most: int) -> None:
    clock = CUSTOM if name in ("allowance", "bank") else {}
    for value in (least - 1, most + 1):
        with pytest.raises(Invalid):
            leagues.create_league(
                organiser=player("host"),
                name="League",
                now=timezone.now(),
                **{"division_size": 8, **clock, name: value},
            )
    assert not League.objects.exists()


@pytest.mark.django_db
def test_what_is_beyond_a_limit_of_today_can_still_be_renamed() -> None:
    """A later limit does not block edits of a tournament that was created before it."""
    host, now = player("host"), timezone.now()
    tournament = tournaments.create_tournament(
        organiser=host, name="Cup", format="swiss", round_count=9, now=now
    )
    Tournament.objects.filter(pk=tournament.pk).update(round_count=500)
    later = now + timedelta(days=1)
    assert (
        tournaments.edit_tournament(by=host, code=tournament.code, name="Old cup", now=later).name
        == "Old cup"
    )
    with pytest.raises(Invalid):
        tournaments.edit_tournament(by=host, code=tournament.code, round_count=501, now=later)
