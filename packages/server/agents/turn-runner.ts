// agents/: turns, typing, inline queries, providers, settings and usage. Imports replies and below.
import type { Readings } from '../files/readings.ts';
import { entriesToContinue } from '../rules/continued-replies.ts';
import { fairTurns } from '../rules/fair-turns.ts';
import { CONTEXT_NOTICE } from '../rules/context-notice.ts';
import { contextOf } from '../rules/conversation-context.ts';
import { unreadNotice, unseenNotice } from '../rules/left-out-files.ts';
import type { Rate } from '../rules/prices.ts';
import type { AgentFields } from '../rules/provider-fields.ts';
import type { Notice } from '../rules/reply-parts.ts';
import { modelSettings } from '../rules/run-config.ts';
import { summaryLimits } from '../rules/summaries.ts';
import type { KeyRing } from '../secrets/seal.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import { type Sql } from '../store/sql.ts';
import {
  lastPlacedOfOwner,
  type TurnQueueKey,
  type TurnRow,
  waitingInQueue,
  type WaitingOfOwner,
  waitingOfOwner,
} from '../store/turns.ts';
import type { EndOfReply } from '../replies/end-of-reply.ts';
import type { Claimed } from '../commits/effects.ts';
import { type Clock, pause } from '../core/clock.ts';
import { bytesAsked } from './bytes-asked.ts';
import type { LiveStream } from '../replies/live-stream.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import { FileMemory } from './file-memory.ts';
import { type AgentProvider, ProviderError, type ProviderRequest } from './providers/provider.ts';
import { noKey, noModel, type Refusal, refusalOf, withAdvice } from './refusals.ts';
import { ReplyWriter } from './reply-writer.ts';
import { turnConfigOf } from './load-run-config.ts';
import type { FilesOfRequest, TakenFiles } from './read-files.ts';
import type { Summaries, WriteSummary } from './summaries.ts';
import type { Transcripts } from './transcripts.ts';
import { turnContext } from './turn-context.ts';
import { TurnQueues } from './turn-queues.ts';
import { writeSummary } from './write-summary.ts';

/** A provider, the model that its agents use, and the fields that can be set for them. */
export interface ProviderChoice {
  provider: AgentProvider;
  model: string;
  /** On the provider's server; null for the guide, which needs no key and has no settings. */
  fields: AgentFields | null;
  /** The files that models on a server take (null: the provider's); null for the guide, which reads none. */
  takes: ((baseUrl: string | null) => TakenFiles) | null;
}

/** What a reply says if its model refuses to think (PART-21). */
const UNTHOUGHT_NOTICE: Notice = {
  text: 'This model does not think before it answers, as the agent’s settings ask it to. Choose another model, or turn thinking off.',
  cause: { kind: 'thinking_refused' },
};

/** How many humans' waiting turns are read at once, at least, and how often after the end of one turn, at most. */
const LEAST_HUMANS = 8;
const MAX_READS = 8;
/** Maximum turn queues of an owner that are tried in vain before the next end of a turn. */
const MAX_HELD = 64;

/** Delay before a failed read or write of the store is retried (TURN-15, STREAM-18). */
const RETRY_MS = 1_000;

interface TurnNeeds {
  clock: Clock;
  read: Sql;
  streams: LiveStreams;
  keys: KeyRing;
  readings: Readings;
  summaries: Summaries;
  transcripts: Pick<Transcripts, 'makeForTurn'>;
  providers: ReadonlyMap<string, ProviderChoice>;
  /** The price of a model on its provider's own server; null if the operator has listed none (PRICE-1). */
  rateOf: (model: string) => Rate | null;
  turnsAtOnce: number;
  turnsOfOwner: number;
  /** 'full', 'crowded': the maximum number of turns of this queue, or of its owner, is running on all nodes together. */
  claim: (turn: TurnRow, agent: AccountRow) => Promise<Claimed | 'full' | 'crowded' | null>;
  close: (stream: LiveStream, end: EndOfReply) => Promise<void>;
  /** Books the usage of a request that another one of the same reply follows. */
  bookUsage: (stream: LiveStream, estimatedTokens: number) => void;
  /** Faults of the service itself, for the log. */
  onFault: (error: unknown, turn: TurnRow) => void;
  onQueueFault: (error: unknown) => void;
}

/** A request to a provider, the files in it, and what its reply says about the context. */
interface AskedRequest {
  request: ProviderRequest;
  files: FilesOfRequest;
  notice?: Notice | undefined;
}

