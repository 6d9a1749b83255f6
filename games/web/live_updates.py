"""The stream of the pages: marks of what changed, never content; a page then fetches what it shows."""

from __future__ import annotations

from contextlib import suppress

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import Player
from accounts.web.page_limits import too_many_requests_response
from accounts.web.request_utils import viewer_of
from games.selectors.waiting_turns import count_waiting_turns
from notifications.stream_wake_ups import player_key
from notifications.streams.formats import StreamEvent
from notifications.streams.limits import TooManyStreams
from notifications.streams.plans import StreamChunk
from notifications.streams.responses import open_stream
from notifications.streams.topics import TopicNotVisible, load_stream_topics
from notifications.topics import MAX_TOPIC_LENGTH

MAX_TOPICS = 8


class PageSource:
    """The versions of topics for a viewer, each sent when it changed, and the number of waiting turns."""

    __slots__ = ("versions", "viewer_id", "waiting_count")

    def __init__(self, viewer_id: int | None, topics: list[str]) -> None:
        self.viewer_id = viewer_id
        self.versions: dict[str, str] = dict.fromkeys(topics, "")
        self.waiting_count: int | None = None

    def read_next(self) -> StreamChunk:
        """Read the versions; a topic that the viewer may not see any more is left out from then on."""
        viewer = Player.objects.filter(pk=self.viewer_id).first() if self.viewer_id else None
        events = []
        for topic, sent_version in list(self.versions.items()):
            try:
                version = find_version(viewer, topic)
            except TopicNotVisible:
                del self.versions[topic]
                continue
            if version != sent_version:
                self.versions[topic] = version
                events.append(StreamEvent("change", {"topic": topic, "version": version}))
        if viewer:
            waiting_count = count_waiting_turns(viewer)
            if waiting_count != self.waiting_count:
                self.waiting_count = waiting_count
                events.append(StreamEvent("turns", {"waiting": waiting_count}))
        return StreamChunk(events, is_last=not self.versions)


def find_version(viewer: Player | None, topic: str) -> str:
    """The version of a topic for a viewer. Raises TopicNotVisible."""
    family, _separator, code = topic.partition(":")
    declaration = load_stream_topics().get(family)
    if declaration is None or len(topic) > MAX_TOPIC_LENGTH or not (topic.isascii() and topic.isprintable()):
        raise TopicNotVisible(topic)
    return declaration.find_version(viewer, code)


def note_version(request: HttpRequest, topic: str) -> None:
    """Note the version of a topic for the tag `live_topic`, before the page about it is read.

    Noted afterwards, it might be newer than what the page shows, and a change in between would be missed.
    """
    family, _separator, code = topic.partition(":")
    declaration = load_stream_topics()[family]
    versions: dict[str, str] = vars(request).setdefault("live_versions", {})
    with suppress(TopicNotVisible):
        read_version = declaration.read_version or declaration.find_version
        versions[topic] = read_version(viewer_of(request), code)


def find_key(viewer: Player | None, topic: str) -> str:
    """The key that wakes a topic for a viewer. Raises TopicNotVisible."""
    family, _separator, code = topic.partition(":")
    return load_stream_topics()[family].find_key(viewer, code)


@require_safe
def stream_changes(request: HttpRequest) -> HttpResponse:
    """Stream the changes of topics: 404 if the viewer may see none of them."""
    viewer = viewer_of(request)
    topics = list(dict.fromkeys(request.GET.getlist("topic")))
    if len(topics) > MAX_TOPICS:
        return HttpResponse(
            _("Name at most %(most)d topics.") % {"most": MAX_TOPICS}, status=400, content_type="text/plain"
        )
    source = PageSource(viewer.pk if viewer else None, topics)
    visible_topics = []
    for topic in topics:
        try:
            find_version(viewer, topic)
        except TopicNotVisible:
            del source.versions[topic]
        else:
            visible_topics.append(topic)
    if not visible_topics:
        raise Http404(_("There is nothing at this address."))
    keys = {find_key(viewer, topic) for topic in visible_topics}
    if viewer:
        keys.add(player_key(viewer.pk))  # for the number of turns
    try:
        return open_stream(request, source=source, keys=frozenset(keys))
    except TooManyStreams as error:
        return too_many_requests_response(error.retry_after)
