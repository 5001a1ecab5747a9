from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.effort import EXAMPLES
from tests.postgres_server import postgres

__all__ = ["postgres"]
ROOT = Path(__file__).parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"
WITHOUT_SHARED_DATA = f"the real collections are not in {SHARED_DATA}"

# The same examples every time: what passes here passes everywhere, and a failure can be met again.
settings.register_profile(
    "ci", deadline=None, max_examples=EXAMPLES, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
# `--hypothesis-profile=thorough`: many more, and others every time.
settings.register_profile("thorough", parent=settings.get_profile("ci"), max_examples=25 * EXAMPLES, derandomize=False)
settings.load_profile("ci")


def pytest_report_header() -> str:
    present = "present" if SHARED_DATA.is_dir() else "absent, so parity with their reference files is skipped"
    return f"real collections: {SHARED_DATA} {present}"


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines break where they break for everyone, and not where the terminal of whoever runs the tests ends."""
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture(autouse=True)
def own_coverage(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pytest that a test starts does not measure what lines are reached: slipcover measures these tests."""
    monkeypatch.delenv("SLIPCOVER_ENABLED", raising=False)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    if not SHARED_DATA.is_dir():
        pytest.skip(WITHOUT_SHARED_DATA)
    return SHARED_DATA


@pytest.fixture(scope="session")
def chromium():
    """A browser for all tests of a process, which may have only one."""
    from tests.reporting.browser import browser

    with browser() as opened:
        yield opened
