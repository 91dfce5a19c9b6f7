"""Time and randomness, so that tests can control both, and the delays between attempts."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

# Maximum of the first delay; the maximum doubles with each further attempt.
FIRST_S = 0.5
LONGEST_S = 30.0
# Maximum delay after a restart of the service: short, but spread so that bots do not all reconnect together.
SOON_S = 2.0


@dataclass(frozen=True)
class Clock:
    # `now`: the wall clock, which can be set at any moment. `monotonic`: for elapsed time; never jumps.
    now: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = random.random

    def retry_delay(self, attempt: int) -> float:
        """Full jitter, so that bots that lost their connections together do not return together."""
        return self.random() * min(LONGEST_S, FIRST_S * 2.0 ** min(attempt, 10))

    def soon_delay(self) -> float:
        return self.random() * SOON_S
