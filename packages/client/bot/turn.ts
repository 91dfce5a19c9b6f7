import type { Actor, Conversation, Decision, Message, Params, RunConfig } from '@parley/protocol';
import { emojiForm } from '@parley/protocol/emoji-form';
import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';
import type { Asks } from './asks.ts';
import type { AnswerOptions, Bot, BotContext, CommandCall, Press, TextSource } from './bot.ts';
import { answerName, messagesUpTo, placeOfMessage } from './around-message.ts';
import { decisionOf, type Outcome, outcomeOf, type Question, QuestionNames, questionName } from './questions.ts';
import { type Pause, Seat } from './seat.ts';
import type { ReplyPart } from './part-queue.ts';
import { type Pace, persist } from './retries.ts';
import { type EndStatus, ReplyStream } from './reply-stream.ts';
import { FAILED_TEXT, QuestionChanged, STOPPED_TEXT, type StopCause, TurnStopped } from './turn-stopped.ts';
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
  asks: Pick<Asks, 'ended'>;
  /** Queues the turn again, which has left its seat. */
  queueAgain: (turn: Turn) => void;
  /**
   * The question that has ended while no handler waited for it: the handler runs from its beginning up to it, and then
   * goes on with the answer.
   */
  resumesAt?: string;
  /** False if its answers do not quote the message, which is private: others would see that there is one. */
  quotes?: boolean;
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
  readonly seat = new Seat();
  readonly #parts: TurnParts;
  readonly #stop = new AbortController();
  readonly #streams = new Map<string, ReplyStream>();
  readonly #unexplained: UnexplainedStop;
  readonly #emojis = new Set<string>();
  readonly #pending = new Set<Promise<unknown>>();
  /** The answer that is being written, and parts that wait for the next one. */
  #current: ReplyStream | null = null;
  readonly #held: ReplyPart[] = [];
  /** Since the last question. */
  #answers = 0;
  /** What the next answers are derived from: the message or press, or the last question. */
  #cause: string;
  readonly #questions: QuestionNames;
  #isAsking = false;
  #resumesAt: string | null;
  /** The answer that was begun to take up the answer to a question: the next one of the handler. */
  #claim: ReplyStream | null = null;
  readonly #pauses: Pause[] = [];
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
    this.#cause = pressed ? `press:${pressed.id}` : `re:${parts.message.id}`;
    this.#questions = new QuestionNames(this.#origin);
    this.#resumesAt = parts.resumesAt ?? null;
    this.#unexplained = new UnexplainedStop(parts.client, parts.clock, () => this.stop('asked'));
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get chat(): Promise<Conversation> {
    return (this.#chat ??= this.#parts.client.call('getChat', { chat_id: this.message.conversation_id }));
  }

  /** What the names of questions are derived from. */
  get #origin(): string {
    return this.press ? `press:${this.press.id}` : this.message.id;
  }

  /** Whether a message of this bot with this client_msg_id shows that a daemon has begun this turn. */
  isBegunBy(client_msg_id: string): boolean {
    return client_msg_id === answerName(this.#cause) || client_msg_id.startsWith(questionName(this.#origin, ''));
  }

  get resumes(): boolean {
    return this.#resumesAt !== null;
  }

  /** What to do around each time for which the turn waits for people. */
  onPause(pause: Pause): void {
    this.#pauses.push(pause);
  }

  /** False if another daemon goes on after the question at which this turn resumes. */
  async takeUp(): Promise<boolean> {
    if (this.#resumesAt !== null) await this.#take(this.#resumesAt);
    return !this.signal.aborted;
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
    // One that waits for its place learns of it there.
    this.seat.enter();
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

  /** Ends the answer that took up the answer to a question, if the handler has written none: it leaves nothing. */
  async leave(): Promise<void> {
    const claim = this.#claim;
    this.#claim = null;
    if (!claim) return;
    this.#streams.delete(claim.id);
    const isCutOff = this.signal.aborted && this.#whyStopped() === 'stopping';
    await claim.finish(isCutOff ? 'failed' : 'cancelled', {}, isCutOff ? STOPPED_TEXT : '');
  }

  // The types of the answer follow from the question, which the service checks.
  ask = ((question: Question) => this.#track(this.#ask(question))) as BotContext['ask'];

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
    const begun = this.#claimed() ?? (await this.#begin(answerName(this.#cause, this.#answers)));
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

  /** The claim, for the first answer after the question. */
  #claimed(): ReplyStream | null {
    if (this.resumes) return null;
    const claim = this.#claim;
    this.#claim = null;
    return claim;
  }

  async #ask({ key, ...asked }: Question): Promise<Outcome> {
    this.signal.throwIfAborted();
    if (this.#current) throw new Error('an answer that is being streamed cannot wait for people: end it, then ask');
    if (this.#isAsking) throw new Error('a question waits already: ask one after another, or several in one form');
    const name = this.#questions.next(key);
    this.#isAsking = true;
    try {
      const message = await this.#send(asked, name);
      const decision = decisionOf(message);
      // A new question: whatever the handler was to repeat, it has left.
      if (decision.state === 'open') this.#resumesAt = null;
      if (!this.resumes) await this.leave();
      const ended = decision.state === 'open' ? await this.#wait(message, decision) : decision;
      await this.#goOn(ended.id);
      return outcomeOf(ended);
    } finally {
      this.#isAsking = false;
    }
  }

  async #send(asked: Omit<Question, 'key'>, client_msg_id: string): Promise<Message> {
    const { client, message } = this.#parts;
    const place = { ...placeOfMessage(message), reply_to_message_id: message.id };
    const params = { ...place, client_msg_id, ...asked } as Params<'askDecision'>; // its lists are not read-only
    try {
      return await persist(this.#parts, () => client.call('askDecision', params));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
      // Something else was asked under this name: what was decided about that must not be taken for an answer.
      this.expectNoMore();
      this.stop('over');
      throw this.signal.reason;
    }
  }

  /** Throws if the question at which the handler resumes has not been asked. Then the next answer is about that. */
  expectNoMore(): void {
    const id = this.#resumesAt;
    if (id === null) return;
    this.#resumesAt = null;
    this.#cause = `re:${id}`;
    this.#answers = 0;
    throw new QuestionChanged(id);
  }

  /** Waits for the end of a decision without a place in the queue. */
  async #wait(message: Message, decision: Decision): Promise<Decision> {
    for (const pause of this.#pauses) await pause.leave();
    this.seat.leave();
    const ended = await this.#parts.asks.ended(message, decision, this.signal);
    this.#parts.queueAgain(this);
    await this.seat.entered;
    this.signal.throwIfAborted();
    for (const pause of this.#pauses) await pause.enter();
    return ended;
  }

  /** From here on answers belong to the question. Throws if another daemon goes on. */
  async #goOn(questionId: string): Promise<void> {
    const hasClaim = this.resumes;
    if (this.#resumesAt === questionId) this.#resumesAt = null;
    this.#cause = `re:${questionId}`;
    this.#answers = 0;
    if (hasClaim) return;
    await this.#take(questionId);
    this.signal.throwIfAborted();
  }

  /** Begins the next answer, which only one daemon does. */
  async #take(questionId: string): Promise<void> {
    const begun = await this.#begin(answerName(`re:${questionId}`));
    if (!(begun instanceof ReplyStream)) return this.stop('over');
    this.#claim = begun;
    // Another daemon may have begun it: then two would go on. If none has, the service ends it (STREAM-7).
    if (!begun.isDoubtful) return undefined;
    this.#claim = null;
    this.#streams.delete(begun.id);
    begun.drop();
    return this.stop('over');
  }

  /** Parts from now on belong to the next answer. */
  #leave(stream: ReplyStream): void {
    if (this.#current === stream) this.#current = null;
  }

  /** Null if another daemon has or had the answer; a Message if the service ended it immediately. */
  async #begin(client_msg_id: string): Promise<ReplyStream | Message | null> {
    const { client, message, quotes = true } = this.#parts;
    let isDoubtful = false;
    const placeholder = await persist(this.#parts, (isRepeated) => {
      isDoubtful = isRepeated;
      return client.call('startMessageStream', {
        ...placeOfMessage(this.message),
        ...(quotes && { reply_to_message_id: message.id }),
        client_msg_id,
      });
    });
    if (placeholder.resumed && !isDoubtful) {
      if (this.#repeats(client_msg_id)) return placeholder;
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

  /** Whether an answer was given before the question at which the handler resumes. */
  #repeats(client_msg_id: string): boolean {
    if (this.#resumesAt === null || client_msg_id === answerName(`re:${this.#resumesAt}`)) return false;
    // Its parts were written then.
    this.#held.splice(0);
    return true;
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
