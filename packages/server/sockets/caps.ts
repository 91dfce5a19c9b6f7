import { eventClass } from '../events/kinds.ts';

const everything = eventClass.base | eventClass.draft | eventClass.delta | eventClass.typing;

/** Each cap narrows or changes what the ones before it let through (CAPS-1). Unknown names are ignored. */
const chain = new Map<string, (classes: number) => number>([
  ['nodrafts', (classes) => classes & ~(eventClass.draft | eventClass.delta | eventClass.typing)],
]);

/** The classes of events that a socket with these caps (`a,b`) receives. */
export function classesOf(caps: string | null): number {
  let classes: number = everything;
  for (const cap of (caps ?? '').split(',')) classes = chain.get(cap.trim())?.(classes) ?? classes;
  return classes;
}

/** What an account sees without any caps. */
export const allClasses: number = everything;
