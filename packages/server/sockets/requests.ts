import { ServiceError } from '../core/errors.ts';
import { socketError, socketReply, toServiceError } from '../core/json-reply.ts';
import { parseJson } from '../core/parse-json.ts';
import { nextSlice, Share } from '../core/slices.ts';

/** Requests under way, and replies that wait for one before them, at most (SOCKET-5). */
const MAX_IN_FLIGHT = 256;
/** Pages that are being read: where a store on another machine answers, none is ready when the next one comes (SOCKET-10). */
const MAX_PAGES = 4;

/** What the requests of a socket need of it. */
export interface RequestPorts {
  call: (method: string, params: unknown) => Promise<string | undefined>;
  /** True for a method that answers from what is there, as a rule within this turn of the loop. */
  isRead: (method: string) => boolean;
  /** True for one of those whose reply may be large, and waits for nothing but the store. */
  isPage: (method: string) => boolean;
  /** False while the replies so far are unsent. */
  mayReply: () => boolean;
  post: (text: string) => void;
  /** What waits, or how much is under way, is another than before. */
  regulate: () => void;
  close: (code: number, reason: string) => void;
}

/** A reply without an id waits until those before it have gone out. */
interface OrderedReply {
  text: string | null;
}

/** The requests of one socket: which may begin, and in which order they are answered. */
export class Requests {
  readonly #ports: RequestPorts;
  readonly #waiting: Buffer[] = [];
  readonly #ordered: OrderedReply[] = [];
  readonly #share = new Share();
  #inFlight = 0;
  #pages = 0;
  #isWorking = false;
  #isEnded = false;

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  /** True while the socket should not be read. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || this.#isFull;
  }

  get #isFull(): boolean {
    return this.#inFlight >= MAX_IN_FLIGHT || this.#ordered.length >= MAX_IN_FLIGHT || this.#pages >= MAX_PAGES;
  }

  add(data: Buffer): void {
    if (this.#isEnded) return;
    this.#waiting.push(data);
    this.resume();
    this.#ports.regulate();
  }

  /** Something that requests waited for has happened. */
  resume(): void {
    if (!this.#isWorking && this.#waiting.length > 0) void this.#work();
  }

  /** Nothing more begins; what is under way is still answered. */
  end(): void {
    this.#isEnded = true;
    this.#waiting.length = 0;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      if (this.#share.mustWait) await nextSlice();
      const data = this.#next();
      if (!data) break;
      const begunAt = performance.now();
      const read = this.#begin(data);
      // The size of its reply decides whether the next one may begin; a read that waits for something holds up nobody.
      if (read) await Promise.race([read, turnOfLoop()]);
      this.#share.charge(performance.now() - begunAt);
    }
    this.#isWorking = false;
    this.#ports.regulate();
  }

  #next(): Buffer | undefined {
    return this.#isFull || !this.#ports.mayReply() ? undefined : this.#waiting.shift();
  }

  /** Answers the promise of its end if it is a read. */
  #begin(data: Buffer): Promise<void> | undefined {
    let request: unknown;
    try {
      request = parseJson(data);
    } catch (error) {
      if (error instanceof ServiceError) this.#reply(this.#place(), socketError(undefined, error));
      else this.#ports.close(1007, 'not JSON');
      return undefined;
    }
    const { id, slot, problem, method, params } = this.#read(request);
    if (problem || method === undefined) {
      this.#reply(slot, socketError(id, problem ?? noRequest()));
      return undefined;
    }
    const weight = this.#ports.isPage(method) ? 1 : 0;
    this.#inFlight += 1;
    this.#pages += weight;
    const end = (text: string): void => {
      this.#inFlight -= 1;
      this.#pages -= weight;
      this.#end(slot, text);
    };
    const done = this.#ports.call(method, params).then(
      (result) => end(socketReply(id, result)),
      (error: unknown) => end(socketError(id, toServiceError(error))),
    );
    return this.#ports.isRead(method) ? done : undefined;
  }

  #read(request: unknown) {
    const isObject = typeof request === 'object' && request !== null && !Array.isArray(request);
    // An object of JSON.parse: its fields are unknown values.
    const { id, method, params } = (isObject ? request : {}) as { id?: unknown; method?: unknown; params?: unknown };
    const usable = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : undefined;
    const slot = usable === undefined ? this.#place() : null;
    const problem =
      id !== undefined && usable === undefined
        ? new ServiceError('invalid_argument', 'id must be a string or a number', { field: 'id' })
        : typeof method !== 'string'
          ? noRequest()
          : params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))
            ? new ServiceError('invalid_argument', 'params must be an object', { field: 'params' })
            : null;
    return { id: usable, slot, problem, method: typeof method === 'string' ? method : undefined, params };
  }

  /** The place of a reply without an id in the line of those. */
  #place(): OrderedReply {
    const slot = { text: null };
    this.#ordered.push(slot);
    return slot;
  }

  #end(slot: OrderedReply | null, text: string): void {
    this.#reply(slot, text);
    this.resume();
    this.#ports.regulate();
  }

  #reply(slot: OrderedReply | null, text: string): void {
    if (!slot) return this.#ports.post(text);
    slot.text = text;
    for (let first = this.#ordered[0]; first && first.text !== null; first = this.#ordered[0]) {
      this.#ordered.shift();
      this.#ports.post(first.text);
    }
  }
}

const noRequest = () => new ServiceError('invalid_argument', 'a request is { id?, method, params? }');

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
