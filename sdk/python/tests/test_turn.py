import asyncio
from typing import Any, cast

import pytest
from fake_api import FakeApi, conflict, context

from parley_bot import ApiError, Clock, Stopped, reply_stream


def test_a_stop_cancels_the_handler_and_the_end_reaches_the_service() -> None:
    """PY-1"""

    async def main() -> None:
        api = FakeApi()
        ctx = context(api)
        written = asyncio.Event()

        async def handler() -> None:
            async with ctx.stream() as reply:
                await reply.write("so far")
                written.set()
                await asyncio.Event().wait()

        ctx._task = asyncio.create_task(handler())
        await written.wait()
        ctx._stop("asked")
        with pytest.raises(asyncio.CancelledError):
            await ctx._task
        assert api.all("finishMessageStream") == [{"message_id": "r1", "status": "cancelled", "text": "so far"}]
        with pytest.raises(Stopped):
            await ctx.reply("more")

    asyncio.run(main())


def test_a_stop_while_the_answer_is_started_or_ended_leaves_nothing_open() -> None:
    """PY-1"""

    async def main() -> None:
        for stopped_in in ("startMessageStream", "finishMessageStream"):
            held = asyncio.Event()
            reached = asyncio.Event()

            class SlowApi(FakeApi):
                async def call(self, name: str, /, **params: Any) -> Any:
                    if name == stopped_in:  # noqa: B023
                        reached.set()  # noqa: B023
                        await held.wait()  # noqa: B023
                    return await super().call(name, **params)

            api = SlowApi()
            ctx = context(api)
            ctx._task = asyncio.create_task(ctx.reply("text"))
            await reached.wait()
            ctx._stop("asked")
            # The cancellation arrives while the call is in flight.
            await asyncio.sleep(0)
            held.set()
            with pytest.raises(asyncio.CancelledError):
                await ctx._task
            assert len(api.all("startMessageStream")) == len(api.all("finishMessageStream")) == 1

    asyncio.run(main())


def test_a_time_limit_of_the_handler_ends_its_answer_as_failed() -> None:
    """PY-1"""

    async def main() -> None:
        api = FakeApi()
        ctx = context(api)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(None) as limit, ctx.stream() as reply:
                await reply.write("so far")
                limit.reschedule(0)
                await asyncio.Event().wait()
        assert api.all("finishMessageStream") == [{"message_id": "r1", "status": "failed", "text": "so far"}]

    asyncio.run(main())


def test_the_block_is_not_entered_if_another_daemon_has_the_answer() -> None:
    """PY-2"""

    async def main() -> None:
        api = FakeApi()
        api.text = "by another daemon"
        ctx = context(api)
        with pytest.raises(Stopped):
            async with ctx.stream():
                pytest.fail("entered")
        assert await ctx.reply("too late") is None
        assert [name for name, _ in api.calls] == ["startMessageStream"] * 2

    asyncio.run(main())


def test_usage_and_attachments_may_be_set_in_the_block() -> None:
    """PY-3"""

    async def main() -> None:
        api = FakeApi()
        ctx = context(api)
        async with ctx.stream() as reply:
            await reply.write("text")
            reply.usage = {"input_tokens": 1, "output_tokens": 2}
            reply.attachments = [{"kind": "news"}]
        (ended,) = api.all("finishMessageStream")
        assert (ended["usage"], ended["attachments"]) == (reply.usage, reply.attachments)
        assert reply.message is not None

    asyncio.run(main())


def test_a_start_whose_answer_was_lost_continues_unless_another_daemon_has_written() -> None:
    """BOTSDK-3, BOTSDK-6"""

    async def main(text: str, error: list[Exception]) -> tuple[FakeApi, bool]:
        api = FakeApi()
        api.text = text
        api.errors = {"startMessageStream": [ConnectionError()], "appendMessageStream": error}
        ctx = context(api)

        async def handler() -> None:
            async with ctx.stream() as reply:
                await reply.write("mine")
                await asyncio.sleep(0.2)

        ctx._task = asyncio.create_task(handler())
        await asyncio.wait([ctx._task])
        return api, ctx._task.cancelled()

    api, is_cancelled = asyncio.run(main("", []))
    assert (api.text, is_cancelled, len(api.all("finishMessageStream"))) == ("mine", False, 1)
    # It was stopped, since the reply is not its own.
    api, is_cancelled = asyncio.run(main("theirs", [conflict(6)]))
    assert (api.text, is_cancelled, len(api.all("finishMessageStream"))) == ("theirs", True, 0)


