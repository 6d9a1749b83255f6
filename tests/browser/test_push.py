"""The site as an app in a real browser: its service worker, pages without a connection, push messages."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Worker, expect

from notifications.models import PushDevice
from tests.factories.cast import player
from tests.helpers.polling import wait_for
from tests.helpers.push_service import Browser, encode
from tests.helpers.site import Site

from .conftest import NewPage, sign_in
from .page_watch import get_watch

READY = "() => navigator.serviceWorker.ready.then((worker) => worker.active.scriptURL)"
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
KEPT = "() => caches.open('otto-pages-1').then((cache) => cache.match('/games/')).then(Boolean)"
# No push service can be reached from here, and a headless browser never allows notifications: the test
# replaces the subscription and the permission.
SUBSCRIBED = """(keys) => {
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  const decode = (text) => atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = (text) => Uint8Array.from(decode(text), (sign) => sign.charCodeAt(0));
  const made = () => ({
    endpoint: keys.endpoint,
    options: {},
    getKey: (name) => bytes(keys[name]).buffer,
    unsubscribe: async () => { localStorage.removeItem("subscribed"); return true; },
  });
  PushManager.prototype.subscribe = async () => { localStorage.setItem("subscribed", "1"); return made(); };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem("subscribed") ? made() : null);
}"""


def open_games(page: Page) -> None:
    """Open the page of games until the service worker has stored it."""
    page.goto("/games/")
    assert page.evaluate(READY).endswith("/service-worker.js")
    wait_for(lambda: page.evaluate(CONTROLLED), "the worker has no page", 10)
    page.reload()
    wait_for(lambda: page.evaluate(KEPT), "the page is not kept", 10)


def go_without_connection(page: Page, path: str) -> None:
    get_watch(page).begin()
    page.context.set_offline(True)
    page.goto(path)


@pytest.fixture
def ada_page(new_page: NewPage) -> Page:
    page = new_page()
    sign_in(page, player("ada"))
    return page


def test_without_a_connection_my_games_are_shown_as_last_seen(ada_page: Page) -> None:
    open_games(ada_page)
    notice = ada_page.get_by_text("No connection. These are your games")
    expect(notice).to_be_hidden()
    go_without_connection(ada_page, "/games/")
    expect(notice).to_be_visible()
    expect(ada_page.get_by_role("heading", level=1)).to_have_text("Your games")
    colour = "() => getComputedStyle(document.querySelector('.button')).backgroundColor"
    assert ada_page.evaluate(colour) not in ("rgba(0, 0, 0, 0)", ""), "styles are there as well"
    ada_page.context.set_offline(False)
    ada_page.goto("/games/")
    expect(notice).to_be_hidden()
    get_watch(ada_page).begin()  # ignore the expected errors without a connection


def test_no_other_page_is_kept(ada_page: Page) -> None:
    open_games(ada_page)
    for path in ("/me/profile/", "/me/webhooks/", "/rules/"):
        ada_page.goto(path)
    addresses = ada_page.evaluate(
        """async () => {
          const found = [];
          for (const name of await caches.keys()) {
            const requests = await (await caches.open(name)).keys();
            found.push(...requests.map((request) => new URL(request.url).pathname));
          }
          return found;
        }"""
    )
    pages = {address for address in addresses if not address.startswith("/static/")}
    assert pages == {"/games/", "/offline/"}


def test_whoever_signs_out_leaves_no_games_behind(ada_page: Page) -> None:
    open_games(ada_page)
    ada_page.goto("/accounts/logout/")
    ada_page.locator("main").get_by_role("button").click()
    ada_page.wait_for_url(lambda url: "logout" not in url)
    wait_for(lambda: not ada_page.evaluate(KEPT), "the page is still kept", 10)
    go_without_connection(ada_page, "/games/")
    expect(ada_page.get_by_role("heading", level=1)).to_have_text("No connection")
    ada_page.context.set_offline(False)
    get_watch(ada_page).begin()


def test_a_session_that_has_ended_takes_the_kept_page_along(ada_page: Page) -> None:
    open_games(ada_page)
    ada_page.context.clear_cookies()
    ada_page.goto("/games/")
    wait_for(lambda: not ada_page.evaluate(KEPT), "the page is still kept", 10)


# ------------------------------------------------------------------------------------------------- push


def deliver(page: Page, site: Site, data: str) -> None:
    """Deliver a push message to the service worker, as its push service would."""
    session, registrations = page.context.new_cdp_session(page), []
    session.on(
        "ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"])
    )
    session.send("ServiceWorker.enable")
    wait_for(lambda: page.evaluate("1") and registrations, "no worker is registered", 10)
    fields = {"origin": site.url, "registrationId": registrations[0]["registrationId"], "data": data}
    session.send("ServiceWorker.deliverPushMessage", fields)


def get_worker(page: Page) -> Worker:
    """Return the service worker; it collects its notifications in a list."""
    [worker] = page.context.service_workers
    worker.evaluate(
        """() => {
          self.shown = [];
          self.registration.showNotification = async (...message) => { self.shown.push(message); };
        }"""
    )
    return worker


def test_a_push_message_is_shown_with_what_it_says(ada_page: Page, site: Site) -> None:
    open_games(ada_page)
    worker = get_worker(ada_page)
    url = f"{site.url}/games/x/"
    deliver(ada_page, site, json.dumps({"title": "Your turn", "body": "with bob", "url": url, "tag": "g1"}))
    wait_for(lambda: worker.evaluate("shown.length") == 1, "nothing was shown", 10)
    [[title, options]] = worker.evaluate("shown")
    assert (title, options["body"], options["tag"], options["data"]["url"]) == (
        "Your turn",
        "with bob",
        "g1",
        url,
    )
    assert ada_page.request.get(options["icon"]).ok
    deliver(ada_page, site, "no JSON")
    wait_for(lambda: worker.evaluate("shown.length") == 2, "a browser wants to see something", 10)
    assert worker.evaluate("shown")[1][0] == "OTTO online"


@pytest.mark.parametrize(
    ("url", "opened"),
    [("{site}/rules/", None), ("{site}/games/y/?a#b", "/games/y/?a#b"), ("https://evil.example/x", "/x")],
)
def test_a_click_shows_the_page_that_is_open_or_opens_it_and_never_another_site(
    ada_page: Page, site: Site, url: str, opened: str | None
) -> None:
    open_games(ada_page)
    ada_page.goto("/rules/")
    [worker] = ada_page.context.service_workers
    result = worker.evaluate(
        """async (url) => {
          const found = [];
          clients.openWindow = async (address) => { found.push(address); };
          WindowClient.prototype.focus = async function () { found.push(`focus ${this.url}`); };
          const click = new ExtendableEvent("notificationclick");
          click.notification = { close() {}, data: { url } };
          let done;
          click.waitUntil = (promise) => { done = promise; };
          self.dispatchEvent(click);
          await done;
          return found;
        }""",
        url.format(site=site.url),
    )
    assert result == ([f"{site.url}{opened}"] if opened else [f"focus {site.url}/rules/"])


def test_push_is_turned_on_and_off_on_this_device(new_page: NewPage, site: Site) -> None:
    browser = Browser()
    page = new_page()
    keys = {"endpoint": "https://push.example.org/here", **browser.keys}
    page.add_init_script(f"({SUBSCRIBED})({keys!r})")
    sign_in(page, player("ada"))
    page.goto("/me/notices/")
    on, off = (
        page.get_by_role("button", name="Turn push on"),
        page.get_by_role("button", name="Turn push off"),
    )
    expect(off).to_be_hidden()
    on.click()
    expect(off).to_be_visible()
    expect(page.locator(".devices")).to_contain_text("this device")
    device = PushDevice.objects.get()
    assert (device.endpoint, device.p256dh, device.auth) == (keys["endpoint"], *browser.keys.values())
    assert device.label.endswith(", Linux")
    off.click()
    expect(on).to_be_visible()
    assert not PushDevice.objects.exists()


def test_what_the_site_refuses_is_said_beside_the_button(new_page: NewPage, site: Site) -> None:
    page = new_page()
    keys = {"endpoint": "https://10.0.0.1/here", "p256dh": encode(Browser().point), "auth": "A" * 22}
    page.add_init_script(f"({SUBSCRIBED})({keys!r})")
    sign_in(page, player("ada"))
    page.goto("/me/notices/")
    get_watch(page).expect(422)
    page.get_by_role("button", name="Turn push on").click()
    expect(page.get_by_role("alert")).to_contain_text("private network")
    assert not PushDevice.objects.exists()


def test_a_device_that_signs_out_is_removed(new_page: NewPage, site: Site) -> None:
    browser = Browser()
    page = new_page()
    keys = {"endpoint": "https://push.example.org/here", **browser.keys}
    page.add_init_script(f"({SUBSCRIBED})({keys!r})")
    sign_in(page, player("ada"))
    page.goto("/me/notices/")
    page.get_by_role("button", name="Turn push on").click()
    expect(page.locator(".devices")).to_contain_text("this device")
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button").click()
    page.wait_for_url(lambda url: "logout" not in url)
    assert not PushDevice.objects.exists()


def test_without_scripts_the_buttons_of_the_list_work(new_page: NewPage, site: Site) -> None:
    Browser().subscribe("https://push.example.org/there", label="Firefox, Android")
    page = new_page(java_script_enabled=False)
    sign_in(page, player("ada"))
    page.goto("/me/notices/")
    expect(page.locator("#push")).to_contain_text("allow JavaScript")
    expect(page.get_by_role("button", name="Turn push on")).to_be_hidden()
    page.get_by_role("button", name="Remove Firefox, Android").click()
    expect(page.locator("main")).to_contain_text("Device removed")
    assert not PushDevice.objects.exists()
