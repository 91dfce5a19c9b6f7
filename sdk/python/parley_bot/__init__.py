"""A bot for Parley: a program that takes part in chats as an agent.

It needs a token but no public address: all events arrive over the connection that it opens.
"""

from .api import Api
from .bot import Bot
from .clock import Clock
from .errors import AnswerFull, ApiError, QuestionChanged, StartError, Stopped
from .handlers import (
    ActionHandler,
    CommandHandler,
    ErrorHandler,
    InlineContext,
    InlineHandler,
    MessageHandler,
    Middleware,
)
from .questions import Deciders, Outcome
from .resources import (
    Account,
    Actor,
    BotArgument,
    Conversation,
    Decision,
    DecisionOption,
    FieldSpec,
    Message,
    Part,
    RunConfig,
    TokenUsage,
)
from .turn import ActionContext, Answer, CommandCall, CommandContext, Context, Press

__all__ = [
    "Account",
    "ActionContext",
    "ActionHandler",
    "Actor",
    "Answer",
    "AnswerFull",
    "Api",
    "ApiError",
    "Bot",
    "BotArgument",
    "Clock",
    "CommandCall",
    "CommandContext",
    "CommandHandler",
    "Context",
    "Conversation",
    "Deciders",
    "Decision",
    "DecisionOption",
    "ErrorHandler",
    "FieldSpec",
    "InlineContext",
    "InlineHandler",
    "Message",
    "MessageHandler",
    "Middleware",
    "Outcome",
    "Part",
    "Press",
    "QuestionChanged",
    "RunConfig",
    "StartError",
    "Stopped",
    "TokenUsage",
]
