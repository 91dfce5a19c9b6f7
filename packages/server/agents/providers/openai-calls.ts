import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import type { ProviderEvent } from './provider.ts';
import type { Said } from './read-reply.ts';
import { ToolInput } from './tool-input.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Call {
  readonly key: string;
  readonly id: string;
  readonly input: ToolInput;
  name: string;
}

/** Maximum calls of one reply that are shown; it has no room for more parts than twice as many. */
const MAX_CALLS = 100;

/** Reads the calls of tools that a client should run. The service has none to offer, so they stay unanswered (PROVIDER-28). */
export class OpenaiCalls {
  /** By the vendor's index or id; a new call may take the place of an old one. */
  readonly #open = new Map<string | number, Call>();
  readonly #all: Call[] = [];

  *read({ tool_calls: calls, function_call: former }: Fields): Generator<Said> {
    for (const call of listIn(calls)) if (isObject(call)) yield* this.#piece(call, call['function']);
    // The form of OpenAI's first models, with one call.
    if (isObject(former)) yield* this.#piece({ index: 'function_call' }, former);
  }

  /** All calls with their whole input. */
  *end(): Generator<ProviderEvent> {
    for (const { key, name, input } of this.#all) {
      if (name !== '') yield { type: 'tool', key, name, input: input.value() ?? {}, status: 'running' };
    }
  }

  *#piece({ index, id }: Fields, piece: unknown): Generator<Said> {
    const { name, arguments: input }: Fields = isObject(piece) ? piece : {};
    const isPlaced = typeof index === 'number' || typeof index === 'string';
    const place = isPlaced ? index : textIn(id) || this.#all.length;
    const call = this.#callOf(place, textIn(id), textIn(name));
    if (!call) return;
    const isNew = call.name === '' && textIn(name) !== '';
    call.name ||= textIn(name);
    call.input.add(typeof input === 'string' || input === undefined || input === null ? textIn(input) : jsonOf(input));
    if (isNew) {
      yield { type: 'call' };
      yield { type: 'tool', key: call.key, name: call.name, status: 'running' };
    }
  }

  /** The call that a piece belongs to. Some servers give every call the same index, but an id of its own. */
  #callOf(place: string | number, id: string, name: string): Call | undefined {
    const open = this.#open.get(place);
    if (open && !(id !== '' && open.id !== '' && id !== open.id && name !== '')) return open;
    if (this.#all.length >= MAX_CALLS) return undefined;
    const call: Call = { key: `call-${this.#all.length}`, id, input: new ToolInput(), name: '' };
    this.#open.set(place, call);
    this.#all.push(call);
    return call;
  }
}

/** An input that came as an object instead of its JSON. */
const jsonOf = (input: unknown): string => JSON.stringify(input) ?? '';
