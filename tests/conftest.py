"""What all tests have in common."""

import pytest

LONGEST = "test_the_api_does_what_its_description_says"
"""Takes a minute or two by itself: the other workers go on beside it when it begins first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.name != LONGEST)
