import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from fake_api import FakeApi, context

from parley_bot.model_stream import Notice, StreamReader, Text, Thought, Tool, Usage


@dataclass
class Message:
    """As LangChain's messages: what the reader looks at, and no more."""

    content: Any
    type: str = "AIMessageChunk"
    tool_call_chunks: list[dict[str, Any]] = field(default_factory=list)
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    usage_metadata: dict[str, int] | None = None
    additional_kwargs: dict[str, Any] = field(default_factory=dict)
    response_metadata: dict[str, Any] = field(default_factory=dict)
    tool_call_id: str | None = None
    name: str | None = None
    status: str | None = None


@dataclass
class Item:
    """As the events of the OpenAI Agents SDK and what is in them."""

    type: str = ""
    name: str = ""
    data: Any = None
    item: Any = None
    raw_item: Any = None
    output: Any = None


COUNTED = {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5}
CALLED = [
    Message("Let me look. "),
    Message("", tool_call_chunks=[{"name": "weather", "args": '{"ci', "id": "c1", "index": 0}]),
    Message("", tool_call_chunks=[{"name": None, "args": 'ty":"Rome"}', "id": None, "index": 0}]),
]
RESULT = Message("sunny", type="tool", tool_call_id="c1", name="weather")


def read(pieces: list[Any]) -> tuple[str, str, list[Any], int]:
    reader = StreamReader()
    events = [event for piece in pieces for event in reader.read(piece)]
    texts = "".join(event.text for event in events if isinstance(event, Text))
    thoughts = "".join(event.text for event in events if isinstance(event, Thought))
    parts = [event.part for event in events if isinstance(event, Tool)]
    return texts, thoughts, parts, sum(isinstance(event, Usage) for event in events)


def test_chunks_of_a_langchain_model_are_read() -> None:
    """PY-7"""
    chunks = [
        Message([{"type": "thinking", "thinking": "hm"}]),
        Message("Sun"),
        Message([{"type": "text", "text": "ny"}, "!"], usage_metadata=COUNTED),
        Message([]),
        Message("hello", type="human"),
    ]
    assert read(chunks) == ("Sunny!", "hm", [], 1)
    assert read([{"type": "ai", "content": "Sunny", "response_metadata": {}}])[0] == "Sunny"


@pytest.mark.parametrize("mode", [None, "messages"])
def test_the_messages_of_a_langgraph_are_read_with_its_tools(mode: str | None) -> None:
    """PY-7"""
    messages = [*CALLED, RESULT, Message("Sunny.", type="ai")]
    pairs: list[Any] = [(message, {"langgraph_node": "agent"}) for message in messages]
    if mode:
        pairs = [*((mode, pair) for pair in pairs), ("updates", {"agent": {}})]
    texts, _, parts, _ = read(pairs)
    assert texts == "Let me look. Sunny."
    tool = {"id": "tool c1", "type": "tool", "name": "weather"}
    assert parts == [
        {**tool, "status": "running"},
        {**tool, "status": "done", "input": {"city": "Rome"}, "output": "sunny"},
    ]


def test_the_events_of_astream_events_are_read_each_once() -> None:
    """PY-7"""

    def event(name: str, **data: Any) -> dict[str, Any]:
        return {"event": name, "name": "weather", "run_id": "r1", "data": data}

    texts, _, parts, _ = read(
        [
            event("on_chain_start"),
            *(event("on_chat_model_stream", chunk=chunk) for chunk in CALLED),
            event("on_chat_model_end", output=CALLED[0]),
            event("on_tool_start", input={"city": "Rome"}),
            event("on_tool_end", output=RESULT),
            event("on_chain_stream", chunk=CALLED[0]),
        ]
    )
    assert texts == "Let me look. "
    assert [part["status"] for part in parts] == ["running", "done"]
    assert parts[1]["output"] == "sunny"


def raw(kind: str, **fields: Any) -> Item:
    return Item("raw_response_event", data={"type": kind, **fields})


