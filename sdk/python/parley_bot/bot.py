"""The bot: add handlers, then run it."""

import asyncio
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar
from urllib.parse import urlsplit

from .api import Api
from .clock import Clock
from .connection import Connection, State
from .errors import ApiError, StartError, Stopped
from .handlers import (
    ActionHandler,
    CommandHandler,
    ErrorHandler,
    Handlers,
    InlineHandler,
    MessageHandler,
    Middleware,
)
from .inline_queries import suggest_nothing
from .intake import Intake
from .resources import Account, BotArgument, BotCommand
from .turn import Context
from .update_log import Frame
from .why_no_connection import why_no_connection

Handler = TypeVar("Handler", bound=Callable[..., object])

DEFAULT_URL = "http://127.0.0.1:8080"
GRACE_S = 5.0
HOW_TO_HAVE_A_TOKEN = "create a bot in the web app, under Settings → Bots, and put its token, mb_…, into PARLEY_TOKEN"
HOW_TO_RENEW_A_TOKEN = (
    "create a new one in the web app, under Settings → Bots → New token, and put it into PARLEY_TOKEN"
)


def log_to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class Bot:
    """A daemon of a bot.

    url: the service's address; by default the environment variable `PARLEY_URL`, or `http://127.0.0.1:8080`.
    token: shown when the bot was created, `mb_…`; by default the environment variable `PARLEY_TOKEN`.
    turns_at_once: maximum messages handled at once, each in a different timeline.
    turns_waiting: maximum messages waiting. The bot answers further ones that it is busy.
    log: receives each log line; by default they go to stderr.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        turns_at_once: int = 50,
        turns_waiting: int = 1_000,
        log: Callable[[str], None] = log_to_stderr,
        clock: Clock | None = None,
    ) -> None:
        self._url = url
        self._token = token
        self._turns_at_once = turns_at_once
        self._turns_waiting = turns_waiting
        self._log = log
        self._clock = clock or Clock()
        self._handlers = Handlers()
        self._inline: InlineHandler = suggest_nothing
        self._on_error: ErrorHandler = self._log_and_apologize
        self._connection: Connection | None = None
        self._intake: Intake | None = None
        self._changed = asyncio.Event()
        self._has_connected = False
        self._is_stopping = False
        self._explaining: asyncio.Task[None] | None = None
        self._has_complained = False

    @property
    def api(self) -> Api:
        """The service's operations, available after the start."""
        return self._running.api

    @property
    def username(self) -> str:
        """The bot's own username, known once it has started."""
        account = self._running.account
        return account["username"] if account else ""

    @property
    def account(self) -> Account | None:
        return self._running.account

    def on_message(self, handler: MessageHandler) -> MessageHandler:
        """Adds a handler of messages that fire this bot: mentions, replies to it, all of a direct chat."""
        self._handlers.of_message.append(handler)
        return handler

    def on_any(self, handler: MessageHandler) -> MessageHandler:
        """Adds a handler of every message except the bot's own, including finished replies of other agents."""
        self._handlers.of_any.append(handler)
        return handler

    def command(
        self, name: str, *, description: str | None = None, arguments: Sequence[BotArgument] = ()
    ) -> Callable[[CommandHandler], CommandHandler]:
        """Adds the handler of a command, `@bot.command("weather")`: its messages go to no handler of `on_message`.

        One with a description is suggested by the app to people who type `/`: the bot sends those when it starts.
        """
        name = name.removeprefix("/")
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,31}", name):
            what = "/ and 1 to 32 of a-z, 0-9 and _, starting with a letter"
            raise ValueError(f'a command is {what}, not "{name}"')
        if description is not None:
            given: BotCommand = {"command": name, "description": description}
            if arguments:
                given["arguments"] = list(arguments)
            self._handlers.commands[name] = given

        def add(handler: CommandHandler) -> CommandHandler:
            self._handlers.of_command[name] = handler
            return handler

        return add

    def action(self, pattern: str | re.Pattern[str]) -> Callable[[ActionHandler], ActionHandler]:
        """Adds a handler of presses and submitted forms whose action is this text, or in which the pattern is found.

        A bot with such a handler asks for all its presses when it starts; the service then confirms none of them.
        """
        compiled = re.compile(rf"\A{re.escape(pattern)}\Z") if isinstance(pattern, str) else pattern

        def add(handler: ActionHandler) -> ActionHandler:
            self._handlers.of_action.append((compiled, handler))
            return handler

        return add

    def use(self, middleware: Middleware) -> Middleware:
        """Wraps every message handler; middleware runs in the order in which it was added."""
        self._handlers.middleware.append(middleware)
        return middleware

    def inline(self, handler: InlineHandler) -> InlineHandler:
        """Suggestions while a user types `@bot …`: at most 50 texts of 4 KiB, within three seconds."""
        self._inline = handler
        return handler

    def catch(self, handler: ErrorHandler) -> ErrorHandler:
        """Receives errors of handlers, instead of a log line and a short failed answer."""
        self._on_error = handler
        return handler

    def run(self) -> None:
        """Runs until SIGINT, SIGTERM or `stop()`. If the bot cannot run, prints one line and exits with code 1."""
        try:
            is_welcome = asyncio.run(self._run())
        except StartError as error:
            log_to_stderr(str(error))
            sys.exit(1)
        except KeyboardInterrupt:
            return  # Where signals cannot be handled in the loop.
        if not is_welcome:
            sys.exit(1)

    async def start(self) -> bool:
        """Returns True when connected, and False if stopped before.

        Raises StartError if the token is not a bot's. Keeps trying while the service does not answer. Messages that
        arrived in the last ten minutes while the bot was away are answered first.
        """
        if self._connection:
            raise RuntimeError("the bot has already been started")
        url, token = self._read_setup()
        self._connection = Connection(url, token, self._clock, self._take, self._note, self._look_back)
        self._intake = Intake(
            self._connection,
            self._clock,
            self._handlers,
            lambda query, ctx: self._inline(query, ctx),
            turns_at_once=self._turns_at_once,
            turns_waiting=self._turns_waiting,
            log=self._log,
            report=self._report,
        )
        self._connection.open()
        try:
            is_connected = await self._arrive(self._connection)
            if is_connected:
                await self._announce()
            return is_connected
        except BaseException:
            await self.stop(grace_s=0)
            raise

    async def wait(self) -> None:
        """Returns when the bot has stopped, or its token was revoked."""
        await self._until(lambda: self._running.state == "closed")

    async def stop(self, *, grace_s: float = GRACE_S) -> None:
        """Starts no new turns, lets running answers finish, cancels the rest after the grace period, disconnects."""
        self._is_stopping = True
        self._changed.set()
        if self._intake:
            await self._intake.stop(grace_s)
        if self._explaining:
            self._explaining.cancel()
        if self._connection:
            await self._connection.close()

    async def _run(self) -> bool:
        """Whether the bot ended because it was asked to."""
        stopping: list[asyncio.Task[None]] = []

        def on_signal() -> None:
            # The first signal stops gracefully, the second immediately.
            if stopping:
                os._exit(1)
            stopping.append(asyncio.create_task(self.stop()))

        loop = asyncio.get_running_loop()
        with suppress(NotImplementedError):  # On Windows.
            for name in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(name, on_signal)
        try:
            if await self.start():
                await self.wait()
            await asyncio.gather(*stopping)
            return self._is_stopping
        finally:
            await self.stop(grace_s=0)

    async def _arrive(self, connection: Connection) -> bool:
        await self._until(lambda: self._has_connected or connection.state == "closed" or self._is_stopping)
        if self._is_stopping:
            return self._has_connected
        if not self._has_connected:
            raise StartError(f"{connection.url} refuses the token: {HOW_TO_RENEW_A_TOKEN}")
        if connection.account and connection.account["kind"] != "agent":
            raise StartError(f"the token belongs to a person: {HOW_TO_HAVE_A_TOKEN}")
        return True

    async def _announce(self) -> None:
        """Tells the service what the handlers need. A bot that may not do so works without it."""
        try:
            if self._handlers.of_action:
                await self.api.setBotConfig(username=self.username, handles_actions=True)
            if self._handlers.commands:
                await self.api.setBotCommands(commands=list(self._handlers.commands.values()))
        except (ApiError, ConnectionError) as error:
            await self._report(error, None)

    def _read_setup(self) -> tuple[str, str]:
        url = (self._url or os.environ.get("PARLEY_URL") or DEFAULT_URL).rstrip("/")
        token = self._token or os.environ.get("PARLEY_TOKEN") or ""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise StartError(f'PARLEY_URL must be an address such as {DEFAULT_URL}, not "{url}"')
        if token == "":
            raise StartError(f"a bot needs its token: {HOW_TO_HAVE_A_TOKEN}")
        return url, token

    @property
    def _running(self) -> Connection:
        if not self._connection:
            raise RuntimeError("the bot has not been started")
        return self._connection

    def _take(self, frame: Frame, is_replay: bool) -> None:
        if self._intake:
            self._intake.take(frame, is_replay)

    def _look_back(self) -> None:
        if self._intake:
            self._intake.look_back()

    def _note(self, state: State) -> None:
        connection = self._running
        if state == "live" and not self._has_connected:
            self._has_connected = True
            if self._has_complained:
                self._log(f"connected to {connection.url}")
        if state == "waiting":
            if self._intake:
                self._intake.doubt()
            if not self._has_connected and not self._explaining:
                self._explaining = asyncio.create_task(self._explain())
        if state == "closed" and self._has_connected and not self._is_stopping:
            self._log(f"{connection.url} has revoked the token of {self.username}: {HOW_TO_RENEW_A_TOKEN}")
        self._changed.set()

    async def _explain(self) -> None:
        """Logs why the bot cannot connect, once: a bot that waits for its service must not fill the log."""
        connection = self._running
        why = await why_no_connection(connection.api)
        if why and not self._has_connected and not self._is_stopping:
            self._has_complained = True
            self._log(f"{connection.url} {why}; trying again")

    async def _until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            self._changed.clear()
            await self._changed.wait()

    async def _report(self, error: Exception, ctx: Context | None) -> None:
        """Never raises."""
        try:
            await self._on_error(error, ctx)
        except Stopped:
            pass
        except Exception as second:
            self._log(_describe(second))

    async def _log_and_apologize(self, error: Exception, ctx: Context | None) -> None:
        self._log(_describe(error))
        if ctx and ctx._wants_apology:
            await ctx._fail()


def _describe(error: Exception) -> str:
    return "".join(traceback.format_exception(error)).rstrip()
