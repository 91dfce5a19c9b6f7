import type { Actor, Attachment, Conversation, Message, AttachmentInput, Params, RunConfig } from '@parley/protocol';
import type { Client, ClientOptions } from '../client.ts';
import type { ReplyPart } from './part-queue.ts';
import type { FieldValues, Outcome, Question, QuestionField } from './questions.ts';
import type { SessionOptions } from './sessions.ts';
import type { UsageSource } from './usage-of.ts';

export interface BotOptions<Session = unknown> extends Pick<
  ClientOptions,
  'fetch' | 'WebSocket' | 'network' | 'clock' | 'random'
> {
  /** The service's address; by default the environment variable `PARLEY_URL`, or `http://127.0.0.1:8080`. */
  url?: string;
  /** The token shown when the bot was created, `mb_…`; by default the environment variable `PARLEY_TOKEN`. */
  token?: string;
  /**
   * Maximum messages handled at once, each in a different timeline: 50. Those of one timeline run one after another.
   */
  turnsAtOnce?: number;
  /** Maximum messages waiting: 1,000. The bot answers further ones that it is busy. */
  turnsWaiting?: number;
  /** Gives every message and press a `ctx.session`; by default one for each timeline, in memory. */
  session?: SessionOptions<Session>;
  /** Receives each log line; by default they go to stderr. */
  log?: (line: string) => void;
}

/**
 * An event of a model's stream: of the package `ai`, of LangChain (chunks, pairs of a graph's mode `messages`, events of
 * `streamEvents`), or of a run of the OpenAI Agents SDK.
 */
export type StreamEvent = { readonly type: string } | { readonly event: string } | readonly unknown[];

type Pieces = AsyncIterable<string | StreamEvent> | Iterable<string | StreamEvent>;

/**
 * Pieces of text, events of a model's stream, or both: an async generator, a stream, or a list; or the result of
 * `streamText` of the package `ai`.
 */
export type TextSource = Pieces | { readonly fullStream: Pieces };

export interface AnswerOptions {
  attachments?: AttachmentInput[];
  /**
   * The tokens that the answer used: a value, a promise, or a function that is called at the end and may return a
   * promise. Usage not known 5 s after the end of the text is left out and reported to `catch`.
   */
  usage?: UsageSource;
}

/** A message that begins with `/` and a name. */
export interface CommandCall {
  /** The name without `/`, in lower case. */
  readonly name: string;
  /** The rest of the text, trimmed. */
  readonly args: string;
}

