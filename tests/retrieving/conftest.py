import pytest

from tests.retrieving.search_server import SearchServer, serving


@pytest.fixture
def engine() -> SearchServer:
    with serving() as server:
        yield server
