"""Which message is handled when."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Generic, TypeVar

T = TypeVar("T")


class TurnQueue(Generic[T]):
    """Runs turns: one at a time per timeline, up to a limit over all timelines."""

    def __init__(self, most_running: int, most_waiting: int, run: Callable[[T], Awaitable[None]]) -> None:
        self._most_running = most_running
        self._most_waiting = most_waiting
        self._run = run
        self._waiting: dict[Hashable, deque[T]] = {}
        # Timelines with waiting turns and none running, longest waiting first.
        self._ready: dict[Hashable, None] = {}
        self._running: dict[Hashable, tuple[T, asyncio.Task[None]]] = {}

    @property
    def turns(self) -> list[T]:
        """Running turns, then waiting ones."""
        running = [turn for turn, _ in self._running.values()]
        return running + [turn for waiting in self._waiting.values() for turn in waiting]

    def add(self, timeline: Hashable, turn: T) -> bool:
        """False if too many turns wait."""
        is_free = len(self._running) < self._most_running and timeline not in self._running
        if not is_free and sum(map(len, self._waiting.values())) >= self._most_waiting:
            return False
        self.again(timeline, turn)
        return True

    def again(self, timeline: Hashable, turn: T) -> None:
        """Adds a turn that has begun before, whatever waits."""
        self._waiting.setdefault(timeline, deque()).append(turn)
        if timeline not in self._running:
            self._ready[timeline] = None
        self._begin()

    def clear(self) -> None:
        """Drops all waiting turns."""
        self._waiting.clear()
        self._ready.clear()

    async def idle(self, seconds: float) -> None:
        """Waits until no turn runs, but not longer."""
        tasks = [task for _, task in self._running.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    def _begin(self) -> None:
        while self._ready and len(self._running) < self._most_running:
            timeline = next(iter(self._ready))
            del self._ready[timeline]
            turn = self._waiting[timeline].popleft()
            if not self._waiting[timeline]:
                del self._waiting[timeline]
            task = asyncio.ensure_future(self._run(turn))
            self._running[timeline] = (turn, task)
            task.add_done_callback(partial(self._end, timeline))

    def _end(self, timeline: Hashable, _task: object) -> None:
        del self._running[timeline]
        if timeline in self._waiting:
            self._ready[timeline] = None
        self._begin()
