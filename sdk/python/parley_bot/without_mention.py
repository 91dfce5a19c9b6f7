"""The text of a message as a bot reads it."""

import re
from unicodedata import category

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
    return character != "" and (character == "_" or category(character)[0] == "L" or category(character) == "Nd")