/** A pressed button, or a submitted form. */
export interface Press {
  readonly id: string;
  /** The button's `action`, or `form_submit:` and the form's `id`. */
  readonly action: string;
  /** The values of a form. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One message or press, and the actions of a bot on it. */
export interface BotContext<Session = unknown> {
  readonly bot: Bot<Session>;
  /** The message; of a press, the bot's own message with the button or form. */
  readonly message: Message;
  /** The account that wrote the message, or that pressed. */
  readonly from: Actor;
  /** The text without the mention of the bot; empty for a press. */
  readonly text: string;
  /** The command, if the text is one; otherwise null. */
  readonly command: CommandCall | null;
  /** Null for a message. */
  readonly press: Press | null;
  /** What the regular expression of this handler's filter or pattern has found; null without one. */
  readonly match: RegExpExecArray | null;
  /** The stored session, which is written after the handlers if it has changed; undefined without `session`. */
  session: Session;
  /** Whether the message wants this bot's answer; false if only `on('any')` handlers receive it. */
  readonly isDispatched: boolean;
  /** The conversation, fetched on first use. */
  readonly chat: Promise<Conversation>;
  /** Fires when the answer is no longer wanted: a person who may stop it has done so, or the bot is stopping. */
  readonly signal: AbortSignal;
  /** For middleware to pass values to later handlers. */
  readonly state: Map<string, unknown>;
  /** Answers in the timeline of the message. Null if another daemon of this bot has already answered. */
  reply(text: string, options?: AnswerOptions): Promise<Message | null>;
  /**
   * Streams an answer. The source is not read before this daemon has claimed the answer; null if another daemon has it.
   * An error in the source ends the answer as failed and is rethrown.
   */
  stream(source: TextSource, options?: AnswerOptions): Promise<Message | null>;
  /**
   * Writes a part of the answer that is being streamed, or of the next one: a tool, a source, progress, a notice, or
   * reasoning. The same `id` again replaces it. Without `offset` it stands at the end of the text so far. Resolves when the
   * service has it.
   */
  part(part: ReplyPart): Promise<void>;
  /**
   * Asks people to decide, in the timeline of the message, and resolves to what became of it: hours or days later, without
   * holding the queue, a timer or a call. Only one daemon goes on, also if the one that asked was killed: then the handler
   * runs again from its beginning, where its earlier answers and questions return what they returned before. So derive
   * a question from the message alone, and do what must not happen twice after it. Ask one question after another, and
   * none while an answer is being streamed.
   */
  ask<const Option extends string = 'submit' | 'decline', const Form extends readonly QuestionField[] = []>(
    question: Question<Option, Form>,
  ): Promise<Outcome<Option, FieldValues<Form>>>;
  /**
   * Settings and secrets of the human who asked, or the owner's defaults. Only for messages that want this bot's
   * answer.
   */
  config(): Promise<RunConfig>;
  /** Adds an emoji reaction to the message; a repeated call changes nothing. */
  react(emoji: string): Promise<void>;
  /** Shows the bot as typing for a few seconds; a streaming answer does that automatically. */
  typing(): Promise<void>;
  /** The newest messages of this timeline up to this one, oldest first; by default 20. */
  history(limit?: number): Promise<Message[]>;
}

export interface InlineContext {
  readonly bot: Bot;
  readonly query: string;
  readonly conversationId: string;
  /** The account that is typing. */
  readonly from: Actor;
  /** Fires when the answer is no longer needed: after three seconds, or when the query changed. */
  readonly signal: AbortSignal;
}

/** A command as the app suggests it: its name, a description, and what may follow it. */
export type BotCommand = Params<'setBotCommands'>['commands'][number];

/** A context whose `command` is known to exist. */
export type CommandContext<Session = unknown> = BotContext<Session> & { readonly command: CommandCall };
/** A context whose `press` is known to exist. */
export type ActionContext<Session = unknown> = BotContext<Session> & { readonly press: Press };
/** The context of a handler for this filter or pattern: after a regular expression, `match` is known to exist. */
type MatchedBy<Pattern, Context> = Pattern extends RegExp ? Context & { readonly match: RegExpExecArray } : Context;

export type MessageHandler<Session = unknown> = (ctx: BotContext<Session>) => unknown;
/**
 * Which messages a handler receives. `message`: those that want this bot's answer; `any`: all but the bot's own. Of
 * those that want its answer: with an attachment of a kind (`message:photo`), with a text that matches, or for which a
 * function returns true.
 */
export type MessageFilter<Session = unknown> =
  | 'message'
  | 'any'
  | `message:${Attachment['kind']}`
  | RegExp
  | ((ctx: BotContext<Session>) => boolean | Promise<boolean>);
export type InlineHandler = (query: string, ctx: InlineContext) => readonly string[] | Promise<readonly string[]>;
export type Middleware<Session = unknown> = (ctx: BotContext<Session>, next: () => Promise<void>) => unknown;
/** `ctx` is null for an error outside of a message. */
export type ErrorHandler<Session = unknown> = (error: unknown, ctx: BotContext<Session> | null) => unknown;

export interface StopOptions {
  /** How long running answers may take to finish, in milliseconds: 5,000. */
  graceMs?: number;
}

export interface Bot<Session = unknown> {
  /** The connection; every operation is at `client.api`. */
  readonly client: Client;
  /** The bot's own username, known once it has started. */
  readonly username: string;
  /**
   * Handles the messages of a filter. Every handler whose filter fits runs, one after another, those of `any` first. The
   * handler of a command takes its message: only handlers of `any` run before it.
   */
  on<Filter extends MessageFilter<Session>>(
    filter: Filter,
    handler: (ctx: MatchedBy<Filter, BotContext<Session>>) => unknown,
  ): this;
  /**
   * Handles a command. One with a description is suggested by the app to people who type `/`: the bot sends those when
   * it starts. A mere name, such as `/weather`, is not.
   */
  command(command: string | BotCommand, handler: (ctx: CommandContext<Session>) => unknown): this;
  /**
   * Handles presses and submitted forms whose action is this text, or matches. A bot with such a handler asks for all
   * its presses when it starts; the service then confirms none of them.
   */
  action<Pattern extends string | RegExp>(
    pattern: Pattern,
    handler: (ctx: MatchedBy<Pattern, ActionContext<Session>>) => unknown,
  ): this;
  /** Suggestions while a user types `@bot …`: at most 50 texts of 4 KiB, within three seconds. */
  inline(handler: InlineHandler): this;
  /** Wraps every message handler; middleware runs in the order in which it was added. */
  use(middleware: Middleware<Session>): this;
  /** Receives errors of handlers, instead of a log line and a short failed answer. */
  catch(handler: ErrorHandler<Session>): this;
  /**
   * Resolves to true when connected and to false if stopped before; rejects with StartError if the token is not a
   * bot's. Keeps trying while the service does not answer. Messages that arrived in the last ten minutes while the bot
   * was away are answered first. SIGINT and SIGTERM stop the bot unless `signals` is false.
   */
  start(options?: { signals?: boolean }): Promise<boolean>;
  /** Starts no new turns, lets running answers finish, aborts the rest after the grace period, and disconnects. */
  stop(options?: StopOptions): Promise<void>;
}
