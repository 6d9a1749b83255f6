"""Every page and mail of sign-in has our own text: the texts of allauth differ in style in every language."""

from __future__ import annotations

import re
from pathlib import Path

import allauth
import pytest
from django.core import mail
from django.test import Client

from tests.helpers.accounts import compute_totp, reauthenticate, sign_up_and_confirm
from tests.helpers.address_claims import create_account_client
from tests.source_tree import ROOT

THEIRS, OURS = Path(allauth.__file__).parent / "templates", ROOT / "templates"
# Features that this site lacks: phones, passkeys, several addresses, mailed codes in place of links.
ABSENT_FEATURE = re.compile(
    r"phone|passkey|webauthn|mfa/trust|signup_closed|confirm_code|email_verification_code|password_reset_code"
    r"|account/email\.html|primary_email|warn_no_email|verified_email_required|already_logged_in"
)
TITLE_ONLY = {"mfa/recovery_codes/base.html", "mfa/totp/base.html"}  # our pages set their own titles
TEXT = re.compile(r"\{%\s*(block)?trans")
PAGES = (
    "email/", "password/change/", "logout/", "2fa/", "2fa/totp/activate/", "2fa/recovery-codes/generate/",
    "login/code/", "password/reset/", "password/reset/done/", "password/reset/key/1-x-y/", "inactive/",
)  # fmt: skip


def list_templates_with_text() -> list[str]:
    """List the allauth templates that contain text, except those of absent features."""
    paths = [path for folder in ("account", "mfa") for path in (THEIRS / folder).rglob("*.*")]
    names = [str(path.relative_to(THEIRS)) for path in paths if TEXT.search(path.read_text())]
    return [name for name in names if not ABSENT_FEATURE.search(name) and name not in TITLE_ONLY]


def test_each_template_with_text_has_one_of_ours() -> None:
    names = list_templates_with_text()
    assert len(names) > 40
    assert [name for name in names if not (OURS / name).exists()] == []


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "it", "nl"])
def test_the_pages_of_sign_in_can_be_made_in_every_language(language: str) -> None:
    client = create_account_client()
    for browser in (client, Client()):
        for path in PAGES:
            answer = browser.get(f"/accounts/{path}", follow=True, headers={"Accept-Language": language})
            assert answer.status_code == 200, path
            assert re.search(r"<h1>\s*[^<\s]", answer.text), path


@pytest.mark.django_db(transaction=True)  # the mails are sent on commit
def test_a_second_step_is_added_used_and_removed_and_each_change_is_mailed() -> None:
    client = Client()
    sign_up_and_confirm(client)
    reauthenticate(client)
    mail.outbox.clear()
    secret = client.get("/accounts/2fa/totp/activate/").context["form"].secret
    client.post("/accounts/2fa/totp/activate/", {"code": compute_totp(secret)})
    assert "unused codes" in client.get("/accounts/2fa/").text
    codes = client.get("/accounts/2fa/recovery-codes/").context["unused_codes"]
    assert f">{codes[0]}\n" in client.get("/accounts/2fa/recovery-codes/").text
    client.post("/accounts/2fa/recovery-codes/generate/")
    client.post("/accounts/2fa/totp/deactivate/")
    assert [message.subject for message in mail.outbox] == [
        "OTTO online: authenticator app added",
        "OTTO online: new recovery codes",
        "OTTO online: authenticator app removed",
    ]
    for message in mail.outbox:
        assert message.body.startswith("Your account "), "the first line is the preview"
        assert "/accounts/password/reset/" in message.body
