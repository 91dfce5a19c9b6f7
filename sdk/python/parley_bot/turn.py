"""The handling of one message or press."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from .api import Api
from .around_message import answer_name, messages_up_to, place_of
from .asks import Asks
from .clock import Clock
from .errors import AnswerFull, ApiError, QuestionChanged, StopCause, Stopped
from .model_stream import Event, Notice, StreamReader, Thought, Tool, Usage, pieces_of
from .questions import Deciders, Outcome, QuestionNames, decision_of, outcome_of, question_name
from .reply_stream import EndStatus, ReplyStream
from .resources import (
    Account,
    Actor,
    Conversation,
    Decision,
    DecisionOption,
    FieldSpec,
    Message,
    Part,
    RunConfig,
    TokenUsage,
)
from .retries import persist
from .seat import Seat
from .unexplained_stop import Listening, UnexplainedStop
from .without_mention import without_mention

T = TypeVar("T")

# A command is the whole text: `/`, its name, and what follows after a space or line break.
COMMAND = re.compile(r"/([a-z][a-z0-9_]{0,31})(?:\s+([\s\S]*))?", re.IGNORECASE)

HISTORY = 20
# Maximum parts that wait for an answer: a message has no more.
MAX_HELD = 200
# The texts of replies that failed before they had any.
FAILED_TEXT = "Something went wrong. Please try again."
STOPPED_TEXT = "I was stopped before I could answer. Please ask me again."


@dataclass(frozen=True)
class CommandCall:
    """A command that a person has sent: its name in small letters, and the text after it."""

    name: str
    args: str


@dataclass(frozen=True)
class Press:
    """A pressed button or a submitted form. Its fields are as they were typed, secrets included: never log them."""

    id: str
    action: str
    fields: dict[str, Any]


class Answer:
    """An answer that is being streamed. `attachments` and `usage` may be set until its end."""

    def __init__(self, stream: ReplyStream, attachments: list[dict[str, Any]] | None, usage: TokenUsage | None) -> None:
        self.attachments = attachments
        self.usage = usage
        self.message: Message | None = None
        """The finished message, after the end; None if it was deleted or ended elsewhere."""
        self._stream = stream
        self._reader = StreamReader()
        self._read_usage: TokenUsage | None = None
        self._thought: str | None = None
        self._thoughts = 0

    async def write(self, piece: Any) -> None:
        """Adds a text, or what an event of a model's stream means for the answer.

        Raises a TypeError that names the type of anything else, and AnswerFull at the service's limit, after which
        `async with` completes the answer.
        """
        for event in self._reader.read(piece):
            self._take(event)
        # Lets the text be sent, and a stop arrive, even if the source never waits.
        await asyncio.sleep(0)

    async def write_all(self, source: Any) -> None:
        """Writes the pieces of a source: texts or events, of an async iterator, a stream or a list.

        Reads the streams of LangChain and of the OpenAI Agents SDK (`Runner.run_streamed(…)` as it is).
        """
        pieces = pieces_of(source)
        is_read = False
        try:
            if isinstance(pieces, Iterator):
                for piece in pieces:
                    await self.write(piece)
            else:
                async for piece in pieces:
                    await self.write(piece)
            is_read = True
        finally:
            if not is_read:
                await _leave(source, pieces)

    # For this module.

    @property
    def _used(self) -> TokenUsage | None:
        return self.usage or self._read_usage

    def _close(self) -> None:
        """Raises ValueError if a model's stream had nothing to read: such an answer must not look complete."""
        self._thought = None
        if self._reader.is_silent:
            raise ValueError("the stream of the model had no text")

    def _take(self, event: Event) -> None:
        if isinstance(event, Usage):
            before = self._read_usage or {"input_tokens": 0, "output_tokens": 0}
            self._read_usage = {
                "input_tokens": before["input_tokens"] + event.usage["input_tokens"],
                "output_tokens": before["output_tokens"] + event.usage["output_tokens"],
            }
        elif isinstance(event, Thought):
            self._think(event.text)
        elif isinstance(event, (Tool, Notice)):
            self._thought = None
            self._put(event.part)
        else:
            self._thought = None
            if not self._stream.write(event.text):
                raise AnswerFull("the answer takes no more text")

    def _think(self, text: str) -> None:
        if self._thought is None:
            self._thoughts += 1
            self._thought = f"thought {self._thoughts}"
        self._stream.think(self._thought, text)

    def _put(self, part: Part) -> None:
        # A part that the service refuses is left out.
        self._stream.part(part).add_done_callback(lambda written: written.exception())


