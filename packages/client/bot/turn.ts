import type { Actor, Conversation, Message, RunConfig } from '@parley/protocol';
import { emojiForm } from '@parley/protocol/emoji-form';
import type { Client } from '../client.ts';
import type { AnswerOptions, Bot, BotContext, CommandCall, Press, TextSource } from './bot.ts';
import { answerName, messagesUpTo, placeOfMessage } from './around-message.ts';
import type { ReplyPart } from './part-queue.ts';
import { type Pace, persist } from './retries.ts';
import { type EndStatus, ReplyStream } from './reply-stream.ts';
import { FAILED_TEXT, STOPPED_TEXT, type StopCause, TurnStopped } from './turn-stopped.ts';
import { UnexplainedStop } from './unexplained-stop.ts';
import { expectUsage } from './usage-of.ts';
import { withoutMention } from './without-mention.ts';

const HISTORY = 20;
/** Maximum parts that wait for an answer: a message has no more. */
const MAX_HELD = 200;
interface TurnParts extends Pace {
  bot: Bot;
  client: Client;
  message: Message;
  isDispatched: boolean;
  /** The press that is handled, and by whom; `message` is the one with the button or form. */
  pressed?: Press & { from: Actor };
}

/** The handling of one message or press. */
export class Turn implements BotContext {
  readonly bot: Bot;
  readonly message: Message;
  readonly isDispatched: boolean;
  readonly text: string;
  readonly from: Actor;
  readonly press: Press | null;
  readonly command: CommandCall | null;
  /** Set by the filter of the handler that runs. */
  match: RegExpExecArray | null = null;
  session: unknown;
  readonly state = new Map<string, unknown>();
  readonly #parts: TurnParts;
  readonly #stop = new AbortController();
  readonly #streams = new Map<string, ReplyStream>();
  readonly #unexplained: UnexplainedStop;
  readonly #emojis = new Set<string>();
  readonly #pending = new Set<Promise<unknown>>();
  /** The answer that is being written, and parts that wait for the next one. */
  #current: ReplyStream | null = null;
  readonly #held: ReplyPart[] = [];
  #answers = 0;
  #chat: Promise<Conversation> | null = null;
  #config: Promise<RunConfig> | null = null;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.bot = parts.bot;
    this.message = parts.message;
    this.isDispatched = parts.isDispatched;
    const { pressed } = parts;
    this.press = pressed ? { id: pressed.id, action: pressed.action, fields: pressed.fields } : null;
    this.from = pressed?.from ?? parts.message.sender;
    this.text = pressed ? '' : withoutMention(parts.message.content, parts.bot.username);
    this.command = commandIn(this.text);
    this.#unexplained = new UnexplainedStop(parts.client, parts.clock, () => this.stop('asked'));
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get chat(): Promise<Conversation> {
    return (this.#chat ??= this.#parts.client.call('getChat', { chat_id: this.message.conversation_id }));
  }

  /** The client_msg_id of the n-th answer. */
  answerName(nth = 1): string {
    return answerName(this.press ? `press:${this.press.id}` : `re:${this.message.id}`, nth);
  }

  /** Whether a regular expression finds something, which is then the handler's `match`. */
  finds(pattern: RegExp, text: string): boolean {
    // A global one would continue where it has found something before.
    // oxlint-disable-next-line parley/linear-expressions -- it is the bot author's own
    this.match = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, '')).exec(text);
    return this.match !== null;
  }

  get hasAnswered(): boolean {
    return this.#answers > 0;
  }

  isWriting(replyId: string): boolean {
    return this.#streams.has(replyId);
  }

  stop(why: StopCause): void {
    if (!this.signal.aborted) this.#stop.abort(new TurnStopped(why));
  }

  /** Called when a user who may not stop the answer asked for it. */
  refuseStop(): void {
    this.#unexplained.explain();
  }

  /** Called when a reply ended or was deleted, but not by this daemon. */
  dropReply(replyId: string): void {
    this.#streams.get(replyId)?.drop();
  }

  end(): void {
    this.#unexplained.explain();
  }

  /** Resolves when all work that handlers started without awaiting it is done; throws its errors. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  reply(text: string, options: AnswerOptions = {}): Promise<Message | null> {
    return this.#track(this.#answer([text], options, 'complete'));
  }

  stream(source: TextSource, options: AnswerOptions = {}): Promise<Message | null> {
    return this.#track(this.#answer(source, options, 'complete'));
  }

  /** Sends a short failed answer. */
  fail(text = FAILED_TEXT): Promise<Message | null> {
    return this.#track(this.#answer([text], {}, 'failed'));
  }

  part(part: ReplyPart): Promise<void> {
    if (this.#current) return this.#track(this.#current.part(part));
    if (this.#held.length < MAX_HELD) this.#held.push(part);
    return Promise.resolve();
  }

  config(): Promise<RunConfig> {
    return (this.#config ??= this.#parts.client.call('getRunConfig', { message_id: this.message.id }));
  }

  react(emoji: string): Promise<void> {
    return this.#track(this.#react(emoji));
  }

  typing(): Promise<void> {
    return this.#track(
      this.#parts.client.call('sendChatAction', { ...placeOfMessage(this.message), action: 'typing' }).then(() => {}),
    );
  }

  async #react(given: string): Promise<void> {
    const emoji = emojiForm(given);
    const { client, message, bot } = this.#parts;
    const isThere = message.reactions.some(
      (one) => one.emoji === emoji && one.reactors.some(({ username }) => username === bot.username),
    );
    // A second call would remove the reaction.
    if (isThere || this.#emojis.has(emoji)) return;
    this.#emojis.add(emoji);
    await client.call('setMessageReaction', { message_id: message.id, emoji });
  }

  history(limit = HISTORY): Promise<Message[]> {
    return messagesUpTo(this.#parts.client, this.message, limit);
  }

  async #answer(source: TextSource, options: AnswerOptions, status: EndStatus): Promise<Message | null> {
    expectUsage(options.usage);
    this.signal.throwIfAborted();
    this.#answers += 1;
    const begun = await this.#begin(this.answerName(this.#answers));
    if (!(begun instanceof ReplyStream)) return begun;
    this.#current = begun;
    for (const part of this.#held.splice(0)) void this.#track(begun.part(part));
    try {
      await begun.take(source, this.signal);
    } catch (error) {
      this.#leave(begun);
      this.#streams.delete(begun.id);
      await begun.finish('failed', options, FAILED_TEXT);
      throw error;
    }
    this.#leave(begun);
    // From here on this daemon ends the reply itself.
    this.#streams.delete(begun.id);
    if (!this.signal.aborted) return begun.finish(status, options);
    // The service deletes a stopped reply without text.
    if (this.#whyStopped() === 'asked') await begun.finish('cancelled', options);
    else await begun.finish('failed', options, STOPPED_TEXT);
    throw this.signal.reason;
  }

  /** Parts from now on belong to the next answer. */
  #leave(stream: ReplyStream): void {
    if (this.#current === stream) this.#current = null;
  }

  /** Null if another daemon has or had the answer; a Message if the service ended it immediately. */
  async #begin(client_msg_id: string): Promise<ReplyStream | Message | null> {
    const { client, message } = this.#parts;
    let isDoubtful = false;
    const placeholder = await persist(this.#parts, (isRepeated) => {
      isDoubtful = isRepeated;
      return client.call('startMessageStream', {
        ...placeOfMessage(this.message),
        reply_to_message_id: message.id,
        client_msg_id,
      });
    });
    if (placeholder.resumed && !isDoubtful) {
      this.stop('over');
      return null;
    }
    if (placeholder.status !== 'streaming') return placeholder.resumed ? null : placeholder;
    const stream = new ReplyStream({
      ...this.#parts,
      message: placeholder,
      isDoubtful: placeholder.resumed === true,
      onCancelRequested: () => this.#unexplained.see(),
      onOver: () => this.stop('over'),
    });
    this.#streams.set(stream.id, stream);
    return stream;
  }

  /** Tracks work that a handler may not await, so that a failure does not end the process. */
  #track<Value>(work: Promise<Value>): Promise<Value> {
    this.#pending.add(work);
    work.catch(() => {}).finally(() => this.#pending.delete(work));
    return work;
  }

  #whyStopped(): StopCause {
    const { reason } = this.signal;
    return reason instanceof TurnStopped ? reason.why : 'stopping';
  }
}

/** A command is the whole text: `/`, its name, and what follows after a space or line break. */
function commandIn(text: string): CommandCall | null {
  const [, name, args = ''] = /^\/([a-z][a-z0-9_]{0,31})(?:\s([\s\S]*))?$/i.exec(text) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), args: args.trim() };
}
