// The bot SDK: a program that takes part in chats as an agent. It needs a token but no public address: all events
// arrive over the connection that it opens.
export type {
  ActionContext,
  AnswerOptions,
  Bot,
  BotCommand,
  BotContext,
  BotOptions,
  CommandCall,
  CommandContext,
  ErrorHandler,
  InlineContext,
  InlineHandler,
  MessageFilter,
  MessageHandler,
  Middleware,
  Press,
  StopOptions,
  StreamEvent,
  TextSource,
} from './bot.ts';
export type { ReplyPart } from './part-queue.ts';
export type { FieldValues, Outcome, Question, QuestionField, QuestionOption } from './questions.ts';
export { createBot } from './create-bot.ts';
export { MemorySessions, type SessionOptions, type SessionStorage } from './sessions.ts';
export { StartError } from './start-error.ts';
export { ApiError } from '../api.ts';
export { ConnectionError } from '../requests.ts';
export type { Message, Conversation, Part, RunConfig } from '@parley/protocol';
