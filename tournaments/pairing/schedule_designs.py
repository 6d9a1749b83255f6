"""Schedules for tables of 3 and 4 in which all entrants meet as equally often as possible.

A design is the same for every tournament of its size; a tournament only draws who gets which number in it.
So its own shuffles use no key.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from tournaments.pairing.randomness import draw_below, generate_numbers, shuffle_items
from tournaments.pairing.seating import plan_table_sizes

RoundTables = list[list[int]]

MAX_ENTRANTS_TO_IMPROVE = 64  # entrants up to which a finished schedule is improved
EXCHANGES_PER_ENTRANT = 1500  # exchanges tried, for each entrant
SEAT_CANDIDATE_COUNT = 64  # people compared for a seat
# First rounds in which every distance within a ring of people, and between the rings, occurs once.
STARTER_ROUNDS: dict[int, list[tuple[int, ...]]] = {
    15: [(14, 13, 6), (12, 11, 9), (10, 5, 1), (8, 2, 0), (7, 4, 3)],
    27: [
        (26, 25, 12), (24, 23, 21), (22, 18, 3), (20, 15, 4), (19, 13, 1), (17, 9, 8), (16, 6, 2),
        (14, 10, 7), (11, 5, 0),
    ],
    39: [
        (38, 37, 18), (36, 35, 33), (34, 30, 25), (32, 26, 17), (31, 24, 14), (29, 21, 15), (28, 8, 6),
        (27, 16, 3), (23, 5, 0), (22, 10, 1), (20, 7, 4), (19, 12, 11), (13, 9, 2),
    ],
}  # fmt: skip
FIELD_POLYNOMIALS = {2: 0b11, 4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101, 64: 0b1000011, 128: 0b10000011}


@lru_cache(maxsize=64)
def build_design(
    entrant_count: int, table_size: int, round_count: int
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the tables of each round, of numbers from 0; everybody sits at one table in every round."""
    table_sizes = plan_table_sizes(entrant_count, table_size)
    people = list(range(len(table_sizes) * table_size))  # superfluous numbers are left out
    full_schedule = (
        build_rotated_schedule(len(people))
        if table_size == 3 and len(people) in STARTER_ROUNDS
        else build_lattice_schedule(people, table_size)
    )
    reduced_schedule = [
        [[person for person in seats if person < entrant_count] for seats in tables]
        for tables in full_schedule
    ]
    schedule = [
        tables for tables in reduced_schedule if sorted(map(len, tables), reverse=True) == table_sizes
    ][:round_count]
    draft = ScheduleDraft(entrant_count, schedule)
    while len(schedule) < round_count:
        draft.add_round(fill_round(draft, table_size, len(schedule)))
    if entrant_count <= MAX_ENTRANTS_TO_IMPROVE:
        draft.improve_schedule()
    return tuple(tuple(tuple(sorted(seats)) for seats in tables) for tables in schedule)


def build_rotated_schedule(person_count: int) -> list[RoundTables]:
    """Build a schedule for tables of 3 from its first round: the last person stays, two rings rotate."""
    ring = (person_count - 1) // 2

    def rotate_person(person: int, by: int) -> int:
        """Move a person along their ring."""
        return person if person == person_count - 1 else person // ring * ring + (person % ring + by) % ring

    return [
        [[rotate_person(person, by) for person in seats] for seats in STARTER_ROUNDS[person_count]]
        for by in range(ring)
    ]


def build_lattice_schedule(people: list[int], table_size: int) -> list[RoundTables]:
    """Build rounds in which nobody meets twice, by finite field arithmetic; none if the numbers do not fit.

    People stand in `table_size` rows of q. In round r a table takes from each row the person r steps further
    on than in the row before. People of one row meet among themselves in further rounds.
    """
    q, rest = divmod(len(people), table_size)
    if rest or q < table_size or not (q in FIELD_POLYNOMIALS or all(q % divisor for divisor in range(2, q))):
        return []
    rows = [people[row * q : (row + 1) * q] for row in range(table_size)]
    rounds = [
        [[rows[g][multiply_add_in_field(t, g, r, q)] for g in range(table_size)] for t in range(q)]
        for r in range(q)
    ]
    if q == table_size:
        return [*rounds, rows]
    row_schedules = zip(*(build_lattice_schedule(row, table_size) for row in rows), strict=True)
    return rounds + [
        [seats for tables in round_of_rows for seats in tables] for round_of_rows in row_schedules
    ]


def multiply_add_in_field(t: int, g: int, r: int, q: int) -> int:
    """Return t + g × r in the field of q elements."""
    if q not in FIELD_POLYNOMIALS:
        return (t + g * r) % q
    product = 0
    while g:
        if g & 1:
            product ^= r
        g, r = g >> 1, r << 1
        if r & q:
            r ^= FIELD_POLYNOMIALS[q]
    return t ^ product


def cost_of_next_meeting(times: int) -> int:
    """Return what one more meeting adds to the sum of cubes."""
    return 3 * times * (times + 1) + 1


