"""A token created with another token ends with it, and so do all further descendants."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client
from django.utils import timezone

from accounts.models import Token
from accounts.scopes import SCOPES
from accounts.services import retention, tokens
from common.service_errors import NotAuthenticated
from notifications.models import Webhook
from tests.factories.cast import player
from tests.helpers.tokens import ask_api, check_problem
from tests.services import skip_or_fail

pytestmark = pytest.mark.django_db

ALL = list(SCOPES)


def create_token_as_owner(name: str = "ada", days: int | None = None, scopes: Any = SCOPES) -> str:
    """Create a token as its owner does on the page."""
    return tokens.create_token(
        player=player(name), name="root", scopes=scopes, expires_in_days=days, now=timezone.now()
    )[1]


def create_child_token(plain: str, name: str, scopes: Any = ALL, days: int | None = None) -> tuple[int, str]:
    """Create a token over REST with another token."""
    body = {"name": name, "scopes": scopes, "expires_in_days": days}
    answer = ask_api(plain, "me/tokens/", "POST", body)
    assert answer.status_code == 201, answer.content
    return answer.json()["id"], answer.json()["token"]


def create_family() -> dict[str, tuple[int, str]]:
    """Create root -> child -> grandchild -> last, and root -> sister."""
    root = create_token_as_owner()
    tokens = {"root": (Token.objects.get(name="root").pk, root)}
    tokens["child"] = create_child_token(root, "child")
    tokens["grandchild"] = create_child_token(tokens["child"][1], "grandchild")
    tokens["last"] = create_child_token(tokens["grandchild"][1], "last")
    tokens["sister"] = create_child_token(root, "sister")
    return tokens


def list_working_tokens(family: dict[str, tuple[int, str]]) -> set[str]:
    return {name for name, (_pk, plain) in family.items() if ask_api(plain).status_code == 200}


# ------------------------------------------------------------------------------------------------- revoking


@pytest.mark.parametrize("route", ["page", "rest", "own", "operator"])
def test_all_that_came_of_a_token_is_revoked_with_it(route: str, client: Client) -> None:
    tree = create_family()
    assert list_working_tokens(tree) == tree.keys()
    pk, plain = tree["child"]
    if route == "page":
        client.force_login(player("ada"))
        client.post(f"/me/tokens/{pk}/revoke/")
    elif route == "rest":
        assert ask_api(tree["root"][1], f"me/tokens/{pk}/", "DELETE").status_code == 204
    elif route == "own":
        assert ask_api(plain, f"me/tokens/{pk}/", "DELETE").status_code == 204
    else:
        operator = player("dirk")
        operator.is_staff = operator.is_superuser = True
        operator.save()
        client.force_login(operator)
        form = {"action": "revoke", "_selected_action": [pk], "sure": "1"}
        client.post("/admin/accounts/token/", form)
    assert list_working_tokens(tree) == {"root", "sister"}
    check_problem(ask_api(tree["last"][1]), 401, "token-revoked")
    assert set(Token.objects.filter(revoked_at=None).values_list("name", flat=True)) == {"root", "sister"}


def test_revoking_again_changes_nothing_and_ends_what_was_left() -> None:
    """Descendants may be active again after a restored backup; revoking again ends them."""
    tree = create_family()
    pk = tree["child"][0]
    now = timezone.now()
    tokens.revoke_token(player=player("ada"), token_id=pk, now=now)
    Token.objects.filter(name="last").update(revoked_at=None)
    tokens.revoke_token(player=player("ada"), token_id=pk, now=now + timedelta(hours=1))
    assert list_working_tokens(tree) == {"root", "sister"}
    assert Token.objects.get(pk=pk).revoked_at == now


def test_revoking_all_ends_the_whole_family(client: Client) -> None:
    tree, other_token = create_family(), create_token_as_owner("bob")
    client.force_login(player("ada"))
    client.post("/me/tokens/revoke-all/")
    assert list_working_tokens(tree) == set()
    assert ask_api(other_token).status_code == 200


def test_nobody_revokes_through_the_family_of_another() -> None:
    tree = create_family()
    other_token = create_token_as_owner("bob")
    for pk, _plain in tree.values():
        check_problem(ask_api(other_token, f"me/tokens/{pk}/", "DELETE"), 404, "not-found")
    assert list_working_tokens(tree) == tree.keys()


# ------------------------------------------------------------------------------------------------- expiring


def test_no_child_outlives_its_parent() -> None:
    root = create_token_as_owner(days=3)
    end = Token.objects.get(name="root").expires_at
    _pk, child = create_child_token(root, "child", days=None)
    create_child_token(child, "grandchild", days=3650)
    create_child_token(child, "short", days=1)
    ends = dict(Token.objects.values_list("name", "expires_at"))
    assert ends["child"] == ends["grandchild"] == end
    assert ends["short"] < end


def test_the_family_ends_with_the_time_of_its_oldest() -> None:
    now = timezone.now()
    root, _plain = tokens.create_token(
        player=player("ada"), name="root", scopes=SCOPES, expires_in_days=1, now=now - timedelta(hours=23)
    )
    child, plain = tokens.create_token(
        player=player("ada"), name="child", scopes=SCOPES, expires_in_days=30, parent=root, now=now
    )
    assert ask_api(plain).status_code == 200
    later = now + timedelta(hours=2)
    assert list(tokens.list_active_tokens(player=player("ada"), now=later)) == []
    with pytest.raises(NotAuthenticated):
        tokens.create_token(player=player("ada"), name="late", scopes=("read",), parent=child, now=later)


def test_rows_that_are_cleared_away_take_their_children_along() -> None:
    tree = create_family()
    now = timezone.now()
    tokens.revoke_token(player=player("ada"), token_id=tree["child"][0], now=now)
    retention.delete_expired_rows(now=now + timedelta(days=60))
    assert set(Token.objects.values_list("name", flat=True)) == {"root", "sister"}


# --------------------------------------------------------------------------------------------------- scopes


def test_no_child_has_a_scope_that_its_parent_lacks() -> None:
    root = create_token_as_owner(scopes=("read", "account"))
    for scope in ("play", "organise", "email"):
        answer = ask_api(root, "me/tokens/", "POST", {"name": "more", "scopes": ["read", scope]})
        assert check_problem(answer, 403, "missing-scope")["scope"] == scope
    _pk, child = create_child_token(root, "child", ["account"])
    answer = ask_api(child, "me/tokens/", "POST", {"name": "more", "scopes": ["read"]})
    assert check_problem(answer, 403, "missing-scope")["scope"] == "read"
    assert set(Token.objects.values_list("name", flat=True)) == {"root", "child"}


def test_a_token_without_the_account_makes_none() -> None:
    root = create_token_as_owner(scopes=("read", "play", "organise", "email"))
    answer = ask_api(root, "me/tokens/", "POST", {"name": "child", "scopes": ["read"]})
    assert check_problem(answer, 403, "missing-scope")["scope"] == "account"
    assert Token.objects.count() == 1


def test_a_parent_that_was_revoked_meanwhile_makes_none() -> None:
    root = create_token_as_owner()
    row = tokens.find_token(plain_token=root)
    assert row
    tokens.revoke_token(player=player("ada"), token_id=row.pk, now=timezone.now())
    with pytest.raises(NotAuthenticated) as refused:
        tokens.create_token(
            player=player("ada"), name="late", scopes=("read",), parent=row, now=timezone.now()
        )
    assert refused.value.code == "token-revoked"
    assert Token.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_no_child_slips_through_while_its_parent_is_revoked() -> None:
    """Concurrent requests for a child of a token being revoked are refused, or the child is revoked, too."""
    if connection.vendor != "postgresql":
        skip_or_fail("PostgreSQL", "one writer at a time")
    ada = player("ada")
    root, _plain = tokens.create_token(player=ada, name="root", scopes=SCOPES, now=timezone.now())
    barrier = threading.Barrier(6)

    def create_children(number: int) -> None:
        barrier.wait()
        try:
            for index in range(5):
                tokens.create_token(
                    player=ada, name=f"{number}-{index}", scopes=SCOPES, parent=root, now=timezone.now()
                )
        except NotAuthenticated:
            pass
        finally:
            connections.close_all()

    def revoke_root() -> None:
        barrier.wait()
        tokens.revoke_token(player=ada, token_id=root.pk, now=timezone.now())
        connections.close_all()

    threads = [threading.Thread(target=create_children, args=(number,)) for number in range(5)]
    threads.append(threading.Thread(target=revoke_root))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not Token.objects.filter(revoked_at=None).exists()


# -------------------------------------------------------------------------------- other ways to create tokens


def test_no_token_makes_what_would_outlive_it() -> None:
    root = create_token_as_owner()
    response = ask_api(root, "me/webhooks/", "POST", {"url": "https://example.com/hook"})
    check_problem(response, 403, "session-only")
    assert not Webhook.objects.exists()
    for path in ("me/feeds/", "me/export/", "me/webhooks/"):
        check_problem(ask_api(root, path), 403, "session-only")
    key = player("ada").feed_token
    check_problem(ask_api(root, "me/feeds/", "POST"), 403, "session-only")
    assert player("ada").feed_token == key


# --------------------------------------------------------------------------------- the parent of each token


def test_the_list_says_which_token_made_which(client: Client) -> None:
    tree = create_family()
    parents = {row["name"]: row["parent"] for row in ask_api(tree["root"][1], "me/tokens/").json()}
    assert parents == {
        "root": None,
        "child": tree["root"][0],
        "grandchild": tree["child"][0],
        "last": tree["grandchild"][0],
        "sister": tree["root"][0],
    }
    client.force_login(player("ada"))
    page = client.get("/me/tokens/").text
    assert page.count("created by root, revoked with it") == 2
    assert page.count("created by child, revoked with it") == 1
