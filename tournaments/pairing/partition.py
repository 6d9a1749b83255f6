"""People parted into groups at the least cost: who meets again first, then how far apart scores are.

Every number is an integer and all effort is counted in steps, never in time, so that the same people are
parted in the same way on every machine. Up to `EXACT` people the answer is proved to be the best one wherever
the steps allow it; `Partition.proved` says whether they did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import gcd

Group = tuple[int, ...]  # places in the list of people, in order
Matrix = Sequence[Sequence[int]]

EXACT = 64  # up to so many people a proof is tried


@dataclass(frozen=True)
class Problem:
    """Whom to part: what their meeting again costs, their scores, and what a smaller group costs them.

    Sizes differ by one at most. Meetings come before all scores, scores before all smaller groups.
    """

    meetings: Matrix
    scores: tuple[int, ...]  # the highest first
    small_costs: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def size_counts(self) -> dict[int, int]:
        """How many groups there are of each size, the largest first."""
        return dict(sorted(Counter(self.sizes).items(), reverse=True))

    @cached_property
    def differences(self) -> list[list[int]]:
        """Between every two the square of the difference of their scores."""
        return [[(a - b) ** 2 for b in self.scores] for a in self.scores]

    @cached_property
    def small_unit(self) -> int:
        """What one unit of score difference counts as, so that no smaller groups together reach it."""
        return sum(self.small_costs) + 1

    @cached_property
    def score_unit(self) -> int:
        """What one meeting counts as, so that no differences and smaller groups together reach it."""
        return self.small_unit * (sum(map(sum, self.differences)) + 1)

    @cached_property
    def pair_costs(self) -> list[list[int]]:
        """What it costs that two are in one group, meetings and scores in one number."""
        return [
            [
                meeting * self.score_unit + apart * self.small_unit
                for meeting, apart in zip(*rows, strict=True)
            ]
            for rows in zip(self.meetings, self.differences, strict=True)
        ]

    @cached_property
    def score_step(self) -> int:
        """Every sum of score differences is a multiple of this."""
        return gcd(*(score - self.scores[0] for score in self.scores)) ** 2 or 1

    def cost_group(self, group: Sequence[int]) -> int:
        """What one group costs, all in one number."""
        total = sum(self.pair_costs[a][b] for a, b in combinations(group, 2))
        if len(group) < self.sizes[0]:
            total += sum(self.small_costs[place] for place in group)
        return total

    def count_meetings(self, groups: Sequence[Group]) -> int:
        """What the meetings in these groups cost."""
        return sum(self.meetings[a][b] for group in groups for a, b in combinations(group, 2))

    def count_differences(self, groups: Sequence[Group]) -> int:
        """The sum of the squares of all differences of scores in these groups."""
        return sum(self.differences[a][b] for group in groups for a, b in combinations(group, 2))


@dataclass(frozen=True)
class Partition:
    """Groups, and what is proved of them."""

    groups: tuple[Group, ...]
    fewest_meetings: bool  # no others have fewer
    least_differences: bool  # no others with as few have less between their scores

    @property
    def proved(self) -> bool:
        """Whether there are no better ones."""
        return self.fewest_meetings and self.least_differences


def bound_differences(scores: Sequence[int], size_counts: dict[int, int]) -> int:
    """The least sum of squared differences, whoever has met: that of neighbours in the order of scores.

    Two groups of the best partition never overlap. Let one have as many people as the other or one more, and
    a mean not below that of both together: then to exchange its lowest for somebody higher in the other makes
    the sum less. So only the order in which larger and smaller groups follow each other is left to choose.
    """
    (large, large_count), (small, small_count) = (*size_counts.items(), (0, 0))[:2]
    sums, squares = [0], [0]
    for score in scores:
        sums.append(sums[-1] + score)
        squares.append(squares[-1] + score * score)

    def cost(start: int, size: int) -> int:
        total = sums[start + size] - sums[start]
        return size * (squares[start + size] - squares[start]) - total * total

    best = [0] * (small_count + 1)  # by how many of the groups so far are smaller ones
    for b in range(1, small_count + 1):
        best[b] = best[b - 1] + cost((b - 1) * small, small)
    for a in range(1, large_count + 1):
        best[0] += cost((a - 1) * large, large)
        for b in range(1, small_count + 1):
            best[b] = min(
                best[b] + cost((a - 1) * large + b * small, large),
                best[b - 1] + cost(a * large + (b - 1) * small, small),
            )
    return best[small_count]
