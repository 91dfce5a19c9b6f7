"""Errors that programs may want to catch. A service that does not answer is Python's own `ConnectionError`."""

from collections.abc import Mapping
from typing import Any, Literal

StopCause = Literal["asked", "stopping", "over"]
"""Why a turn stops: an account that may stop it asked, the bot is stopping, or the reply ended elsewhere."""


class ApiError(Exception):
    """An error answered by the service."""

    def __init__(self, status: int, code: str, description: str, parameters: Mapping[str, Any]) -> None:
        super().__init__(f"{code}: {description}")
        self.status = status
        self.code = code
        self.description = description
        self.parameters = parameters

    @property
    def offset(self) -> int | None:
        """In the conflict about an append: from which byte on the service has no text."""
        offset = self.parameters.get("offset")
        return offset if isinstance(offset, int) else None


class StartError(Exception):
    """The bot cannot run with its options. `Bot.run` prints it as one line and exits with code 1."""


class Stopped(Exception):
    """The answer is no longer wanted, or another daemon of the bot gives it. A bot ignores this error of a handler."""

    def __init__(self, cause: StopCause) -> None:
        super().__init__(f"the answer is no longer wanted ({cause})")
        self.cause = cause


class QuestionChanged(Exception):
    """A handler that runs again does not ask what it has asked before: nobody has decided about what it asks now."""

    def __init__(self, question_id: str) -> None:
        super().__init__(
            f"the handler does not ask question {question_id} again as it did before the bot was restarted: "
            "derive questions from the message alone, or keep what they are made of"
        )


class AnswerFull(Exception):
    """The answer has reached the service's limit of 256 KiB. `async with ctx.stream()` completes it."""
