"""Where in the log a bot begins that was not running."""

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime

from .update_log import Frame, Page

Fetch = Callable[[int, int], Awaitable[Page]]
"""Fetches at most so many frames after a position."""

# Messages older than this are not answered.
ANSWERED_WITHIN_S = 600.0
# Log positions in the first step back; each further step is four times as long.
FIRST_STEP = 64
FRAMES = 20


def seconds_of(iso: str) -> float:
    return datetime.fromisoformat(iso).timestamp()


async def ten_minutes_ago(fetch: Fetch, now: float) -> int:
    """A log position from before the last ten minutes, so that a bot receives messages sent while it did not run.

    The log has positions but no times, so this steps back, further each time, until it finds a message that is old
    enough or the start of the log.
    """
    head: int = (await fetch(0, 1))["head"]
    place, step = head, FIRST_STEP
    while place > 0:
        since = max(0, head - step)
        page = await fetch(since, FRAMES)
        if page.get("truncated"):
            break
        place = since
        at = _time_of(page["frames"])
        if at is not None and now - at > ANSWERED_WITHIN_S:
            break
        step *= 4
    return place


def _time_of(frames: Iterable[Frame]) -> float | None:
    for frame in frames:
        if frame["method"] in ("events.messageNew", "events.messageComplete"):
            at = frame["params"].get("finalized_at") or frame["params"].get("created_at")
            if isinstance(at, str):
                return seconds_of(at)
    return None
