"""The text of a message as a bot reads it."""

import re
from unicodedata import category

# Blocks of Unicode for scripts without spaces between words: their letters may stand beside a mention.
UNSPACED = (
    (0x0E00, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x1950, 0x19FF), (0x1A20, 0x1AAF), (0x1B00, 0x1B7F),
    (0x2E80, 0xA4CF), (0xA960, 0xA97F), (0xA980, 0xAADF), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFF66, 0xFFDC),
    (0x16FE0, 0x18DFF), (0x1AFF0, 0x1B16F), (0x20000, 0x3FFFF), (0xE0100, 0xE01EF),
)  # fmt: skip

# Code is left unchanged: mentions do not count there.
CODE = re.compile(r"(```[\s\S]*?(?:```|\Z)|`[^`\n]*`)")


def without_mention(text: str, username: str) -> str:
    """The text of a message without the bot's `@username`."""
    mention = re.compile(rf"@{re.escape(username)}(?P<rest>(?:[,:](?=\s|\Z))?[^\S\n]*)", re.IGNORECASE)

    def replaced(match: re.Match[str]) -> str:
        # Like the service's own mentions: not within an email address or a longer name.
        before = match.string[: match.start()][-1:]
        after = match.string[match.start("rest") :]
        is_longer = _is_of_name(after[:1]) or (after[:1] == ":" and _is_of_name(after[1:2]))
        return match[0] if _is_of_name(before) or before in (".", "+", "-") or is_longer else ""

    parts = CODE.split(text)
    parts[::2] = [mention.sub(replaced, part) for part in parts[::2]]
    return "".join(parts).strip()


def _is_of_name(character: str) -> bool:
    if character in ("", "_"):
        return character == "_"
    kind = category(character)
    is_letter = kind[0] in "LM" or kind == "Nd"
    return is_letter and not any(first <= ord(character) <= last for first, last in UNSPACED)
