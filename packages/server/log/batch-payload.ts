import type { Intent } from '../commits/effects.ts';
import type { EventKindName, Scope, TimelineId } from '../core/event-kinds.ts';

/** An event as the nodes tell each other of it. What is absent is as if it were 0, or null. */
export interface ToldEvent {
  seq: number;
  scope: Scope;
  kind: EventKindName;
  /** JSON text. */
  params: string;
  timeline?: TimelineId;
  except?: number;
  /** The message of an open reply, which must still be open when the event has its turn. */
  draft?: number;
  /** Classes of events whose heads count it too. */
  standsFor?: number;
  /** The conversation of an inline query, and who asks. */
  ref?: number;
  asker?: number;
  /** In no table: who has missed it finds it nowhere. */
  isTransient?: true;
}

/** What one batch tells all nodes, in its order: its numbers reach from `first` to `last` (CLUSTER-1). */
export interface BatchPayload {
  node: number;
  first: number;
  last: number;
  told: readonly (ToldEvent | Intent)[];
}

export const isEvent = (told: ToldEvent | Intent): told is ToldEvent => 'seq' in told;

export const encodePayload = (payload: BatchPayload): string => JSON.stringify(payload);

/** Of what another node of the same version has published; one of another version may hold more. */
export const decodePayload = (text: string): BatchPayload => JSON.parse(text) as BatchPayload;
