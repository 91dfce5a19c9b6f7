"""Requests to stop an answer. Only the human who asked and the bot's owner may stop it; others get an alert."""

from collections.abc import Sequence
from typing import Any

from .api import Api
from .clock import Clock
from .errors import ApiError
from .resources import Account, Actor, Message
from .turn import Context

# How long another daemon of this bot has to end its own reply.
OTHERS_S = 5.0


async def heed_stop(api: Api, clock: Clock, account: Account, turns: Sequence[Context], cancel: dict[str, Any]) -> None:
    """Handles an `events.cancelRun`."""
    asked_by: Actor = cancel["from"]
    message_id: str | None = cancel.get("message_id")
    in_chat = [turn for turn in turns if turn.message["conversation_id"] == cancel["conversation_id"]]
    meant = [turn for turn in in_chat if message_id is None or turn._is_writing(message_id)]
    if not meant:
        if message_id is not None:
            await _stop_leftover(api, clock, account, message_id, asked_by)
        return
    is_stopped = False
    for turn in meant:
        if _is_owner(account, asked_by) or await _asker_of(turn) == asked_by["username"]:
            is_stopped = True
            turn._stop("asked")
        else:
            turn._refuse_stop()
    if not is_stopped:
        name = account["display_name"]
        text = f"Only the person who asked {name} and its owner can stop this answer."
        await api.pushAlert(to_username=asked_by["username"], level="error", text=text)


async def _asker_of(turn: Context) -> str | None:
    """The human who caused the turn, also through other agents."""
    if turn.sender["kind"] == "human" or turn.press:
        return turn.sender["username"]
    try:
        return (await turn.config())["user"]
    except (ApiError, ConnectionError):
        return None


async def _stop_leftover(api: Api, clock: Clock, account: Account, message_id: str, asked_by: Actor) -> None:
    """Stops a reply that none of this daemon's turns is writing (BOTSDK-11).

    Another live daemon stops its own reply; a reply left by a dead daemon is ended here, instead of a minute later by
    the service (STREAM-7).
    """

    async def find(id: str) -> Message | None:
        items = (await api.getMessages(message_ids=[id]))["items"]
        return items[0] if items else None

    async def find_open() -> Message | None:
        reply = await find(message_id)
        is_own = reply is not None and reply["sender"]["username"] == account["username"]
        return reply if reply and is_own and reply["status"] == "streaming" else None

    if not await find_open():
        return
    await clock.sleep(OTHERS_S)
    reply = await find_open()
    if not reply:
        return
    asked = await find(reply["reply_to_id"]) if reply["reply_to_id"] else None
    is_asker = asked is not None and asked["sender"]["username"] == asked_by["username"]
    if _is_owner(account, asked_by) or is_asker:
        await api.finishMessageStream(message_id=message_id, status="cancelled")


def _is_owner(account: Account, actor: Actor) -> bool:
    return account.get("parent_username") == actor["username"]
