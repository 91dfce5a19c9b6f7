import { endOfReason } from './end-reasons.ts';
import { errorIn } from './error-bodies.ts';
import { jsonOf, missingEndMark, unknownShape, type VendorEvents } from './event-stream.ts';
import { isObject, listIn } from '../../rules/json-values.ts';
import { parsedJson } from './parsed-json.ts';
import { type EndReason, ProviderError, type ProviderEvent } from './provider.ts';
import type { ServerEvent } from './sse-events.ts';
import { cleanQuote, errorInStream } from './vendor-errors.ts';

/**
 * What an event of a vendor's protocol says, beside what goes into the reply. `reason`: why the reply ends, as `reasonIn`
 * returns it. `asks`: the model calls a tool that only a client could run; `isOffered`: of the request. `mark`: the end mark;
 * nothing after it counts.
 */
export type Said =
  | ProviderEvent
  | { type: 'reason'; reason: string }
  | { type: 'asks'; isOffered: boolean }
  | { type: 'mark' };

/** Reads the events of one vendor's protocol. */
export interface VendorReader {
  /** `name`: the event's own name in the stream, '' without one. */
  read(data: Readonly<Record<string, unknown>>, name: string, pictures?: readonly Uint8Array[]): Generator<Said>;
  /** What is left to say when the stream has ended. */
  end(): Generator<ProviderEvent>;
  /** The calls and the step of an answer that ends for this reason. */
  step(reason: EndReason): Generator<ProviderEvent>;
}

/**
 * Reads a reply up to its end mark, or to the end of the response (PROVIDER-3, PROVIDER-20). After a reason for the end it
 * goes on, because usage and even text may follow; if the rest does not come in time, the end says so.
 */
export async function* readReply(
  events: VendorEvents,
  reader: VendorReader,
  apiKey: string,
): AsyncGenerator<ProviderEvent> {
  const ending = new Ending(events, apiKey);
  let isFirst = true;
  for await (const event of events) {
    if (ending.isOver) continue;
    for (const data of ending.hasFailed ? orNone(() => dataOf(event)) : dataOf(event)) {
      if (ending.hasFailed) {
        yield* usageIn(data, event.name, reader);
        continue;
      }
      const error = data === DONE ? undefined : errorIn(data, event.name);
      if (error === undefined && data !== DONE && !isObject(data)) throw unknownShape();
      const types = new Set<Said['type']>();
      for (const one of saidBy(reader, data, event, error !== undefined)) {
        types.add(one.type);
        ending.heard(one);
        if (one.type !== 'reason' && one.type !== 'asks' && one.type !== 'mark') yield one;
      }
      if (error !== undefined) throw errorInStream(error, apiKey, isFirst);
      // A report of usage alone accepts nothing.
      isFirst &&= types.has('usage') && types.size === 1;
    }
  }
  if (!ending.hasFailed) yield* reader.end();
  const reason = ending.reason();
  yield* reader.step(reason);
  yield { type: 'end', reason };
}

/** The usage in what follows a failure, which nothing else in it changes. */
function usageIn(data: unknown, name: string, reader: VendorReader): readonly ProviderEvent[] {
  const said = isObject(data) ? orNone(() => [...reader.read(data, name)]) : [];
  return said.filter((one) => one.type === 'usage');
}

/** What is read, or nothing if the vendor would not send it. */
function orNone<Item>(read: () => readonly Item[]): readonly Item[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProviderError) return [];
    throw error;
  }
}

/** What an event says. Beside an error, only what belongs to a reply is read: its usage is billed too. */
function saidBy(
  reader: VendorReader,
  data: unknown,
  { name, pictures }: ServerEvent,
  isError: boolean,
): Iterable<Said> {
  if (data === DONE) return [{ type: 'mark' }];
  const isRead = isObject(data) && (!isError || 'choices' in data || 'usage' in data);
  return isRead ? reader.read(data, name, pictures) : [];
}

/** `[DONE]`, which gateways send in both protocols. */
const DONE = Symbol('done');

/** The data of an event: mostly one object; of a list, each item. An event without data says nothing, unless it is an error. */
function dataOf(event: ServerEvent): readonly unknown[] {
  const text = event.data.trim();
  if (text === '[DONE]' || text === '"[DONE]"') return [DONE];
  if (event.name === 'error') return [parsedOr(event)];
  if (text === '') return [];
  const data = jsonOf(event);
  if (data === null) return [];
  const items = listIn(data);
  return items.length > 0 ? items : [data];
}

/** The data of an event that reports an error: JSON, or words. */
const parsedOr = ({ data }: ServerEvent): unknown => parsedJson(data) ?? data;

/** How a reply ends, from what its stream has said. */
class Ending {
  readonly #events: VendorEvents;
  readonly #apiKey: string;
  #reason: string | undefined;
  #isMarked = false;
  /** Text, thoughts or tools have come after the newest reason: without an end mark, more may be missing. */
  #goesOn = false;
  /** The model has called a client's tools, and no text has followed; of the request: whatever has followed. */
  #waitsForTools = false;
  #waitsForOffered = false;

  constructor(events: VendorEvents, apiKey: string) {
    this.#events = events;
    this.#apiKey = apiKey;
  }

  /** Nothing that follows counts. */
  get isOver(): boolean {
    return this.#isMarked;
  }

  /** The vendor has given a reason that is a failure, which stays. */
  get hasFailed(): boolean {
    return this.#reason !== undefined && 'fails' in endOfReason(this.#reason);
  }

  heard(said: Said): void {
    if (this.hasFailed) return;
    if (said.type === 'asks') {
      this.#waitsForTools = true;
      this.#waitsForOffered ||= said.isOffered;
    } else if (said.type === 'text') this.#waitsForTools = this.#waitsForOffered;
    if (said.type === 'reason') {
      this.#reason = said.reason;
      this.#goesOn = false;
    } else if (said.type !== 'usage' && said.type !== 'source') this.#goesOn = true;
    if (said.type === 'mark') {
      this.#isMarked = true;
      this.#events.finish();
    } else if (this.#reason !== undefined) this.#expectEnd(this.#reason);
  }

  /** After a failure only the usage may follow, at once. */
  #expectEnd(reason: string): void {
    if ('fails' in endOfReason(reason)) this.#events.finish();
    else this.#events.expectEnd();
  }

  /** Throws a ProviderError if the reply has failed. */
  reason(): EndReason {
    if (this.#reason === undefined) {
      if (!this.#isMarked) throw missingEndMark();
      return this.#waitsForTools ? 'tools' : 'stop';
    }
    const end = endOfReason(this.#reason);
    if ('fails' in end) {
      const quote = cleanQuote(this.#reason, this.#apiKey);
      throw new ProviderError(end.fails, 'The provider ended the reply before it was whole.', { quote });
    }
    if (this.#events.isCut && this.#goesOn) throw missingEndMark();
    if (end.end !== 'stop') return end.end;
    if (this.#waitsForTools) return 'tools';
    return this.#events.isCut || (this.#goesOn && !this.#isMarked) ? 'unconfirmed' : 'stop';
  }
}
