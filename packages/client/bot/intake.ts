import type { EventParams, Message } from '@parley/protocol';
import { msSince } from '@parley/protocol/dates';
import type { Client } from '../client.ts';
import { timelineIdOf } from '../store/timeline-id.ts';
import type { Bot, InlineHandler } from './bot.ts';
import { earlierMessage } from './around-message.ts';
import { Asks } from './asks.ts';
import type { AskedBy } from './questions.ts';
import type { Handlers } from './handlers.ts';
import { InlineQueries } from './inline-queries.ts';
import { ANSWERED_WITHIN_MS, tenMinutesAgo } from './look-back.ts';
import { type Pace, persist, within } from './retries.ts';
import { RecentIds } from './recent-ids.ts';
import { heedStop } from './stops.ts';
import { Turn } from './turn.ts';
import { TurnQueue } from './turn-queue.ts';

const REMEMBERED = 20_000;
/** How long aborted answers may take to report their end. */
const FAREWELL_MS = 3_000;
const FORGOTTEN_TEXT = 'I was restarted and do not know any more what to do with your answer. Please begin again.';
const BUSY_TEXT = 'I am busy right now. Please try again later.';

interface IntakeParts extends Pace {
  bot: Bot;
  client: Client;
  handlers: Handlers;
  inline: InlineHandler;
  most: { running: number; waiting: number };
  log: (line: string) => void;
  reportError: (error: unknown, ctx: Turn | null) => Promise<void>;
}

/** Creates turns from events. */
export class Intake {
  readonly client: Client;
  readonly #parts: IntakeParts;
  readonly #queue: TurnQueue<Turn>;
  readonly #known = new RecentIds(REMEMBERED);
  readonly #inline: InlineQueries;
  readonly #unsubscribe: (() => void)[];
  readonly #asks: Asks;
  /** The turns that have begun, with those that wait for people. */
  readonly #begun = new Map<Turn, Promise<void>>();
  /** Presses whose message is being fetched. */
  readonly #taking = new Set<Promise<void>>();
  #isStopping = false;

