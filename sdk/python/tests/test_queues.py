import asyncio
from typing import Any

import pytest
from fake_api import ACCOUNT, FakeApi

from parley_bot import InlineContext, inline_queries
from parley_bot.inline_queries import InlineQueries
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