class GivenAnswer(Answer):
    """An answer that was given before the handler ran again: nothing is written."""

    def __init__(self, message: Message) -> None:
        self.attachments = None
        self.usage = None
        self.message = message

    async def write(self, piece: Any) -> None:
        """Nothing: the text was written before."""

    async def write_all(self, source: Any) -> None:
        """Nothing: the source was read before."""


class Streaming:
    """What `ctx.stream(…)` returns: await it with a source, or enter it and write."""

    def __init__(self, source: Any, block: AbstractAsyncContextManager[Answer]) -> None:
        self._source = source
        self._block = block

    def __await__(self) -> Generator[Any, None, Message | None]:
        return self._whole().__await__()

    async def __aenter__(self) -> Answer:
        if self._source is not None:
            raise TypeError("await ctx.stream(source), or write into the block of `async with ctx.stream()`")
        return await self._block.__aenter__()

    async def __aexit__(self, *error: Any) -> bool | None:
        return await self._block.__aexit__(*error)

    async def _whole(self) -> Message | None:
        async with self._block as answer:
            await answer.write_all(self._source)
        return answer.message


class Context:
    """One message or press, and the actions of a bot on it.

    When the answer is no longer wanted, because a person who may stop it has done so, because it was deleted or because
    the bot is stopping, the task of the handler is cancelled.
    """

    def __init__(
        self,
        api: Api,
        clock: Clock,
        account: Account,
        message: Message,
        listening: Listening,
        *,
        is_dispatched: bool,
        pressed: tuple[Press, Actor] | None = None,
    ) -> None:
        """`pressed`: the press that is handled, and by whom; `message` is the one with the button or form."""
        self.api = api
        """The service's operations: `await ctx.api.sendMessage(…)`."""
        self.message = message
        self.text = "" if pressed else without_mention(message["content"], account["username"])
        """The text without the mention of the bot."""
        self.sender: Actor = pressed[1] if pressed else message["sender"]
        """The account that sent the message, or pressed."""
        self.is_dispatched = is_dispatched
        """Whether the message fires this bot; false if only `on_any` handlers receive it."""
        self.state: dict[str, Any] = {}
        """For middleware to pass values to later handlers."""
        self._press = pressed[0] if pressed else None
        self._command = command_in(self.text)
        self._match: re.Match[str] | None = None
        self._account = account
        self._clock = clock
        self._stopped: StopCause | None = None
        self._task: asyncio.Task[Any] | None = None
        self._streams: dict[str, ReplyStream] = {}
        self._unexplained = UnexplainedStop(clock, listening, lambda: self._stop("asked"))
        self._current: ReplyStream | None = None
        self._held: list[Part] = []
        self._emojis: set[str] = set()
        # Since the last question.
        self._answers = 0
        # What questions, and what the next answers are derived from: the message or press; later the last question.
        self._origin = f"press:{pressed[0].id}" if pressed else message["id"]
        self._cause = self._origin if pressed else f"re:{self._origin}"
        self._questions = QuestionNames(self._origin)
        self._is_asking = False
        # The answer that was begun to take up the answer to a question: the next one of the handler.
        self._claim: ReplyStream | None = None
        # Set by those that make turns. `_resumes_at`: the question that has ended while no handler waited for it: the
        # handler runs from its beginning up to it, and then goes on with the answer.
        self._asks: Asks | None = None
        self._queue_again: Callable[[], None] = lambda: None
        self._resumes_at: str | None = None
        self._seat = Seat()
        self._chat: Conversation | None = None
        self._config: RunConfig | None = None

    @property
    def command(self) -> CommandCall | None:
        """The command, if the text is one."""
        return self._command

    @property
    def press(self) -> Press | None:
        """The press, in a handler of `action`."""
        return self._press

    async def reply(
        self, text: str, *, attachments: list[dict[str, Any]] | None = None, usage: TokenUsage | None = None
    ) -> Message | None:
        """Answers in the timeline of the message. None if another daemon of this bot has already answered."""
        return await self._reply(text, "complete", attachments, usage)

    def stream(
        self,
        source: Any = None,
        *,
        attachments: list[dict[str, Any]] | None = None,
        usage: TokenUsage | None = None,
    ) -> Streaming:
        """Streams an answer: `await ctx.stream(source)`, or `async with ctx.stream() as reply: await reply.write("…")`.

        A source yields texts or events of a model's stream (`Answer.write_all`); anything else is a TypeError that
        names its type, and the answer ends as failed. If another daemon of this bot has the answer, the block is not
        entered, and the turn ends there.
        """
        return Streaming(source, self._streamed(attachments, usage))

    @asynccontextmanager
    async def _streamed(
        self, attachments: list[dict[str, Any]] | None, usage: TokenUsage | None
    ) -> AsyncIterator[Answer]:
        stream = await self._begin()
        if not isinstance(stream, ReplyStream):
            if self._resumes_at and stream:
                yield GivenAnswer(stream)
                return
            raise Stopped("over")
        async with self._open(Answer(stream, attachments, usage), "complete") as answer:
            yield answer

    async def part(self, part: Part) -> None:
        """Writes a part of the answer that is being streamed, or of the next one; the same `id` again replaces it.

        Without `offset` it stands at the end of the text so far. Returns when the service has it.
        """
        if self._current:
            await self._current.part(part)
        elif len(self._held) < MAX_HELD:
            self._held.append(part)

    async def ask(
        self,
        text: str,
        *,
        options: Sequence[DecisionOption] | None = None,
        form: Sequence[FieldSpec] | None = None,
        deciders: Deciders | None = None,
        private: bool = False,
        expires_in: int | None = None,
        key: str | None = None,
    ) -> Outcome:
        """Asks people to decide, in the timeline of the message, and returns what became of it, hours or days later.

        text: the question, as Markdown.
        options: 1 to 8; a form without options has `submit` and `decline`.
        form: up to 20 fields, whose values come with every option but `decline`.
        deciders: `anyone` (default): every person of the conversation; `admins`: owner and admins of the group;
            otherwise usernames of people who take part.
        private: whether only the deciders see the question; needs usernames.
        expires_in: seconds, 10 to 2,592,000; without it, the question does not expire.
        key: a name of the question among those of this handler; by default they are numbered.

        Only one daemon goes on, also if the one that asked was killed: then the handler runs again from its beginning,
        where its earlier answers and questions return what they returned before. So derive a question from the message
        alone, and do what must not happen twice after it. Ask one question after another, and none while an answer is
        being streamed.
        """
        if self._stopped:
            raise Stopped(self._stopped)
        if self._current:
            raise RuntimeError("an answer that is being streamed cannot wait for people: end it, then ask")
        if self._is_asking:
            raise RuntimeError("a question waits already: ask one after another, or several in one form")
        given = {"options": options, "form": form, "deciders": deciders, "expires_in": expires_in}
        asked: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if private:
            asked["private"] = True
        name = self._questions.next(key)
        self._is_asking = True
        try:
            return await self._ask(name, {"text": text, **asked})
        finally:
            self._is_asking = False

    async def chat(self) -> Conversation:
        """The conversation, fetched on first use."""
        self._chat = self._chat or await self.api.getChat(chat_id=self.message["conversation_id"])
        return self._chat

    async def config(self) -> RunConfig:
        """Settings and secrets of the human who asked, or the owner's defaults. Only for messages that fire the bot."""
        self._config = self._config or await self.api.getRunConfig(message_id=self.message["id"])
        return self._config

    async def history(self, limit: int = HISTORY) -> list[Message]:
        """The newest messages of this timeline up to this one, oldest first."""
        return await messages_up_to(self.api, self.message, limit)

    async def react(self, emoji: str) -> None:
        """Adds an emoji reaction to the message; a repeated call changes nothing."""
        reactors = [one["reactors"] for one in self.message["reactions"] if one["emoji"] == emoji]
        is_there = any(actor["username"] == self._account["username"] for actors in reactors for actor in actors)
        # A second call would remove the reaction.
        if is_there or emoji in self._emojis:
            return
        self._emojis.add(emoji)
        await self.api.setMessageReaction(message_id=self.message["id"], emoji=emoji)

    async def typing(self) -> None:
        """Shows the bot as typing for a few seconds; a streaming answer does that automatically."""
        await self.api.sendChatAction(**place_of(self.message), action="typing")

    # For the other modules.

    async def _fail(self, text: str = FAILED_TEXT) -> Message | None:
        """Sends a short failed answer."""
        return await self._reply(text, "failed")

    @property
    def _wants_apology(self) -> bool:
        return self.is_dispatched and self._answers == 0 and self._stopped is None

    def _stop(self, cause: StopCause) -> None:
        if self._stopped is None:
            self._stopped = cause
            if self._task:
                self._task.cancel()

    def _is_writing(self, reply_id: str) -> bool:
        return reply_id in self._streams

    def _refuse_stop(self) -> None:
        """A user who may not stop the answer asked for it."""
        self._unexplained.explain()

    def _drop_reply(self, reply_id: str) -> None:
        """A reply ended or was deleted, but not by this daemon."""
        if reply_id in self._streams:
            self._streams[reply_id].drop()

    def _doubt(self) -> None:
        """The connection was lost."""
        for stream in self._streams.values():
            stream.doubt()

    def _close(self) -> None:
        self._unexplained.explain()

    def _is_begun_by(self, client_msg_id: str) -> bool:
        """Whether a message of this bot with this client_msg_id shows that a daemon has begun this turn."""
        return client_msg_id == answer_name(self._cause) or client_msg_id.startswith(question_name(self._origin, ""))

    async def _take_up(self) -> None:
        """Raises Stopped if another daemon goes on after the question at which this turn resumes."""
        if self._resumes_at:
            await self._take(self._resumes_at)

    def _expect_no_more(self) -> None:
        """Raises if the question at which the handler resumes has not been asked. Then the next answer is about it."""
        if id := self._resumes_at:
            self._resumes_at = None
            self._cause, self._answers = f"re:{id}", 0
            raise QuestionChanged(id)

    async def _leave_claim(self) -> None:
        """Ends the answer that took up the answer to a question, if the handler has written none: it leaves nothing."""
        if claim := self._claim:
            self._claim = None
            self._streams.pop(claim.id, None)
            is_cut_off = self._stopped == "stopping"
            status: EndStatus = "failed" if is_cut_off else "cancelled"
            await _to_its_end(claim.finish(status, None, None, STOPPED_TEXT if is_cut_off else ""))

    def _finds(self, pattern: re.Pattern[str]) -> bool:
        """Whether the pattern finds the press."""
        self._match = pattern.search(self._press.action) if self._press else None
        return self._match is not None

    # The life of an answer.

    async def _reply(
        self,
        text: str,
        status: EndStatus,
        attachments: list[dict[str, Any]] | None = None,
        usage: TokenUsage | None = None,
    ) -> Message | None:
        begun = await self._begin()
        if not isinstance(begun, ReplyStream):
            return begun
        async with self._open(Answer(begun, attachments, usage), status) as answer:
            await answer.write(text)
        return answer.message

    @asynccontextmanager
    async def _open(self, answer: Answer, status: EndStatus) -> AsyncIterator[Answer]:
        """Ends the answer when its block ends, in whichever way."""
        try:
            yield answer
            answer._close()
        except AnswerFull:
            pass  # Ended with the text so far.
        except asyncio.CancelledError:
            await self._end_stopped(answer)
            raise
        except BaseException:
            await self._end(answer, "failed", FAILED_TEXT)
            raise
        answer.message = await self._end(answer, status)

    # The way from a question to its answer.

    async def _ask(self, name: str, asked: dict[str, Any]) -> Outcome:
        message = await self._send(name, asked)
        decision = decision_of(message)
        is_open = decision["state"] == "open"
        if is_open:
            # A new question: whatever the handler was to repeat, it has left.
            self._resumes_at = None
        if not self._resumes_at:
            await self._leave_claim()
        ended = await self._wait(message, decision) if is_open else decision
        await self._go_on(ended["id"])
        return outcome_of(ended)

    async def _send(self, name: str, asked: dict[str, Any]) -> Message:
        place = {**place_of(self.message), "reply_to_message_id": self.message["id"]}
        try:
            message: Message = await persist(
                self._clock, lambda _: self.api.askDecision(**place, client_msg_id=name, **asked)
            )
            return message
        except ApiError as error:
            if error.code != "conflict":
                raise
            # Something else was asked under this name: what was decided about that must not be taken for an answer.
            self._expect_no_more()
            raise Stopped("over") from error

    async def _wait(self, message: Message, decision: Decision) -> Decision:
        """Waits for the end of a decision without a place in the queue."""
        assert self._asks, "a turn of a bot has it"
        self._seat.leave()
        ended = await self._asks.ended(message, decision)
        self._queue_again()
        await self._seat.entered()
        return ended

    async def _go_on(self, question_id: str) -> None:
        """From here on answers belong to the question. Raises Stopped if another daemon goes on."""
        has_claim = self._resumes_at is not None
        if self._resumes_at == question_id:
            self._resumes_at = None
        self._cause, self._answers = f"re:{question_id}", 0
        if not has_claim:
            await self._take(question_id)

    async def _take(self, question_id: str) -> None:
        """Begins the next answer, which only one daemon does."""
        begun = await self._started(answer_name(f"re:{question_id}"))
        if not isinstance(begun, ReplyStream):
            raise Stopped("over")
        if begun.is_doubtful:
            # Another daemon may have begun it: then two would go on. If none has, the service ends it (STREAM-7).
            self._streams.pop(begun.id)
            begun.drop()
            # The task was cancelled.
            await asyncio.sleep(0)
            raise Stopped("over")
        self._claim = begun

    def _repeats(self, client_msg_id: str) -> bool:
        """Whether an answer was given before the question at which the handler resumes."""
        return self._resumes_at is not None and client_msg_id != answer_name(f"re:{self._resumes_at}")

    async def _begin(self) -> ReplyStream | Message | None:
        """None if another daemon has or had the answer; a Message if it was given before, or ended immediately."""
        if self._stopped:
            raise Stopped(self._stopped)
        self._answers += 1
        claim = None if self._resumes_at else self._claim
        if claim:
            self._claim = None
        begun = claim or await self._started(answer_name(self._cause, self._answers))
        if isinstance(begun, ReplyStream):
            self._current = begun
            for part in self._held:
                # A part that the service refuses is left out.
                begun.part(part).add_done_callback(lambda written: written.exception())
        # Those of an answer that was given before were written then.
        if begun:
            self._held.clear()
        return begun

    async def _started(self, client_msg_id: str) -> ReplyStream | Message | None:
        starting = asyncio.ensure_future(self._start(client_msg_id))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            await asyncio.wait([starting])
            if not starting.exception() and isinstance(late := starting.result(), ReplyStream):
                await self._end_stopped(Answer(late, None, None))
            raise

    async def _start(self, client_msg_id: str) -> ReplyStream | Message | None:
        is_doubtful = False

        async def start(is_repeated: bool) -> Message:
            nonlocal is_doubtful
            is_doubtful = is_repeated
            started: Message = await self.api.startMessageStream(
                **place_of(self.message), reply_to_message_id=self.message["id"], client_msg_id=client_msg_id
            )
            return started

        placeholder = await persist(self._clock, start)
        is_resumed = placeholder.get("resumed") is True
        if is_resumed and not is_doubtful:
            return placeholder if self._repeats(client_msg_id) else None
        if placeholder["status"] != "streaming":
            return None if is_resumed else placeholder
        stream = ReplyStream(
            self.api,
            self._clock,
            placeholder,
            is_doubtful=is_resumed,
            on_cancel_requested=self._unexplained.see,
            on_over=lambda: self._stop("over"),
        )
        self._streams[stream.id] = stream
        return stream

    async def _end(self, answer: Answer, status: EndStatus, empty_text: str = "") -> Message | None:
        """From here on this daemon ends the reply itself, whatever happens to the handler."""
        stream = answer._stream
        if self._current is stream:
            self._current = None
        self._streams.pop(stream.id, None)
        return await _to_its_end(stream.finish(status, answer.attachments, answer._used, empty_text))

    async def _end_stopped(self, answer: Answer) -> None:
        # The service deletes a cancelled reply without text.
        if self._stopped == "asked":
            await self._end(answer, "cancelled")
        else:
            await self._end(answer, "failed", STOPPED_TEXT if self._stopped else FAILED_TEXT)


class CommandContext(Context):
    """A message that is a command."""

    @property
    def command(self) -> CommandCall:
        assert self._command, "a handler of commands has one"
        return self._command


class ActionContext(Context):
    """A press."""

    @property
    def press(self) -> Press:
        assert self._press, "a handler of presses has one"
        return self._press

    @property
    def match(self) -> re.Match[str]:
        """What the handler's pattern found in the action."""
        assert self._match, "the pattern of the handler fits"
        return self._match


def command_in(text: str) -> CommandCall | None:
    match = COMMAND.fullmatch(text)
    return CommandCall(match[1].lower(), (match[2] or "").strip()) if match else None


async def _leave(source: Any, pieces: Any) -> None:
    """Closes a source that has not ended, so that no model goes on for nobody."""
    cancel = getattr(source, "cancel", None)
    if callable(cancel) and hasattr(source, "stream_events"):
        # A run of the OpenAI Agents SDK goes on by itself.
        cancel()
    if callable(aclose := getattr(pieces, "aclose", None)):
        await aclose()
    elif callable(close := getattr(pieces, "close", None)):
        close()


async def _to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Runs the work to its end even if the caller is cancelled, which then is raised afterwards."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # Less important than the cancellation.
        raise
