"""The place of a turn in the queue."""

import asyncio


class Seat:
    """A turn gives its place in the queue to others while it waits for people."""

    def __init__(self) -> None:
        self._left = asyncio.Event()
        self._entered = asyncio.Event()

    def leave(self) -> None:
        self._entered.clear()
        self._left.set()

    def enter(self) -> None:
        """The queue has the turn run again."""
        self._left.clear()
        self._entered.set()

    async def left(self) -> None:
        """Returns when the turn gives its place away."""
        await self._left.wait()

    async def entered(self) -> None:
        """Returns when the turn has a place again."""
        await self._entered.wait()
