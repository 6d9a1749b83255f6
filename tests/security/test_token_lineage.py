"""A token that was made by a token ends with it, and so does all that came of that one."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client
from django.utils import timezone

from games.models import Token, Webhook
from games.scopes import SCOPES
from games.services import retention, tokens
from games.services.errors import Denied
from tests.games.cast import player
from tests.games.test_tokens import ask, check_problem

pytestmark = pytest.mark.django_db

ALL = list(SCOPES)


def made_by_owner(name: str = "ada", days: int | None = None, scopes: Any = SCOPES) -> str:
    """A token that was made on its page."""
    return tokens.create_token(
        player=player(name), name="root", scopes=scopes, expires_in_days=days, now=timezone.now()
    )[1]


def made_by(plain: str, name: str, scopes: Any = ALL, days: int | None = None) -> tuple[int, str]:
    """A token that was made by another one over REST."""
    asked = {"name": name, "scopes": scopes, "expires_in_days": days}
    answer = ask(plain, "me/tokens/", "POST", asked)
    assert answer.status_code == 201, answer.content
    return answer.json()["id"], answer.json()["token"]


def family() -> dict[str, tuple[int, str]]:
    """root -> child -> grandchild -> last, and root -> sister."""
    root = made_by_owner()
    found = {"root": (Token.objects.get(name="root").pk, root)}
    found["child"] = made_by(root, "child")
    found["grandchild"] = made_by(found["child"][1], "grandchild")
    found["last"] = made_by(found["grandchild"][1], "last")
    found["sister"] = made_by(root, "sister")
    return found


def working(family: dict[str, tuple[int, str]]) -> set[str]:
    return {name for name, (_pk, plain) in family.items() if ask(plain).status_code == 200}


# ------------------------------------------------------------------------------------------------- revoking


@pytest.mark.parametrize("door", ["page", "rest", "own", "operator"])
def test_all_that_came_of_a_token_is_revoked_with_it(door: str, client: Client) -> None:
    tree = family()
    assert working(tree) == tree.keys()
    pk, plain = tree["child"]
    if door == "page":
        client.force_login(player("ada"))
        client.post(f"/me/tokens/{pk}/revoke/")
    elif door == "rest":
        assert ask(tree["root"][1], f"me/tokens/{pk}/", "DELETE").status_code == 204
    elif door == "own":
        assert ask(plain, f"me/tokens/{pk}/", "DELETE").status_code == 204
    else:
        operator = player("dirk")
        operator.is_staff = operator.is_superuser = True
        operator.save()
        client.force_login(operator)
        asked = {"action": "revoke", "_selected_action": [pk], "sure": "1"}
        client.post("/admin/games/token/", asked)
    assert working(tree) == {"root", "sister"}
    check_problem(ask(tree["last"][1]), 401, "token-revoked")
    assert set(Token.objects.filter(revoked_at=None).values_list("name", flat=True)) == {"root", "sister"}


def test_revoking_again_changes_nothing_and_ends_what_was_left() -> None:
    """As after rows came back from a backup: the second time finds children that still work."""
    tree = family()
    pk = tree["child"][0]
    now = timezone.now()
    tokens.revoke_token(player=player("ada"), token_id=pk, now=now)
    Token.objects.filter(name="last").update(revoked_at=None)
    tokens.revoke_token(player=player("ada"), token_id=pk, now=now + timedelta(hours=1))
    assert working(tree) == {"root", "sister"}
    assert Token.objects.get(pk=pk).revoked_at == now


def test_revoking_all_ends_the_whole_family(client: Client) -> None:
    tree, theirs = family(), made_by_owner("bob")
    client.force_login(player("ada"))
    client.post("/me/tokens/revoke-all/")
    assert working(tree) == set()
    assert ask(theirs).status_code == 200


def test_nobody_revokes_through_the_family_of_another() -> None:
    tree = family()
    theirs = made_by_owner("bob")
    for pk, _plain in tree.values():
        check_problem(ask(theirs, f"me/tokens/{pk}/", "DELETE"), 404, "not-found")
    assert working(tree) == tree.keys()


# ------------------------------------------------------------------------------------------------- expiring


def test_no_child_outlives_its_parent() -> None:
    root = made_by_owner(days=3)
    end = Token.objects.get(name="root").expires_at
    _pk, child = made_by(root, "child", days=None)
    made_by(child, "grandchild", days=3650)
    made_by(child, "short", days=1)
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
    assert ask(plain).status_code == 200
    later = now + timedelta(hours=2)
    assert list(tokens.list_active_tokens(player=player("ada"), now=later)) == []
    with pytest.raises(Denied):
        tokens.create_token(player=player("ada"), name="late", scopes=("read",), parent=child, now=later)


def test_rows_that_are_cleared_away_take_their_children_along() -> None:
    tree = family()
    now = timezone.now()
    tokens.revoke_token(player=player("ada"), token_id=tree["child"][0], now=now)
    retention.delete_expired_rows(now=now + timedelta(days=60))
    assert set(Token.objects.values_list("name", flat=True)) == {"root", "sister"}


# --------------------------------------------------------------------------------------------------- scopes


def test_no_child_has_a_scope_that_its_parent_lacks() -> None:
    root = made_by_owner(scopes=("read", "account"))
    for scope in ("play", "organise", "email"):
        answer = ask(root, "me/tokens/", "POST", {"name": "more", "scopes": ["read", scope]})
        assert check_problem(answer, 403, "missing-scope")["scope"] == scope
    _pk, child = made_by(root, "child", ["account"])
    answer = ask(child, "me/tokens/", "POST", {"name": "more", "scopes": ["read"]})
    assert check_problem(answer, 403, "missing-scope")["scope"] == "read"
    assert set(Token.objects.values_list("name", flat=True)) == {"root", "child"}


def test_a_token_without_the_account_makes_none() -> None:
    root = made_by_owner(scopes=("read", "play", "organise", "email"))
    answer = ask(root, "me/tokens/", "POST", {"name": "child", "scopes": ["read"]})
    assert check_problem(answer, 403, "missing-scope")["scope"] == "account"
    assert Token.objects.count() == 1


def test_a_parent_that_was_revoked_meanwhile_makes_none() -> None:
    root = made_by_owner()
    row = tokens.find_token(plain_token=root)
    assert row
    tokens.revoke_token(player=player("ada"), token_id=row.pk, now=timezone.now())
    with pytest.raises(Denied) as refused:
        tokens.create_token(
            player=player("ada"), name="late", scopes=("read",), parent=row, now=timezone.now()
        )
    assert refused.value.code == "token-revoked"
    assert Token.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_no_child_slips_through_while_its_parent_is_revoked() -> None:
    """Many ask for a child at the moment of revoking: each is refused, or revoked with the rest."""
    if connection.vendor != "postgresql":
        pytest.skip("one writer at a time")
    ada = player("ada")
    root, _plain = tokens.create_token(player=ada, name="root", scopes=SCOPES, now=timezone.now())
    together = threading.Barrier(6)

    def make(number: int) -> None:
        together.wait()
        try:
            for one in range(5):
                tokens.create_token(
                    player=ada, name=f"{number}-{one}", scopes=SCOPES, parent=root, now=timezone.now()
                )
        except Denied:
            pass
        finally:
            connections.close_all()

    def revoke() -> None:
        together.wait()
        tokens.revoke_token(player=ada, token_id=root.pk, now=timezone.now())
        connections.close_all()

    threads = [threading.Thread(target=make, args=(number,)) for number in range(5)]
    threads.append(threading.Thread(target=revoke))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not Token.objects.filter(revoked_at=None).exists()


# --------------------------------------------------------------------------------- what tokens make otherwise


def test_no_token_makes_what_would_outlive_it() -> None:
    root = made_by_owner()
    made = ask(root, "me/webhooks/", "POST", {"url": "https://example.com/hook"})
    check_problem(made, 403, "in-person")
    assert not Webhook.objects.exists()
    for path in ("me/feeds/", "me/export/", "me/webhooks/"):
        check_problem(ask(root, path), 403, "in-person")
    key = player("ada").key
    check_problem(ask(root, "me/feeds/", "POST"), 403, "in-person")
    assert player("ada").key == key


# ------------------------------------------------------------------------------------------- who made which


def test_the_list_says_which_token_made_which(client: Client) -> None:
    tree = family()
    parents = {row["name"]: row["parent"] for row in ask(tree["root"][1], "me/tokens/").json()}
    assert parents == {
        "root": None,
        "child": tree["root"][0],
        "grandchild": tree["child"][0],
        "last": tree["grandchild"][0],
        "sister": tree["root"][0],
    }
    client.force_login(player("ada"))
    page = client.get("/me/tokens/").text
    assert page.count("made by root, ends with it") == 2
    assert page.count("made by child, ends with it") == 1
