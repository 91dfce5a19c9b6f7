"""Requests to stop whose sender is not known yet."""

import asyncio
from collections.abc import Callable

from .clock import Clock

# How long after the answer to an append an `events.cancelRun` may still arrive.
EVENT_S = 5.0
# How long a cancel is replayed to a reconnecting daemon; after that no event will arrive.
REPLAY_S = 60.0

Listening = Callable[[], bool]
"""Whether the connection is live, so that events arrive."""


class UnexplainedStop:
    """Waits for the `events.cancelRun` that belongs to a `cancel_requested`.

    `cancel_requested` says that a stop was requested, but only the event says by whom. So the turn waits for the event,
    and stops without it only if none arrives (BOTSDK-10).
    """

    def __init__(self, clock: Clock, is_listening: Listening, heed: Callable[[], None]) -> None:
        self._clock = clock
        self._is_listening = is_listening
        self._heed = heed
        self._task: asyncio.Task[None] | None = None
        self._is_explained = False

    def see(self) -> None:
        if not self._is_explained and self._task is None:
            self._task = asyncio.create_task(self._wait())

    def explain(self) -> None:
        """Called when the event has arrived or the turn is over."""
        self._is_explained = True
        if self._task:
            self._task.cancel()

    async def _wait(self) -> None:
        seen_at = self._clock.monotonic()
        while True:
            await self._clock.sleep(EVENT_S)
            if self._is_listening() or self._clock.monotonic() - seen_at >= REPLAY_S:
                self._heed()
                return
