"""Why a bot cannot connect, in words for its owner."""

import errno
import socket
from collections.abc import Iterator

from .api import Api
from .errors import ApiError

REASONS = {"ECONNREFUSED": "nothing listens there", "ENOTFOUND": "no such host"}


async def why_no_connection(api: Api) -> str | None:
    """A WebSocket does not always say why it failed, but an HTTP call does. None if the token is refused."""
    try:
        await api.getMe()
    except ApiError as error:
        return None if error.status == 401 else f"cannot be used now: {error.description}"
    except ConnectionError as error:
        code = next((code for cause in _causes_of(error) if (code := _code_of(cause))), None)
        return "does not answer" + (f" ({REASONS.get(code, code)})" if code else "")
    return "answers, but opens no WebSocket"


def _causes_of(error: BaseException) -> Iterator[BaseException]:
    yield error
    for cause in error.exceptions if isinstance(error, BaseExceptionGroup) else (error.__cause__ or error.__context__,):
        if cause:
            yield from _causes_of(cause)


def _code_of(error: BaseException) -> str | None:
    if isinstance(error, socket.gaierror):
        return "ENOTFOUND"
    return errno.errorcode.get(error.errno) if isinstance(error, OSError) and error.errno else None
