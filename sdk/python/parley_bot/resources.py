"""What the service answers and takes, with the fields that most bots use; `/openapi.json` lists all of them."""

from typing import Any, Literal, NotRequired, TypedDict


class Actor(TypedDict):
    username: str
    kind: Literal["human", "agent"]
    display_name: str


class Account(Actor):
    parent_username: NotRequired[str]
    agent_provider: NotRequired[str]
    avatar_url: NotRequired[str]
    bio: NotRequired[str]
    created_at: str


class TokenUsage(TypedDict):
    input_tokens: int
    output_tokens: int


class Reaction(TypedDict):
    emoji: str
    count: int
    reactors: list[Actor]


class Part(TypedDict):
    """A part of a reply; its `type` says which of the optional fields it has."""

    id: str
    type: Literal["reasoning", "tool", "source", "progress", "notice"]
    offset: NotRequired[int]
    text: NotRequired[str]
    name: NotRequired[str]
    title: NotRequired[str]
    input: NotRequired[Any]
    output: NotRequired[Any]
    status: NotRequired[Literal["pending", "needs_approval", "running", "done", "failed", "denied", "unknown"]]
    error: NotRequired[str]
    url: NotRequired[str]
    excerpt: NotRequired[str]
    done: NotRequired[float]
    total: NotRequired[float]
    duration_ms: NotRequired[int]
    cause: NotRequired[dict[str, Any]]


class FieldSpec(TypedDict):
    """A field of a form, as in the settings of a bot."""

    key: str
    label: str
    type: Literal["string", "text", "number", "boolean", "select"]
    description: NotRequired[str]
    required: NotRequired[bool]
    default: NotRequired[str]
    options: NotRequired[list[str]]
    placeholder: NotRequired[str]


class DecisionOption(TypedDict):
    """What can be chosen. `decline` takes no values of a form."""

    id: str
    label: str
    style: NotRequired[Literal["primary", "danger"]]


class Decision(TypedDict):
    """A question with its options, and what became of it."""

    id: str
    kind: Literal["question", "call", "input", "login", "budget", "permission"]
    state: Literal["open", "decided", "expired", "withdrawn"]
    options: list[DecisionOption]
    form: NotRequired[list[FieldSpec]]
    deciders: Literal["anyone", "admins"] | list[str]
    private: NotRequired[Literal[True]]
    expires_at: NotRequired[str]
    decided_by: NotRequired[str]
    option: NotRequired[str]
    fields: NotRequired[dict[str, str | float | bool]]
    decided_at: NotRequired[str]


class Message(TypedDict):
    id: str
    position: int
    conversation_id: str
    channel_id: str | None
    thread_root_id: str | None
    sender: Account
    content: str
    parts: NotRequired[list[Part]]
    attachments: list[dict[str, Any]]
    reply_to_id: str | None
    client_msg_id: NotRequired[str]
    mentions: list[str]
    dispatch: list[str]
    reactions: list[Reaction]
    decision: NotRequired[Decision]
    created_at: str
    edited_at: NotRequired[str]
    deleted_at: NotRequired[str]
    content_revision: int
    status: Literal["streaming", "complete", "cancelled", "failed"]
    finish_reason: NotRequired[str]
    finalized_at: NotRequired[str]
    usage: NotRequired[TokenUsage]
    resumed: NotRequired[bool]


class BotArgument(TypedDict):
    name: str
    required: NotRequired[bool]
    description: NotRequired[str]


class BotCommand(TypedDict):
    """A command as the app suggests it."""

    command: str
    description: str
    arguments: NotRequired[list[BotArgument]]


class Conversation(TypedDict):
    id: str
    kind: Literal["direct", "group"]
    is_separate: NotRequired[Literal[True]]
    title: str | None
    description: str | None
    participants: list[dict[str, Any]]
    participant_count: int
    channels: list[dict[str, Any]]
    pinned_message_ids: list[str]
    created_at: str
    updated_at: str


class RunConfig(TypedDict):
    """Settings and secrets of the human who asked. Never log them."""

    user: str
    config: dict[str, str]
    secrets: dict[str, str]
