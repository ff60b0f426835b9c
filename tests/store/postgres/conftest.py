"""A server that the tests of this folder share; each makes databases of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.postgres_server import postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres_server import FleetServer


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FleetServer]:
    with postgres(tmp_path_factory.mktemp("postgres")) as running:
        yield running
