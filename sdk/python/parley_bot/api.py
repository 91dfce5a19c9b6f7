"""The HTTP operations of the service."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import httpx

from .errors import ApiError

# How long to wait for a reply: longer than any operation takes.
PATIENCE_S = 30.0


class Api:
    """Every operation as a method: `await api.sendMessage(chat_id=…, text=…)`.

    Raises ApiError if the service refuses the call, and ConnectionError if it does not answer: the call may or may not
    have been executed.
    """

    def __init__(self, url: str, token: str, on_refused: Callable[[], None]) -> None:
        self._http = httpx.AsyncClient(
            base_url=f"{url}/api/", headers={"authorization": f"Bearer {token}"}, timeout=PATIENCE_S
        )
        self._on_refused = on_refused

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        return partial(self.call, name)

    async def call(self, name: str, /, **params: Any) -> Any:
        try:
            response = await self._http.post(name, json=params)
        except httpx.HTTPError as error:
            raise ConnectionError(f"{name} was not answered") from error
        if response.status_code == 401:
            self._on_refused()
        return _result_of(response)

    async def close(self) -> None:
        await self._http.aclose()


def _result_of(response: httpx.Response) -> Any:
    status = response.status_code
    try:
        reply = response.json()
    except ValueError:
        reply = None  # Not from the service but from a proxy.
    if isinstance(reply, dict):
        if reply.get("ok") is True:
            return reply.get("result")
        if isinstance(reply.get("error_code"), str):
            raise ApiError(status, reply["error_code"], reply.get("description", ""), reply.get("parameters") or {})
    code = "unavailable" if 502 <= status <= 504 else "internal"
    raise ApiError(status, code, f"the reply with status {status} does not come from the service", {})
