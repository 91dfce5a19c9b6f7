import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import type { ProviderEvent } from './provider.ts';
import type { Said } from './read-reply.ts';
import { callName, MAX_CALLS } from './tool-calls.ts';
import { isShallow, ToolInput } from './tool-input.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Call {
  readonly key: string;
  readonly input: ToolInput;
  id: string;
  name: string;
  /** Fields that the API does not have, which some servers want back, such as signatures of thoughts. */
  extras: Fields;
}

/** Reads the calls of tools that a client should run (PROVIDER-28, PROVIDER-32). */
export class OpenaiCalls {
  /** By the vendor's index or id; a new call may take the place of an old one. */
  readonly #open = new Map<string | number, Call>();
  readonly #all: Call[] = [];
  /** The names of the request's tools; without tools the calls are shown. */
  readonly #offered: ReadonlySet<string> | undefined;

  constructor(offered?: ReadonlySet<string>) {
    this.#offered = offered;
  }

  *read({ tool_calls: calls, function_call: former }: Fields): Generator<Said> {
    for (const call of listIn(calls)) if (isObject(call)) yield* this.#piece(call, call['function']);
    // The form of OpenAI's first models, with one call.
    if (isObject(former)) yield* this.#piece({ index: 'function_call' }, former);
  }

  /** All calls with their whole input, as they are shown. */
  *end(): Generator<ProviderEvent> {
    if (this.#offered) return;
    for (const { key, name, input } of this.whole)
      yield { type: 'tool', key, name, input: input.value() ?? {}, status: 'running' };
  }

  /** The calls that have a name. */
  get whole(): readonly Readonly<Call>[] {
    return this.#all.filter(({ name }) => name !== '');
  }

  *#piece({ index, id, type: _type, function: _function, ...extras }: Fields, piece: unknown): Generator<Said> {
    const { name, arguments: input }: Fields = isObject(piece) ? piece : {};
    const call = this.#callOf({ index, id: textIn(id), name: textIn(name), input });
    if (!call) return;
    const isNew = call.name === '' && textIn(name) !== '';
    call.name ||= textIn(name);
    call.id ||= textIn(id);
    if (this.#offered && Object.keys(extras).length > 0 && isShallow(extras))
      call.extras = { ...call.extras, ...extras };
    call.input.add(typeof input === 'string' || input === undefined || input === null ? textIn(input) : jsonOf(input));
    if (!isNew) return;
    yield { type: 'asks', isOffered: this.#offered?.has(callName(call.name)) === true };
    if (!this.#offered) yield { type: 'tool', key: call.key, name: call.name, status: 'running' };
  }

  /** The call that a piece belongs to. Some servers give every call the same index, but an id of its own, or neither. */
  #callOf({ index, id, name, input }: { index: unknown; id: string; name: string; input: unknown }): Call | undefined {
    const isPlaced = typeof index === 'number' || typeof index === 'string';
    const last = this.#all.at(-1);
    if (!isPlaced && id === '' && name === '' && last) return last;
    const place = isPlaced ? index : id || this.#all.length;
    const open = this.#open.get(place);
    if (open && !(name !== '' && isAnother(open, id, input))) return open;
    if (this.#all.length >= MAX_CALLS) return undefined;
    const call: Call = { key: `call-${this.#all.length}`, id, input: new ToolInput(), name: '', extras: {} };
    this.#open.set(place, call);
    this.#all.push(call);
    return call;
  }
}

/** Whether a piece with a name begins another call at the same place: it has another id, or the call was whole. */
function isAnother(open: Call, id: string, input: unknown): boolean {
  if (id !== '' && open.id !== '') return id !== open.id;
  return open.name !== '' && textIn(input) !== '' && !open.input.isEmpty && open.input.object() !== undefined;
}

/** An input that came as an object instead of its JSON. */
const jsonOf = (input: unknown): string => (isShallow(input) ? (JSON.stringify(input) ?? '') : '[');