interface Running {
  turn: TurnRow;
  stop: AbortController;
  /** Another turn of the owner's agents has ended since this one began, so its claim may have been refused too late. */
  hasRoom: boolean;
  /** It was claimed: the store counts it among those that run. */
  isClaimed: boolean;
  done: Promise<void>;
}

class Stopped extends Error {}
class DrainTimeout extends Error {}

/** Runs the replies of the server's own agents: from the queue of firings to the end of the stream (TURN-1). */
export class Turns {
  readonly #needs: TurnNeeds;
  readonly #running = new Map<number, Running>();
  readonly #queues: TurnQueues<TurnQueueKey>;
  /** By owner: the turns that are waiting for a place among those of the owner's agents. */
  readonly #owners: TurnQueues<number>;
  /** By owner: the turn queues whose next turn was refused since a turn of that owner's agents ended. */
  readonly #held = new Map<number, Set<string>>();
  /** By owner: the human who was last given a place here, for an owner of whom none runs any more. */
  readonly #lastHuman = new Map<number, number>();
  readonly #fileMemory = new FileMemory();
  /** Aborted when the service stops. */
  readonly #drained = new AbortController();
  #draining = false;

  constructor(needs: TurnNeeds) {
    this.#needs = needs;
    const { clock, onQueueFault } = needs;
    this.#queues = new TurnQueues(clock, queueName, (queue) => this.#fill(queue), onQueueFault);
    this.#owners = new TurnQueues(clock, String, (owner) => this.#fillOwner(owner), onQueueFault);
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** True when no turn queue is being read or due to be read. */
  get isIdle(): boolean {
    return this.#queues.isIdle && this.#owners.isIdle;
  }

  /** Starts waiting turns of these queues, up to their limits. */
  wake(queues: readonly TurnQueueKey[]): void {
    this.#queues.wake(queues);
  }

  /** Tries the waiting turns of an owner's agents again: something other than a turn has ended that kept them waiting. */
  roomFor(ownerKey: number): void {
    this.#makeRoom(ownerKey);
    if (!this.#draining) this.#owners.look(ownerKey);
  }

  /** Runs a turn whose placeholder already exists (RETRY-2). During shutdown it is left for the next start. */
  adopt(turn: TurnRow, claimed: Claimed): void {
    if (!this.#draining) this.#start(turn, claimed);
  }

  /** Stops running turns; the unit that requested it has ended the queued ones. */
  cancel(turnKeys: readonly number[]): void {
    for (const key of turnKeys) this.#running.get(key)?.stop.abort(new Stopped());
  }

  /** Stops the turn of a deleted reply; it ends without storing or publishing anything. */
  abandon(messageKey: number): void {
    for (const { turn, stop } of this.#running.values()) if (turn.reply_key === messageKey) stop.abort(new Stopped());
  }

  /** Waits for running turns until `patience` resolves, then ends the rest as failed (`restart`). */
  async drain(patience: Promise<unknown>): Promise<void> {
    this.#draining = true;
    this.#queues.close();
    this.#owners.close();
    const all = () => Promise.all([...this.#running.values()].map(({ done }) => done));
    await Promise.race([all(), patience]);
    this.#drained.abort();
    for (const { stop } of this.#running.values()) stop.abort(new DrainTimeout());
    await all();
  }

  /** Starts waiting turns of a queue up to the limit; reads no more rows than that, however many wait (TURN-17). */
  async #fill(queue: TurnQueueKey): Promise<void> {
    const { read, turnsAtOnce } = this.#needs;
    if (this.#draining || this.#queues.runningIn(queue) >= turnsAtOnce || this.#freeOf(queue.owner_key) <= 0) return;
    // Turns that are being claimed are still queued in the store; they count as running, so the limit covers them.
    const waiting = await read.all(waitingInQueue, queue.agent_key, queue.human_key, turnsAtOnce);
    let free = Math.min(turnsAtOnce - this.#queues.runningIn(queue), this.#freeOf(queue.owner_key));
    for (const turn of waiting) {
      if (free <= 0 || this.#draining) return;
      // If a turn ends between this read and its claim, the unit `claimTurn` refuses it.
      if (this.#running.has(turn.key)) continue;
      free -= 1;
      this.#start(turn);
    }
  }

  /** How many more turns of an owner's agents may begin on this node; the guide's have no limit. */
  #freeOf(ownerKey: number): number {
    return ownerKey === 0 ? Infinity : this.#needs.turnsOfOwner - this.#owners.runningIn(ownerKey);
  }

  /**
   * Gives the free places of an owner's agents to waiting turns, fairly by human (TURN-18). It begins after the human
   * who was last given a place, so that all get one in turn. A read returns the first turns of a few humans.
   */
  async #fillOwner(ownerKey: number): Promise<void> {
    const { read } = this.#needs;
    const last = await read.get(lastPlacedOfOwner, ownerKey);
    let after = last?.human_key ?? this.#lastHuman.get(ownerKey) ?? 0;
    for (let reads = 0; reads < MAX_READS && !this.#draining && this.#freeOf(ownerKey) > 0; reads += 1) {
      const rows = await this.#waitingAfter(ownerKey, after);
      if (this.#draining) return;
      if (rows.length === 0) this.#lastHuman.delete(ownerKey);
      this.#startFairly(ownerKey, rows);
      if (new Set(rows.map(({ for_human }) => for_human)).size < this.#humansAtOnce) return;
      after = rows.at(-1)?.for_human ?? 0;
    }
  }

  get #humansAtOnce(): number {
    return Math.max(LEAST_HUMANS, Math.ceil(this.#needs.turnsOfOwner / this.#needs.turnsAtOnce));
  }

  /** Of the next humans after one, and then of those up to that one. */
  async #waitingAfter(ownerKey: number, human: number): Promise<WaitingOfOwner[]> {
    const { read, turnsAtOnce } = this.#needs;
    const most = this.#humansAtOnce;
    const behind = await read.all(waitingOfOwner, ownerKey, human, most, turnsAtOnce, turnsAtOnce);
    const left = most - new Set(behind.map(({ for_human }) => for_human)).size;
    if (human === 0 || left === 0) return behind;
    const before = await read.all(waitingOfOwner, ownerKey, 0, left, turnsAtOnce, turnsAtOnce);
    return [...behind, ...before.filter(({ for_human }) => for_human <= human)];
  }

  #startFairly(ownerKey: number, rows: readonly WaitingOfOwner[]): void {
    const ofHumans = new Map(rows.map((row) => [row.for_human, row.running_for_human]));
    const running: TurnRow[] = [];
    for (const { turn, isClaimed } of this.#running.values()) {
      if (turn.owner_key !== ownerKey) continue;
      running.push(turn);
      // The store does not count it yet.
      if (!isClaimed) ofHumans.set(turn.human_key, (ofHumans.get(turn.human_key) ?? 0) + 1);
    }
    const waiting = rows.filter(
      (row): row is WaitingOfOwner & TurnRow => row.key !== null && !this.#running.has(row.key) && !this.#isHeld(row),
    );
    const places = { free: this.#freeOf(ownerKey), perQueue: this.#needs.turnsAtOnce, ofHumans };
    for (const turn of fairTurns(waiting, running, places)) this.#start(turn);
  }

  #isHeld(turn: TurnQueueKey): boolean {
    return this.#held.get(turn.owner_key)?.has(queueName(turn)) === true;
  }

  #start(turn: TurnRow, adopted?: Claimed): void {
    const stop = new AbortController();
    let refused: 'full' | 'crowded' | undefined;
    const done = this.#run(turn, stop.signal, adopted)
      .then((end) => void (refused = end))
      .catch((error: unknown) => {
        this.#needs.onFault(error, turn);
        // The turn is most likely still queued: without a pause it would be started again in a tight loop.
        return pause(this.#needs.clock, RETRY_MS, stop.signal).catch(() => {});
      })
      .finally(() => {
        const hasRoom = this.#running.get(turn.key)?.hasRoom === true;
        this.#running.delete(turn.key);
        this.#queues.ended(turn);
        this.#owners.ended(turn.owner_key);
        if (refused === undefined) this.#makeRoom(turn.owner_key);
        else if (!hasRoom) this.#hold(turn);
        // After 'crowded', the turns are read again when a running one ends; here, if one has ended already (`hasRoom`).
        if (refused !== 'crowded' || hasRoom) this.#lookAfter(turn, refused !== undefined && !hasRoom);
      });
    this.#running.set(turn.key, { turn, stop, hasRoom: false, isClaimed: adopted !== undefined, done });
    this.#queues.began(turn);
    this.#owners.began(turn.owner_key);
    if (turn.owner_key !== 0) this.#lastHuman.set(turn.owner_key, turn.human_key);
  }

  /** Reads what may begin after a turn. `isRefused`: it could not begin itself, so only others may. */
  #lookAfter(turn: TurnRow, isRefused: boolean): void {
    const { owner_key: ownerKey } = turn;
    if (ownerKey === 0) {
      if (!isRefused) this.#queues.look(turn);
    } else if (!isRefused) this.#owners.look(ownerKey);
    // Where none of the owner's turns run, those of other nodes are in the way: the end of one is noticed there.
    else if (this.#owners.runningIn(ownerKey) === 0) this.#held.delete(ownerKey);
    else if ((this.#held.get(ownerKey)?.size ?? 0) < MAX_HELD) this.#owners.look(ownerKey);
  }

  /** A place has become free: what was refused before may be tried again. */
  #makeRoom(ownerKey: number): void {
    this.#held.delete(ownerKey);
    for (const other of this.#running.values()) if (other.turn.owner_key === ownerKey) other.hasRoom = true;
  }

  #hold(turn: TurnQueueKey): void {
    const held = this.#held.get(turn.owner_key) ?? new Set();
    this.#held.set(turn.owner_key, held.add(queueName(turn)));
  }

  async #run(turn: TurnRow, signal: AbortSignal, adopted?: Claimed): Promise<'full' | 'crowded' | undefined> {
    const { streams, claim, providers } = this.#needs;
    const agent = await this.#agentOf(turn, adopted !== undefined);
    if (!agent) return undefined;
    const claimed = adopted ?? (await claim(turn, agent));
    if (claimed === 'full' || claimed === 'crowded') return claimed;
    const stream = claimed && streams.get(claimed.messageKey);
    if (!claimed || !stream) return undefined;
    turn.reply_key = claimed.messageKey;
    const running = this.#running.get(turn.key);
    if (running) running.isClaimed = true;
    const choice = providers.get(agent.agent_provider ?? '');
    let end: EndOfReply;
    try {
      end = claimed.refused
        ? this.#refuse(stream, refusalOf(claimed.refused, agent))
        : await this.#answer({ ...turn, payer: claimed.payer }, { agent, choice, stream }, signal);
    } catch (error) {
      end = endOf(error, signal, agent);
      if (!signal.aborted && !(error instanceof ProviderError)) this.#needs.onFault(error, turn);
    }
    await this.#close(turn, stream, end);
    return undefined;
  }

  /**
   * The turn's agent. If the read fails, a queued turn is left for the next read of its queue; an adopted turn has a
   * placeholder, which must end, so its read is retried.
   */
  async #agentOf(turn: TurnRow, isAdopted: boolean): Promise<AccountRow | undefined> {
    for (;;) {
      try {
        return await this.#needs.read.get(accountByKey, turn.agent_key);
      } catch (error) {
        if (!isAdopted || this.#draining) throw error;
        this.#needs.onFault(error, turn);
        await pause(this.#needs.clock, RETRY_MS, this.#drained.signal).catch(() => {});
      }
    }
  }

  async #answer(
    turn: TurnRow,
    { agent, choice, stream }: { agent: AccountRow; choice: ProviderChoice | undefined; stream: LiveStream },
    signal: AbortSignal,
  ): Promise<EndOfReply> {
    const asked = choice && (await this.#request(turn, { agent, choice, stream }, signal));
    if (!asked) return this.#refuse(stream, noKey(agent));
    // A turn that begins with text continues its reply, which has said what there is to say of its context.
    const isContinued = stream.text !== '';
    if (isContinued) asked.request.messages.push(...entriesToContinue(stream.text));
    try {
      return await this.#relay(stream, choice.provider, isContinued ? { ...asked, notice: undefined } : asked, signal);
    } catch (error) {
      throw asked.request.baseUrl === undefined ? error : withAdvice(error);
    } finally {
      asked.files.release();
    }
  }

  /** Writes the refusal as the reply, without asking a provider. */
  #refuse(stream: LiveStream, { text, end }: Refusal): EndOfReply {
    // It would read like a part of the text that a continued reply has.
    if (stream.text === '') stream.append(text);
    return end;
  }

  /** Stores the end of the reply, and retries until that succeeds: every reply ends (STREAM-9). */
  async #close(turn: TurnRow, stream: LiveStream, end: EndOfReply): Promise<void> {
    for (;;) {
      try {
        return await this.#needs.close(stream, end);
      } catch (error) {
        this.#needs.onFault(error, turn);
        // The next start finds the reply open, and ends it.
        if (this.#draining) return undefined;
        await pause(this.#needs.clock, RETRY_MS, this.#drained.signal).catch(() => {});
      }
    }
  }

  /** Writes what the provider sends into the stream until it ends. */
  async #relay(
    stream: LiveStream,
    provider: AgentProvider,
    { request, files, notice }: AskedRequest,
    signal: AbortSignal,
  ): Promise<EndOfReply> {
    stream.request.ask(bytesAsked(request));
    const writer = new ReplyWriter(stream, this.#needs.clock);
    writer.notice(CONTEXT_NOTICE, notice);
    writer.notice('unread', unreadNotice(files.unread));
    try {
      for await (const event of provider.stream(request, signal)) {
        switch (event.type) {
          case 'text':
            if (!writer.text(event.text)) return { status: 'complete', finishReason: 'length' };
            break;
          case 'reasoning':
            writer.reasoning(event);
            break;
          case 'tool':
            writer.tool(event);
            break;
          case 'source':
            writer.source(event);
            break;
          case 'usage':
            stream.request.report({ input_tokens: event.inputTokens, output_tokens: event.outputTokens });
            break;
          case 'retry':
            this.#needs.bookUsage(stream, 0);
            writer.retry();
            break;
          case 'unseen':
            writer.notice('unseen', unseenNotice(event.files.map(({ name }) => name)));
            break;
          case 'unthought':
            writer.notice('unthought', UNTHOUGHT_NOTICE);
            break;
          default:
            writer.end();
            return event.reason === 'stop'
              ? { status: 'complete' }
              : { status: 'complete', finishReason: event.reason };
        }
      }
    } finally {
      writer.stop();
    }
    throw new ProviderError('interrupted', 'The provider’s stream ended without an end event.');
  }

  /**
   * The request to the provider, with the key that the claim chose and the current settings of the asker (KEY-5,
   * KEY-11, BOTCONF-10); undefined if that key is not set.
   */
  async #request(
    turn: TurnRow,
    { agent, choice, stream }: { agent: AccountRow; choice: ProviderChoice; stream: LiveStream },
    signal: AbortSignal,
  ): Promise<AskedRequest | undefined> {
    const { clock, read, keys, readings, summaries, transcripts } = this.#needs;
    const { model, fields, takes, provider } = choice;
    const onFault = (error: unknown): void => this.#needs.onFault(error, turn);
    const needs = { clock, read, readings, memory: this.#fileMemory, onFault };
    if (!fields) {
      const asked = { turn, agent, context: contextOf({}), takes: null, write: null, signal };
      const { messages, files } = await turnContext({ ...needs, summaries: null, transcripts: null }, asked);
      return { request: { apiKey: '', model, messages }, files };
    }
    const { config, apiKey, baseUrl, context } = await turnConfigOf({ tx: read, keys, onFault }, agent, turn, fields);
    if (apiKey === undefined) return undefined;
    const settings = modelSettings(config);
    // The operator's model is one of the provider's: a server of the agent's own has others.
    if (baseUrl !== null && settings.model === undefined) throw noModel();
    stream.request.setRate(baseUrl === null ? this.#needs.rateOf(settings.model ?? model) : null);
    const server = baseUrl !== null && { baseUrl };
    const taken = (context.files && takes?.(baseUrl)) || null;
    const base = { apiKey, model, ...server };
    const write: WriteSummary = ({ system, text }) => {
      // Only the model: what else an asker may set must not decide what others' replies are based on.
      const chosen = settings.model === undefined ? {} : { model: settings.model };
      const messages = [{ role: 'user' as const, text }];
      const request = { ...base, ...chosen, system, maxOutputTokens: summaryLimits.outputTokens, messages };
      return writeSummary(this.#needs, { stream, provider, request }, signal);
    };
    const { messages, files, notice } = await turnContext(
      { ...needs, summaries, transcripts },
      // The cost of a turn that sends the reply's own text again leaves no room for a summary (SUMMARY-12).
      { turn, agent, context, takes: taken, write: stream.text === '' ? write : null, signal },
    );
    return { request: { ...base, ...settings, messages }, files, notice };
  }
}

const queueName = ({ agent_key, human_key }: TurnQueueKey): string => `${agent_key} ${human_key}`;

function endOf(error: unknown, signal: AbortSignal, agent: AccountRow): EndOfReply {
  if (signal.reason instanceof DrainTimeout)
    return {
      status: 'failed',
      finishReason: 'restart',
      alert: `The reply of ${agent.display_name} was cut off by a restart.`,
    };
  if (signal.aborted) return { status: 'cancelled', finishReason: 'stopped' };
  if (error instanceof ProviderError)
    return {
      status: 'failed',
      finishReason: error.kind,
      alert: `The reply of ${agent.display_name} failed: ${error.summary}`,
      ...(error.quote !== undefined && { details: error.quote }),
    };
  return { status: 'failed', finishReason: 'internal', alert: `The reply of ${agent.display_name} failed.` };
}
