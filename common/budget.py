"""Time budgets of sweeps, so that no run delays the others."""

from __future__ import annotations

import math
import time

SWEEP_BUDGET_SECONDS = 20.0  # per run: well below the task's time limit and the allowed clock lag


class Budget:
    """The time that one run has, and whether it leaves work for the next one."""

    def __init__(self, seconds: float = SWEEP_BUDGET_SECONDS) -> None:
        self.ends_at = time.monotonic() + seconds
        self.work_left = False

    @classmethod
    def unlimited(cls) -> Budget:
        """Return a budget that never ends, for commands and simulations."""
        return cls(math.inf)

    def allows_more(self) -> bool:
        """Return whether there is time for another item; if not, record that work is left."""
        if time.monotonic() < self.ends_at:
            return True
        self.work_left = True
        return False

    def share(self, seconds: float) -> Budget:
        """Return a budget for a part of the work, which ends no later than this one."""
        sub_budget = Budget(seconds)
        sub_budget.ends_at = (
            self.ends_at if math.isinf(self.ends_at) else min(sub_budget.ends_at, self.ends_at)
        )
        return sub_budget
