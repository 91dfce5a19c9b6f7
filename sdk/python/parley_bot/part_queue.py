"""The parts of a reply, and which of them the service has."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from .errors import ApiError
from .growing_text import GrowingText
from .resources import Part

Written = asyncio.Future[None]
Write = Callable[[Mapping[str, object]], Awaitable[None]]

# The service's limit for the parts of a message.
MAX_BYTES = 256 * 1024
# Maximum bytes of one piece of reasoning.
MAX_PIECE = 32 * 1024


@dataclass
class _Thought:
    """Reasoning that grows."""

    offset: int
    text: GrowingText = field(default_factory=lambda: GrowingText(MAX_BYTES))
    # False until the service has the part, and thereby its place.
    is_begun: bool = False

    @property
    def is_unsent(self) -> bool:
        return self.text.has_unsent or (not self.is_begun and len(self.text) > 0)


class PartQueue:
    """Parts in the order in which they were first written; the newest state of each."""

    def __init__(self) -> None:
        self._parts: dict[str, Part] = {}
        self._unsent: dict[str, list[Written]] = {}
        self._thoughts: dict[str, _Thought] = {}

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent) or self._next_thought() is not None

    def put(self, part: Part, offset: int) -> Written:
        """Resolves when the service has this state of the part, or a later one; fails if it refuses it."""
        known = self._parts.get(part["id"])
        placed = part.copy()
        placed.setdefault("offset", known["offset"] if known else offset)
        self._parts[part["id"]] = placed
        written: Written = asyncio.get_running_loop().create_future()
        self._unsent.setdefault(part["id"], []).append(written)
        return written

    def think(self, id: str, text: str, offset: int) -> None:
        """Adds a text to the reasoning with this id."""
        self._thoughts.setdefault(id, _Thought(offset)).text.push(text)

    def end_thoughts(self) -> None:
        """Called when all reasoning is complete."""
        for thought in self._thoughts.values():
            thought.text.end()

    def close(self) -> None:
        """The reply is over: nothing more is sent."""
        for waiting in self._unsent.values():
            _resolve(waiting)
        self._unsent.clear()
        self._parts.clear()
        self._thoughts.clear()

    def doubt(self) -> None:
        """The service may have lost what it had acknowledged: everything is sent again, which changes nothing there."""
        for id in self._parts:
            self._unsent.setdefault(id, [])
        for thought in self._thoughts.values():
            thought.is_begun = False

    async def send(self, write: Write) -> None:
        """Sends what the service does not have. Raises only what concerns the whole reply."""
        while True:
            if self._unsent:
                await self._send_whole(write)
            elif id := self._next_thought():
                await self._send_thought(id, write)
            else:
                return

    async def _send_whole(self, write: Write) -> None:
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

    async def _send_thought(self, id: str, write: Write) -> None:
        thought = self._thoughts[id]
        part: dict[str, object] = {"id": id, "type": "reasoning"}
        try:
            if not thought.is_begun:
                text = thought.text.text
                await write({**part, "offset": thought.offset, "text": text})
                thought.text.sent_bytes = len(text.encode())
                thought.is_begun = True
            else:
                piece = thought.text.next(MAX_PIECE)
                await write({**part, "append": piece.delta, "text_offset": piece.offset})
                thought.text.sent_bytes = piece.offset
        except ApiError as error:
            if not _is_refusal(error):
                raise
            # Too long, or too much in all: the reply goes on without the rest.
            if error.offset is None:
                self._thoughts.pop(id, None)
            else:
                thought.is_begun = False

    def _next_thought(self) -> str | None:
        return next((id for id, thought in self._thoughts.items() if thought.is_unsent), None)


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
