"""The house in which everybody tries every address."""

import pytest

from tests.house.event import House


@pytest.fixture
def house(db: None) -> House:
    return House()
