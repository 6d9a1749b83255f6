"""No name looks like another's, is blank, or imitates the site's own: checked at every entry point."""

from __future__ import annotations

import sys
import threading
import unicodedata
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, connections, transaction
from django.test import Client
from django.utils import timezone, translation
from oauth2_provider.models import Application

from accounts.models import Player
from accounts.name_validation import (
    MAX_NAME_LENGTH,
    check_name,
    check_title,
    load_prototypes,
    normalize_name,
    skeleton_of,
    skeletons_of,
)
from accounts.reserved_names import GUEST_NAME, is_reserved
from accounts.services import guests, names
from games.game_text import BOT_NAMES
from tests.factories.cast import NOW, Api, open_browser, player, start_cast_game
from tests.helpers.accounts import PASSWORD, sign_up, sign_up_and_confirm
from tests.helpers.tokens import check_problem
from tests.markup import normalise_html
from tests.services import skip_or_fail
from tournaments.leagues.services import join_requests, leagues
from tournaments.models import League, Tournament

from .name_samples import APART, BLANK, GOOD, HIDDEN, MIXED, NOT_LETTERS, RESERVED, TWINS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def use_fast_hashers(settings: Any) -> None:
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


# ----------------------------------------------------------------------------------------------- valid names


@pytest.mark.parametrize("name", GOOD)
def test_people_have_names_in_all_scripts(name: str) -> None:
    check_name(normalize_name(name))
    assert not is_reserved(name)


@pytest.mark.parametrize("name", [*BLANK, *HIDDEN, *NOT_LETTERS, *MIXED])
def test_what_cannot_be_read_in_one_way_is_no_name(name: str) -> None:
    with pytest.raises(ValidationError):
        check_name(normalize_name(name))


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("  Ada   Rossi ", "Ada Rossi"),
        ("Ada\u00a0Rossi", "Ada Rossi"),
        ("Ada\u3000Rossi", "Ada Rossi"),
        ("Ａｄａ", "Ada"),
        ("ﬁona", "fiona"),
        ("Zoe\u0308", "Zoë"),
        ("O’Brien", "O'Brien"),
        ("ⅷ", "viii"),
        ("𝒜da", "Ada"),
        ("Å", "\u00c5"),
    ],
)
def test_names_are_stored_in_one_form(typed: str, stored: str) -> None:
    assert normalize_name(typed) == stored
    assert normalize_name(stored) == stored


# ------------------------------------------------------------------------------------------------ lookalikes


@pytest.mark.parametrize(("name", "other"), TWINS)
def test_twins_are_known_by_what_they_look_like(name: str, other: str) -> None:
    first, second = skeletons_of(name), skeletons_of(other)
    assert first[0] == second[0] or first[1] == second[1]


@pytest.mark.parametrize(("name", "other"), APART)
def test_names_that_differ_to_the_eye_are_no_twins(name: str, other: str) -> None:
    first, second = skeletons_of(name), skeletons_of(other)
    assert first[0] != second[0]
    assert first[1] != second[1]


def test_a_skeleton_is_its_own_skeleton_for_every_letter_there_is() -> None:
    """Otherwise the result of a comparison would depend on how often a name is folded."""
    assert len(load_prototypes()) > 6000
    unsettled = []
    for number in range(sys.maxunicode):
        if unicodedata.category(chr(number))[0] in "LMN":
            look = skeleton_of.__wrapped__(chr(number))
            if skeleton_of.__wrapped__(look) != look:
                unsettled.append(chr(number))
    assert unsettled == []


def test_no_name_has_a_skeleton_that_is_too_long_to_be_distinguished() -> None:
    longest = max((chr(number) for number in load_prototypes()), key=lambda text: len(skeleton_of(text)))
    name = normalize_name(longest * MAX_NAME_LENGTH)[:MAX_NAME_LENGTH]
    assert skeletons_of(name) != skeletons_of(name[:-1])
    assert skeletons_of("ffi" * 10) != skeletons_of("ffi" * 9)


# --------------------------------------------------------------------------------------------- reserved names


