// The bot SDK: a program that answers as one of the participants. It needs a token and no address of its own: all
// that happens comes over the connection that it opens itself.
export type {
  AnswerOptions,
  Bot,
  BotContext,
  BotOptions,
  ErrorHandler,
  InlineContext,
  InlineHandler,
  Middleware,
  StopOptions,
  TextSource,
} from './bot.ts';
export { createBot } from './create-bot.ts';
export { StartError } from './start-error.ts';
export { ApiError } from '../api.ts';
export { ConnectionError } from '../requests.ts';
export type { Message, Conversation, RunConfig } from '@parley/protocol';
