"""Leagues: promotion and relegation, joining and leaving, with every member placed once."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.example_counts import make_settings
from tests.factories.planned_events import (
    KEY,
    chances,
    make_random_play,
    play_event,
)
from tournaments.pairing import build_standings
from tournaments.pairing.league import (
    LeagueSpec,
    Newcomer,
    PlannedSeason,
    build_group_specs,
    plan_next_season,
    rank_division,
    split_into_groups,
)


def plan_season(*divisions: str, **more: object) -> PlannedSeason:
    """Plan the season after one with these final rankings."""
    rules = LeagueSpec(len(divisions[0]), more.pop("moves", 1))  # type: ignore[arg-type]
    return plan_next_season(rules, [list(division) for division in divisions], key=KEY, **more)  # type: ignore[arg-type]


def format_divisions(season: PlannedSeason) -> list[str]:
    """Format each division as a string of its members."""
    return ["".join(map(str, members)) for members in season.divisions]


def test_the_best_go_up_and_the_last_go_down() -> None:
    after = plan_season("abcd", "efgh", "ijkl")
    assert format_divisions(after) == ["abce", "dfgi", "hjkl"]
    assert {id: note.code for id, note in after.notes.items() if note.code != "stays"} == {
        "e": "promoted", "d": "relegated", "i": "promoted", "h": "relegated",
    }  # fmt: skip
    assert after.notes["e"].as_dict() == {"code": "promoted", "division": 1, "was": 2}
    assert format_divisions(plan_season("abcd", "efgh", moves=2)) == ["abef", "cdgh"]
    assert format_divisions(plan_season("abcd", "efgh", moves=0)) == ["abcd", "efgh"]


def test_a_leavers_place_is_filled_first_by_sparing_then_by_promotion() -> None:
    assert format_divisions(plan_season("abcd", "efgh", leavers="a")) == ["bced", "fgh"]
    assert format_divisions(plan_season("abcd", "efgh", leavers="ab")) == ["cedf", "gh"]
    assert format_divisions(plan_season("abcd", "efgh", "ijkl", leavers="fg")) == ["abce", "dihj", "kl"]


def test_newcomers_come_in_at_the_bottom_the_strongest_first() -> None:
    new = [Newcomer("x", 1500), Newcomer("y"), Newcomer("z", 1700)]
    assert format_divisions(plan_season("abcd", "efgh", newcomers=new)) == ["abce", "dfgh", "zxy"]


def test_newcomers_by_rating_come_into_the_division_that_fits() -> None:
    ratings = dict(zip("abcdefgh", [2000, 1900, 1800, 1700, 1600, 1500, 1400, 1300], strict=True))
    rules = LeagueSpec(4, 1, newcomer_policy="rating")
    new = [Newcomer("x", 1950), Newcomer("y", 1100), Newcomer("z", 1500)]
    after = plan_next_season(rules, ["abcd", "efgh"], newcomers=new, ratings=ratings, key=KEY)
    assert format_divisions(after) == ["abcx", "edfg", "hzy"]
    assert after.notes["x"].as_dict() == {"code": "newcomer", "division": 1, "by": "rating"}


def test_a_first_season_is_made_of_newcomers() -> None:
    new = [Newcomer(n, 2000 - n) for n in range(10)]
    after = plan_next_season(LeagueSpec(4), [], newcomers=new, key=KEY)
    assert after.divisions == ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9))
    by_lot = plan_next_season(LeagueSpec(4), [], newcomers=[Newcomer(n) for n in range(10)], key=KEY)
    assert sorted(id for members in by_lot.divisions for id in members) == list(range(10))
    assert by_lot != plan_next_season(
        LeagueSpec(4), [], newcomers=[Newcomer(n) for n in range(10)], key=bytes(32)
    )


@make_settings(40)
@given(data=st.data(), chance=chances, size=st.integers(2, 9), placing=st.sampled_from(["bottom", "rating"]))
def test_divisions_keep_their_size_and_nobody_is_lost_or_doubled(
    data: st.DataObject, chance: Random, size: int, placing: str
) -> None:
    rules = LeagueSpec(size, data.draw(st.integers(0, size // 2)), newcomer_policy=placing)  # type: ignore[arg-type]
    ratings = {id: chance.randint(1000, 2000) for id in range(400)}
    new = [Newcomer(id, ratings[id]) for id in range(data.draw(st.integers(2, 40)))]
    now = plan_next_season(rules, [], newcomers=new, key=KEY)
    name_count = len(new)
    for _ in range(4):
        members = [id for division in now.divisions for id in division]
        assert [len(division) for division in now.divisions[:-1]] == [size] * (len(now.divisions) - 1)
        if len(now.divisions) > 1:
            assert size <= 2 * len(now.divisions[-1]) < 3 * size
        assert set(now.notes) == set(members)
        final_orders = [chance.sample(division, len(division)) for division in now.divisions]
        leavers = [id for id in members if chance.random() < 0.15]
        joining = [Newcomer(name_count + i, ratings[name_count + i]) for i in range(chance.randint(0, 6))]
        name_count += len(joining)
        after = plan_next_season(
            rules, final_orders, newcomers=joining, leavers=leavers, ratings=ratings, key=KEY
        )
        everybody = [id for division in after.divisions for id in division]
        assert len(everybody) == len(set(everybody))
        assert set(everybody) == (set(members) - set(leavers)) | {newcomer.id for newcomer in joining}
        if not leavers and not joining and len(final_orders) > 1:
            for upper, lower in pairwise(final_orders):
                for id in upper[: len(upper) // 2]:
                    assert after.notes[id].code in ("stays", "promoted")
                for id in lower[: rules.promotion_count] if len(lower) >= 2 * rules.promotion_count else []:
                    assert after.notes[id].code == "promoted"
        now = after


def test_what_cannot_be_is_refused() -> None:
    for bad in (
        {"division_size": 1},
        {"division_size": 4, "promotion_count": 3},
        {"division_size": 4, "groups_per_division": 3},
    ):
        with pytest.raises(ValueError, match="two places"):
            LeagueSpec(**bad)
    with pytest.raises(ValueError, match="named twice"):
        plan_season("abcd", "defg")
    with pytest.raises(ValueError, match="named twice"):
        plan_season("abcd", newcomers=[Newcomer("a")])
    with pytest.raises(ValueError, match="only members"):
        plan_season("abcd", leavers="x")


# ------------------------------------------------------------------------------------------ within a division


@make_settings(40)
@given(size=st.integers(2, 30), data=st.data())
def test_groups_share_out_a_division_evenly(size: int, data: st.DataObject) -> None:
    rules = LeagueSpec(size, 0, groups_per_division=data.draw(st.integers(1, size // 2)))
    groups = split_into_groups(range(size), rules)
    assert sorted(id for group in groups for id in group) == list(range(size))
    assert len(groups) == rules.groups_per_division
    assert max(map(len, groups)) - min(map(len, groups)) <= 1
    assert {group[0] for group in groups} == set(range(rules.groups_per_division))


def test_a_division_of_groups_plays_and_comes_to_one_order() -> None:
    rules = LeagueSpec(9, 2, groups_per_division=2)
    tables = []
    for group_spec in build_group_specs(range(1, 10), rules, key=KEY):
        whole = play_event(group_spec, make_random_play(Random(5)))
        tables.append(build_standings(whole.event, whole.results))
    assert sorted(map(len, tables)) == [4, 5]
    order = rank_division(tables, key=KEY)
    assert sorted(order, key=int) == list(range(1, 10))
    assert set(order[:2]) == {table[0].entrant for table in tables}
    assert order[-1] == max(tables, key=len)[-1].entrant