def fill_round(draft: ScheduleDraft, table_size: int, number: int) -> RoundTables:
    """Fill one more round: each seat goes to a person who has met the table least often."""
    waiting = shuffle_items(b"", f"design/{number}", range(draft.entrant_count))
    table_sizes = plan_table_sizes(draft.entrant_count, table_size)
    if min(table_sizes) < max(table_sizes):  # most often at smaller tables: first to larger ones
        waiting.sort(key=lambda person: -draft.small_table_counts[person])
    tables: RoundTables = []
    for size in table_sizes:
        seats = [waiting.pop(0)]
        while len(seats) < size:
            best = min(
                waiting[:SEAT_CANDIDATE_COUNT],
                key=lambda person: sum(2 * draft.meetings[person][neighbour] + 1 for neighbour in seats),
            )
            waiting.remove(best)
            seats.append(best)
        tables.append(seats)
    return tables


class ScheduleDraft:
    """A schedule under construction: how often each two have met, and who sat at smaller tables."""

    def __init__(self, entrant_count: int, schedule: list[RoundTables]) -> None:
        self.entrant_count, self.schedule = entrant_count, schedule
        self.meetings = [[0] * entrant_count for _ in range(entrant_count)]
        self.small_table_counts = [0] * entrant_count
        for tables in schedule:
            self.count_meetings(tables)

    def add_round(self, tables: RoundTables) -> None:
        """Add a round."""
        self.schedule.append(tables)
        self.count_meetings(tables)

    def count_meetings(self, tables: RoundTables) -> None:
        """Count the meetings of a round."""
        largest = max(map(len, tables))
        for seats in tables:
            for a, b in combinations(seats, 2):
                self.meetings[a][b] += 1
                self.meetings[b][a] += 1
            for person in seats:
                self.small_table_counts[person] += len(seats) < largest

    def cost_of_exchange(
        self, first: int, first_table: list[int], second: int, second_table: list[int]
    ) -> int:
        """Return by how much the sum of cubes of all meetings grows if two people change places.

        Cubes instead of squares: of two schedules with as many repeat meetings, one with three meetings is
        worse.
        """
        first_meetings, second_meetings, increase = self.meetings[first], self.meetings[second], 0
        for x in first_table:
            if x != first:
                increase += cost_of_next_meeting(second_meetings[x]) - cost_of_next_meeting(
                    first_meetings[x] - 1
                )
        for x in second_table:
            if x != second:
                increase += cost_of_next_meeting(first_meetings[x]) - cost_of_next_meeting(
                    second_meetings[x] - 1
                )
        if len(first_table) != len(second_table):
            to, away = (first, second) if len(second_table) < len(first_table) else (second, first)
            increase += cost_of_next_meeting(self.small_table_counts[to]) - cost_of_next_meeting(
                self.small_table_counts[away] - 1
            )
        return increase

    def exchange_seats(self, a: list[int], i: int, b: list[int], j: int) -> None:
        """Exchange two people of a round."""
        first, second = a[i], b[j]
        for x, person, by in [(x, first, -1) for x in a if x != first] + [
            (x, second, 1) for x in a if x != first
        ]:
            self.meetings[person][x] += by
            self.meetings[x][person] += by
        for x, person, by in [(x, second, -1) for x in b if x != second] + [
            (x, first, 1) for x in b if x != second
        ]:
            self.meetings[person][x] += by
            self.meetings[x][person] += by
        if len(a) != len(b):
            to, away = (first, second) if len(b) < len(a) else (second, first)
            self.small_table_counts[to] += 1
            self.small_table_counts[away] -= 1
        a[i], b[j] = second, first

    def is_even(self) -> bool:
        """Tell whether numbers of meetings, and of smaller tables, differ by at most one."""
        pairs = {self.meetings[a][b] for a, b in combinations(range(self.entrant_count), 2)}
        return (
            max(pairs) - min(pairs) <= 1 and max(self.small_table_counts) - min(self.small_table_counts) <= 1
        )

    def improve_schedule(self) -> None:
        """Exchange people of a round at random, as long as it does no harm, until the schedule is even."""
        rounds = [tables for tables in self.schedule if len(tables) > 1]
        source = generate_numbers(b"", f"design/{self.entrant_count}/{len(rounds)}")
        for number in range(EXCHANGES_PER_ENTRANT * self.entrant_count if rounds else 0):
            if number % 64 == 0 and self.is_even():
                return
            tables = rounds[draw_below(source, len(rounds))]
            a = draw_below(source, len(tables))
            b = (a + 1 + draw_below(source, len(tables) - 1)) % len(tables)
            i, j = draw_below(source, len(tables[a])), draw_below(source, len(tables[b]))
            if self.cost_of_exchange(tables[a][i], tables[a], tables[b][j], tables[b]) <= 0:
                self.exchange_seats(tables[a], i, tables[b], j)
