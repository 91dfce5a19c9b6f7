"""A bot for Parley: a program that takes part in chats as an agent.

It needs a token but no public address: all events arrive over the connection that it opens.
"""

from .api import Api
from .bot import Bot
from .clock import Clock
from .errors import AnswerFull, ApiError, StartError, Stopped
from .handlers import ErrorHandler, InlineContext, InlineHandler, MessageHandler, Middleware
from .resources import Account, Actor, Conversation, Message, Part, RunConfig, TokenUsage
from .turn import Answer, Context

__all__ = [
    "Account",
    "Actor",
    "Answer",
    "AnswerFull",
    "Api",
    "ApiError",
    "Bot",
    "Clock",
    "Context",
    "Conversation",
    "ErrorHandler",
    "InlineContext",
    "InlineHandler",
    "Message",
    "MessageHandler",
    "Middleware",
    "Part",
    "RunConfig",
    "StartError",
    "Stopped",
    "TokenUsage",
]
