import { ServiceError } from '../core/errors.ts';
import { thisThread } from '../core/held-thread.ts';
import { socketError, socketReply, toServiceError } from '../core/json-reply.ts';
import { parseJson } from '../core/parse-json.ts';
import { nextSlice, type Share } from '../core/slices.ts';
import { reach, runFrame, unitPoints } from '../core/unit-points.ts';

/** Maximum requests in flight, and maximum replies that wait for an earlier one (SOCKET-5). */
const MAX_IN_FLIGHT = 256;
/**
 * Maximum pages read at once: with a remote store, many could begin before the size of the first is known (SOCKET-10).
 */
const MAX_PAGES = 4;

/** How much of a frame is searched for its id if it is not parsed. */
const LEADING_BYTES = 1_024;

/** The socket, as its requests use it. */
export interface RequestNeeds {
  call: (method: string, params: unknown) => Promise<string | undefined>;
  /** Whether a method only reads, so that it usually answers within the tick. */
  isRead: (method: string) => boolean;
  /** Whether a read may have a large reply and awaits only the store. */
  isPage: (method: string) => boolean;
  /** False while too many replies are unsent. */
  mayReply: () => boolean;
  post: (text: string) => void;
  /** The event-loop time of the socket's owner. */
  readonly share: Share;
  /** Counts JSON of so many values and keys, or throws. */
  admitJson: (parts: number) => void;
  /** Counts a frame that is no request, or throws. */
  countRefusal: () => void;
  /** Called when the number of waiting requests or of those in flight has changed. */
  regulate: () => void;
  close: (code: number, reason: string) => void;
}

/** A reply without an id, null until it is ready: it is sent after all earlier replies without an id. */
interface OrderedReply {
  text: string | null;
}

/** The requests of one socket: decides when each begins and in which order replies are sent. */
export class Requests {
  readonly #needs: RequestNeeds;
  readonly #waiting: Buffer[] = [];
  readonly #ordered: OrderedReply[] = [];
  #inFlight = 0;
  #pages = 0;
  #isWorking = false;
  #isEnded = false;

  constructor(needs: RequestNeeds) {
    this.#needs = needs;
  }

  /** True while the socket should not be read. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || this.#isFull;
  }

  /** True if no request waits or is in flight, and no reply waits for one before it. */
  get isIdle(): boolean {
    return !this.#isWorking && this.#waiting.length === 0 && this.#inFlight === 0 && this.#ordered.length === 0;
  }

  get #isFull(): boolean {
    return this.#inFlight >= MAX_IN_FLIGHT || this.#ordered.length >= MAX_IN_FLIGHT || this.#pages >= MAX_PAGES;
  }

  add(data: Buffer): void {
    if (this.#isEnded) return;
    if (unitPoints.hasSubscribers) reach({ point: 'read', frame: data });
    this.#waiting.push(data);
    this.resume();
    this.#needs.regulate();
  }

  /** Called when waiting requests may be able to begin. */
  resume(): void {
    if (!this.#isWorking && this.#waiting.length > 0) void this.#work();
  }

  /** From now on no request begins; those in flight are still answered. */
  end(): void {
    this.#isEnded = true;
    this.#waiting.length = 0;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      const { share } = this.#needs;
      if (share.mustWait) await nextSlice();
      const data = this.#next();
      if (!data) break;
      const begunAt = performance.now();
      const read = thisThread.run('frame', () => runFrame(data, () => this.#begin(data)));
      // The size of a read's reply decides whether the next request may begin; but no request waits longer than a tick.
      if (read) await Promise.race([read, nextTick()]);
      share.charge(performance.now() - begunAt);
    }
    this.#isWorking = false;
    this.#needs.regulate();
  }

  #next(): Buffer | undefined {
    return this.#isFull || !this.#needs.mayReply() ? undefined : this.#waiting.shift();
  }

  /** Begins a request. For a read, returns a promise that resolves when it has been answered. */
  #begin(data: Buffer): Promise<void> | undefined {
    let request: unknown;
    try {
      request = parseJson(data, (parts) => this.#needs.admitJson(parts));
    } catch (error) {
      if (!(error instanceof ServiceError)) this.#needs.close(1007, 'not JSON');
      else this.#refuse(leadingId(data), error);
      return undefined;
    }
    const { id, slot, problem, method, params } = this.#read(request);
    if (problem || method === undefined) {
      this.#refuse(id, problem ?? noRequest(), slot);
      return undefined;
    }
    const weight = this.#needs.isPage(method) ? 1 : 0;
    this.#inFlight += 1;
    this.#pages += weight;
    const end = (text: string): void => {
      this.#inFlight -= 1;
      this.#pages -= weight;
      this.#end(slot, text);
    };
    const done = this.#needs.call(method, params).then(
      (result) => end(socketReply(id, result)),
      (error: unknown) => end(socketError(id, toServiceError(error))),
    );
    return this.#needs.isRead(method) ? done : undefined;
  }

  /** Answers a frame that is no request. */
  #refuse(
    id: string | number | undefined,
    problem: ServiceError,
    slot = id === undefined ? this.#place() : null,
  ): void {
    this.#reply(slot, socketError(id, this.#counted(problem)));
  }

  /** The refusal of a frame; once there have been too many of them, rate_limited. */
  #counted(problem: ServiceError): ServiceError {
    if (problem.code === 'rate_limited') return problem;
    try {
      this.#needs.countRefusal();
      return problem;
    } catch (error) {
      return toServiceError(error);
    }
  }

  #read(request: unknown) {
    const isObject = typeof request === 'object' && request !== null && !Array.isArray(request);
    // JSON.parse returned it, so its fields have unknown types.
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

  /** Reserves the next slot in the order of replies without an id. */
  #place(): OrderedReply {
    const slot = { text: null };
    this.#ordered.push(slot);
    return slot;
  }

  #end(slot: OrderedReply | null, text: string): void {
    this.#reply(slot, text);
    this.resume();
    this.#needs.regulate();
  }

  #reply(slot: OrderedReply | null, text: string): void {
    if (!slot) return this.#needs.post(text);
    slot.text = text;
    for (let first = this.#ordered[0]; first && first.text !== null; first = this.#ordered[0]) {
      this.#ordered.shift();
      this.#needs.post(first.text);
    }
  }
}

/** The id of a frame that is refused before it is parsed, if the id is its first field. */
function leadingId(frame: Buffer): string | number | undefined {
  const [, text] =
    /^\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*[,}]/.exec(frame.toString('utf8', 0, LEADING_BYTES)) ?? [];
  if (text === undefined) return undefined;
  try {
    const id: unknown = JSON.parse(text);
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    // A string with an escape that JSON does not know.
    return undefined;
  }
}

const noRequest = () => new ServiceError('invalid_argument', 'a request is { id?, method, params? }');

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
