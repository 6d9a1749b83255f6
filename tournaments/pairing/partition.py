"""Partition people into groups at the least cost: repeat meetings first, then differences of scores.

All numbers are integers and effort is counted in steps, not in time, so every machine gives the same groups.
Up to `MAX_PEOPLE_FOR_PROOF` people the result is proved optimal where the steps suffice;
`Partition.is_proved` says whether it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import gcd

Group = tuple[int, ...]  # sorted indexes into the list of people
Matrix = Sequence[Sequence[int]]

MAX_PEOPLE_FOR_PROOF = 64  # people up to which a proof is tried


@dataclass(frozen=True)
class PartitionProblem:
    """The problem to solve: costs of repeat meetings, scores, and costs of being in a smaller group.

    Sizes differ by at most one. Meetings outweigh all scores, scores outweigh all smaller groups.
    """

    meetings: Matrix
    scores: tuple[int, ...]  # the highest first
    small_group_costs: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def size_counts(self) -> dict[int, int]:
        """The number of groups of each size, the largest size first."""
        return dict(sorted(Counter(self.sizes).items(), reverse=True))

    @cached_property
    def score_differences(self) -> list[list[int]]:
        """The squared difference of scores of every two people."""
        return [[(a - b) ** 2 for b in self.scores] for a in self.scores]

    @cached_property
    def score_weight(self) -> int:
        """The weight of one unit of score difference: above the sum of all costs of smaller groups."""
        return sum(self.small_group_costs) + 1

    @cached_property
    def meeting_weight(self) -> int:
        """The weight of one meeting: above the sum of all differences and costs of smaller groups."""
        return self.score_weight * (sum(map(sum, self.score_differences)) + 1)

    @cached_property
    def pair_costs(self) -> list[list[int]]:
        """The cost of two people in one group: meetings and scores as one number."""
        return [
            [
                meeting * self.meeting_weight + difference * self.score_weight
                for meeting, difference in zip(*rows, strict=True)
            ]
            for rows in zip(self.meetings, self.score_differences, strict=True)
        ]

    @cached_property
    def score_step(self) -> int:
        """Every sum of score differences is a multiple of this."""
        return gcd(*(score - self.scores[0] for score in self.scores)) ** 2 or 1

    def cost_group(self, group: Sequence[int]) -> int:
        """Return the total cost of one group as one number."""
        total = sum(self.pair_costs[a][b] for a, b in combinations(group, 2))
        if len(group) < self.sizes[0]:
            total += sum(self.small_group_costs[place] for place in group)
        return total

    def count_meetings(self, groups: Sequence[Group]) -> int:
        """Sum the costs of the meetings in these groups."""
        return sum(self.meetings[a][b] for group in groups for a, b in combinations(group, 2))

    def count_differences(self, groups: Sequence[Group]) -> int:
        """Sum the squared differences of scores in these groups."""
        return sum(self.score_differences[a][b] for group in groups for a, b in combinations(group, 2))


@dataclass(frozen=True)
class Partition:
    """Groups, and whether they are proved to be the best."""

    groups: tuple[Group, ...]
    has_fewest_meetings: bool  # no partition has fewer
    has_least_differences: bool  # none with as few has smaller differences

    @property
    def is_proved(self) -> bool:
        """True if no better groups exist."""
        return self.has_fewest_meetings and self.has_least_differences


def bound_score_differences(scores: Sequence[int], size_counts: dict[int, int]) -> int:
    """Return the least possible sum of squared differences, ignoring meetings: groups of neighbours by score.

    Two groups of the best partition never overlap: if one has as many people as the other or one more, and a
    mean not below the common mean, exchanging its lowest for somebody higher in the other lowers the sum. So
    only the sequence of larger and smaller groups is left to choose.
    """
    (large, large_count), (small, small_count) = (*size_counts.items(), (0, 0))[:2]
    sums, squares = [0], [0]
    for score in scores:
        sums.append(sums[-1] + score)
        squares.append(squares[-1] + score * score)

    def slice_cost(start: int, size: int) -> int:
        """Return the sum of squared differences of one slice of the sorted scores."""
        total = sums[start + size] - sums[start]
        return size * (squares[start + size] - squares[start]) - total * total

    best = [0] * (small_count + 1)  # by the number of smaller groups so far
    for b in range(1, small_count + 1):
        best[b] = best[b - 1] + slice_cost((b - 1) * small, small)
    for a in range(1, large_count + 1):
        best[0] += slice_cost((a - 1) * large, large)
        for b in range(1, small_count + 1):
            best[b] = min(
                best[b] + slice_cost((a - 1) * large + b * small, large),
                best[b - 1] + slice_cost(a * large + (b - 1) * small, small),
            )
    return best[small_count]
