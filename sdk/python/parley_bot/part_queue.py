"""The parts of a reply, and which of them the service has."""

import asyncio
from collections.abc import Awaitable, Callable

from .errors import ApiError
from .resources import Part

Written = asyncio.Future[None]


class PartQueue:
    """Parts in the order in which they were first written; the newest state of each."""

    def __init__(self) -> None:
        self._parts: dict[str, Part] = {}
        self._unsent: dict[str, list[Written]] = {}

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent)

    def put(self, part: Part, offset: int) -> Written:
        """Resolves when the service has this state of the part, or a later one; fails if it refuses it."""
        known = self._parts.get(part["id"])
        placed = part.copy()
        placed.setdefault("offset", known["offset"] if known else offset)
        self._parts[part["id"]] = placed
        written: Written = asyncio.get_running_loop().create_future()
        self._unsent.setdefault(part["id"], []).append(written)
        return written

    def close(self) -> None:
        """The reply is over: nothing more is sent."""
        for waiting in self._unsent.values():
            _resolve(waiting)
        self._unsent.clear()
        self._parts.clear()

    def doubt(self) -> None:
        """The service may have lost what it had acknowledged: everything is sent again, which changes nothing there."""
        for id in self._parts:
            self._unsent.setdefault(id, [])

    async def send(self, write: Callable[[Part], Awaitable[None]]) -> None:
        """Sends what the service does not have. Raises only what concerns the whole reply."""
        while self._unsent:
            id = next(id for id in self._parts if id in self._unsent)
            waiting = self._unsent.pop(id)
            try:
                await write(self._parts[id])
            except Exception as error:
                for written in waiting:
                    if not written.done():
                        written.set_exception(error)
                # Only this part is refused; the next state of it is tried again.
                if not _is_refusal(error):
                    raise
            else:
                _resolve(waiting)


def _resolve(waiting: list[Written]) -> None:
    for written in waiting:
        if not written.done():
            written.set_result(None)


def _is_refusal(error: Exception) -> bool:
    """The service refuses this part, but not the reply."""
    if not isinstance(error, ApiError):
        return False
    is_elsewhere = error.code == "conflict" and error.offset is not None
    return error.code in ("too_large", "invalid_argument") or is_elsewhere
