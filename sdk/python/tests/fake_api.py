"""A service that records calls, and answers them as the test says."""

from typing import Any, cast

from parley_bot import Account, ApiError, Clock, Context, Message
from parley_bot.api import Api

ACCOUNT: Account = {
    "username": "ann:helper",
    "kind": "agent",
    "display_name": "Helper",
    "parent_username": "ann",
    "created_at": "2026-01-01T00:00:00.000Z",
}


class FakeApi(Api):
    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:9", "mb_x", lambda: None)
        self.calls: list[tuple[str, dict[str, Any]]] = []
        # What the service has of the text of the one reply; None while there is none.
        self.text: str | None = None
        self.errors: dict[str, list[Exception]] = {}

    async def call(self, name: str, /, **params: Any) -> Any:
        self.calls.append((name, params))
        if self.errors.get(name):
            raise self.errors[name].pop(0)
        match name:
            case "startMessageStream":
                is_resumed = self.text is not None
                self.text = self.text or ""
                return {"id": "r1", "status": "streaming", **({"resumed": True} if is_resumed else {})}
            case "appendMessageStream":
                self.text = params.get("text", (self.text or "") + params.get("delta", ""))
                return {"cancel_requested": False, "offset": len(self.text.encode()), "content_revision": 1}
            case "finishMessageStream":
                return {"id": "r1", "content": params.get("text", ""), "status": params["status"]}
        return {}

    def all(self, name: str) -> list[dict[str, Any]]:
        return [params for called, params in self.calls if called == name]


def conflict(offset: int) -> ApiError:
    return ApiError(409, "conflict", "the text ends elsewhere", {"offset": offset})


def context(api: Api, text: str = "hello", clock: Clock | None = None) -> Context:
    # The fields that a context reads.
    message = cast(
        Message,
        {
            "id": "m1",
            "position": 1,
            "conversation_id": "c1",
            "channel_id": None,
            "thread_root_id": None,
            "content": text,
            "reactions": [],
            "sender": {"username": "ann", "kind": "human"},
        },
    )
    return Context(api, clock or Clock(random=lambda: 0.0), ACCOUNT, message, lambda: True, is_dispatched=True)
