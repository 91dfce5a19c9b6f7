"""What a program gives to its bot."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .api import Api
from .resources import Actor
from .turn import Context


@dataclass(frozen=True)
class InlineContext:
    """An inline query. The handler's task is cancelled after three seconds, or when the user types more."""

    api: Api
    query: str
    conversation_id: str
    sender: Actor
    """The account that is typing."""


MessageHandler = Callable[[Context], Awaitable[Any]]
InlineHandler = Callable[[str, InlineContext], Awaitable[Sequence[str]]]
Next = Callable[[], Awaitable[None]]
Middleware = Callable[[Context, Next], Awaitable[Any]]
ErrorHandler = Callable[[Exception, Context | None], Awaitable[Any]]
"""Its second argument is None for an error outside of a message."""


@dataclass
class Handlers:
    """Runs middleware around the handlers of a message."""

    middleware: list[Middleware] = field(default_factory=list)
    of_message: list[MessageHandler] = field(default_factory=list)
    of_any: list[MessageHandler] = field(default_factory=list)

    def wants(self, is_dispatched: bool) -> bool:
        return bool(self.of_any) or (is_dispatched and bool(self.of_message))

    async def run(self, ctx: Context) -> None:
        async def enter(at: int) -> None:
            if at == len(self.middleware):
                for handler in [*self.of_any, *(self.of_message if ctx.is_dispatched else [])]:
                    await handler(ctx)
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
