"""A draft that is cancelled stays private: nobody but its organisers ever sees that it was there."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

from common.service_errors import NotFound
from notifications.streams.topics import TopicNotVisible
from tests.factories.events import NOW, add_organiser, get_host, get_player
from tests.helpers.tournament_pages import browser
from tests.helpers.tournament_programs import Program
from tournaments import links
from tournaments.models import Tournament
from tournaments.services import entries, tournaments
from tournaments.stream_topics import find_tournament_version

pytestmark = pytest.mark.django_db
NAME = "Zanzibar open"
SAMPLE_VALUES = {"slug": "zanzibar", "int": "1", "str": "ada", "path": "ada"}


def cancel_draft() -> Tournament:
    """Cancel a draft to which ada is invited and which eve co-organises."""
    draft = tournaments.create_tournament(organiser=get_host(), name=NAME, format="swiss", now=NOW)
    tournaments.invite_player(by=get_host(), code=draft.code, player=get_player("ada"), now=NOW)
    add_organiser(draft, "eve")
    return tournaments.cancel_tournament(by=get_host(), code=draft.code, now=NOW, public_note=NAME)


def list_routes(resolver: URLResolver | None = None, before: str = "") -> list[str]:
    """List all paths of the site that begin with those of a tournament."""
    routes = []
    for part in (resolver or get_resolver()).url_patterns:
        if not isinstance(part.pattern, RoutePattern):
            continue
        route = before + str(part.pattern)
        if isinstance(part, URLResolver):
            routes += list_routes(part, route)
        elif isinstance(part, URLPattern) and "tournaments/<slug:code>" in route:
            routes.append(f"/{route}")
    return routes


def list_paths(code: str) -> list[str]:
    """List the paths of a tournament, with a value for each other parameter."""
    paths = []
    for route in list_routes():
        path = route.replace("<slug:code>", code)
        while "<" in path:
            start, _, rest = path.partition("<")
            parameter, _, rest = rest.partition(">")
            path = start + SAMPLE_VALUES[parameter.partition(":")[0]] + rest
        paths.append(path)
    return paths


@pytest.mark.parametrize("name", ["", "ada", "bob"])
def test_no_address_of_a_cancelled_draft_tells_an_outsider_of_it(name: str) -> None:
    draft, client = cancel_draft(), browser(name)
    paths = list_paths(draft.code)
    assert len(paths) > 70
    for path in paths:
        for send in (client.get, client.post):
            answer = send(path, follow=True)
            content = b"".join(answer) if answer.streaming else answer.content
            assert NAME not in content.decode(), (path, send)
            if send == client.get and answer.status_code not in (401, 404, 405):
                assert "/login/" in answer.redirect_chain[-1][0], path


def test_no_list_no_feed_and_no_link_tells_of_a_cancelled_draft() -> None:
    draft, ada = cancel_draft(), Program("ada")
    for query in ("", "?status=cancelled", "?own=true", "?status=cancelled&own=true"):
        assert ada.list_all(f"tournaments/{query}") == [], query
    pages = ("/tournaments/", "/tournaments/?show=finished", "/tournaments/?show=cancelled", "/players/host/")
    for page in (*pages, "/", "/proposals/"):
        assert NAME not in browser("ada").get(page, follow=True).content.decode(), page
    assert ada.refused(f"tournaments/{draft.code}/enter/") == (404, "not-found")
    for viewer in (None, get_player("ada")):
        with pytest.raises(TopicNotVisible):
            find_tournament_version(viewer, draft.code)
    with pytest.raises(NotFound):
        entries.enter_tournament(player=get_player("ada"), code=draft.code, now=NOW)
    confirm_url = links.build_confirm_url(get_player("ada").mail_token, draft.code)
    assert browser().get(urlsplit(confirm_url).path).status_code == 404


def test_organisers_still_see_the_draft_that_they_cancelled() -> None:
    draft = cancel_draft()
    for name in ("host", "eve"):
        assert NAME in browser(name).get(f"/tournaments/{draft.code}/").content.decode()
        assert NAME in browser(name).get(f"/tournaments/{draft.code}/organise/").content.decode()
        [row] = Program(name).list_all("tournaments/?own=true")
        assert (row["id"], row["status"]) == (draft.code, "cancelled")
        assert find_tournament_version(get_player(name), draft.code)
    answer = browser("host").get(f"/tournaments/{draft.code}/calendar.ics")
    assert "private" in answer["Cache-Control"]


def test_what_was_published_stays_public_when_it_is_cancelled() -> None:
    event = tournaments.create_tournament(organiser=get_host(), name=NAME, format="swiss", now=NOW)
    tournaments.publish_tournament(by=get_host(), code=event.code, now=NOW)
    tournaments.cancel_tournament(by=get_host(), code=event.code, now=NOW)
    assert NAME in Client().get(f"/tournaments/{event.code}/").content.decode()
    assert [row["id"] for row in Program("ada").list_all("tournaments/?status=cancelled")] == [event.code]


def test_drafts_that_were_cancelled_before_are_hidden_again() -> None:
    draft = cancel_draft()
    event = tournaments.create_tournament(organiser=get_host(), name=NAME, format="swiss", now=NOW)
    tournaments.publish_tournament(by=get_host(), code=event.code, now=NOW)
    tournaments.cancel_tournament(by=get_host(), code=event.code, now=NOW)
    Tournament.objects.update(cancelled_as_draft=False)
    migration = import_module("tournaments.migrations.0006_hide_cancelled_drafts")
    migration.hide_cancelled_drafts(apps, SimpleNamespace(connection=connection))
    assert list(Tournament.objects.filter(cancelled_as_draft=True)) == [draft]
