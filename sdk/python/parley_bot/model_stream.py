"""Reads the pieces of an answer: texts, and the events of the packages for models that the SDK knows.

No package is imported for it: events are read by their fields, whether they are objects or dictionaries.
"""

import json
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from .resources import Part, TokenUsage

# Maximum JSON of a tool's input or output; of more only the beginning is sent.
MAX_JSON = 32 * 1024
MAX_LINE = 1_000

TEXTS = {"text", "text_delta", "text-delta", "text-plain", "output_text", ""}
THOUGHTS = {"response.reasoning_summary_text.delta", "response.reasoning_text.delta"}
# Modes of a graph's stream that repeat what its mode `messages` has.
REPEATED = {"updates", "values", "debug", "checkpoints", "tasks", "custom"}
AGENTS = {"raw_response_event", "run_item_stream_event", "agent_updated_stream_event"}


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Thought:
    text: str


@dataclass(frozen=True)
class Tool:
    part: Part


@dataclass(frozen=True)
class Usage:
    """Of one call of a model."""

    usage: TokenUsage


@dataclass(frozen=True)
class Notice:
    """The answer may not be whole."""

    part: Part


Event = Text | Thought | Tool | Usage | Notice

# Reasons for the end of an answer that may not be whole, in any vendor's spelling.
EARLY = {"length", "max_tokens", "max_output_tokens", "content_filter", "content-filter"}


def field(value: Any, name: str) -> Any:
    """A field of a dictionary or of an object; None if it has none."""
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def has(value: Any, name: str) -> bool:
    return name in value if isinstance(value, dict) else hasattr(value, name)


def pieces_of(source: Any) -> AsyncIterator[Any] | Iterator[Any]:
    """The pieces of a source. Raises TypeError if it has none."""
    if isinstance(source, str):
        return iter([source])
    if callable(stream_events := getattr(source, "stream_events", None)):
        # What `Runner.run_streamed` of the OpenAI Agents SDK returns.
        return pieces_of(stream_events())
    if hasattr(source, "__aiter__"):
        return source.__aiter__()  # type: ignore[no-any-return]
    if hasattr(source, "__iter__") and not isinstance(source, (bytes, bytearray, dict)):
        pieces: Iterator[Any] = iter(source)
        return pieces
    raise TypeError(f"an answer must be an async generator, a stream or a list of strings, not {type_name(source)}")


def type_name(value: Any) -> str:
    name = type(value).__name__
    kind = field(value, "type")
    return f"{name} of type {json.dumps(kind[:100])}" if isinstance(kind, str) else name


