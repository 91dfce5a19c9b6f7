"""The connection over which events arrive: one socket after another."""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Literal
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from .api import Api
from .clock import Clock
from .errors import ApiError
from .look_back import ten_minutes_ago
from .resources import Account
from .retries import asked_delay
from .update_log import Frame, Page, UpdateLog

# How long a connection may be silent before it counts as dead; the service ticks every 25 s.
DEAD_S = 75.0
# How long the service may take to send its greeting.
GREETING_S = 20.0
# How long a connection must be live before the next failure starts with short delays again.
LIVE_WHILE_S = 10.0
# How long to wait for the service's part of the close handshake.
FAREWELL_S = 1.0
SESSION_ENDED = 4401
# Close codes of a service that restarts or sheds sockets: the bot reconnects soon.
SOON = frozenset({1012, 1013})
UPDATES_PAGE = 1_000
# Maximum size of a frame: several times that of the largest message.
MAX_BYTES = 8 * 1024 * 1024
# Maximum frames that wait while missed ones are fetched; later ones are dropped and fetched too.
MAX_WAITING = 2_000

State = Literal["connecting", "live", "waiting", "closed"]


class Connection:
    def __init__(
        self,
        url: str,
        token: str,
        clock: Clock,
        on_frame: Callable[[Frame, bool], None],
        on_state: Callable[[State], None],
        on_gap: Callable[[], None],
    ) -> None:
        """`on_gap`: called when the log begins, and when events were lost for good."""
        self.url = url
        self.api = Api(url, token, self.refuse)
        self.account: Account | None = None
        self.state: State = "connecting"
        self._address = f"{url.replace('http', 'ws', 1)}/api/ws?" + urlencode({"token": token, "caps": "nodrafts,ext"})
        self._clock = clock
        self._on_frame = on_frame
        self._on_state = on_state
        self._on_gap = on_gap
        self._socket_id = ""
        self._log: UpdateLog | None = None
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._run())

    def refuse(self) -> None:
        """The service does not accept the token, or no longer does."""
        self._enter("closed")
        if self._task:
            self._task.cancel()

    async def close(self) -> None:
        self._enter("closed")
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self.api.close()

    def _enter(self, state: State) -> None:
        if state == self.state or self.state == "closed":
            return
        self.state = state
        self._on_state(state)

    async def _run(self) -> None:
        attempt = 0
        while self.state != "closed":
            self._enter("connecting")
            begun_at = self._clock.monotonic()
            self._socket_id = ""
            code = await self._use_socket()
            if code == SESSION_ENDED:
                self.refuse()
                return
            if not self._socket_id:
                await self._find_refusal()
            elif self._clock.monotonic() - begun_at >= LIVE_WHILE_S:
                attempt = 0
            self._enter("waiting")
            is_soon = code in SOON and attempt == 0
            await self._clock.sleep(self._clock.soon_delay() if is_soon else self._clock.retry_delay(attempt))
            attempt += 1

    async def _find_refusal(self) -> None:
        """The socket failed before its greeting: an HTTP call finds out whether the token is refused."""
        # A refused token is handled where it is answered; other errors are expected while offline.
        with suppress(ApiError, ConnectionError):
            await self.api.getMe()

    async def _use_socket(self) -> int | None:
        """Follows the log over one socket until it is lost; returns its close code."""
        try:
            # The service ticks, so it is not pinged.
            async with connect(
                self._address,
                open_timeout=GREETING_S,
                close_timeout=FAREWELL_S,
                ping_interval=None,
                max_size=MAX_BYTES,
            ) as socket:
                await self._follow(socket)
        except ConnectionClosed as error:
            return error.rcvd.code if error.rcvd else None
        except (OSError, TimeoutError, WebSocketException):
            pass
        except (ValueError, KeyError, TypeError):
            pass  # What answers is not the service, for example a proxy.
        return None

    async def _follow(self, socket: ClientConnection) -> None:
        async with asyncio.timeout(GREETING_S):
            hello = json.loads(await socket.recv())
        self.account = hello["params"]
        self._socket_id = hello["socket"]
        inbox = Inbox()
        delivery = asyncio.create_task(self._deliver(inbox, hello["head"]))
        # A socket whose frames cannot be delivered is useless.
        delivery.add_done_callback(lambda _: socket.transport.abort())
        try:
            while True:
                async with asyncio.timeout(DEAD_S):
                    message = json.loads(await socket.recv())
                inbox.put(message)
        finally:
            delivery.cancel()
            await asyncio.wait([delivery])

    async def _deliver(self, inbox: "Inbox", head: int) -> None:
        if not self._log:
            position = await self._persist(lambda: ten_minutes_ago(self._fetch, self._clock.now()))
            fetch = partial(self._fetch, limit=UPDATES_PAGE)
            self._log = UpdateLog(fetch, self._on_frame, position, self._on_gap)
            self._on_gap()
        log = self._log
        await self._persist(partial(log.catch_up, head))
        self._enter("live")
        while True:
            frame = await inbox.get()
            if frame["method"] == "events.tick":
                missed = int(frame["params"]["head"])
                await self._persist(partial(log.catch_up, missed))
            else:
                await self._persist(partial(log.take, frame))

    async def _fetch(self, since: int, limit: int) -> Page:
        page: Page = await self.api.getUpdates(since=since, limit=limit, socket=self._socket_id)
        return page

    async def _persist(self, work: Callable[[], Any]) -> Any:
        """Repeats work that reads the log, until the service answers or the socket is lost."""
        attempt = 0
        while True:
            try:
                return await work()
            except (ApiError, ConnectionError) as error:
                if isinstance(error, ApiError) and error.code == "not_found":
                    raise  # The service has lost the socket.
                await self._clock.sleep(self._clock.retry_delay(attempt) + asked_delay(error))
                attempt += 1


class Inbox:
    """Frames that have arrived and are not delivered yet."""

    def __init__(self) -> None:
        self._frames: deque[dict[str, Any]] = deque()
        self._is_filled = asyncio.Event()

    def put(self, frame: dict[str, Any]) -> None:
        # The next frame after a dropped one, or the next tick, shows that it is missing.
        if "method" in frame and len(self._frames) < MAX_WAITING:
            self._frames.append(frame)
            self._is_filled.set()

    async def get(self) -> dict[str, Any]:
        while not self._frames:
            self._is_filled.clear()
            await self._is_filled.wait()
        return self._frames.popleft()
