import { eventClass, type TimelineId } from '../core/event-kinds.ts';

const { base, draft, delta, typing, patch, activity, ext } = eventClass;

/** What an account sees without any caps. */
export const allClasses: number = base | draft | delta | typing;

/** Each cap narrows or changes what those before it let through, but for `ext`, which adds, whatever the order of their names (CAPS-1). */
const chain: readonly [name: string, apply: (classes: number) => number][] = [
  ['patch', (classes) => (classes & ~delta) | patch],
  ['focus', (classes) => classes | activity],
  ['nodrafts', () => base],
  ['ext', (classes) => classes | ext],
];

/** The classes of events that a socket with these caps (`a,b`) receives. Unknown names are ignored. */
export function classesOf(caps: string | null): number {
  const named = new Set((caps ?? '').split(',').map((cap) => cap.trim()));
  return chain.reduce((classes, [name, apply]) => (named.has(name) ? apply(classes) : classes), allClasses);
}

/** True for a socket that gets the content of drafts only where it looks (CAPS-7). */
export const hasFocus = (classes: number): boolean => (classes & activity) !== 0;

/** What a socket receives: classes of events, and the timeline whose drafts carry content (as `View.focus`). */
export interface Subscription {
  classes: number;
  focus?: TimelineId | null | undefined;
}

const withoutCaps: Subscription = { classes: allClasses };

/** What sockets receive in common: their caps where all have the same, otherwise everything (LOG-18). */
export function agreedSubscription(sockets: readonly Subscription[]): Subscription {
  const [first, ...rest] = sockets;
  if (!first || rest.some(({ classes }) => classes !== first.classes)) return withoutCaps;
  return rest.every(({ focus }) => focus === first.focus) ? first : { classes: first.classes, focus: null };
}