  constructor(parts: IntakeParts) {
    const { client, bot, clock, log, inline, reportError } = parts;
    const onError = (error: unknown): Promise<void> => reportError(error, null);
    this.#parts = parts;
    this.client = client;
    this.#queue = new TurnQueue(parts.most, (turn) => this.#run(turn));
    this.#inline = new InlineQueries({ bot, client, clock, log, handler: inline, onError });
    this.#asks = new Asks({
      ...parts,
      username: () => bot.username,
      resume: (question, by) => this.#resume(question, by),
      onError: (error) => void onError(error),
    });
    const stops = { client, clock, turns: () => this.#queue.turns, onError: (error: unknown) => void onError(error) };
    this.#unsubscribe = [
      client.attach({ load: () => this.#load(), deliver: (work) => work() }),
      client.on('messageNew', (message, { isReplay }) => this.#take(message, isReplay)),
      // A reply that goes on ends several times: an earlier daemon may have answered it.
      client.on('messageComplete', (message, { isReplay }) => this.#take(message, isReplay, true)),
      client.on('messageDeleted', ({ ids }) => {
        for (const id of ids) this.#drop(id);
        this.#asks.drop(ids);
      }),
      client.on('decisionUpdated', (change) => this.#asks.note(change)),
      client.on('conversationRemoved', ({ conversation_id }) => this.#asks.leave(conversation_id)),
      client.on('cancelRun', (cancel) => void heedStop(stops, cancel).catch(onError)),
      client.on('componentAction', (press, { isReplay }) => {
        const taking = this.#takePress(press, isReplay).catch(onError);
        this.#taking.add(taking);
        void taking.finally(() => this.#taking.delete(taking));
      }),
      client.on('inlineQuery', (query) => void this.#inline.answer(query).catch(onError)),
    ];
  }

  /** Resolves when no message, press or answer is being taken or handled; handlers may wait for people. */
  async idle(): Promise<void> {
    await Promise.all(this.#taking);
    await this.#asks.idle();
    await this.#queue.idle();
  }

  /** The suggestions for a query, which are not sent. */
  async suggest(query: EventParams<'inlineQuery'>): Promise<readonly string[]> {
    return (await this.#inline.suggestions(query)) ?? [];
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#inline.stop();
    this.#asks.stop();
    this.#queue.clear();
    const running = new Set(this.#queue.turns);
    // The next daemon goes on with what people are asked.
    for (const turn of this.#begun.keys()) if (!running.has(turn)) turn.stop('stopping');
    const { clock } = this.#parts;
    await within(clock, graceMs, this.#queue.idle());
    for (const turn of this.#begun.keys()) turn.stop('stopping');
    await within(
      clock,
      FAREWELL_MS,
      Promise.all(this.#begun.values()).then(() => this.#inline.sent()),
    );
    for (const end of this.#unsubscribe) end();
    this.client.close();
  }

  async #load(): Promise<number> {
    const { client, clock, reportError } = this.#parts;
    const since = await tenMinutesAgo(client, clock.now());
    void this.#asks.lookBack().catch((error: unknown) => {
      // A bot that is stopped meanwhile loses its connection.
      if (!this.#isStopping) void reportError(error, null);
    });
    return since;
  }

  #take(message: Message, isReplay: boolean, isEnd = false): void {
    const { bot, clock, handlers } = this.#parts;
    const { username } = bot;
    if (message.sender.username === username) {
      if (message.status !== 'streaming') this.#drop(message.id);
      return;
    }
    if (this.#isStopping || message.status === 'streaming' || message.deleted_at !== undefined) return;
    const isDispatched = message.dispatch.includes(username);
    if (!handlers.wants(isDispatched) || !this.#isNew(message.id, isDispatched)) return;
    const at = Date.parse(message.finalized_at ?? message.created_at);
    if (isReplay && msSince(at, clock.now()) > ANSWERED_WITHIN_MS) return;
    this.#begin(this.#turn({ message, isDispatched }), isReplay || isEnd);
  }

  /** A press is handled in the timeline of its message, after the messages there that wait. */
  async #takePress(pressed: EventParams<'componentAction'>, isReplay: boolean): Promise<void> {
    const { client, handlers } = this.#parts;
    const { action_id: id, message_id, action, fields = {}, from } = pressed;
    if (this.#isStopping || !handlers.wantsActions || !this.#known.add(`press ${id}`)) return;
    const items = await persist(this.#parts, async () =>
      this.#isStopping ? [] : (await client.call('getMessages', { message_ids: [message_id] })).items,
    );
    // The message may have been deleted since.
    const [message] = items;
    if (!message || this.#isStopping) return;
    const press = { id, action, fields, from };
    this.#begin(this.#turn({ message, isDispatched: true, pressed: press }), isReplay);
  }

  #turn(
    about: Pick<ConstructorParameters<typeof Turn>[0], 'message' | 'isDispatched' | 'pressed' | 'resumesAt' | 'quotes'>,
  ): Turn {
    const queueAgain = (turn: Turn): void => {
      if (!this.#isStopping) this.#queue.again(timelineIdOf(turn.message), turn);
    };
    return new Turn({ ...this.#parts, asks: this.#asks, queueAgain, ...about });
  }

  /** Runs a handler again whose question has ended, and for which no daemon waits any more. */
  async #resume(question: Message, { origin, isPress }: AskedBy): Promise<void> {
    const { client, bot, handlers } = this.#parts;
    if (isPress) {
      // The service keeps no presses.
      const { decision } = question;
      if (decision?.state !== 'decided') return;
      const turn = this.#turn({ message: question, isDispatched: true, quotes: decision.private !== true });
      await turn.fail(FORGOTTEN_TEXT);
      return;
    }
    const { items } = await persist(this.#parts, () => client.call('getMessages', { message_ids: [origin] }));
    const [message] = items;
    // What fired the handler may have been deleted.
    if (!message || message.deleted_at !== undefined || this.#isStopping) return;
    const isDispatched = message.dispatch.includes(bot.username);
    if (!handlers.wants(isDispatched)) return;
    this.#queue.again(timelineIdOf(message), this.#turn({ message, isDispatched, resumesAt: question.id }));
  }

  #begin(turn: Turn, mayBeAnswered: boolean): void {
    if (mayBeAnswered) turn.state.set(MAYBE_ANSWERED, true);
    if (this.#queue.add(timelineIdOf(turn.message), turn) || !turn.isDispatched) return;
    void turn.fail(BUSY_TEXT).catch((error: unknown) => this.#parts.reportError(error, turn));
  }

  /** False if the message was taken before: a reply that goes on may fire the bot only at a later end. */
  #isNew(id: string, isDispatched: boolean): boolean {
    const isUnknown = this.#known.add(id);
    return isDispatched ? this.#known.add(`${id} fired`) : isUnknown;
  }

  /** Resolves when the turn has ended, or waits for people. */
  async #run(turn: Turn): Promise<void> {
    turn.seat.enter();
    let ended = this.#begun.get(turn);
    if (!ended) {
      ended = this.#handle(turn).finally(() => this.#begun.delete(turn));
      this.#begun.set(turn, ended);
    }
    await Promise.race([ended, turn.seat.left]);
  }

  async #handle(turn: Turn): Promise<void> {
    const { handlers, reportError } = this.#parts;
    try {
      if (turn.signal.aborted || (await this.#isBegun(turn)) || !(await turn.takeUp())) return;
      await handlers.run(turn);
      await turn.settled();
      turn.expectNoMore();
    } catch (error) {
      await reportError(error, turn);
      await turn.settled().catch(() => {});
    } finally {
      await turn.leave().catch((error: unknown) => reportError(error, turn));
      turn.end();
    }
  }

  /** Whether another or an earlier daemon has begun the turn. */
  async #isBegun(turn: Turn): Promise<boolean> {
    if (!turn.isDispatched || !turn.state.delete(MAYBE_ANSWERED)) return false;
    // If an earlier daemon died while answering, the service ends that answer (STREAM-7).
    const isMeant = (name: string): boolean => turn.isBegunBy(name);
    return (await earlierMessage(this.client, this.#parts.bot.username, turn.message, isMeant)) !== undefined;
  }

  /** Stops the turn that streams a reply of this bot that has ended or was deleted. */
  #drop(replyId: string): void {
    for (const turn of this.#queue.turns) turn.dropReply(replyId);
  }
}

/** Key in the turn's state: the message is not new, so another daemon may have answered it. */
const MAYBE_ANSWERED = 'parley:maybe-answered';
