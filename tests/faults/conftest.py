"""The shared cluster, under a short name."""

from __future__ import annotations

import pytest

from tests.cluster.world import World


@pytest.fixture
def world(cluster_world: World) -> World:
    return cluster_world
