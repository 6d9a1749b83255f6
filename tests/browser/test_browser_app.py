"""A browser-only app on another origin asks for access, gets a token and uses it."""

from __future__ import annotations

from pathlib import Path

from django.utils import timezone
from playwright.sync_api import Browser, expect

from accounts.services import oauth_apps
from tests.factories.cast import player
from tests.helpers.other_origin import serve_folder
from tests.helpers.site import Site

from .conftest import sign_in

# A typical app: metadata, a verifier in session storage, a redirect, an exchange, a request.
APP_PAGE = """<!doctype html><meta charset="utf-8"><title>Pocket board</title>
<p role="status">…</p>
<script type="module">
const { site, client } = await (await fetch("app.json")).json();
const show = (text) => (document.querySelector("p").textContent = text);
const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const metadata = await (await fetch(`${site}/.well-known/oauth-authorization-server`)).json();
const query = new URLSearchParams(location.search);
const back = location.origin + "/app.html";
if (query.has("code")) {
  if (query.get("iss") !== metadata.issuer) throw new Error("another server");
  const body = new URLSearchParams({ grant_type: "authorization_code", code: query.get("code"),
    redirect_uri: back, client_id: client, code_verifier: sessionStorage.verifier });
  const token = (await (await fetch(metadata.token_endpoint, { method: "POST", body })).json()).access_token;
  const headers = { Authorization: `Bearer ${token}` };
  const profile = await (await fetch(`${site}/api/v1/me/`, { headers })).json();
  const ending = new URLSearchParams({ token, client_id: client });
  await fetch(metadata.revocation_endpoint, { method: "POST", body: ending });
  const after = await fetch(`${site}/api/v1/me/`, { headers });
  show(`You are ${profile.name}; afterwards ${after.status}.`);
} else {
  sessionStorage.verifier = encode(crypto.getRandomValues(new Uint8Array(48)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sessionStorage.verifier));
  location.href = metadata.authorization_endpoint + "?" + new URLSearchParams({ response_type: "code",
    client_id: client, redirect_uri: back, scope: "read", state: "s", code_challenge: encode(digest),
    code_challenge_method: "S256" });
}
</script>
"""


def test_an_app_without_a_server_is_allowed_and_reads_the_players_name(
    site: Site, tmp_path: Path, browser: Browser, drive_browser: None
) -> None:
    (tmp_path / "app.html").write_text(APP_PAGE)
    context = browser.new_context(locale="en-GB")
    try:
        with serve_folder(tmp_path) as other_origin:
            app, _secret = oauth_apps.register_app(
                player=player("bob"),
                name="Pocket board",
                addresses=[f"{other_origin}/app.html"],
                secret=False,
                now=timezone.now(),
            )
            (tmp_path / "app.json").write_text(f'{{"site": "{site.url}", "client": "{app.client_id}"}}')
            page = context.new_page()
            sign_in(page, player("ada"))
            page.goto(f"{other_origin}/app.html")
            page.get_by_role("button", name="Allow", exact=True).click()
            expect(page.get_by_role("status")).to_have_text("You are ada; afterwards 401.", timeout=20_000)
    finally:
        context.close()
