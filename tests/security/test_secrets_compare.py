"""Secrets are stored as hashes, and found by an index or compared in constant time."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from oauth2_provider.models import AccessToken, Application, RefreshToken

from accounts.models import Token
from accounts.services import tokens
from tests.source_tree import ROOT, iter_modules

from .patterns import parse_module
from .world import World

SECRET = {"token", "secret", "password", "signature", "digest", "key", "hmac", "verifier", "plain"}
WRITTEN_OUT = (ast.Constant, ast.Tuple, ast.Dict, ast.Set, ast.List)
CONSTANT = {"compare_digest", "constant_time_compare"}


def get_node_name(node: ast.AST) -> str:
    """Return the name of an operand of a comparison."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call):
        return get_node_name(node.func)
    return get_node_name(node.value) if isinstance(node, ast.Subscript) else ""


def is_secret_name(node: ast.AST) -> bool:
    """True if the name of an operand contains a word for secrets."""
    return bool(set(get_node_name(node).lower().split("_")) & SECRET)


def list_comparisons() -> list[tuple[str, str]]:
    """List every `==` in which an operand is named like a secret and neither is a literal."""
    comparisons_found = []
    for path in iter_modules():
        for node in ast.walk(parse_module(path)):
            if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In):
                continue
            sides = [node.left, *node.comparators]
            if any(map(is_secret_name, sides)) and not any(isinstance(side, WRITTEN_OUT) for side in sides):
                comparisons_found.append((str(Path(path).relative_to(ROOT)), ast.unparse(node)))
    return comparisons_found


# Every comparison that the walk finds, with the reason why it is safe.
KNOWN = {
    "get_pairing_key(pairing) in wanted_keys": "which match, game and entrants a table is of",
    "key in played_before": "a reason of our own for a line of a mail",
    "key in results_by_key": "a name in a table",
    "key in fields": "a name in a table",
    "key in CRITERION_TEXTS": "a name in a table",
    "key == value": "a choice of a form",
    "key != get_notice_kind(kind).name_key": "a word in an event",
    "key in self._entries": "a piece of a picture",
    "cell in plain_text": "a cell of the board in a line that somebody typed",
    "player.mail_frequency == Player.MailFrequency.DIGEST": "how mails come",
    "end_key != FIRST_END_KEY": "a reason of our own for a line of an event",
    "credential.key in valid_keys[credential.kind]": "what opened a stream, against rows of the database",
    "credential.player_id in password_marks": "the id of a player",
    "key in required_keys": "a name in a schema",
    "key in optional_keys": "a name in a type",
    "type(value) in PLAIN_TYPES": "a class",
    "len(secret) != PRIVATE_KEY_BYTES": "a length",
    "len(point) != PUBLIC_KEY_BYTES": "a length",
    "len(secret) != AUTH_SECRET_BYTES": "a length",
    "key in self.absent_members": "a name in a type",
    "plain_text in _ACTION_OF_TEXT": "an action that somebody typed, public once it is played",
    "key in self.streams_by_key": "what a stream is woken by",
}


def test_no_secret_is_compared_letter_by_letter() -> None:
    assert {comparison for _where, comparison in list_comparisons()} == set(KNOWN), list_comparisons()


def test_what_signs_is_compared_in_constant_time() -> None:
    """Modules that compare signatures and secrets use one of the two constant-time functions."""
    expected = {
        "accounts/services/tokens.py",
        "accounts/web/address_confirmation.py",
        "common/signed_tokens.py",
        "games/seed_offers.py",
        "notifications/inbound/anymail.py",
        "notifications/web/mailbox.py",
        "otto_site/health.py",
    }
    paths = {
        str(path.relative_to(ROOT))
        for path in iter_modules()
        for node in ast.walk(parse_module(path))
        if isinstance(node, ast.Call) and get_node_name(node) in CONSTANT
    }
    assert paths == expected


@pytest.mark.django_db
def test_tokens_and_passwords_are_not_in_the_database(world: World) -> None:
    """A reader of the database cannot use the stored values."""
    plain = world.tokens["eve"]
    row = tokens.find_token(plain_token=plain)
    assert row
    assert row.digest == tokens.digest_token(plain)
    assert plain not in str(list(Token.objects.values()))
    assert Token._meta.get_field("digest").unique, "found by an index of the hash"
    app = Application.objects.get()
    assert app.client_secret.split("$")[0] in ("md5", "pbkdf2_sha256"), "hashed"
    for model in (AccessToken, RefreshToken):
        assert model._meta.get_field("token_checksum").max_length == 64
