import { type EventClass, eventClasses, receiversOf } from '@parley/protocol';
import { eventClass, type TimelineId } from '../core/event-kinds.ts';

const classNames = Object.keys(eventClasses) as EventClass[]; // keys of a constant

/** The classes of events that a socket with these caps (`a,b`) receives. Unknown names are ignored. */
export function classesOf(caps: string | null): number {
  const named = new Set((caps ?? '').split(',').map((cap) => cap.trim()));
  const received = classNames.filter((name) => {
    const { cap, without } = receiversOf(name);
    return (cap === undefined || named.has(cap)) && !without.some((other) => named.has(other));
  });
  return received.reduce((classes, name) => classes | eventClass[name], 0);
}

/** The classes that a socket without caps receives. */
export const allClasses: number = classesOf(null);

/** Whether a socket receives the text of open replies only in the timeline that it focuses (CAPS-7). */
export const hasFocus = (classes: number): boolean => (classes & eventClass.activity) !== 0;

/** Which events a socket receives: their classes, and the timeline whose open replies it receives with their text. */
export interface EventFilter {
  classes: number;
  focus?: TimelineId | null | undefined;
}

const withoutCaps: EventFilter = { classes: allClasses };

/**
 * The filter that sockets share: their own if all have the same caps, otherwise that of a socket without caps (LOG-18).
 */
export function agreedFilter(sockets: readonly EventFilter[]): EventFilter {
  const [first, ...rest] = sockets;
  if (!first || rest.some(({ classes }) => classes !== first.classes)) return withoutCaps;
  return rest.every(({ focus }) => focus === first.focus) ? first : { classes: first.classes, focus: null };
}
