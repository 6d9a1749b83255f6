"""How long one run of a sweep may take before others get their turn."""

from __future__ import annotations

import math
import time

SWEEP_SECONDS = 20.0  # for one run: well below the hard limit of its task, and below what a clock may lag
TURN_SECONDS = 1.0  # for one event or one league, if others are due as well


class Budget:
    """The time that one run has, and whether it left work for the next one."""

    def __init__(self, seconds: float = SWEEP_SECONDS) -> None:
        self.ends = time.monotonic() + seconds
        self.work_left = False

    @classmethod
    def unlimited(cls) -> Budget:
        """For whoever waits until all of it is done: commands, simulations."""
        return cls(math.inf)

    def allows_more(self) -> bool:
        """Whether there is time for one more item; asked while there is one, so otherwise work is left."""
        if time.monotonic() < self.ends:
            return True
        self.work_left = True
        return False

    def share(self, seconds: float) -> Budget:
        """A budget for a part of the work; it ends with this one at the latest, or never if this has none."""
        part = Budget(seconds)
        part.ends = self.ends if math.isinf(self.ends) else min(part.ends, self.ends)
        return part
