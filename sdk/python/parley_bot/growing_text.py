"""A text that grows at its end and is sent in pieces."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    """A piece of the text, and the byte offset in the whole text at which it ends."""

    delta: str
    offset: int


class GrowingText:
    """Holds the whole text as UTF-8, and how many of its bytes the service has. No piece ends within a character."""

    def __init__(self, most_bytes: int) -> None:
        self.sent_bytes = 0
        self._most_bytes = most_bytes
        self._bytes = bytearray()
        # A high surrogate whose low surrogate has not arrived.
        self._half = ""

    def __len__(self) -> int:
        return len(self._bytes)

    @property
    def text(self) -> str:
        return self._bytes.decode()

    @property
    def has_unsent(self) -> bool:
        return self.sent_bytes < len(self._bytes)

    def push(self, chunk: str) -> bool:
        """False once the text has reached its limit; the rest is cut off between characters."""
        joined = self._half + chunk
        is_half = "\ud800" <= joined[-1:] <= "\udbff"
        self._half = joined[-1] if is_half else ""
        return self._add(joined[:-1] if is_half else joined)

    def end(self) -> None:
        """Called when the text is complete."""
        rest, self._half = self._half, ""
        self._add(rest)

    def next(self, most_bytes: int) -> Piece:
        """The next piece to send."""
        end = self._cut(self.sent_bytes + most_bytes)
        return Piece(self._bytes[self.sent_bytes : end].decode(), end)

    def continue_from(self, offset: int) -> bool:
        """Continues after `offset` bytes, which the service has; false if the text is shorter."""
        if offset > len(self._bytes):
            return False
        self.sent_bytes = offset
        return True

    def _add(self, text: str) -> bool:
        # Joins the halves of characters; other unpaired surrogates become U+FFFD.
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self._bytes += whole.encode()
        is_within = len(self._bytes) <= self._most_bytes
        del self._bytes[self._cut(self._most_bytes) :]
        return is_within

    def _cut(self, at: int) -> int:
        """The last boundary between characters up to here."""
        end = min(at, len(self._bytes))
        while end < len(self._bytes) and self._bytes[end] & 0xC0 == 0x80:
            end -= 1
        return end
