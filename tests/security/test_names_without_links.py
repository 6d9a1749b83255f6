"""No name or title contains text that a mail program would turn into a link."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.link_detection import check_no_link, has_link
from accounts.models import Player
from accounts.services import oauth_apps
from common.service_errors import Invalid
from tests.factories.cast import Api, player
from tournaments.leagues.services import join_requests, leagues
from tournaments.models import League, Tournament
from tournaments.services import tournaments

from .world import World

pytestmark = pytest.mark.django_db


# --------------------------------------------------------------------------------------- links in names

LINKS = (
    *("example.com", "example.com/x", "Win at example.com now", "EXAMPLE.COM", "sub.example.co.uk"),
    *("http://x", "https://example.com", "ftp://files", "see www.example", "WWW2.example", "x://y"),
    *("eve@example.com", "a@b", "mailto:eve", "tel:+391234", "javascript:alert", "1.2.3.4", "10.0.0.1/x"),
    *("пример.рф", "例え.テスト", "example。com", "example．com", "example｡com", "exam\u200bple.com"),
    *("example\u00ad.com", "xn--80ak6aa92e.xn--p1ai", "bit.ly/abc", "Dr.Who"),
)
NO_LINKS = (
    *("The cup", "No. 1", "No.1", "Cup 2.0", "v1.2.3", "J. R. R. Tolkien", "J.R", "A.S. Roma"),
    *("Spring: the final", "Rome / Milan", "50% off", "Ada & Bob", "…", "a . b", "Liga 1 @ Roma", "Кубок"),
)


@pytest.mark.parametrize("text", LINKS)
def test_what_mail_programs_make_a_link_of_is_known(text: str) -> None:
    assert has_link(text)
    with pytest.raises(ValidationError):
        check_no_link(text)


@pytest.mark.parametrize("text", NO_LINKS)
def test_what_is_no_link_is_none(text: str) -> None:
    assert not has_link(text)
    check_no_link(text)


@pytest.mark.parametrize("text", ["example.com", "www.example", "eve@example.com", "http://x"])
def test_no_tournament_league_or_app_is_called_like_an_address(text: str, world: World) -> None:
    api = Api("eve", ("read", "play", "organise"))
    bodies: dict[str, Any] = {
        "tournaments": {"name": f"Win {text}", "format": "swiss"},
        "leagues": {"name": f"Win {text}", "division_size": 8, "format": "round-robin"},
    }
    for room, body in bodies.items():
        answer = api.post(f"{room}/", body)
        assert answer.status_code == 422, answer.content
        assert answer.json()["code"] == "name"
        assert "looks like a web or email address" in answer.json()["detail"]
    cases: list[tuple[Any, str]] = [
        (
            lambda: tournaments.edit_tournament(
                by=player("ada"), code=world.tournament.code, now=world.now, name=text
            ),
            "tournament",
        ),
        (
            lambda: leagues.edit_league(by=player("ada"), code=world.league.code, now=world.now, name=text),
            "league",
        ),
        (
            lambda: oauth_apps.register_app(
                player=player("eve"),
                name=text,
                addresses=["https://back.example.org/"],
                secret=False,
                now=world.now,
            ),
            "app",
        ),
    ]
    for action_name, case in cases:
        with pytest.raises(Invalid) as refused:
            action_name()
        assert refused.value.code == "name", case
    assert not Tournament.objects.filter(name__contains=text).exists()
    assert not League.objects.filter(name__contains=text).exists()
    page = world.browser("eve").post("/tournaments/new/", {"name": text, "format": "swiss"})
    assert page.status_code == 422


def test_an_event_that_was_called_so_before_can_be_changed_otherwise(world: World) -> None:
    Tournament.objects.filter(pk=world.tournament.pk).update(name="Cup of example.com")
    changed = tournaments.edit_tournament(
        by=player("ada"), code=world.tournament.code, now=world.now, text="Welcome"
    )
    assert changed.text == "Welcome"


@pytest.mark.parametrize("name", ["example.com", "win.example", "www.eve"])
def test_no_player_is_called_like_an_address(name: str, world: World) -> None:
    form = {"email": "n@example.org", "username": name, "password1": "a long walk by the canal"}
    answer = Client().post("/accounts/signup/", form)
    assert answer.status_code == 200
    assert "looks like a web or email address" in answer.content.decode()
    join_request = join_requests.create_join_request(
        code=world.league.code,
        email="n@example.org",
        name=name,
        language="en",
        now=world.now,
        client_address="x",
    )
    with pytest.raises(Invalid):
        join_requests.accept_join_request(
            token=join_requests.sign_join_token(join_request), name=name, now=world.now
        )
    with pytest.raises(ValidationError):
        Player(name=name, email="n@example.org", joined_at=world.now).full_clean(exclude=["password"])
    assert not Player.objects.filter(name=name).exists()
