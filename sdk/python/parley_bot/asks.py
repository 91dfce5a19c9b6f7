"""The questions of a bot: the handlers of this daemon that wait, and answers for which no handler waits."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .api import Api
from .clock import Clock
from .errors import ApiError, Stopped
from .look_back import seconds_of
from .questions import asked_by
from .resources import Decision, Message
from .retries import persist

# How long a daemon whose handler waits has to go on, before another one takes its place.
OTHERS_S = 1.0
# Answers that are older when a daemon starts are left.
HEEDED_WITHIN_S = 7 * 86_400.0
PAGE = 200
MAX_PAGES = 10
REMEMBERED = 10_000


@dataclass(frozen=True)
class Waiting:
    asked: Decision
    chat_id: str
    end: asyncio.Future[Decision]


class Asks:
    def __init__(
        self,
        api: Api,
        clock: Clock,
        username: Callable[[], str],
        resume: Callable[[Message, str], Awaitable[None]],
        spawn: Callable[[Coroutine[Any, Any, Any]], None],
    ) -> None:
        """`resume` runs the handler again that has asked, as no daemon may wait for the answer any more."""
        self._api = api
        self._clock = clock
        self._username = username
        self._resume = resume
        self._spawn = spawn
        self._waiting: dict[str, Waiting] = {}
        # Decisions that have ended without a handler that waited; one may be about to.
        self._ended: OrderedDict[str, Decision] = OrderedDict()
        self._is_stopped = False

    async def ended(self, message: Message, asked: Decision) -> Decision:
        """Returns the decision once it has ended. Holds no timer and no call."""
        if known := self._ended.get(asked["id"]):
            return known
        end: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._waiting[asked["id"]] = Waiting(asked, message["conversation_id"], end)
        try:
            return await end
        finally:
            del self._waiting[asked["id"]]

    def note(self, id: str, decision: Decision) -> None:
        """A decision has ended, perhaps of another account."""
        if decision["state"] == "open" or self._is_stopped:
            return
        if waiting := self._waiting.get(id):
            _end(waiting, decision)
        elif self._is_new(id, decision):
            self._spawn(self._take_later(id, self._patience(decision)))

    def drop(self, ids: Sequence[str]) -> None:
        """Messages were deleted: nobody can answer a deleted question."""
        for id in ids:
            if waiting := self._waiting.get(id):
                _end(waiting, {**waiting.asked, "state": "withdrawn"})

    def leave(self, chat_id: str) -> None:
        """The bot is no longer in a conversation."""
        for waiting in self._waiting.values():
            if waiting.chat_id == chat_id and not waiting.end.done():
                waiting.end.set_exception(Stopped("over"))

    async def look_back(self) -> None:
        """Finds answers that no event reports: those from before the log that is read."""
        await self._look_at_waiting()
        cursor: dict[str, str] = {}
        for _ in range(MAX_PAGES):
            page = await self._page(cursor)
            for question in page["items"]:
                decision = question.get("decision")
                if decision and asked_by(question) and self._is_recent(question, decision):
                    await self._heed(question, decision)
            if self._is_stopped or "next_cursor" not in page:
                return
            cursor = {"cursor": page["next_cursor"]}

    def stop(self) -> None:
        self._is_stopped = True

    async def _heed(self, question: Message, decision: Decision) -> None:
        id = question["id"]
        if id in self._waiting or self._patience(decision) > 0:
            self.note(id, decision)
        elif self._is_new(id, decision):
            await self._take(question)

    async def _page(self, cursor: dict[str, str]) -> Any:
        # A service of before decisions has none.
        with suppress(ApiError):
            return await persist(self._clock, lambda _: self._api.getDecisions(limit=PAGE, **cursor))
        return {"items": []}

    async def _look_at_waiting(self) -> None:
        """What became of the questions for which handlers of this daemon wait."""
        ids = list(self._waiting)
        for at in range(0, len(ids), PAGE):
            asked = ids[at : at + PAGE]
            found = {question["id"]: question.get("decision") for question in await self._fetch(asked)}
            for id in asked:
                if decision := found.get(id):
                    self.note(id, decision)
                else:
                    self.drop([id])

    async def _fetch(self, ids: Sequence[str]) -> list[Message]:
        page = await persist(self._clock, lambda _: self._api.getMessages(message_ids=list(ids)))
        found: list[Message] = page["items"]
        return found

    def _is_recent(self, question: Message, decision: Decision) -> bool:
        if decision["state"] == "open":
            return False
        at = _end_of(decision)
        return self._clock.now() - (seconds_of(question["created_at"]) if at is None else at) <= HEEDED_WITHIN_S

    def _patience(self, decision: Decision) -> float:
        """How long to leave the answer to a daemon whose handler waits."""
        at = _end_of(decision)
        since_s = 0.0 if at is None else max(0.0, self._clock.now() - at)
        return max(0.0, OTHERS_S - since_s)

    def _is_new(self, id: str, decision: Decision) -> bool:
        if id in self._ended:
            return False
        self._ended[id] = decision
        if len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)
        return True

    async def _take_later(self, id: str, seconds: float) -> None:
        await self._clock.sleep(seconds)
        if id in self._waiting or self._is_stopped:
            return
        # The question may have been deleted since.
        for question in await self._fetch([id]):
            await self._take(question)

    async def _take(self, question: Message) -> None:
        origin = asked_by(question)
        is_own = question["sender"]["username"] == self._username()
        if is_own and origin and question["id"] not in self._waiting and not self._is_stopped:
            await self._resume(question, origin)


def _end(waiting: Waiting, decision: Decision) -> None:
    if not waiting.end.done():
        waiting.end.set_result(decision)


def _end_of(decision: Decision) -> float | None:
    """When a decision ended; None if the service does not say."""
    at = decision.get("expires_at") if decision["state"] == "expired" else decision.get("decided_at")
    return None if at is None else seconds_of(at)
