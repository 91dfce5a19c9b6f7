"""What surrounds a message: its timeline, the messages before it, and answers to it."""

from collections.abc import Callable, Iterator
from typing import Any

from .api import Api
from .resources import Message

HISTORY_PAGE = 200
NEXT_MESSAGES = 50

Timeline = tuple[str, str | None, str | None]


def timeline_of(message: Message) -> Timeline:
    return message["conversation_id"], message["channel_id"], message["thread_root_id"]


def place_of(message: Message) -> dict[str, str]:
    """The timeline of a message, as params of an operation."""
    names = ("chat_id", "channel_id", "thread_root_id")
    return {name: value for name, value in zip(names, timeline_of(message), strict=True) if value is not None}


def answer_name(cause: str, nth: int = 1) -> str:
    """The client_msg_id of an answer: derived from its cause, so that no daemon gives the same one twice."""
    return cause + ("" if nth == 1 else f":{nth}")


async def messages_up_to(api: Api, message: Message, limit: int) -> list[Message]:
    """The newest messages of the timeline up to `message`, oldest first; later messages belong to later turns."""
    found: list[Message] = []
    cursor: dict[str, Any] = {}
    while len(found) < limit:
        page = await api.getChatHistory(**place_of(message), limit=min(HISTORY_PAGE, limit), **cursor)
        found[:0] = [item for item in page["items"] if item["position"] <= message["position"]]
        if "next_cursor" not in page:
            break
        cursor = {"cursor": page["next_cursor"]}
    return found[-limit:]


async def earlier_message(api: Api, username: str, message: Message, is_meant: Callable[[str], bool]) -> Message | None:
    """An answer or question that another or an earlier daemon of this bot has begun about the message."""
    page = await api.getChatHistory(**place_of(message), after=message["id"], limit=NEXT_MESSAGES)
    found: Iterator[Message] = (
        item
        for item in page["items"]
        if item["sender"]["username"] == username and is_meant(item.get("client_msg_id", ""))
    )
    return next(found, None)
