"""Suggestions while a user types `@bot …`."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from .api import Api
from .errors import ApiError
from .handlers import InlineContext, InlineHandler

# How long the service waits for an answer.
WAIT_S = 3.0
MAX_AT_ONCE = 100
MAX_RESULTS = 50
MAX_RESULT_BYTES = 4_096


async def suggest_nothing(_query: str, _ctx: InlineContext) -> list[str]:
    """The inline handler of a bot that sets none: it answers at once, so that users do not wait."""
    return []


class InlineQueries:
    def __init__(
        self,
        api: Api,
        handler: InlineHandler,
        log: Callable[[str], None],
        on_error: Callable[[Exception], Awaitable[None]],
    ) -> None:
        self._api = api
        self._handler = handler
        self._log = log
        self._on_error = on_error
        # By user and conversation: a newer query cancels the older one.
        self._open: dict[tuple[str, str], asyncio.Task[Sequence[str]]] = {}

    async def answer(self, params: dict[str, Any]) -> None:
        place = (params["conversation_id"], params["from"]["username"])
        if place in self._open:
            self._open[place].cancel()
        results: Sequence[str] = []
        if len(self._open) < MAX_AT_ONCE:
            ctx = InlineContext(self._api, params["query"], params["conversation_id"], params["from"])
            task = asyncio.create_task(self._suggest(ctx))
            self._open[place] = task
            await asyncio.wait([task], timeout=WAIT_S)
            if self._open.get(place) is task:
                del self._open[place]
            if not task.done():
                task.cancel()
                return
            if task.cancelled():
                return
            results = task.result()
        try:
            await self._api.answerInlineQuery(query_id=params["query_id"], results=self._fitting(results))
        except ApiError as error:
            # Otherwise the answer came too late.
            if error.code != "not_found":
                raise

    def stop(self) -> None:
        for task in self._open.values():
            task.cancel()

    async def _suggest(self, ctx: InlineContext) -> Sequence[str]:
        try:
            return await self._handler(ctx.query, ctx)
        except Exception as error:
            await self._on_error(error)
            return []

    def _fitting(self, results: Sequence[str]) -> list[str]:
        fitting = [text for text in results if len(text.encode()) <= MAX_RESULT_BYTES][:MAX_RESULTS]
        left = len(results) - len(fitting)
        if left > 0:
            self._log(f"{left} suggestions were left out: the limit is {MAX_RESULTS} of 4 KiB each")
        return fitting
