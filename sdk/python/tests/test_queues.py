import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fake_api import ACCOUNT, FakeApi, context

from parley_bot import ApiError, Clock, InlineContext, inline_queries
from parley_bot.inline_queries import InlineQueries
from parley_bot.intake import Intake
from parley_bot.part_queue import PartQueue
from parley_bot.turn_queue import TurnQueue


def test_turns_of_a_timeline_run_one_after_another_within_limits() -> None:
    """BOTSDK-2"""

    async def main() -> None:
        begun: list[str] = []
        ends = {name: asyncio.Event() for name in ("a1", "a2", "b1", "c1")}

        async def run(turn: str) -> None:
            begun.append(turn)
            await ends[turn].wait()

        queue = TurnQueue(2, 2, run)
        added = [queue.add(turn[0], turn) for turn in ("a1", "a2", "b1", "c1", "d1")]
        assert added == [True, True, True, True, False]
        await asyncio.sleep(0)
        assert begun == ["a1", "b1"]
        ends["a1"].set()
        while len(begun) < 3:
            await asyncio.sleep(0)
        # c has waited longer than a, whose turn has just ended.
        assert begun[2] == "c1"
        assert queue.turns == ["b1", "c1", "a2"]
        queue.clear()
        for end in ends.values():
            end.set()
        await queue.idle(1)
        assert (begun, queue.turns) == (["a1", "b1", "c1"], [])

    asyncio.run(main())


def query(text: str) -> dict[str, Any]:
    return {"query_id": f"q {text}", "query": text, "conversation_id": "c1", "from": ACCOUNT}


async def fail(error: Exception) -> None:
    raise error


def test_suggestions_end_after_three_seconds_and_when_the_user_types_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """BOTSDK-13"""
    monkeypatch.setattr(inline_queries, "WAIT_S", 0.01)

    async def main() -> None:
        cancelled: list[str] = []

        async def suggest(text: str, _ctx: InlineContext) -> list[str]:
            try:
                if text != "tea":
                    await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(text)
                raise
            return [text]

        api = FakeApi()
        queries = InlineQueries(api, suggest, pytest.fail, fail)
        first = asyncio.create_task(queries.answer(query("te")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await queries.answer(query("tea"))
        await first
        await queries.answer(query("slow"))
        await asyncio.sleep(0)
        assert cancelled == ["te", "slow"]
        assert api.all("answerInlineQuery") == [{"query_id": "q tea", "results": ["tea"]}]

    asyncio.run(main())


def test_a_part_that_is_waited_for_fails_with_its_reply() -> None:
    """BOTSDK-25"""

    async def main() -> None:
        parts = PartQueue()
        part = parts.put({"id": "a", "type": "source", "url": "https://sky.example/"}, 0)
        error = ConnectionError("the service does not answer")
        with pytest.raises(ConnectionError):
            await parts.send(lambda _: fail(error))
        with pytest.raises(ConnectionError):
            await part

    asyncio.run(main())


def test_a_look_up_that_fails_is_repeated_and_a_final_error_is_reported() -> None:
    """BOTSDK-9"""

    async def main() -> None:
        api = FakeApi()
        api.errors["getChatHistory"] = [ConnectionError("no network"), ApiError(400, "invalid_argument", "no", {})]
        reported: list[Exception] = []

        async def report(error: Exception, _ctx: object) -> None:
            reported.append(error)

        handlers = cast(Any, SimpleNamespace(run=lambda _: fail(AssertionError("the message was answered before"))))
        connection = cast(Any, SimpleNamespace(api=api, account=ACCOUNT, state="live"))
        clock = Clock(random=lambda: 0.0)
        intake = Intake(
            connection, clock, handlers, cast(Any, None), turns_at_once=1, turns_waiting=1, log=print, report=report
        )
        turn = context(api, clock=clock)
        intake._begin(turn, True)
        while not reported:
            await asyncio.sleep(0)
        assert isinstance(reported[0], ApiError)
        assert len(api.all("getChatHistory")) == 2

    asyncio.run(main())


def test_reasoning_that_grows_is_sent_in_pieces_and_again_after_a_doubt() -> None:
    """BOTSDK-33"""

    async def main() -> None:
        sent: list[dict[str, object]] = []

        async def write(part: Mapping[str, object]) -> None:
            sent.append({name: value for name, value in part.items() if name not in ("id", "type")})

        parts = PartQueue()
        for text in ("hé", "m", "!" * 40_000):
            parts.think("thought 1", text, 7)
            await parts.send(write)
        assert sent == [
            {"offset": 7, "text": "hé"},
            {"append": "m", "text_offset": 4},
            {"append": "!" * 32_768, "text_offset": 32_772},
            {"append": "!" * 7_232, "text_offset": 40_004},
        ]
        assert not parts.has_unsent
        parts.doubt()
        await parts.send(write)
        assert sent[-1] == {"offset": 7, "text": "hém" + "!" * 40_000}
        # The service has another text: it gets the whole one. It takes no more: the rest is left out.
        parts.think("thought 1", "?", 7)
        refusals = [ApiError(409, "conflict", "elsewhere", {"offset": 2}), ApiError(413, "too_large", "no", {})]
        await parts.send(lambda _: fail(refusals.pop(0)))
        assert (refusals, parts.has_unsent) == ([], False)

    asyncio.run(main())