@pytest.mark.parametrize("name", RESERVED)
def test_the_sites_own_names_are_taken_in_all_languages_and_spellings(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize("language", ["en", "it", "nl"])
def test_whatever_the_site_calls_others_is_reserved(language: str) -> None:
    """Reserved names are read from the texts, so that a new bot or translation is reserved at once."""
    with translation.override(language):
        bot_names = [translation.gettext(name) for name in BOT_NAMES.values()]
        bot_names += [
            translation.gettext("a former player"),
            translation.gettext(GUEST_NAME) % {"number": 123456},
        ]
    assert [name for name in bot_names if not is_reserved(name)] == []
    assert [policy for policy in BOT_NAMES if not is_reserved(f"{policy} bot")] == []


@pytest.mark.parametrize(
    "name", ["Ottone", "Otto Rossi", "Adminka", "Greedy", "Guesthouse", "Botticelli", "Youri"]
)
def test_names_that_only_begin_so_are_free(name: str) -> None:
    assert not is_reserved(name)


# ---------------------------------------------------------------------------------------------- entry points

# One name of each refused kind, where a player is called "Elsa Vermeer".
REFUSED = (
    *("ELSA VERMEER", "Еlsa Vermeer", "Elsa  Vermeer", "E1sa Vermeer", "EIsa Vermeer", "Elsa Verrneer"),
    *("Elsa\u00a0Vermeer", "Ｅｌｓａ Vermeer", "Elsa\u200d Vermeer", "\u202eElsa Vermeer", "Εlѕа Vеrmееr"),
    *(
        "\u3164\u3164",
        "\u0301\u0301",
        "😀😀",
        "ada\ufe0fx",
        "admin",
        "OTTO online",
        "greedy bot",
        "a former player",
    ),
    *("Guest 123456", "Ada.", "x", "e" * 31),
)


@pytest.mark.parametrize("name", REFUSED)
def test_the_sign_up_page_refuses_twins_and_blanks_and_its_own_names(client: Client, name: str) -> None:
    sign_up_and_confirm(client)
    answer = sign_up(Client(), email="second@example.org", name=name)
    assert answer.status_code == 200
    assert answer.context["form"].errors.keys() == {"username"}
    assert Player.objects.count() == 1


@pytest.mark.parametrize("name", REFUSED)
def test_a_guest_who_signs_up_gets_no_such_name_either(client: Client, name: str) -> None:
    sign_up_and_confirm(client)
    guest = Client()
    guest.post("/play-now/")
    before = set(Player.objects.values_list("name", flat=True))
    answer = sign_up(guest, email="second@example.org", name=name)
    assert answer.context["form"].errors.keys() == {"username"}
    assert set(Player.objects.values_list("name", flat=True)) == before


@pytest.mark.parametrize("name", REFUSED)
def test_who_joins_a_league_by_mail_gets_no_such_name_either(client: Client, name: str) -> None:
    sign_up_and_confirm(client)
    league = leagues.create_league(
        organiser=player("ada"), name="The league", division_size=4, now=timezone.now()
    )
    join_request = join_requests.create_join_request(
        code=league.code, email="second@example.org", name="", language="en", now=timezone.now()
    )
    before = Player.objects.count()
    answer = Client().post(f"/leagues/join/{join_requests.sign_join_token(join_request)}/", {"name": name})
    assert answer.status_code in (200, 422), "it is asked for again"
    assert Player.objects.count() == before


@pytest.mark.parametrize("name", GOOD)
def test_the_sign_up_page_takes_what_is_a_name(client: Client, name: str) -> None:
    account = sign_up_and_confirm(client, name=name) if len(normalize_name(name)) > 1 else None
    assert account
    assert account.name == normalize_name(name)
    assert (account.name_skeleton, account.name_folded_skeleton) == skeletons_of(name)
    assert not account.is_lookalike
    assert client.get(f"/players/{account.name}/").status_code == 200
    assert client.get(f"/api/v1/players/{unicodedata.normalize('NFD', name)}/").status_code == 200


def test_no_program_changes_a_name() -> None:
    api = Api("ada", in_person=True)
    answer = api.client.patch("/api/v1/me/", {"name": "admin"}, content_type="application/json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["name"])
    open_browser("ada").post("/me/profile/", {"name": "admin", "language": "en", "time_zone": "UTC"})
    assert player("ada").name == "ada"


def test_the_sign_up_page_gives_the_reason(client: Client) -> None:
    sign_up_and_confirm(client)
    for name, words in {
        "elsa vermeer": "This name is taken. Choose another one.",
        "E1sa Vermeer": "This name looks too much like another player",
        "admin": "This name is reserved.",
        "Еlsa Vermeer": "Use the letters of one alphabet.",
        "\u3164\u3164": "Use letters and digits",
    }.items():
        assert words in sign_up(Client(), email="second@example.org", name=name).text, name


def test_guests_get_names_that_look_like_nobodys(client: Client, monkeypatch: Any) -> None:
    numbers = iter([0, 0, 11111])
    monkeypatch.setattr("accounts.services.guests.secrets.randbelow", lambda _most: next(numbers))
    first, second = (guests.create_guest(language="en", now=NOW) for _n in range(2))
    assert (first.name, second.name) == ("Guest 100000", "Guest 111111")
    assert first.name_skeleton


# ---------------------------------------------------------------------------------------------- the database


@pytest.mark.parametrize(
    ("name", "other"), [pair for pair in TWINS if normalize_name(pair[0]) != normalize_name(pair[1])]
)
def test_the_database_holds_only_one_of_two_twins(name: str, other: str) -> None:
    Player.objects.create_user(email="a@example.org", name=name, joined_at=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create_user(email="b@example.org", name=other, joined_at=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.bulk_create([Player(email="c@example.org", name=other, joined_at=NOW)])
    third = Player.objects.create_user(email="d@example.org", name="quite another", joined_at=NOW)
    third.name = other
    for fields in (None, ["name"]):
        with pytest.raises(IntegrityError), transaction.atomic():
            third.save(update_fields=fields)


@pytest.mark.django_db(transaction=True)
def test_of_twins_who_sign_up_at_once_one_gets_in() -> None:
    if connection.vendor != "postgresql":
        skip_or_fail("PostgreSQL", "one writer at a time")
    twins = ("scope", "ѕсоре", "SCOPE", "sc0pe", "Scope", "ｓｃｏｐｅ")
    barrier = threading.Barrier(len(twins))
    came: list[str] = []

    def sign_up(number: int, name: str) -> None:
        barrier.wait()
        try:
            fields = {"email": f"p{number}@example.org", "username": name, "password1": PASSWORD}
            client = Client(REMOTE_ADDR=f"192.0.2.{number}")
            answer = client.post("/accounts/signup/", fields)
            came.append(answer["Location"] if answer.status_code == 302 else str(answer.status_code))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=sign_up, args=pair) for pair in enumerate(twins)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert came.count("/accounts/confirm-email/") == 1, "one gets in"
    assert set(came) <= {"/accounts/confirm-email/", "/accounts/signup/", "200"}, (
        "the others get the form again"
    )
    assert Player.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_database_decides_where_the_check_came_too_early(monkeypatch: Any) -> None:
    """All sign-ups check that the name is free before the first of them is stored."""
    monkeypatch.setattr("accounts.services.names.find_lookalike_name", lambda name: None)
    for number, name in enumerate(("scope", "ѕсоре", "SC0PE")):
        answer = sign_up(Client(), email=f"p{number}@example.org", name=name)
        assert (answer.status_code, answer["Location"]) == (
            302,
            "/accounts/signup/" if number else "/accounts/confirm-email/",
        )
    assert list(Player.objects.values_list("name", flat=True)) == ["scope"]


# ----------------------------------------------------------------------------------------------- older names


def create_old_name(name: str, **fields: Any) -> Player:
    """Create a player whose name is older than the rule."""
    user = Player.objects.create_user(
        email=f"{Player.objects.count()}@before.example.org",
        name=f"x{Player.objects.count()}",
        joined_at=NOW,
        **fields,
    )
    Player.objects.filter(pk=user.pk).update(name=name, name_skeleton="", name_folded_skeleton="")
    user.refresh_from_db()
    return user


def test_the_older_of_two_twins_keeps_its_name_and_the_other_gets_a_mark() -> None:
    first, twin, staff = create_old_name("scope"), create_old_name("ѕсоре"), create_old_name("admin")
    guest = create_old_name("Guest 123456", is_guest=True)
    assert names.assign_missing_skeletons(now=NOW) == 2
    for account in (first, twin, staff, guest):
        account.refresh_from_db()
    assert [account.is_lookalike for account in (first, twin, staff, guest)] == [False, True, True, False]
    assert names.assign_missing_skeletons(now=NOW) == 0
    with pytest.raises(ValidationError):
        names.check_new_name("scope")
    first.delete()
    assert names.assign_missing_skeletons(now=NOW) == 1
    twin.refresh_from_db()
    assert not twin.is_lookalike


def test_an_old_name_stays_as_it_is_when_something_else_changes() -> None:
    create_old_name("scope")
    names.assign_missing_skeletons(now=NOW)
    twin = create_old_name("ѕсоре")
    twin.language = "nl"
    twin.save()
    twin.save(update_fields=["language"])
    twin.refresh_from_db()
    assert (twin.language, twin.is_lookalike) == ("nl", True)


def test_the_mark_is_shown_on_the_profile_at_the_table_and_over_rest(client: Client) -> None:
    player("ada")
    twin = create_old_name("аdа")
    code = start_cast_game("ada", twin.name).code
    for name, marked in (("ada", False), (twin.name, True)):
        assert client.get(f"/api/v1/players/{name}/").json()["lookalike"] is marked
        assert ("Look-alike name" in client.get(f"/players/{name}/").text) is marked
    page = client.get(f"/games/{code}/").text
    assert page.count("look-alike name") == 1
    assert 'аdа</a> <small class="chip">look-alike name</small>' in normalise_html(page)


# --------------------------------------------------------------------------------- apps, tournaments, leagues

TRICKY = (
    "Cup\u202eevil",
    "\u200bCup",
    "\u3164",
    "Cup\u2066x",
    "Cup\U000e0061",
    "\u2800\u2800",
    "Cu\u00adp",
    "C\u0007up",
)


@pytest.mark.parametrize("title", TRICKY)
def test_nothing_has_a_name_with_hidden_letters(title: str) -> None:
    with pytest.raises(ValidationError):
        check_title(title)
    client = open_browser("ada")
    client.post("/me/apps/", {"name": title, "addresses": "https://board.example/back"})
    assert not Application.objects.exists()
    api = Api("ada", scopes=("read", "organise"))
    for path, more in (("tournaments/", {"format": "swiss"}), ("leagues/", {"division_size": 8})):
        answer = api.post(path, {"name": title, **more})
        assert answer.status_code in (400, 422), answer.content
        fine = api.post(path, {"name": "Grand Prix 🏆", **more})
        assert fine.status_code == 201, fine.content
        changed = api.client.patch(
            f"/api/v1/{path}{fine.json()['id']}/",
            {"name": title},
            content_type="application/json",
            headers=api.headers,
        )
        assert changed.status_code in (400, 422), changed.content
    assert set(Tournament.objects.values_list("name", flat=True)) == {"Grand Prix 🏆"}
    assert set(League.objects.values_list("name", flat=True)) == {"Grand Prix 🏆"}


@pytest.mark.parametrize(
    "title", ["Coupe d’été", "🏆 Cup", "❤️‍🔥 Cup", "Кубок 2030", "杯", "OTTO Masters", "1 + 1 = 3", "Cup: «A»"]
)
def test_titles_are_free_otherwise(title: str) -> None:
    check_title(title)


@pytest.mark.parametrize("name", ["OTTO online", "0TTO ОNLINE", "Admin", "support", "OTTO", "greedy bot"])
def test_no_app_is_called_as_the_site_is(name: str) -> None:
    answer = open_browser("ada").post("/me/apps/", {"name": name, "addresses": "https://board.example/back"})
    assert "This name is reserved." in answer.text
    assert not Application.objects.exists()
    open_browser("ada").post(
        "/me/apps/", {"name": "Pocket  board", "addresses": "https://board.example/back"}
    )
    assert Application.objects.get().name == "Pocket board"


def test_a_refusal_of_a_title_is_a_problem() -> None:
    api = Api("ada", scopes=("read", "organise"))
    answer = api.post("tournaments/", {"name": "Cup\u202e", "format": "swiss"})
    check_problem(answer, 422, "name")
