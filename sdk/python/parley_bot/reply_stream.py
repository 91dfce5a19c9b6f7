"""A reply that is being written."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from .api import Api
from .clock import Clock
from .errors import ApiError
from .growing_text import GrowingText
from .part_queue import PartQueue, Written
from .resources import Message, Part, TokenUsage
from .retries import PASSING, persist

# How long text is batched before it is sent; the first text is sent immediately.
GATHER_S = 0.05
# Interval of keep-alives for an idle reply: the service ends replies that seem abandoned.
KEEP_ALIVE_S = 20.0
# The service's limit for texts of agents.
MAX_BYTES = 256 * 1024
# Maximum bytes of one append: its JSON is at most six times as long, and a request has at most 1 MiB.
MAX_PIECE = 128 * 1024
MAX_CONFLICTS = 8

EndStatus = Literal["complete", "failed", "cancelled"]


class ReplyStream:
    """Holds the whole text of a reply and how much of it the service has."""

    def __init__(
        self,
        api: Api,
        clock: Clock,
        message: Message,
        *,
        is_doubtful: bool,
        on_cancel_requested: Callable[[], None],
        on_over: Callable[[], None],
    ) -> None:
        """`is_doubtful`: it is unknown whether this daemon or another one started the reply."""
        self.id = message["id"]
        self.is_over = False
        self._api = api
        self._clock = clock
        self._message = message
        self._is_doubtful = is_doubtful
        self._on_cancel_requested = on_cancel_requested
        self._on_over = on_over
        self._text = GrowingText(MAX_BYTES)
        self._parts = PartQueue()
        self._is_ending = False
        self._wake = asyncio.Event()
        self._failure: Exception | None = None
        self._pump = asyncio.create_task(self._run())

    def write(self, chunk: str) -> bool:
        """False if the reply takes no more text."""
        if self._failure:
            raise self._failure
        if self.is_over:
            return False
        is_within = self._text.push(chunk)
        self._wake.set()
        return is_within

    def part(self, part: Part) -> Written:
        """Resolves when the service has the part, or when the reply is over."""
        written = self._parts.put(part, len(self._text))
        if self.is_over or self._is_ending:
            self._parts.close()
        self._wake.set()
        return written

    def think(self, id: str, text: str) -> None:
        """Adds a text to the reasoning with this id."""
        if not self.is_over and not self._is_ending:
            self._parts.think(id, text, len(self._text))
            self._wake.set()

    @property
    def is_doubtful(self) -> bool:
        """Whether another daemon may have started the reply."""
        return self._is_doubtful

    def drop(self) -> None:
        """Stops writing, because the reply ended elsewhere."""
        if self.is_over:
            return
        self.is_over = True
        self._parts.close()
        self._wake.set()
        self._on_over()

    def doubt(self) -> None:
        """The connection was lost: the service may have been restarted, and have lost parts (PART-10)."""
        if not self.is_over and not self._is_ending:
            self._parts.doubt()
            self._wake.set()

    async def finish(
        self,
        status: EndStatus,
        attachments: list[dict[str, Any]] | None,
        usage: TokenUsage | None,
        empty_text: str = "",
    ) -> Message | None:
        """Ends the reply with the whole text, whichever pieces have arrived. None if the reply was already over.

        If the service refuses the attachments or the usage, the reply ends without them and the refusal is raised
        (BOTSDK-23).
        """
        self._text.end()
        self._parts.end_thoughts()
        self._is_ending = True
        self._wake.set()
        await self._pump
        await self._send_parts()
        if self.is_over:
            return None
        text = self._text.text or empty_text
        plain: dict[str, Any] = {"status": status, **({"text": text} if text else {})}
        given = {"attachments": attachments, "usage": usage}
        whole = {**plain, **{name: value for name, value in given.items() if value is not None}}
        return await self._end_as([whole, plain, {"status": "failed"}], status)

    async def _end_as(self, endings: list[dict[str, Any]], status: EndStatus) -> Message | None:
        """Tries one ending after another until the service accepts one."""
        refusal: ApiError | None = None
        message: Message | None = None
        for ending in endings:
            try:
                message = await persist(self._clock, partial(self._end_once, ending))
                break
            except ApiError as error:
                if error.code in PASSING:
                    raise
                # The 404 or 403 may concern an attachment.
                if _is_end(error) and "attachments" not in ending:
                    break
                refusal = refusal or error
        if message is None:
            self.drop()
        self.is_over = True
        self._parts.close()
        # If the status is not `complete`, the caller already raises its own error.
        if refusal and status == "complete":
            raise refusal
        return message

    async def _end_once(self, ending: dict[str, Any], is_repeated: bool) -> Message:
        try:
            ended: Message = await self._api.finishMessageStream(message_id=self.id, **ending)
            return ended
        except ApiError as error:
            if not is_repeated or not _is_end(error):
                raise
            # An earlier call whose answer was lost may have ended it.
            items = (await self._api.getMessages(message_ids=[self.id]))["items"]
            if items and items[0]["status"] == "streaming":
                raise
            return items[0] if items else self._message

    async def _run(self) -> None:
        """Sends what is not sent yet, and keep-alives while there is nothing to send."""
        try:
            while not self.is_over and not self._is_ending:
                self._wake.clear()
                if self._text.has_unsent or self._parts.has_unsent:
                    # The first append also finds out whether another daemon has the reply.
                    if self._text.has_unsent or self._is_doubtful:
                        await self._append()
                    await self._send_parts()
                    await self._wait(GATHER_S, lambda: self.is_over or self._is_ending)
                elif not await self._wait(KEEP_ALIVE_S, self._wake.is_set):
                    await self._keep_alive()
        except Exception as error:
            self._failure = error

    async def _wait(self, seconds: float, is_enough: Callable[[], bool]) -> bool:
        """Whether it is enough before the time is over."""
        try:
            async with asyncio.timeout(seconds):
                while not is_enough():
                    await self._wake.wait()
                    if not is_enough():
                        self._wake.clear()
            return True
        except TimeoutError:
            return False

    async def _append(self) -> None:
        conflicts = 0
        while True:
            piece = self._text.next(MAX_PIECE)
            try:
                await self._change(delta=piece.delta, offset=piece.offset)
                self._text.sent_bytes = piece.offset
                self._is_doubtful = False
                return
            except ApiError as error:
                if error.offset is None:
                    if not _is_end(error):
                        raise
                    self.drop()
                    return
                # The service has text that this daemon did not send: another daemon streams the reply.
                if self._is_doubtful and error.offset > 0:
                    self.drop()
                    return
                # After a crash the service has less than it acknowledged, and after a lost answer more (STREAM-14).
                self._parts.doubt()
                conflicts += 1
                if conflicts <= MAX_CONFLICTS and self._text.continue_from(error.offset):
                    if not self._text.has_unsent:
                        return
                    continue
                text = self._text.text
                await self._change(text=text)
                self._text.sent_bytes = len(text.encode())
                return

    async def _send_parts(self) -> None:
        if self.is_over:
            return
        try:
            await self._parts.send(lambda part: self._change(part=part))
        except ApiError as error:
            if not _is_end(error):
                raise
            self.drop()

    async def _keep_alive(self) -> None:
        """An empty append renews the lease and reports stops and the end."""
        try:
            await self._call(delta="", offset=self._text.sent_bytes)
        except ApiError as error:
            if _is_end(error):
                self.drop()
        except ConnectionError:
            pass  # Shows up with the next append.

    async def _change(self, **change: Any) -> None:
        await persist(self._clock, lambda _: self._call(**change))

    async def _call(self, **change: Any) -> None:
        answer = await self._api.appendMessageStream(message_id=self.id, **change)
        if answer["cancel_requested"]:
            self._on_cancel_requested()


def _is_end(error: ApiError) -> bool:
    """Whether the stream is over: it ended, was deleted, or the bot was removed from the conversation."""
    return error.code in ("not_found", "forbidden") or (error.code == "conflict" and error.offset is None)
