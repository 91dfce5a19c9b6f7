import { type ErrorCode, errorStatus, type ErrorParameters } from '@parley/protocol';
import type { Clock, Timer } from '../core/clock.ts';
import { ServiceError, unavailable } from '../core/errors.ts';
import type { RedisConnection } from './redis-connection.ts';

const TIMEOUT_MS = 5_000;
/** After Redis or PostgreSQL has been up for this long, all live nodes are connected to it again. */
export const SETTLED_MS = 10_000;
/** Maximum number of calls in flight, for outgoing and incoming calls each; more would not finish in time. */
const MAX_OPEN = 2_000;

type Handler = (input: unknown, from: number) => Promise<unknown>;

interface Options {
  connection: RedisConnection;
  prefix: string;
  /** This process's key; no earlier process had it. */
  nodeKey: number;
  clock: Clock;
  settledMs?: number;
  /** Receives errors that must not reach callers: unexpected errors of handlers, and malformed messages. */
  onFault?: (error: unknown) => void;
}

interface Question {
  from: number;
  /** Absent if the sender expects no answer. */
  id?: number;
  name: string;
  input?: unknown;
}

interface Failure {
  code: ErrorCode;
  message: string;
  parameters?: ErrorParameters;
}

interface Answer {
  answers: number;
  result?: unknown;
  error?: Failure;
}

interface Open {
  resolve: (result: unknown) => void;
  reject: (error: ServiceError) => void;
  timer: Timer;
}

/**
 * Calls between nodes. Each runs at most once and has one answer; those from one node to another keep their order
 * (CLUSTER-22).
 */
export class NodeCalls {
  readonly #options: Options;
  readonly #handlers = new Map<string, Handler>();
  readonly #open = new Map<number, Open>();
  #lastId = 0;
  #serving = 0;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    const { connection, nodeKey } = options;
    connection.listen(this.#channelOf(nodeKey), (bytes) => this.#hear(bytes));
    connection.listen(this.#channelOf('all'), (bytes) => this.#hear(bytes));
    connection.onDown(() => this.#failAll('Redis is unavailable; try again'));
  }

  /** Registers the handler for calls of this name from other nodes. */
  serve(name: string, handler: Handler): void {
    this.#handlers.set(name, handler);
  }

  /** Rejects with the handler's error, or with `unavailable` if it is unknown whether the call ran. */
  async ask(nodeKey: number, name: string, input: unknown): Promise<unknown> {
    const { connection, clock, nodeKey: from } = this.#options;
    if (this.#isClosed) throw unavailable('the service is stopping');
    if (!connection.isUp) throw unavailable('Redis is unavailable; try again');
    if (this.#open.size >= MAX_OPEN) throw unavailable('too many calls between nodes at once; try again');
    const id = (this.#lastId += 1);
    const text = JSON.stringify({ from, id, name, input } satisfies Question);
    const answer = Promise.withResolvers<unknown>();
    const timer = clock.setTimer(() => this.#fail(id, 'another node does not answer; try again'), TIMEOUT_MS);
    this.#open.set(id, { resolve: answer.resolve, reject: answer.reject, timer });
    this.#send(nodeKey, text).then(
      (receivers) => receivers === 0 && this.#fail(id, 'another node has stopped; try again'),
      () => this.#fail(id, 'Redis is unavailable; try again'),
    );
    return answer.promise;
  }

  /** Sends a message to one node or to all others, without confirmation. */
  notify(nodeKey: number | 'all', name: string, input: unknown): void {
    if (this.#isClosed || !this.#options.connection.isUp) return;
    const question: Question = { from: this.#options.nodeKey, name, input };
    this.#send(nodeKey, JSON.stringify(question)).catch(() => {});
  }

  /**
   * Returns those of the given nodes that do not listen to Redis; an empty list if Redis is down or has only just
   * started.
   */
  async notListening(nodeKeys: readonly number[]): Promise<number[]> {
    const { connection, settledMs = SETTLED_MS } = this.#options;
    if (this.#isClosed || !connection.isUp) return [];
    const server = String(await connection.command('INFO', 'server'));
    const uptimeS = Number(/^uptime_in_seconds:(\d+)/m.exec(server)?.[1] ?? 0);
    if (uptimeS * 1_000 < settledMs) return [];
    const channels = nodeKeys.map((key) => this.#channelOf(key));
    // The reply alternates between a channel's name and its number of subscribers.
    const answer = (await connection.command('PUBSUB', 'NUMSUB', ...channels)) as (Buffer | string | number)[];
    return nodeKeys.filter((_, at) => Number(answer[2 * at + 1]) === 0);
  }

  /** Makes no further calls; refuses incoming calls while the connection lasts. */
  close(): void {
    this.#isClosed = true;
    this.#failAll('the service is stopping');
  }

  #channelOf(nodeKey: number | 'all'): string {
    return nodeKey === 'all' ? `${this.#options.prefix}:nodes` : `${this.#options.prefix}:node:${nodeKey}`;
  }

  #send(nodeKey: number | 'all', text: string): Promise<unknown> {
    return this.#options.connection.command('PUBLISH', this.#channelOf(nodeKey), text);
  }

  #hear(bytes: Buffer): void {
    let message: Question | Answer;
    try {
      // Only nodes of this installation publish here.
      message = JSON.parse(bytes.toString()) as Question | Answer;
    } catch (error) {
      this.#options.onFault?.(error);
      return;
    }
    if ('answers' in message) this.#answered(message);
    // A node ignores its own message to all.
    else if (message.id !== undefined || message.from !== this.#options.nodeKey) void this.#serve(message);
  }

  #answered({ answers, result, error }: Answer): void {
    const open = this.#take(answers);
    if (error) open?.reject(errorOf(error));
    else open?.resolve(result);
  }

  async #serve({ from, id, name, input }: Question): Promise<void> {
    const answer = (one: Omit<Answer, 'answers'>): void => {
      if (id === undefined) return;
      this.#send(from, JSON.stringify({ answers: id, ...one } satisfies Answer)).catch(() => {});
    };
    // Answer immediately, so that the caller need not wait for its timeout.
    if (this.#isClosed)
      return answer({ error: { code: 'unavailable', message: 'another node is stopping; try again' } });
    const handler = this.#handlers.get(name);
    // A node of another version may not know the name.
    if (!handler || this.#serving >= MAX_OPEN) {
      answer({ error: { code: 'unavailable', message: 'another node cannot do this now; try again' } });
      return;
    }
    this.#serving += 1;
    try {
      answer({ result: await handler(input, from) });
    } catch (error) {
      answer({ error: this.#failureOf(error) });
    } finally {
      this.#serving -= 1;
    }
  }

  #failureOf(error: unknown): Failure {
    if (!(error instanceof ServiceError) || !(error.code in errorStatus)) {
      this.#options.onFault?.(error);
      return { code: 'internal', message: 'something went wrong on another node' };
    }
    const { code, message, parameters } = error;
    return { code, message, ...(parameters && { parameters }) };
  }

  #take(id: number): Open | undefined {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.timer.cancel();
    return open;
  }

  #fail(id: number, why: string): void {
    this.#take(id)?.reject(unavailable(why));
  }

  #failAll(why: string): void {
    for (const id of this.#open.keys()) this.#fail(id, why);
  }
}

/** A node of another version may send error codes that this node does not know: they become `internal`. */
const errorOf = ({ code, message, parameters }: Failure): ServiceError =>
  new ServiceError(code in errorStatus ? code : 'internal', message, parameters);
