"""Schedules for tables of 3 and 4 in which everybody meets everybody as evenly as can be.

A design is the same for every event of its size: who gets which number in it is what an event draws. So its
own shuffles come from no key.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from tournaments.pairing.randomness import below, numbers, shuffled
from tournaments.pairing.tables import sizes

Tables = list[list[int]]

SMALL = 64  # up to so many entrants a whole schedule is improved once it stands
STEPS = 1500  # exchanges that are tried for it, for each entrant
LOOK = 64  # so many are compared for a seat
# First rounds in which every distance within a ring of people, and between the two rings, comes once.
STARTERS: dict[int, list[tuple[int, ...]]] = {
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
FIELDS = {2: 0b11, 4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101, 64: 0b1000011, 128: 0b10000011}


@lru_cache(maxsize=64)
def design(entrants: int, table: int, rounds: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each round its tables, of numbers from 0 on; in every round everybody sits at one."""
    plan = sizes(entrants, table)
    people = list(range(len(plan) * table))  # whoever is too many just does not come
    full = rotated(len(people)) if table == 3 and len(people) in STARTERS else lattice(people, table)
    some = [[[one for one in seats if one < entrants] for seats in tables] for tables in full]
    schedule = [tables for tables in some if sorted(map(len, tables), reverse=True) == plan][:rounds]
    work = Work(entrants, schedule)
    while len(schedule) < rounds:
        work.add(filled(work, table, len(schedule)))
    if entrants <= SMALL:
        work.improve()
    return tuple(tuple(tuple(sorted(seats)) for seats in tables) for tables in schedule)


def rotated(people: int) -> list[Tables]:
    """A perfect schedule for tables of 3, from its first round: the last one stays, two rings turn."""
    ring = (people - 1) // 2

    def turned(one: int, by: int) -> int:
        return one if one == people - 1 else one // ring * ring + (one % ring + by) % ring

    return [[[turned(one, by) for one in seats] for seats in STARTERS[people]] for by in range(ring)]


def lattice(people: list[int], table: int) -> list[Tables]:
    """Rounds in which nobody meets twice, from arithmetic in a field; none where the numbers do not fit.

    People stand in `table` rows of q. In round r a table takes from each row the one r steps further on than
    in the row before. Those of one row are left to meet among themselves.
    """
    q, rest = divmod(len(people), table)
    if rest or q < table or not (q in FIELDS or all(q % d for d in range(2, q))):
        return []
    rows = [people[row * q : (row + 1) * q] for row in range(table)]
    rounds = [[[rows[g][step(t, g, r, q)] for g in range(table)] for t in range(q)] for r in range(q)]
    if q == table:
        return [*rounds, rows]
    inside = zip(*(lattice(row, table) for row in rows), strict=True)
    return rounds + [[seats for tables in together for seats in tables] for together in inside]


def step(t: int, g: int, r: int, q: int) -> int:
    """t + g × r in the field of q elements."""
    if q not in FIELDS:
        return (t + g * r) % q
    product = 0
    while g:
        if g & 1:
            product ^= r
        g, r = g >> 1, r << 1
        if r & q:
            r ^= FIELDS[q]
    return t ^ product


def more(times: int) -> int:
    """What one meeting more adds to the sum of cubes."""
    return 3 * times * (times + 1) + 1


def filled(work: Work, table: int, number: int) -> Tables:
    """One more round: each seat to one of those who have met the table's company least."""
    waiting = shuffled(b"", f"design/{number}", range(work.entrants))
    plan = sizes(work.entrants, table)
    if min(plan) < max(plan):  # whoever has sat at smaller tables oftenest comes to the larger ones, first
        waiting.sort(key=lambda one: -work.small[one])
    tables: Tables = []
    for size in plan:
        seats = [waiting.pop(0)]
        while len(seats) < size:
            best = min(waiting[:LOOK], key=lambda one: sum(2 * work.met[one][other] + 1 for other in seats))
            waiting.remove(best)
            seats.append(best)
        tables.append(seats)
    return tables


class Work:
    """A schedule while it is made: who has met whom how often, who sat at smaller tables."""

    def __init__(self, entrants: int, schedule: list[Tables]) -> None:
        self.entrants, self.schedule = entrants, schedule
        self.met = [[0] * entrants for _ in range(entrants)]
        self.small = [0] * entrants
        for tables in schedule:
            self.count(tables)

    def add(self, tables: Tables) -> None:
        """One more round."""
        self.schedule.append(tables)
        self.count(tables)

    def count(self, tables: Tables) -> None:
        """Note who meets in a round."""
        largest = max(map(len, tables))
        for seats in tables:
            for a, b in combinations(seats, 2):
                self.met[a][b] += 1
                self.met[b][a] += 1
            for one in seats:
                self.small[one] += len(seats) < largest

    def change(self, one: int, others: list[int], other: int, its: list[int]) -> int:
        """By how much the sum of cubes of all meetings grows if two change places.

        Cubes, and not squares: of two schedules with as many repeated meetings, three meetings are worse.
        """
        mine, theirs, grown = self.met[one], self.met[other], 0
        for x in others:
            if x != one:
                grown += more(theirs[x]) - more(mine[x] - 1)
        for x in its:
            if x != other:
                grown += more(mine[x]) - more(theirs[x] - 1)
        if len(others) != len(its):
            to, away = (one, other) if len(its) < len(others) else (other, one)
            grown += more(self.small[to]) - more(self.small[away] - 1)
        return grown

    def exchange(self, a: list[int], i: int, b: list[int], j: int) -> None:
        """Let two change places."""
        one, other = a[i], b[j]
        for x, here, by in [(x, one, -1) for x in a if x != one] + [(x, other, 1) for x in a if x != one]:
            self.met[here][x] += by
            self.met[x][here] += by
        for x, here, by in [(x, other, -1) for x in b if x != other] + [(x, one, 1) for x in b if x != other]:
            self.met[here][x] += by
            self.met[x][here] += by
        if len(a) != len(b):
            to, away = (one, other) if len(b) < len(a) else (other, one)
            self.small[to] += 1
            self.small[away] -= 1
        a[i], b[j] = other, one

    def even(self) -> bool:
        """Whether no two meet more than once oftener than two others, and likewise at smaller tables."""
        pairs = {self.met[a][b] for a, b in combinations(range(self.entrants), 2)}
        return max(pairs) - min(pairs) <= 1 and max(self.small) - min(self.small) <= 1

    def improve(self) -> None:
        """Exchange people of a round, as long as it does no harm, until nothing can be better."""
        rounds = [tables for tables in self.schedule if len(tables) > 1]
        source = numbers(b"", f"design/{self.entrants}/{len(rounds)}")
        for number in range(STEPS * self.entrants if rounds else 0):
            if number % 64 == 0 and self.even():
                return
            tables = rounds[below(source, len(rounds))]
            a = below(source, len(tables))
            b = (a + 1 + below(source, len(tables) - 1)) % len(tables)
            i, j = below(source, len(tables[a])), below(source, len(tables[b]))
            if self.change(tables[a][i], tables[a], tables[b][j], tables[b]) <= 0:
                self.exchange(tables[a], i, tables[b], j)
