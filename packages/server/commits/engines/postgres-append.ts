import { isKept, isShared } from '../shared-intents.ts';
import type { Intent } from '../effects.ts';
import { eventKinds } from '../../core/event-kinds.ts';
import { numbers } from '../../store/engines/postgres-log.ts';
import { countEvents, type Done, storedParams } from '../unit-context.ts';

/** SQLSTATE of `append_events` if the node was declared dead: its row is deleted (CLUSTER-33). */
export const FENCED = 'PF001';

type AppendLists = [scopes: string, kinds: string, refs: string, params: string, times: string, intents: string | null];

/** The events of a batch, and the numbers that it needs. */
export interface Wanted {
  events: number;
  /** 1 if the batch has intents for other nodes but no event: the intents need a number of their own. */
  extra: 0 | 1;
  lists: AppendLists;
}

export function wantedOf(done: readonly Done[]): Wanted {
  const events = countEvents(done);
  const scopes: number[] = [];
  const kinds: number[] = [];
  const refs: (number | null)[] = [];
  const params: (string | null)[] = [];
  const times: number[] = [];
  const kept: Intent[] = [];
  let hasShared = false;
  for (const { request, effects } of done)
    for (const effect of effects) {
      if (effect.type !== 'event') {
        hasShared ||= isShared(effect);
        if (isKept(effect)) kept.push(effect);
        continue;
      }
      const { scope, kind, ref = null, text } = effect;
      scopes.push(scope);
      kinds.push(eventKinds[kind].code);
      refs.push(ref);
      params.push(storedParams(kind, text));
      times.push(request.now);
    }
  const intents = kept.length === 0 ? null : JSON.stringify(kept);
  return {
    events,
    extra: hasShared && events === 0 ? 1 : 0,
    lists: [numbers(scopes), numbers(kinds), listOf(refs), listOf(params), numbers(times), intents],
  };
}

/** An array in PostgreSQL's text format. */
const listOf = (values: readonly (number | string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : typeof value === 'number' ? value : quoted(value))).join(',')}}`;
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
