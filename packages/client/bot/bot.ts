import type { Actor, Conversation, Message, AttachmentInput, RunConfig } from '@parley/protocol';
import type { Client, ClientOptions } from '../client.ts';
import type { UsageSource } from './usage-of.ts';

export interface BotOptions extends Pick<ClientOptions, 'fetch' | 'WebSocket' | 'network' | 'clock' | 'random'> {
  /** The service's address; by default `PARLEY_URL` of the environment, else `http://127.0.0.1:8080`. */
  url?: string;
  /** What making the bot has shown, `mb_…`; by default `PARLEY_TOKEN` of the environment. */
  token?: string;
  /** Messages that are worked on at once, in as many timelines: 50. Those of one timeline come one after another. */
  turnsAtOnce?: number;
  /** Messages that may wait for that: 1,000. Of more the bot says that it is busy. */
  turnsWaiting?: number;
  /** Given each line that the bot has to say; by default it goes to stderr. */
  log?: (line: string) => void;
}

/** Pieces of text as they come: an async generator, a stream of strings, or a list. */
export type TextSource = AsyncIterable<string> | Iterable<string>;

export interface AnswerOptions {
  attachments?: AttachmentInput[];
  /**
   * The tokens that the answer cost: a value, a promise, or a function that is called at the end and may answer a
   * promise. What is not known 5 s after the end of the text is left out, and reported to `catch`.
   */
  usage?: UsageSource;
}

/** One message, and what can be done about it. */
export interface BotContext {
  readonly bot: Bot;
  readonly message: Message;
  /** What was said, without the mention of the bot. */
  readonly text: string;
  /** The message is for this bot; false where only `on('any')` hears of it. */
  readonly isDispatched: boolean;
  /** The conversation, fetched when it is first asked for. */
  readonly chat: Promise<Conversation>;
  /** Fires when the answer is not wanted any more: somebody who may has stopped it, or the bot ends. */
  readonly signal: AbortSignal;
  /** For middleware to leave things for what comes after it. */
  readonly state: Map<string, unknown>;
  /** Answers, in the timeline of the message. Null where another daemon of this bot has answered already. */
  reply(text: string, options?: AnswerOptions): Promise<Message | null>;
  /**
   * Answers piece by piece, as they come. The source is not asked for anything before the answer is this daemon's to
   * give; null where it is not. What the source throws is thrown, after the answer has ended as failed.
   */
  stream(source: TextSource, options?: AnswerOptions): Promise<Message | null>;
  /** Settings and secrets as whoever has asked has set them, else the bot's owner. Of a dispatched message alone. */
  config(): Promise<RunConfig>;
  /** Puts an emoji on the message, once. */
  react(emoji: string): Promise<void>;
  /** Shows the bot as typing for some seconds; an answer that is being streamed shows that by itself. */
  typing(): Promise<void>;
  /** The newest messages of this timeline up to this one, oldest first: 20. */
  history(limit?: number): Promise<Message[]>;
}

export interface InlineContext {
  readonly bot: Bot;
  readonly query: string;
  readonly conversationId: string;
  /** Who types. */
  readonly from: Actor;
  /** Fires when nobody waits any more: after three seconds, or when more was typed. */
  readonly signal: AbortSignal;
}

export type MessageHandler = (ctx: BotContext) => unknown;
export type InlineHandler = (query: string, ctx: InlineContext) => readonly string[] | Promise<readonly string[]>;
export type Middleware = (ctx: BotContext, next: () => Promise<void>) => unknown;
/** `ctx` is null for what has failed outside of a message. */
export type ErrorHandler = (error: unknown, ctx: BotContext | null) => unknown;

export interface StopOptions {
  /** How long running answers may take to end by themselves: 5,000. */
  graceMs?: number;
}

export interface Bot {
  /** The connection: every operation is at `client.api`. */
  readonly client: Client;
  /** The bot's own username, known once it has started. */
  readonly username: string;
  /**
   * `message`: one that wants this bot's answer. `any`: every message that is not the bot's own, finished ones of
   * other agents too. Of several handlers one runs after the other, those of `any` first.
   */
  on(name: 'message' | 'any', handler: MessageHandler): Bot;
  /** Suggestions while somebody types `@bot …`: at most 50 bodies of 4 KiB, within three seconds. */
  inline(handler: InlineHandler): Bot;
  /** Around every handler of messages, in the order in which they were given. */
  use(middleware: Middleware): Bot;
  /** What a handler throws, instead of a line in the log and a short failed answer. */
  catch(handler: ErrorHandler): Bot;
  /**
   * Answers true when it is connected, false when it was stopped before that; rejects with StartError when the token is
   * none of a bot. A service that does not answer is tried again until it does. What was said to the bot in the last
   * ten minutes, while it was away, is answered first. SIGINT and SIGTERM stop it unless `signals` is false.
   */
  start(options?: { signals?: boolean }): Promise<boolean>;
  /** Begins nothing more, lets running answers end, cuts off the rest, and disconnects. */
  stop(options?: StopOptions): Promise<void>;
}
