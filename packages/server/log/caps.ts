import { eventClass, type TimelineId } from '../core/event-kinds.ts';

const { base, draft, delta, typing, patch, activity, ext, part, signal } = eventClass;

/** The classes that a socket without caps receives. */
export const allClasses: number = base | draft | delta | typing;

/**
 * Caps in the order in which they are applied, even if a client names them in another order (CAPS-1). Each cap changes
 * the classes that result from the caps before it.
 */
const chain: readonly [name: string, apply: (classes: number) => number][] = [
  ['patch', (classes) => (classes & ~delta) | patch],
  ['focus', (classes) => classes | activity],
  ['nodrafts', () => base],
  // Parts are sent where the reply itself is (PART-3), signals where typing is (READ-14).
  ['ext', (classes) => classes | ext | (classes & draft ? part : 0) | (classes & typing ? signal : 0)],
];

/** The classes of events that a socket with these caps (`a,b`) receives. Unknown names are ignored. */
export function classesOf(caps: string | null): number {
  const named = new Set((caps ?? '').split(',').map((cap) => cap.trim()));
  return chain.reduce((classes, [name, apply]) => (named.has(name) ? apply(classes) : classes), allClasses);
}

/** Whether a socket receives the text of open replies only in the timeline that it focuses (CAPS-7). */
export const hasFocus = (classes: number): boolean => (classes & activity) !== 0;

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
