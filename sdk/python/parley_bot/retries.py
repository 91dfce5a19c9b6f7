"""Calls that are repeated until the service answers."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from .clock import Clock
from .errors import ApiError

Result = TypeVar("Result")

# Errors of a service that is restarting or overloaded.
PASSING = frozenset({"unavailable", "rate_limited", "internal"})
# How long calls are retried: longer than a restart, and longer than the lease of a stream.
GIVE_UP_S = 120.0
MAX_WAIT_S = 5.0


async def persist(clock: Clock, call: Callable[[bool], Awaitable[Result]]) -> Result:
    """Retries until the service answers with success or a final error. Only for calls that are safe to repeat.

    `call` receives whether an earlier attempt may have succeeded without its answer arriving.
    """
    give_up_at = clock.monotonic() + GIVE_UP_S
    is_repeated = False
    attempt = 0
    while True:
        try:
            return await call(is_repeated)
        except (ApiError, ConnectionError) as error:
            is_passing = not isinstance(error, ApiError) or error.code in PASSING
            if not is_passing or clock.monotonic() >= give_up_at:
                raise
            # A rate-limited call was not executed.
            if not (isinstance(error, ApiError) and error.code == "rate_limited"):
                is_repeated = True
            await clock.sleep(asked_delay(error) + min(MAX_WAIT_S, clock.retry_delay(attempt)))
            attempt += 1


def asked_delay(error: Exception) -> float:
    """The seconds for which the service asks its callers to wait."""
    return float(error.parameters.get("retry_after", 0)) if isinstance(error, ApiError) else 0.0