class StreamReader:
    """Reads the pieces of one stream."""

    def __init__(self) -> None:
        self._calls: dict[str, dict[str, str]] = {}
        self._arriving: dict[Any, dict[str, str]] = {}
        self._has_text = False
        self._has_events = False
        self._has_content = False

    @property
    def is_silent(self) -> bool:
        """Whether there were events, but nothing that a person could read."""
        return self._has_events and not self._has_content

    def read(self, piece: Any) -> list[Event]:
        """Raises a TypeError that names the type of a piece that the SDK does not know."""
        if isinstance(piece, str):
            self._has_content = self._has_content or piece != ""
            return [Text(piece)]
        events = self._langchain(piece)
        if events is None:
            events = self._agents(piece)
        if events is None:
            raise TypeError(f"an answer must be made of strings, not {type_name(piece)}")
        self._has_events = True
        for event in events:
            if isinstance(event, Tool) or (isinstance(event, Text) and event.text):
                self._has_content = True
        return events

    # LangChain: chunks of `model.astream()`, pairs of a graph's mode `messages`, events of `astream_events()`.

    def _langchain(self, piece: Any) -> list[Event] | None:
        if isinstance(piece, (tuple, list)):
            return self._pair(piece)
        name = field(piece, "event")
        if isinstance(name, str):
            return self._event(name, piece)
        return self._message(piece, with_tools=True)

    def _pair(self, pair: Any) -> list[Event] | None:
        """`(message, metadata)`, or, of a graph with several modes, `(mode, value)`."""
        if len(pair) != 2:
            return None
        first, second = pair
        if first == "messages":
            return self._pair(second) if isinstance(second, (tuple, list)) else None
        if isinstance(first, str):
            return [] if first in REPEATED else None
        return self._message(first, with_tools=True)

    def _event(self, name: str, event: Any) -> list[Event] | None:
        data = field(event, "data") or {}
        tool = (str(field(event, "run_id")), str(field(event, "name")))
        given = field(data, "input")
        if name == "on_chat_model_stream":
            return self._message(field(data, "chunk"), with_tools=False)
        if name == "on_llm_stream":
            chunk = field(data, "chunk")
            return [Text(chunk if isinstance(chunk, str) else field(chunk, "text") or "")]
        if name == "on_tool_start":
            return [_tool(*tool, "running", input=given)]
        if name == "on_tool_end":
            output = field(data, "output")
            content = field(output, "content")
            return [_tool(*tool, "done", input=given, output=output if content is None else content)]
        if name == "on_tool_error":
            return [_tool(*tool, "failed", input=given, error=field(data, "error") or "failed")]
        return [] if re.fullmatch(r"on_[a-z_]+", name) else None

    def _message(self, message: Any, *, with_tools: bool) -> list[Event] | None:
        """`with_tools`: no other events report the tools."""
        if not has(message, "content") or not (has(message, "response_metadata") or has(message, "additional_kwargs")):
            return None
        kind = field(message, "type")
        if kind == "tool":
            return [self._end_tool(message)] if with_tools else []
        # Those of people and of the program are no answer.
        if kind not in ("ai", "AIMessageChunk"):
            return []
        events: list[Event] = []
        reasoning = field(field(message, "additional_kwargs") or {}, "reasoning_content")
        if isinstance(reasoning, str) and reasoning:
            events.append(Thought(reasoning))
        events += _content(field(message, "content"))
        if with_tools:
            events += self._tool_calls(message)
        usage = field(message, "usage_metadata") or {}
        events += _usage(field(usage, "input_tokens"), field(usage, "output_tokens"))
        reason = field(field(message, "response_metadata"), "finish_reason")
        return [*events, _early()] if isinstance(reason, str) and reason.lower() in EARLY else events

    def _tool_calls(self, message: Any) -> list[Event]:
        events: list[Event] = []
        pieces = field(message, "tool_call_chunks") or []
        for piece in pieces:
            index = field(piece, "index")
            if id := field(piece, "id"):
                self._arriving[index] = {"id": id, "name": field(piece, "name") or "", "args": ""}
            if call := self._arriving.get(index):
                call["name"] = call["name"] or field(piece, "name") or ""
                call["args"] += field(piece, "args") or ""
                events += self._begin(call)
        for whole in [] if pieces else field(message, "tool_calls") or []:
            if id := field(whole, "id"):
                args = _dumped(field(whole, "args"))
                events += self._begin({"id": id, "name": field(whole, "name") or "", "args": args})
        return events

    def _begin(self, call: dict[str, str]) -> list[Event]:
        if call["id"] in self._calls:
            return []
        self._calls[call["id"]] = call
        return [_tool(call["id"], call["name"], "running")]

    def _end_tool(self, message: Any) -> Tool:
        id = str(field(message, "tool_call_id"))
        call = self._calls.get(id, {"name": "", "args": ""})
        name = field(message, "name") or call["name"]
        given = _parsed(call["args"]) if call["args"] else None
        output = field(message, "content")
        if field(message, "status") == "error":
            return _tool(id, name, "failed", input=given, error=output)
        return _tool(id, name, "done", input=given, output=output)

    # The OpenAI Agents SDK: `result.stream_events()`.

    def _agents(self, event: Any) -> list[Event] | None:
        kind = field(event, "type")
        if kind == "raw_response_event":
            return self._raw(field(event, "data"))
        if kind == "run_item_stream_event":
            return self._item(str(field(event, "name")), field(event, "item"))
        return [] if kind in AGENTS else None

    def _raw(self, data: Any) -> list[Event]:
        kind = field(data, "type")
        delta = field(data, "delta")
        if kind == "response.created":
            self._has_text = False
        if kind in ("response.output_text.delta", "response.refusal.delta") and isinstance(delta, str):
            self._has_text = True
            return [Text(delta)]
        if kind in THOUGHTS and isinstance(delta, str):
            return [Thought(delta)]
        if kind in ("response.failed", "error"):
            words = field(data, "message") or field(field(field(data, "response"), "error"), "message")
            raise RuntimeError(words if isinstance(words, str) else "the model failed")
        if kind in ("response.completed", "response.incomplete"):
            usage = field(field(data, "response"), "usage")
            counted = _usage(field(usage, "input_tokens"), field(usage, "output_tokens"))
            return [*counted, _early()] if kind == "response.incomplete" else counted
        return []

    def _item(self, name: str, item: Any) -> list[Event]:
        raw = field(item, "raw_item")
        id = str(field(raw, "call_id") or field(raw, "id"))
        if name == "message_output_created":
            # Models that do not stream give their text, and a refusal, only here.
            pieces = [] if self._has_text else field(raw, "content") or []
            texts = [field(piece, "text") or field(piece, "refusal") for piece in pieces]
            return [Text(text) for text in texts if isinstance(text, str)]
        if name == "tool_called":
            called = str(field(raw, "name") or field(raw, "type") or "tool")
            self._calls[id] = {"name": called, "args": str(field(raw, "arguments") or "")}
            # A tool of the provider has run already.
            is_done = field(raw, "type") != "function_call" and field(raw, "status") == "completed"
            return [_tool(id, called, "done" if is_done else "running", input=_parsed(self._calls[id]["args"]))]
        if name == "tool_output":
            call = self._calls.get(id, {"name": "tool", "args": ""})
            return [_tool(id, call["name"], "done", input=_parsed(call["args"]), output=field(item, "output"))]
        return []


