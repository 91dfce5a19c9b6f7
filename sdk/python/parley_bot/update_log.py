"""The order of the update log: each frame once, without gaps."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Frame = Mapping[str, Any]
"""An event: `method`, `params`, its place `seq` in the log, and `prev`, the place of the frame before it."""
Page = Mapping[str, Any]


class UpdateLog:
    """Delivers the frames of the log in order, each once, and frames outside the log as they come."""

    def __init__(
        self,
        fetch: Callable[[int], Awaitable[Page]],
        deliver: Callable[[Frame, bool], None],
        position: int,
        on_gap: Callable[[], None] = lambda: None,
    ) -> None:
        """`on_gap`: called when events were lost for good."""
        self.position = position
        """The `seq` up to which all frames were delivered."""
        self._fetch = fetch
        self._deliver = deliver
        self._on_gap = on_gap

    async def catch_up(self, head: int) -> None:
        """Fetches the missing frames up to `head`."""
        while self.position < head:
            page = await self._fetch(self.position)
            if page.get("truncated"):
                # Too many events were missed: a bot does not answer messages that are so far back.
                self.position = page["head"]
                self._on_gap()
                return
            for frame in page["frames"]:
                self._handle(frame, is_replay=True)
            if not page.get("more"):
                self.position = max(self.position, page["head"])
                return

    async def take(self, frame: Frame) -> None:
        """A frame of the socket, which may show that earlier ones are missing."""
        if frame["seq"] == frame["prev"]:
            # Outside the log.
            self._deliver(frame, False)
            return
        await self.catch_up(frame["prev"])
        self._handle(frame, is_replay=False)

    def _handle(self, frame: Frame, is_replay: bool) -> None:
        if frame["seq"] == frame["prev"]:
            self._deliver(frame, is_replay)
        elif frame["seq"] > self.position:
            self.position = frame["seq"]
            self._deliver(frame, is_replay)