def test_an_idle_answer_keeps_its_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """BOTSDK-12"""
    monkeypatch.setattr(reply_stream, "KEEP_ALIVE_S", 0.001)

    keep_alive = {"message_id": "r1", "delta": "", "offset": 4}

    async def main() -> None:
        api = FakeApi()
        ctx = context(api)
        async with asyncio.timeout(5), ctx.stream() as reply:
            await reply.write("text")
            while api.all("appendMessageStream")[-2:] != [keep_alive] * 2:
                await asyncio.sleep(0)

    asyncio.run(main())


def test_cancel_requested_stops_only_if_no_event_says_who_asked() -> None:
    """BOTSDK-10"""

    async def main(is_explained: bool) -> bool:
        asked = asyncio.Event()
        elapsed = asyncio.Event()

        async def sleep(seconds: float) -> None:
            if seconds == 5:
                asked.set()
                await elapsed.wait()

        class AskedApi(FakeApi):
            async def call(self, name: str, /, **params: Any) -> Any:
                return {**await super().call(name, **params), "cancel_requested": True}

        api = AskedApi()
        ctx = context(api, clock=Clock(sleep=sleep, random=lambda: 0.0))

        async def handler() -> None:
            async with ctx.stream() as reply:
                await reply.write("text")
                await asked.wait()
                if is_explained:
                    ctx._refuse_stop()
                elapsed.set()
                await asyncio.sleep(0.01)

        ctx._task = asyncio.create_task(handler())
        await asyncio.wait([ctx._task])
        return ctx._task.cancelled()

    assert asyncio.run(main(is_explained=False))
    assert not asyncio.run(main(is_explained=True))


def test_an_end_that_the_service_refuses_becomes_a_failed_one() -> None:
    """BOTSDK-23"""

    async def main() -> None:
        api = FakeApi()
        refusals = [ApiError(400, "invalid_argument", "no", {}), ApiError(413, "too_large", "no", {})]
        api.errors = {"finishMessageStream": cast(list[Exception], refusals)}
        ctx = context(api)
        with pytest.raises(ApiError, match="invalid_argument"):
            await ctx.reply("text", usage={"input_tokens": 1, "output_tokens": 2})
        assert [ended["status"] for ended in api.all("finishMessageStream")] == ["complete", "complete", "failed"]

    asyncio.run(main())


def test_a_handler_that_runs_again_leaves_out_what_it_wrote_before_its_question() -> None:
    """PY-8"""

    async def main() -> None:
        class AskedApi(FakeApi):
            async def call(self, name: str, /, **params: Any) -> Any:
                if name == "startMessageStream" and params["client_msg_id"] == "re:m1":
                    return {"id": "r0", "content": "before", "status": "complete", "resumed": True}
                if name == "askDecision":
                    decision = {
                        "id": "q1",
                        "state": "decided",
                        "option": "yes",
                        "decided_by": "ann",
                        "fields": {"n": 1},
                    }
                    return {"id": "q1", "decision": decision}
                return await super().call(name, **params)

        api = AskedApi()
        ctx = context(api)
        ctx._resumes_at = "q1"
        await ctx._take_up()
        async with ctx.stream() as reply:
            await reply.write("again")
        assert reply.message and reply.message["content"] == "before"
        outcome = await ctx.ask("Sure?", options=[{"id": "yes", "label": "Yes"}])
        assert (outcome.option, outcome.by, outcome.fields) == ("yes", "ann", {"n": 1})
        await ctx.reply("after")
        await ctx._leave_claim()
        assert [params["text"] for params in api.all("finishMessageStream")] == ["after"]
        started = [params["client_msg_id"] for params in api.all("startMessageStream")]
        assert started == ["re:q1"]

    asyncio.run(main())
