"""What a store or a service refuses, each with its words and the status a web page answers with."""

from __future__ import annotations

from cranfield import errors
from cranfield.assessing.events import Current
from cranfield.errors import CranfieldError


class Refused(CranfieldError):  # noqa: N818  # nobody erred: a page answers with it
    """Nothing was stored, and the message tells why."""

    status = 400

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Stale(Refused):
    """The judge's label of this item is not the one that the page had seen."""

    status = 409

    def __init__(self, item: int, current: Current | None) -> None:
        super().__init__(errors.assessing.stale())
        self.item, self.current = item, current


class KeyReused(Refused):
    """The key of an event came again with other content."""

    status = 422

    def __init__(self) -> None:
        super().__init__(errors.assessing.key_reused())


class NotOnScale(Refused):
    """A grade that the project does not have."""

    status = 422


class UnknownItem(Refused):
    """An item, or a judge, that the project does not have."""

    status = 404


class TooLong(Refused):
    """A note or another text beyond its limit."""

    status = 413


class Unsound(Refused):
    """A submission whose parts make no sense, alone or together."""

    status = 422


class NotAllowed(Refused):
    """Somebody asks for what only others may do, or was switched off."""

    status = 403


class NotYet(Refused):
    """Judges have not all given their labels, so there is nothing to decide."""

    status = 409


class StoreFull(Refused):
    """There is no room left where the store is."""

    status = 507


class StoreBusy(Refused):
    """Somebody else holds the store, or it cannot be reached."""

    status = 503


class StoreReadOnly(Refused):
    """The store was opened for reading, or may not be written."""

    status = 503


class StoreBroken(Refused):
    """The store cannot be read or written: its folder is gone, its disk fails."""

    status = 503
