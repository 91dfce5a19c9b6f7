"""Turns from events."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from .around_message import earlier_message, timeline_of
from .asks import Asks
from .clock import Clock
from .connection import Connection
from .errors import Stopped
from .handlers import Handlers, InlineHandler
from .inline_queries import InlineQueries
from .look_back import ANSWERED_WITHIN_S, seconds_of
from .questions import decision_of
from .resources import Account, Actor, Message
from .retries import persist
from .stops import heed_stop
from .turn import ActionContext, CommandContext, Context, Press, command_in
from .turn_queue import TurnQueue
from .update_log import Frame
from .without_mention import without_mention

REMEMBERED = 20_000
# How long cancelled answers may take to report their end.
FAREWELL_S = 3.0
FORGOTTEN_TEXT = "I was restarted and do not know any more what to do with your answer. Please begin again."
BUSY_TEXT = "I am busy right now. Please try again later."

Report = Callable[[Exception, Context | None], Awaitable[None]]
"""Receives the errors of handlers; never raises."""


class Intake:
    def __init__(
        self,
        connection: Connection,
        clock: Clock,
        handlers: Handlers,
        inline: InlineHandler,
        *,
        turns_at_once: int,
        turns_waiting: int,
        log: Callable[[str], None],
        report: Report,
    ) -> None:
        self._connection = connection
        self._clock = clock
        self._handlers = handlers
        self._report = report
        self._queue = TurnQueue(turns_at_once, turns_waiting, self._run)
        self._inline = InlineQueries(connection.api, inline, log, lambda error: report(error, None))
        self._known: OrderedDict[str, None] = OrderedDict()
        self._asks = Asks(connection.api, clock, lambda: self._account["username"], self._resume, self._spawn)
        # The turns that have begun, with those that wait for people.
        self._begun: dict[Context, asyncio.Task[None]] = {}
        self._maybe_answered: set[Context] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopping = False

    def take(self, frame: Frame, is_replay: bool) -> None:
        """An event of the log."""
        params = frame["params"]
        match frame["method"]:
            case "events.messageNew":
                self._take_message(params, is_replay)
            case "events.messageComplete":
                # A reply that goes on ends several times: an earlier daemon may have answered it.
                self._take_message(params, is_replay, is_end=True)
            case "events.messageDeleted":
                for id in params["ids"]:
                    self._drop(id)
                self._asks.drop(params["ids"])
            case "events.decisionUpdated":
                self._asks.note(params["message_id"], params["decision"])
            case "events.conversationRemoved":
                self._asks.leave(params["conversation_id"])
            case "events.cancelRun":
                api, account = self._connection.api, self._account
                self._spawn(heed_stop(api, self._clock, account, self._queue.turns, params))
            case "events.componentAction":
                self._spawn(self._take_press(params, is_replay))
            case "events.inlineQuery":
                if not self._is_stopping:
                    self._spawn(self._inline.answer(params))

    def look_back(self) -> None:
        """Events from before this moment are not reported."""
        if not self._is_stopping:
            self._spawn(self._asks.look_back())

    def doubt(self) -> None:
        """The connection was lost."""
        for turn in self._queue.turns:
            turn._doubt()

    async def stop(self, grace_s: float) -> None:
        self._is_stopping = True
        self._inline.stop()
        self._asks.stop()
        self._queue.clear()
        running = set(self._queue.turns)
        for turn in list(self._begun):
            # The next daemon goes on with what people are asked.
            if turn not in running:
                turn._stop("stopping")
        await self._queue.idle(grace_s)
        for turn in list(self._begun):
            turn._stop("stopping")
        if self._begun:
            await asyncio.wait(self._begun.values(), timeout=FAREWELL_S)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=FAREWELL_S)
        for task in self._tasks:
            task.cancel()

    @property
    def _account(self) -> Account:
        account = self._connection.account
        assert account, "events follow the greeting"
        return account

    def _take_message(self, message: Message, is_replay: bool, is_end: bool = False) -> None:
        username = self._account["username"]
        is_streaming = message["status"] == "streaming"
        if message["sender"]["username"] == username:
            if not is_streaming:
                self._drop(message["id"])
            return
        if self._is_stopping or is_streaming or "deleted_at" in message:
            return
        is_dispatched = username in message["dispatch"]
        if not self._handlers.wants(is_dispatched) or not self._is_new(message["id"], is_dispatched):
            return
        age_s = self._clock.now() - seconds_of(message.get("finalized_at") or message["created_at"])
        if is_replay and age_s > ANSWERED_WITHIN_S:
            return
        turn = self._turn(self._kind_of(message), message, is_dispatched)
        self._begin(turn, is_replay or is_end)

    async def _take_press(self, pressed: Mapping[str, Any], is_replay: bool) -> None:
        """A press is handled in the timeline of its message, after the messages there that wait."""
        id = pressed["action_id"]
        if self._is_stopping or not self._handlers.of_action or not self._remember(f"press {id}"):
            return
        api = self._connection.api
        page = await persist(self._clock, lambda _: api.getMessages(message_ids=[pressed["message_id"]]))
        items = page["items"]
        # The message may have been deleted since.
        if items and not self._is_stopping:
            press = Press(id, pressed["action"], pressed.get("fields") or {})
            self._begin(self._turn(ActionContext, items[0], True, (press, pressed["from"])), is_replay)

    async def _resume(self, question: Message, origin: str) -> None:
        """Runs a handler again whose question has ended, and for which no daemon waits any more."""
        if origin.startswith("press:"):
            # The service keeps no presses.
            if decision_of(question)["state"] == "decided":
                await self._turn(Context, question, True)._fail(FORGOTTEN_TEXT)
            return
        api = self._connection.api
        page = await persist(self._clock, lambda _: api.getMessages(message_ids=[origin]))
        for message in page["items"]:
            is_dispatched = self._account["username"] in message["dispatch"]
            # What fired the handler may have been deleted.
            if "deleted_at" in message or self._is_stopping or not self._handlers.wants(is_dispatched):
                continue
            turn = self._turn(self._kind_of(message), message, is_dispatched, resumes_at=question["id"])
            self._queue.again(timeline_of(message), turn)

    def _kind_of(self, message: Message) -> type[Context]:
        is_command = command_in(without_mention(message["content"], self._account["username"])) is not None
        return CommandContext if is_command else Context

    def _turn(
        self,
        kind: type[Context],
        message: Message,
        is_dispatched: bool,
        pressed: tuple[Press, Actor] | None = None,
        resumes_at: str | None = None,
    ) -> Context:
        connection = self._connection
        turn = kind(
            connection.api,
            self._clock,
            self._account,
            message,
            lambda: connection.state == "live",
            is_dispatched=is_dispatched,
            pressed=pressed,
        )
        turn._asks = self._asks
        turn._queue_again = lambda: self._queue_again(turn)
        turn._resumes_at = resumes_at
        return turn

    def _queue_again(self, turn: Context) -> None:
        if not self._is_stopping:
            self._queue.again(timeline_of(turn.message), turn)

    def _begin(self, turn: Context, may_be_answered: bool) -> None:
        if may_be_answered:
            self._maybe_answered.add(turn)
        if not self._queue.add(timeline_of(turn.message), turn) and turn.is_dispatched:
            self._spawn(turn._fail(BUSY_TEXT))

    def _is_new(self, id: str, is_dispatched: bool) -> bool:
        """False if the message was taken before: a reply that goes on may fire the bot only at a later end."""
        is_unknown = self._remember(id)
        return self._remember(f"{id} fired") if is_dispatched else is_unknown

    def _remember(self, name: str) -> bool:
        if name in self._known:
            return False
        self._known[name] = None
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return True

    async def _run(self, turn: Context) -> None:
        """Returns when the turn has ended, or waits for people."""
        turn._seat.enter()
        handling = self._begun.get(turn)
        if not handling:
            handling = asyncio.create_task(self._handle(turn))
            turn._task = handling
            self._begun[turn] = handling
            handling.add_done_callback(lambda _: self._begun.pop(turn))
        leaving = asyncio.create_task(turn._seat.left())
        await asyncio.wait([handling, leaving], return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()

    async def _handle(self, turn: Context) -> None:
        try:
            if not turn._stopped and not await self._is_answered(turn):
                await turn._take_up()
                await self._handlers.run(turn)
                turn._expect_no_more()
        except Stopped:
            pass
        except Exception as error:
            await self._report(error, turn)
        finally:
            turn._close()
            await self._leave(turn)

    async def _leave(self, turn: Context) -> None:
        try:
            await turn._leave_claim()
        except Exception as error:
            await self._report(error, turn)

    async def _is_answered(self, turn: Context) -> bool:
        if turn not in self._maybe_answered:
            return False
        self._maybe_answered.discard(turn)
        if not turn.is_dispatched:
            return False
        # If an earlier daemon died while answering, the service ends that answer (STREAM-7).
        username = self._account["username"]
        api = self._connection.api
        earlier = await persist(self._clock, lambda _: earlier_message(api, username, turn.message, turn._is_begun_by))
        return earlier is not None

    def _drop(self, reply_id: str) -> None:
        """Stops the turn that streams a reply of this bot that has ended or was deleted."""
        for turn in self._queue.turns:
            turn._drop_reply(reply_id)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        async def reported() -> None:
            try:
                await work
            except Exception as error:
                await self._report(error, None)

        task = asyncio.create_task(reported())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
