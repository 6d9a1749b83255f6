"""Stream versions of tournaments and leagues, which pages compare, change with the content of the pages."""

from __future__ import annotations

import pytest

from notifications.streams.topics import TopicNotVisible, load_stream_topics
from tests.factories.cast import NOW
from tests.factories.events import (
    create_started_tournament,
    get_host,
    get_player,
    list_running_pairings,
    play,
    published,
)
from tests.factories.leagues import create_started_league, league_of, play_season
from tournaments.services import entries, sweep, tournaments
from tournaments.stream_topics import find_league_version, find_tournament_version

pytestmark = pytest.mark.django_db


def test_a_tournament_s_version_changes_with_entries_rounds_and_results_and_with_nothing_else() -> None:
    event = published("knockout", 3)
    versions = [find_tournament_version(None, event.code)]
    assert find_tournament_version(None, event.code) == versions[0]
    entries.enter_tournament(player=get_player("p4"), code=event.code, now=NOW)
    versions.append(find_tournament_version(None, event.code))
    tournaments.start_tournament(by=get_host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    versions.append(find_tournament_version(None, event.code))
    play(list_running_pairings(event)[0])
    sweep.sweep_tournaments(now=NOW)
    versions.append(find_tournament_version(None, event.code))
    assert len(set(versions)) == len(versions)
    assert find_tournament_version(None, event.code) == versions[-1]


def test_a_league_s_version_changes_with_members_and_results() -> None:
    league = league_of(4)
    before = find_league_version(None, league.code)
    other = create_started_league(4)
    started = find_league_version(None, other.code)
    play_season(other)
    assert find_league_version(None, other.code) != started
    assert find_league_version(None, league.code) == before


def test_a_draft_is_for_its_organisers_and_what_is_not_there_for_nobody() -> None:
    draft = tournaments.create_tournament(organiser=get_host(), name="Secret", format="knockout", now=NOW)
    assert find_tournament_version(get_host(), draft.code)
    for viewer in (None, get_player("p1")):
        with pytest.raises(TopicNotVisible):
            find_tournament_version(viewer, draft.code)
    with pytest.raises(TopicNotVisible):
        find_league_version(None, "nosuchleague")


def test_one_query_reads_the_marks_of_many(django_assert_num_queries: object) -> None:
    codes = [create_started_tournament("knockout", 2).code, published("swiss", 2, round_count=1).code]
    topics = load_stream_topics()
    with django_assert_num_queries(1):  # type: ignore[operator]
        marks = topics["tournament"].find_marks([*codes, "nosuch"])
    assert set(marks) == set(codes)
    assert set(topics) == {"game", "lobby", "me", "player", "tournament", "league"}
