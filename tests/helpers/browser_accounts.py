"""Forms of accounts in a real browser."""

from __future__ import annotations

from email.message import EmailMessage

from playwright.sync_api import Page

PASSWORD = "a long walk by the canal"


def read_mail_text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body
    return "\n".join(str(body.get_content()).splitlines())


def submit_form(page: Page) -> None:
    """Press the first button of the form in the page's main part."""
    page.locator("main form button[type=submit]").first.click()
