import { idBytes, idText } from '../../core/ids.ts';
import { isObject } from '../../rules/json-values.ts';
import { callBinding, type KeyRing } from '../../secrets/seal.ts';
import { openDecisionsOfTurn } from '../../store/decisions.ts';
import { messageByKey } from '../../store/messages.ts';
import type { Sql } from '../../store/sql.ts';
import { type CallRow, callById } from '../../store/tool-calls.ts';

/** A text that a user wrote cannot contain this, because JSON escapes its quotes. */
const MARK = '"call_id":"';

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
    let isFilled = false;
    for (const row of await this.#needs.read.gather(callById, Array.from(places.keys(), idBytes))) {
      if (row.human_key !== accountKey) continue;
      const contents = this.#open(row);
      for (const { of, message } of places.get(idText(row.id)) ?? []) {
        Object.assign(of, fieldsOf(of, contents));
        if (message && message['waiting_for'] === undefined) await this.#sayWhatFor(message, row);
      }
      isFilled = true;
    }
    return isFilled ? JSON.stringify(answer) : text;
  }

  /** A reply that waits for a private decision names it to the one who may see it. */
  async #sayWhatFor(message: Record<string, unknown>, { turn_key: turnKey }: CallRow): Promise<void> {
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

export interface CallContent {
  arguments: unknown;
  result: string | undefined;
}

/** A part of a reply has them as any tool; a decision names them as what it asks about. */
const fieldsOf = (place: Record<string, unknown>, { arguments: args, result }: CallContent): object =>
  place['type'] === 'tool'
    ? { ...(args !== undefined && { input: args }), ...(result !== undefined && { output: result }) }
    : { ...(args !== undefined && { arguments: args }), ...(result !== undefined && { result }) };

/** The objects that name a call; `message`: the waiting reply that one is a part of. */
type Places = Map<string, { of: Record<string, unknown>; message: Record<string, unknown> | undefined }[]>;

function collect(value: unknown, places: Places, message: Record<string, unknown> | undefined): void {
  if (Array.isArray(value)) for (const item of value) collect(item, places, message);
  if (!isObject(value)) return;
  // Parsed here, so that it may be changed.
  const of = value as Record<string, unknown>;
  const id = of['call_id'];
  if (typeof id === 'string' && isId(id)) places.set(id, [...(places.get(id) ?? []), { of, message }]);
  const within = of['finish_reason'] === 'waiting' ? of : message;
  for (const item of Object.values(of)) collect(item, places, within);
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
