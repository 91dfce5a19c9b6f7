import type { Intent } from '../commits/effects.ts';
import type { EventKindName, Scope, TimelineId } from '../core/event-kinds.ts';

/** An event as nodes publish it to each other. An absent field counts as 0 or null. */
export interface SharedEvent {
  seq: number;
  scope: Scope;
  kind: EventKindName;
  /** JSON text. */
  params: string;
  timeline?: TimelineId;
  except?: number;
  hiddenFrom?: readonly number[];
  /** The message of an open reply: the event is dropped if the reply has ended before the event is published. */
  draft?: number;
  /** Other classes of events whose heads this event raises too. */
  standsFor?: number;
  /** The conversation and the asker of an inline query. */
  ref?: number;
  asker?: number;
  /** Whether the event is transient: a node that missed it cannot read it from the store. */
  isTransient?: true;
}

/**
 * The events and intents that one batch publishes to all nodes, in order, with the range of its numbers (CLUSTER-1).
 */
export interface BatchPayload {
  node: number;
  first: number;
  last: number;
  /** Never rename it: the name is part of the messages between nodes, which may run different versions. */
  told: readonly (SharedEvent | Intent)[];
}

export const isEvent = (shared: SharedEvent | Intent): shared is SharedEvent => 'seq' in shared;

export const encodePayload = (payload: BatchPayload): string => JSON.stringify(payload);

/** Decodes a message that another node has published; a node of another version may have added fields. */
export const decodePayload = (text: string): BatchPayload => JSON.parse(text) as BatchPayload;
