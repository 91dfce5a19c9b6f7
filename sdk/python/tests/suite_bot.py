"""The bot of the suite that every SDK passes, packages/testing/bot/suite.test.ts, which says what it does."""

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Awaitable
from typing import Any, cast

from parley_bot import ActionContext, Bot, Clock, CommandContext, Context, DecisionOption, InlineContext
from parley_bot.handlers import Next

options: dict[str, Any] = json.loads(sys.argv[1])
usage = {"input_tokens": 3, "output_tokens": 4}


def report(event: str, **details: Any) -> None:
    print(json.dumps({"event": event, **details}), flush=True)


class Sources:
    """Texts that the suite writes."""

    def __init__(self) -> None:
        self._queues: dict[str, asyncio.Queue[dict[str, Any]]] = {}

    def of(self, name: str) -> asyncio.Queue[dict[str, Any]]:
        return self._queues.setdefault(name, asyncio.Queue())

    async def read(self, name: str) -> AsyncIterator[str]:
        report("reading", source=name)
        while "end" not in (step := await self.of(name).get()):
            if "fail" in step:
                raise RuntimeError(step["fail"])
            yield step["write"]


sources = Sources()
elapsed = asyncio.Event()


async def sleep(seconds: float) -> None:
    """The time that other daemons have passes when the suite says so."""
    await (elapsed.wait() if seconds == 5 and options.get("holdsTime") else asyncio.sleep(seconds))


clock = Clock(now=lambda: time.time() + options.get("aheadS", 0), sleep=sleep, random=lambda: 0.0)
bot = Bot(
    turns_at_once=options.get("turnsAtOnce", 50),
    turns_waiting=options.get("turnsWaiting", 1_000),
    log=lambda line: report("log", line=line),
    clock=clock,
)


@bot.use
async def outer(ctx: Context, go_on: Next) -> None:
    ctx.state["sender"] = ctx.message["sender"]["username"]
    await go_on()
    report("left", text=ctx.text)


@bot.use
async def inner(ctx: Context, go_on: Next) -> None:
    await (ctx.reply("not you") if ctx.text == "skip" else go_on())


@bot.on_any
async def note(ctx: Context) -> None:
    report("any", text=ctx.text, isDispatched=ctx.is_dispatched)


@bot.on_message
async def answer(ctx: Context) -> None:
    report("message", text=ctx.text)
    word, _, rest = ctx.text.partition(" ")
    match word:
        case "stream":
            await stream(ctx, rest)
        case "flood":
            pieces = 0
            async with ctx.stream() as reply:
                while True:
                    pieces += 1
                    await reply.write("x" * 60_000)
        case "around":
            report("around", history=[message["content"] for message in await ctx.history()], chat=await ctx.chat())
            await ctx.reply("here")
            await ctx.react("👍")
            await ctx.react("👍")
        case "twice":
            config = await ctx.config()
            await ctx.reply(f"first, for {config['user']}")
            await ctx.reply("second")
        case "settings":
            config = await ctx.config()
            await ctx.reply(f"{config['user']} {config['config']['tone']} {len(config['secrets']['api_key'])}")
        case "raise":
            raise RuntimeError(rest)
        case "usage":
            await ctx.reply("text", usage=cast(Any, usage if rest == "good" else {"input_tokens": "many"}))
        case "attach":
            await ctx.reply("text", attachments=[json.loads(rest)])
        case "untyped":
            async with ctx.stream() as reply:
                await reply.write("as far as ")
                await reply.write(cast(Any, b"x"))
        case "shop":
            await ctx.reply(rest)
        case "parts":
            await parts(ctx)
        case "ask":
            await ask(ctx, **json.loads(rest))
        case "misuse":
            await misuse(ctx)
        case _:
            await ctx.reply(f"{ctx.text}, {ctx.state['sender']}")


async def stream(ctx: Context, name: str) -> None:
    try:
        async with ctx.stream() as reply:
            async for text in sources.read(name):
                await reply.write(text)
            reply.usage = {"input_tokens": 3, "output_tokens": 4}
        report("answered", text=reply.message and reply.message["content"])
    except asyncio.CancelledError:
        report("stopped", source=name)
        raise


