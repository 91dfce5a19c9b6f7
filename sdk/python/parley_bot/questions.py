"""What a bot asks people, and what became of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .resources import Decision, Message

# `ask:`, the id of what fired the handler (`press:` before that of a press), and the question's key or number.
NAME = re.compile(r"ask:((?:press:)?[0-9a-f-]{36}):")
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")

Deciders = Literal["anyone", "admins"] | Sequence[str]


@dataclass(frozen=True)
class Outcome:
    """What became of a question.

    `option` is None unless somebody has decided, so that comparing it with an option's id is enough to be safe.
    """

    state: Literal["decided", "expired", "withdrawn"]
    option: str | None
    """The id of the option that was chosen."""
    fields: dict[str, str | float | bool]
    """The values of the form, of the types of its fields; none with `decline`."""
    by: str | None
    """The username of who decided."""
    decision: Decision
    """The decision with its outcome; its id is that of its message."""


def outcome_of(decision: Decision) -> Outcome:
    if decision["state"] == "decided":
        fields = decision.get("fields") or {}
        return Outcome("decided", decision.get("option"), fields, decision.get("decided_by"), decision)
    return Outcome("expired" if decision["state"] == "expired" else "withdrawn", None, {}, None, decision)


def decision_of(message: Message) -> Decision:
    """The decision of a question; one that was deleted has none any more, and counts as withdrawn."""
    return message.get("decision") or {
        "id": message["id"],
        "kind": "question",
        "state": "withdrawn",
        "options": [],
        "deciders": "anyone",
    }


def question_name(origin: str, key: str | int) -> str:
    """The client_msg_id of a question: derived from what fired the handler, so that no daemon asks it twice."""
    return f"ask:{origin}:{key}"


def asked_by(message: Message) -> str | None:
    """What fired the handler that asked: the id of a message, or `press:` and that of a press.

    None for other messages than questions.
    """
    match = NAME.match(message.get("client_msg_id", ""))
    return match[1] if match else None


class QuestionNames:
    """The names of the questions that one run of a handler asks."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._keys: set[str] = set()
        self._count = 0

    def next(self, key: str | None) -> str:
        """Raises ValueError for a key that is none, or was used before: its answer would be taken for another's."""
        if key is None:
            self._count += 1
            return question_name(self._origin, self._count)
        if not KEY.fullmatch(key):
            raise ValueError(
                f'the key of a question is a letter and up to 63 of letters, digits, _, . and -, not "{key}"'
            )
        if key in self._keys:
            raise ValueError(f'this handler has already asked a question with the key "{key}"')
        self._keys.add(key)
        return question_name(self._origin, key)