def test_a_run_of_the_openai_agents_sdk_is_read() -> None:
    """PY-7"""
    call = {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city":"Rome"}'}
    said = {"content": [{"type": "output_text", "text": "Sunny"}]}
    usage = {"response": {"usage": {"input_tokens": 3, "output_tokens": 2}}}
    texts, thoughts, parts, usages = read(
        [
            Item("agent_updated_stream_event"),
            raw("response.created"),
            raw("response.reasoning_summary_text.delta", delta="hm"),
            raw("response.completed", **usage),
            Item("run_item_stream_event", "tool_called", item=Item(raw_item=call)),
            Item("run_item_stream_event", "tool_output", item=Item(raw_item={"call_id": "c1"}, output="sunny")),
            raw("response.created"),
            raw("response.output_text.delta", delta="Sun"),
            raw("response.output_text.delta", delta="ny"),
            raw("response.completed", **usage),
            Item("run_item_stream_event", "message_output_created", item=Item(raw_item=said)),
        ]
    )
    tool = {"id": "tool c1", "type": "tool", "name": "weather", "input": {"city": "Rome"}}
    assert (texts, thoughts, usages) == ("Sunny", "hm", 2)
    assert parts == [{**tool, "status": "running"}, {**tool, "status": "done", "output": "sunny"}]
    unstreamed = Item("run_item_stream_event", "message_output_created", item=Item(raw_item=said))
    assert read([unstreamed])[0] == "Sunny"


@pytest.mark.parametrize(
    ("piece", "name"),
    [
        ({"type": "content_block_delta"}, 'dict of type "content_block_delta"'),
        (Item("text-delta"), 'Item of type "text-delta"'),
        ({"agent": {"messages": []}}, "dict"),
        ({"event": "message"}, "dict"),
        (("a", "b"), "tuple"),
        (b"x", "bytes"),
        (7, "int"),
        (None, "NoneType"),
    ],
)
def test_what_is_no_event_that_the_sdk_knows_is_a_type_error_that_names_its_type(piece: Any, name: str) -> None:
    """PY-7"""
    with pytest.raises(TypeError) as caught:
        StreamReader().read(piece)
    assert str(caught.value) == f"an answer must be made of strings, not {name}"


class Run:
    """As the result of `Runner.run_streamed`."""

    async def stream_events(self) -> AsyncIterator[Item]:
        yield raw("response.output_text.delta", delta="Sun")
        yield raw("response.output_text.delta", delta="ny")


async def chunks() -> AsyncIterator[Any]:
    yield Message([{"type": "thinking", "thinking": "h"}])
    yield Message([{"type": "thinking", "thinking": "m"}])
    yield Message("Sun", usage_metadata=COUNTED)
    yield Message("ny", usage_metadata=COUNTED)


def test_a_source_is_streamed_with_its_reasoning_and_usage() -> None:
    """PY-7"""

    async def main() -> None:
        for source in (chunks(), Run(), ["Sun", "ny"], iter(["Sunny"]), "Sunny"):
            api = FakeApi()
            ended = await context(api).stream(source)
            assert ended and ended["status"] == "complete"
            assert api.all("finishMessageStream")[0]["text"] == "Sunny"
        api = FakeApi()
        async with context(api).stream() as reply:
            async for chunk in chunks():
                await reply.write(chunk)
        assert api.all("finishMessageStream") == [
            {
                "message_id": "r1",
                "status": "complete",
                "text": "Sunny",
                "usage": {"input_tokens": 6, "output_tokens": 4},
            }
        ]
        thoughts = [params["part"] for params in api.all("appendMessageStream") if "part" in params]
        assert {(part["id"], part["type"]) for part in thoughts} == {("thought 1", "reasoning")}
        assert thoughts[0]["offset"] == 0
        assert "".join(part["append"] if "append" in part else part["text"] for part in thoughts) == "hm"

    asyncio.run(main())


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (["so far", {"type": "mystery"}], "so far"),
        ([("updates", {})], "Something went wrong. Please try again."),
        (7, "Something went wrong. Please try again."),
        (b"bytes", "Something went wrong. Please try again."),
    ],
)
def test_what_cannot_be_read_never_ends_as_complete(source: Any, text: str) -> None:
    """PY-7"""

    async def main() -> None:
        api = FakeApi()
        with pytest.raises((TypeError, ValueError)):
            await context(api).stream(source)
        assert api.all("finishMessageStream") == [{"message_id": "r1", "status": "failed", "text": text}]

    asyncio.run(main())


def test_a_response_that_fails_fails_the_answer() -> None:
    """BOTSDK-34"""
    for data in (
        {"type": "error", "message": "no credit"},
        {"type": "response.failed", "response": {"error": {"message": "no credit"}}},
    ):
        with pytest.raises(RuntimeError, match="no credit"):
            StreamReader().read({"type": "raw_response_event", "data": data})


def test_what_json_has_not_in_a_tool_does_not_fail_the_answer() -> None:
    """BOTSDK-33"""
    loop: list[Any] = []
    loop.append(loop)

    class Odd:
        def __str__(self) -> str:
            raise ValueError("odd")

    for output in (float("nan"), {(1, 2): 3}, loop, Odd(), [Odd()]):
        event = {"event": "on_tool_end", "name": "look", "run_id": "r1", "data": {"output": output}}
        (tool,) = StreamReader().read(event)
        assert isinstance(tool, Tool)
        assert isinstance(tool.part["output"], str)
    calls = Message("", tool_calls=[{"id": "c1", "name": "look", "args": {"a": float("inf")}}])
    assert len(StreamReader().read(calls)) == 1


def test_a_source_that_fails_or_is_stopped_is_closed() -> None:
    """BOTSDK-8"""

    async def main() -> None:
        closed: list[str] = []

        class Run:
            def cancel(self) -> None:
                closed.append("run")

            async def stream_events(self) -> AsyncIterator[Any]:
                try:
                    yield {"type": "agent_updated_stream_event"}
                    yield {"type": "mystery"}
                finally:
                    closed.append("events")

        with pytest.raises(TypeError):
            await context(FakeApi()).stream(Run())
        assert closed == ["run", "events"]

    asyncio.run(main())


def test_an_answer_that_its_model_ended_early_has_a_notice_and_is_silent_without_a_text() -> None:
    """BOTSDK-36"""
    message = Message("", response_metadata={"finish_reason": "length"})
    incomplete = {"type": "raw_response_event", "data": {"type": "response.incomplete", "response": {}}}
    for end in (message, incomplete):
        reader = StreamReader()
        (notice,) = reader.read(end)
        assert isinstance(notice, Notice)
        assert (notice.part["type"], reader.is_silent) == ("notice", True)