def _content(content: Any) -> list[Event]:
    """A text, or a list of texts and blocks."""
    if isinstance(content, str):
        return [Text(content)] if content else []
    events: list[Event] = []
    for block in content if isinstance(content, list) else []:
        if isinstance(block, str):
            events.append(Text(block))
            continue
        thought = field(block, "thinking") or field(block, "reasoning")
        text = field(block, "text")
        if isinstance(thought, str):
            events.append(Thought(thought))
        elif isinstance(text, str) and (field(block, "type") or "") in TEXTS:
            events.append(Text(text))
    return events


def _early() -> Notice:
    return Notice({"id": "end", "type": "notice", "text": "The model stopped early: this answer may not be whole."})


def _usage(input_tokens: Any, output_tokens: Any) -> list[Event]:
    counts = (input_tokens, output_tokens)
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        return []
    return [Usage({"input_tokens": input_tokens, "output_tokens": output_tokens})]


def _tool(
    id: str,
    name: str,
    status: Literal["running", "done", "failed"],
    *,
    input: Any = None,
    output: Any = None,
    error: Any = None,
) -> Tool:
    short = id if re.fullmatch(r"[!-~]{1,50}", id) else format(hash(id) & 0xFFFFFFFFFFFF, "x")
    part: Part = {"id": f"tool {short}", "type": "tool", "name": (name or "tool")[:200], "status": status}
    if input is not None:
        part["input"] = _json(input)
    if output is not None:
        part["output"] = _json(output)
    if error is not None:
        part["error"] = str(error)[:MAX_LINE]
    return Tool(part)


def _json(value: Any) -> Any:
    """A value as JSON has it; a long one as its beginning."""
    text = _dumped(value)
    return json.loads(text) if len(text) <= MAX_JSON else text[: MAX_JSON // 2] + "…"


def _dumped(value: Any) -> str:
    """JSON of a value, or of its text if JSON has no such value."""
    try:
        return json.dumps(value, default=str, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(_text_of(value))


def _text_of(value: Any) -> str:
    try:
        return str(value)[:MAX_LINE]
    except Exception:
        # A program's own object may fail in any way.
        return f"({type(value).__name__})"


def _parsed(text: str) -> Any:
    """JSON that a model has written, or its text if it is none."""
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return text
