import asyncio
from typing import Any

from parley_bot.connection import MAX_WAITING, Inbox
from parley_bot.look_back import ten_minutes_ago
from parley_bot.update_log import Frame, Page, UpdateLog


def frame(seq: int, prev: int) -> dict[str, Any]:
    return {"method": "events.messageNew", "seq": seq, "prev": prev, "params": {}}


def test_frames_are_delivered_in_order_each_once_and_gaps_are_fetched() -> None:
    """SDK-5, SDK-6, SDK-7"""
    fetched: list[int] = []
    delivered: list[tuple[int, bool]] = []

    async def fetch(since: int) -> Page:
        fetched.append(since)
        if since == 10:
            return {"frames": [frame(11, 10), frame(12, 11)], "head": 14, "more": True}
        return {"frames": [frame(14, 12)], "head": 14}

    def deliver(given: Frame, is_replay: bool) -> None:
        delivered.append((given["seq"], is_replay))

    async def main() -> None:
        log = UpdateLog(fetch, deliver, 10)
        await log.take(frame(15, 14))
        await log.take(frame(15, 14))
        await log.take(frame(12, 11))
        await log.take(frame(3, 3))  # Outside the log.
        assert log.position == 15

    asyncio.run(main())
    assert delivered == [(11, True), (12, True), (14, True), (15, False), (3, False)]
    assert fetched == [10, 12]


def test_after_too_many_missed_events_the_log_goes_on_at_its_head() -> None:
    """SDK-8"""

    async def fetch(_since: int) -> Page:
        return {"frames": [], "head": 9_000, "truncated": True}

    async def main() -> None:
        log = UpdateLog(fetch, lambda _frame, _is_replay: None, 10)
        await log.catch_up(8_000)
        assert log.position == 9_000

    asyncio.run(main())


def test_at_most_2000_frames_wait() -> None:
    """SDK-9"""
    inbox = Inbox()
    for seq in range(MAX_WAITING + 10):
        inbox.put(frame(seq + 1, seq))

    async def main() -> int:
        count = 0
        while inbox._frames:
            await inbox.get()
            count += 1
        return count

    assert asyncio.run(main()) == MAX_WAITING


def test_a_bot_begins_at_a_message_that_is_older_than_ten_minutes() -> None:
    """BOTSDK-4"""
    asked: list[int] = []

    async def fetch(since: int, limit: int) -> Page:
        asked.append(since)
        # One event a second, which began at the time 1000.
        at = f"1970-01-01T00:{(1_000 + since) // 60:02}:{(1_000 + since) % 60:02}.000Z"
        method = "events.messageNew"
        return {"frames": [{"method": method, "params": {"created_at": at}}], "head": 1_000}

    assert asyncio.run(ten_minutes_ago(fetch, 2_000.0)) == 0
    assert asked == [0, 936, 744, 0]
    asked.clear()
    assert asyncio.run(ten_minutes_ago(fetch, 2_350.0)) == 744
