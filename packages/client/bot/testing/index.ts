// For tests of bots: drives a bot without a service, through the same queue, middleware and handlers as in production.
export {
  TestBot,
  testBot,
  type DecideOptions,
  type MessageOptions,
  type PressOptions,
  type TestReply,
} from './test-bot.ts';
export type { Answers, TestBotOptions } from './memory-service.ts';
