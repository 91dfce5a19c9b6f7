import { randomUUID } from 'node:crypto';
import type { Actor } from '@parley/protocol';
import type { Clock, Timer } from '../core/clock.ts';
import type { TransientEvent } from '../log/event-log.ts';
import { accountScope, scopeKey } from '../core/event-kinds.ts';
import type { SharedEvent } from '../log/batch-payload.ts';

/** How long a bot has to answer (INLINE-1). */
const WAIT_MS = 3_000;
/** Maximum number of waiting queries per asker, over all bots (INLINE-6). */
const MAX_WAITING = 3;

interface InlineQueryNeeds {
  clock: Clock;
  publish: (event: TransientEvent) => void;
  /** Called when a query that was asked on this node ends. */
  ended?: (id: string) => void;
}

export interface InlineQuery {
  askerKey: number;
  botKey: number;
  chatKey: number;
  chatId: string;
  text: string;
  from: Actor;
}

interface WaitingQuery {
  readonly id: string;
  readonly askerKey: number;
  readonly botKey: number;
  readonly chatKey: number;
  readonly askedAt: number;
  /** Params of the query's event, as JSON. */
  readonly params: string;
  /** The query's number in the log; 0 until it has one. */
  readonly seq: number;
}

interface Waiting extends WaitingQuery {
  seq: number;
  timer: Timer | null;
  settle: (results: readonly string[]) => void;
}

/** A query that was asked on another node; that node waits for the answer. */
interface ElsewhereQuery extends WaitingQuery {
  readonly node: number;
}

/**
 * The inline queries that wait for a bot's answer. Every query resolves, at the latest with no results at its timeout.
 */
export class InlineQueries {
  readonly #needs: InlineQueryNeeds;
  readonly #byId = new Map<string, Waiting>();
  /** Oldest first. */
  readonly #byAsker = new Map<number, Waiting[]>();
  /** Oldest first. */
  readonly #elsewhere = new Map<string, ElsewhereQuery>();
  #isClosed = false;

  constructor(needs: InlineQueryNeeds) {
    this.#needs = needs;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Asks the bot; resolves with its results, or with none after a timeout. */
  ask({ askerKey, botKey, chatKey, chatId, text, from }: InlineQuery): Promise<readonly string[]> {
    if (this.#isClosed) return Promise.resolve([]);
    this.#makeRoom(askerKey, botKey, chatKey);
    const { clock, publish } = this.#needs;
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    // The id authorizes the answer, so it is fully random, unlike other ids.
    const id = randomUUID();
    const params = JSON.stringify({ query_id: id, conversation_id: chatId, query: text, from });
    const askedAt = clock.monotonic();
    const query: Waiting = { id, askerKey, botKey, chatKey, askedAt, params, seq: 0, timer: null, settle: resolve };
    query.timer = clock.setTimer(() => this.#end(query, []), WAIT_MS);
    this.#byId.set(id, query);
    this.#byAsker.set(askerKey, [...(this.#byAsker.get(askerKey) ?? []), query]);
    publish({
      scope: accountScope(botKey),
      kind: 'inlineQuery',
      params,
      ref: chatKey,
      asker: askerKey,
      onSeq: (seq) => void (query.seq = seq),
    });
    return promise;
  }

  /** Takes a bot's answer. Returns false if no query with this id waits for this bot (INLINE-4). */
  answer(botKey: number, id: string, results: readonly string[]): boolean {
    const query = this.#byId.get(id);
    if (query?.botKey !== botKey) return false;
    this.#end(query, results);
    return true;
  }

  /** The queries that wait for a bot, whichever node they were asked on. */
  waitingFor(botKey: number): WaitingQuery[] {
    this.#forgetOld();
    return [...this.#byId.values(), ...this.#elsewhere.values()].filter((query) => query.botKey === botKey);
  }

  /** Remembers a query that another node published; that node gets the answer (CLUSTER-5). */
  heard({ scope, params, seq, ref = 0, asker = 0 }: SharedEvent, node: number): void {
    this.#forgetOld();
    const { query_id: id } = JSON.parse(params) as { query_id: string }; // the params as `ask` publishes them
    const askedAt = this.#needs.clock.monotonic();
    const botKey = scopeKey(scope);
    this.#makeRoom(asker, botKey, ref);
    this.#elsewhere.set(id, { id, node, askerKey: asker, botKey, chatKey: ref, askedAt, params, seq });
  }

  /** Forgets another node's query, which has ended. */
  endedElsewhere(id: string): void {
    this.#elsewhere.delete(id);
  }

  /** True for a waiting query that was asked on this node. */
  isHere(id: string): boolean {
    return this.#byId.has(id);
  }

  /** The node that waits for the answer of a query; undefined if no other node waits for this bot's answer. */
  ownerOf(botKey: number, id: string): number | undefined {
    this.#forgetOld();
    const query = this.#elsewhere.get(id);
    return query?.botKey === botKey ? query.node : undefined;
  }

  /** Resolves all waiting queries, and every later one, with no results (INLINE-9). */
  close(): void {
    this.#isClosed = true;
    for (const query of this.#byId.values()) this.#end(query, []);
  }

  /**
   * A new query ends the asker's older one to the same bot in the same chat, or its oldest if too many wait (INLINE-5,
   * INLINE-6).
   */
  #makeRoom(askerKey: number, botKey: number, chatKey: number): void {
    this.#forgetOld();
    const own = this.#byAsker.get(askerKey) ?? [];
    const older = own.find((query) => query.botKey === botKey && query.chatKey === chatKey);
    if (older) return this.#end(older, []);
    // Queries of other nodes count too, but only their own node ends them.
    const others = [...this.#elsewhere.values()].filter((query) => query.askerKey === askerKey);
    const first = own[0];
    if (!first || own.length + others.length < MAX_WAITING) return undefined;
    if (others.every(({ askedAt }) => askedAt >= first.askedAt)) this.#end(first, []);
    return undefined;
  }

  #forgetOld(): void {
    const now = this.#needs.clock.monotonic();
    for (const { id, askedAt } of this.#elsewhere.values()) {
      if (now - askedAt < WAIT_MS) return;
      this.#elsewhere.delete(id);
    }
  }

  #end(query: Waiting, results: readonly string[]): void {
    query.timer?.cancel();
    this.#byId.delete(query.id);
    this.#needs.ended?.(query.id);
    const left = (this.#byAsker.get(query.askerKey) ?? []).filter((other) => other !== query);
    if (left.length > 0) this.#byAsker.set(query.askerKey, left);
    else this.#byAsker.delete(query.askerKey);
    query.settle(results);
  }
}
