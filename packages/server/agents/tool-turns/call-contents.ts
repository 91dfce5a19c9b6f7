import { setImmediate as nextTurn } from 'node:timers/promises';
import { idBytes, idText } from '../../core/ids.ts';
import { isObject } from '../../rules/json-values.ts';
import { OWN_TOOLS } from '@parley/protocol/built-in-tools';
import { callBinding, type KeyRing } from '../../secrets/seal.ts';
import { openDecisionsOfTurn } from '../../store/decisions.ts';
import { messageByKey } from '../../store/messages.ts';
import type { Sql } from '../../store/sql.ts';
import { type CallRow, callById, type CallSize, callSizeById } from '../../store/tool-calls.ts';

/** A text that a user wrote cannot contain this, because JSON escapes its quotes. */
const MARK = '"call_id":"';

/** Maximum sealed bytes of contents in one answer; more if it is about the calls of one reply alone (CALL-14). */
const MAX_BYTES = 1024 * 1024;
const MAX_BYTES_OF_REPLY = 8 * 1024 * 1024;
/** Calls whose contents are opened before others get their turn. */
const AT_ONCE = 16;

interface ContentNeeds {
  read: Sql;
  keys: KeyRing;
  /** Reports contents that cannot be opened. */
  onFault: (error: unknown) => void;
}

/**
 * What calls were asked and have answered. Records and events name only the call; its asker gets the rest in the answers
 * to its own calls, and nobody else does before it is shared (CALL-14).
 */
export class CallContents {
  readonly #needs: ContentNeeds;

  constructor(needs: ContentNeeds) {
    this.#needs = needs;
  }

  /** Adds the contents to JSON text for one reader. Most text names no call, and is returned as it is. */
  async fill(text: string, accountKey: number): Promise<string> {
    if (!text.includes(MARK)) return text;
    const answer: unknown = JSON.parse(text);
    const places: Places = new Map();
    collect(answer, places, undefined);
    const { read } = this.#needs;
    const sizes = await read.gather(callSizeById, Array.from(places.keys(), idBytes));
    const own = sizes.filter(({ human_key }) => human_key === accountKey);
    if (own.length === 0) return text;
    const { fitting, others } = newestThatFit(own);
    for (const { id } of others)
      for (const { of } of places.get(idText(id)) ?? []) if (of['shared'] !== true) of['left_out'] = true;
    for (let at = 0; at < fitting.length; at += AT_ONCE) {
      if (at > 0) await nextTurn();
      const ids = fitting.slice(at, at + AT_ONCE).map(({ id }) => id);
      for (const row of await read.gather(callById, ids)) {
        const contents = this.#open(row);
        for (const { of } of places.get(idText(row.id)) ?? []) Object.assign(of, fieldsOf(of, contents, row));
      }
    }
    for (const row of own)
      for (const { message } of places.get(idText(row.id)) ?? [])
        if (message && message['waiting_for'] === undefined) await this.#sayWhatFor(message, row);
    return JSON.stringify(answer);
  }

  /** A reply that waits for a private decision names it to the one who may see it. */
  async #sayWhatFor(message: Record<string, unknown>, { turn_key: turnKey }: CallSize): Promise<void> {
    const { read } = this.#needs;
    const [first] = await read.all(openDecisionsOfTurn, turnKey);
    const decision = first && (await read.get(messageByKey, first.message_key));
    if (decision) message['waiting_for'] = idText(decision.id);
  }

  /** The arguments and the result of a call; undefined where there are none, or they are deleted. */
  of(row: CallRow): CallContent {
    return this.#open(row);
  }

  #open(row: CallRow): CallContent {
    const id = idText(row.id);
    const opened = (sealed: string | null, what: 'arguments' | 'result'): string | undefined => {
      if (sealed === null) return undefined;
      try {
        return this.#needs.keys.open(sealed, callBinding(id, what));
      } catch (error) {
        this.#needs.onFault(error);
        return undefined;
      }
    };
    const args = opened(row.arguments, 'arguments');
    return {
      arguments: args === undefined ? undefined : (JSON.parse(args) as unknown),
      result: opened(row.result, 'result'),
    };
  }
}

/** The newest calls whose contents an answer may have together. */
function newestThatFit(own: readonly CallSize[]): { fitting: CallSize[]; others: CallSize[] } {
  const ofOneReply = own.every(({ turn_key }) => turn_key === own[0]?.turn_key);
  let left = ofOneReply ? MAX_BYTES_OF_REPLY : MAX_BYTES;
  const newestFirst = own.toSorted((a, b) => Buffer.compare(b.id, a.id));
  const isFitting = ({ bytes }: CallSize): boolean => {
    left = bytes <= left ? left - bytes : -1;
    return left >= 0;
  };
  const count = newestFirst.findIndex((one) => !isFitting(one));
  const end = count === -1 ? newestFirst.length : count;
  return { fitting: newestFirst.slice(0, end), others: newestFirst.slice(end) };
}

export interface CallContent {
  arguments: unknown;
  result: string | undefined;
}

/** The fields of a call's contents: `input` and `output` in a part of a reply, `arguments` and `result` in a decision. */
function fieldsOf(
  place: Record<string, unknown>,
  { arguments: args, result: answered }: CallContent,
  { server }: CallRow,
): object {
  // What people have answered goes to the asker as long as it may read the reply (OWN-9).
  const isGone = server === OWN_TOOLS && 'asked_at' in place && place['message_id'] === undefined;
  const result = isGone ? undefined : answered;
  return place['type'] === 'tool'
    ? { ...(args !== undefined && { input: args }), ...(result !== undefined && { output: result }) }
    : { ...(args !== undefined && { arguments: args }), ...(result !== undefined && { result }) };
}

/** The objects that name a call; `message`: the waiting reply that one is a part of. */
type Places = Map<string, { of: Record<string, unknown>; message: Record<string, unknown> | undefined }[]>;

function collect(value: unknown, places: Places, message: Record<string, unknown> | undefined): void {
  if (Array.isArray(value)) for (const item of value) collect(item, places, message);
  if (!isObject(value)) return;
  // Parsed here, so that it may be changed.
  const of = value as Record<string, unknown>;
  const id = of['call_id'];
  if (typeof id === 'string' && isId(id)) {
    const known = places.get(id);
    if (known) known.push({ of, message });
    else places.set(id, [{ of, message }]);
  }
  const within = of['finish_reason'] === 'waiting' ? of : message;
  for (const item of Object.values(of)) collect(item, places, within);
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