async def ask(ctx: Context, first: str | None = None, text: str | None = None, **question: Any) -> None:
    report("asking")
    if first is not None:
        await ctx.part({"id": "look", "type": "notice", "text": "looking"})
        async with ctx.stream() as reply:
            await reply.write(first)
        report("first", text=reply.message and reply.message["content"])
    outcome = await ctx.ask(text or f"Is it {os.getpid()}?", **question)
    report("going on")
    if outcome.option == "nothing":
        return
    fields = json.dumps(outcome.fields, separators=(",", ":"))
    await ctx.reply(f"{outcome.state} {outcome.option or ''} {fields} {outcome.by or ''}")
    await ctx.reply("done")


async def misuse(ctx: Context) -> None:
    options: list[DecisionOption] = [{"id": "yes", "label": "Yes"}]

    async def refused(work: Awaitable[Any]) -> None:
        try:
            await work
        except Exception as error:
            report("refused", error=f"{error}")

    await refused(ctx.ask("Sure?", options=options, key="2"))
    first = asyncio.create_task(ctx.ask("Sure?", options=options, key="again"))
    await asyncio.sleep(0)
    await refused(ctx.ask("Sure?", options=options))
    await first
    await refused(ctx.ask("Sure?", options=options, key="again"))
    await refused(ctx.ask("Nothing to choose"))
    async with ctx.stream() as reply:
        await reply.write("so far")
        await refused(ctx.ask("Sure?", options=options))


async def parts(ctx: Context) -> None:
    await ctx.part({"id": "first", "type": "notice", "text": "before the answer"})
    async with ctx.stream() as reply:
        await reply.write("é")
        await ctx.part({"id": "look", "type": "tool", "name": "look", "status": "running"})
        await reply.write(" and more")
        await ctx.part({"id": "look", "type": "tool", "name": "look", "output": [1], "status": "done"})
        try:
            await ctx.part({"id": "bad", "type": "source", "url": "ftp://x"})
        except Exception as error:
            report("refused", code=getattr(error, "code", None))
        async for text in sources.read("parts"):
            await reply.write(text)


@bot.command("weather", description="The weather", arguments=[{"name": "city", "required": True}])
async def weather(ctx: CommandContext) -> None:
    await ctx.reply(f"sunny in {ctx.command.args}")


@bot.command("/secret")
async def secret(ctx: CommandContext) -> None:
    await ctx.reply("found")


@bot.action(re.compile(r"^buy:(\d+)$"))
async def buy(ctx: ActionContext) -> None:
    await ctx.reply(f"{ctx.sender['username']} buys {ctx.match[1]}")


@bot.action("form_submit:order")
async def order(ctx: ActionContext) -> None:
    await ctx.reply(f"Noted: {ctx.press.fields['note']}")


@bot.action("ask")
async def ask_again(ctx: ActionContext) -> None:
    await ask(ctx, options=[{"id": "yes", "label": "Yes"}])


@bot.action("slow")
async def slow(ctx: ActionContext) -> None:
    await stream(ctx, "slow")


@bot.inline
async def suggest(query: str, ctx: InlineContext) -> list[str]:
    if query == "bad":
        raise RuntimeError("no idea")
    if query == "much":
        return ["x" * 5_000, *map(str, range(1, 60))]
    return [f"{query} for {ctx.sender['username']}"]


if options.get("catches"):

    @bot.catch
    async def catch(error: Exception, ctx: Context | None) -> None:
        report("caught", error=f"{error}", type=type(error).__name__)
        if ctx and ctx.text.startswith("raise"):
            await ctx.reply(f"caught {error}")
            raise RuntimeError("again")


async def listen() -> None:
    """Follows the suite's commands, until it closes them."""
    stopping: list[asyncio.Task[None]] = []
    reader = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        command = json.loads(line)
        if "source" in command:
            sources.of(command["source"]).put_nowait(command)
        elif "stop" in command:
            stopping.append(asyncio.create_task(bot.stop(grace_s=command["stop"])))
        elif "elapse" in command:
            elapsed.set()


async def main() -> None:
    listening = asyncio.create_task(listen())
    report("started", isConnected=await bot.start())
    await bot.wait()
    await bot.stop()
    listening.cancel()
    report("closed")


asyncio.run(main())
