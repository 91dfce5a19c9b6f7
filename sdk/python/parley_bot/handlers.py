"""What a program gives to its bot."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .api import Api
from .resources import Actor, BotCommand
from .turn import ActionContext, CommandContext, Context


@dataclass(frozen=True)
class InlineContext:
    """An inline query. The handler's task is cancelled after three seconds, or when the user types more."""

    api: Api
    query: str
    conversation_id: str
    sender: Actor
    """The account that is typing."""


MessageHandler = Callable[[Context], Awaitable[Any]]
CommandHandler = Callable[[CommandContext], Awaitable[Any]]
ActionHandler = Callable[[ActionContext], Awaitable[Any]]
InlineHandler = Callable[[str, InlineContext], Awaitable[Sequence[str]]]
Next = Callable[[], Awaitable[None]]
Middleware = Callable[[Context, Next], Awaitable[Any]]
ErrorHandler = Callable[[Exception, Context | None], Awaitable[Any]]
"""Its second argument is None for an error outside of a message."""


@dataclass
class Handlers:
    """Runs middleware around the handlers of a message or press."""

    middleware: list[Middleware] = field(default_factory=list)
    of_message: list[MessageHandler] = field(default_factory=list)
    of_any: list[MessageHandler] = field(default_factory=list)
    of_command: dict[str, CommandHandler] = field(default_factory=dict)
    of_action: list[tuple[re.Pattern[str], ActionHandler]] = field(default_factory=list)
    # The commands that the app suggests.
    commands: dict[str, BotCommand] = field(default_factory=dict)

    def wants(self, is_dispatched: bool) -> bool:
        return bool(self.of_any) or (is_dispatched and bool(self.of_message or self.of_command))

    async def run(self, ctx: Context) -> None:
        async def enter(at: int) -> None:
            if at == len(self.middleware):
                await self._handle(ctx)
                return
            is_called = False

            async def enter_next() -> None:
                nonlocal is_called
                if is_called:
                    raise RuntimeError("a middleware called next() twice")
                is_called = True
                await enter(at + 1)

            await self.middleware[at](ctx, enter_next)

        await enter(0)

    async def _handle(self, ctx: Context) -> None:
        if isinstance(ctx, ActionContext):
            for pattern, press_handler in self.of_action:
                if ctx._finds(pattern):
                    await press_handler(ctx)
            return
        for handler in self.of_any:
            await handler(ctx)
        if not ctx.is_dispatched:
            return
        if isinstance(ctx, CommandContext) and ctx.command.name in self.of_command:
            await self.of_command[ctx.command.name](ctx)
            return
        for handler in self.of_message:
            await handler(ctx)
