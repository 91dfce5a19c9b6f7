import { readFileSync } from 'node:fs';
import { caps, eventNotes } from '@parley/protocol';
import { expect, test } from 'vitest';
import { eventClass, eventKinds } from '../core/event-kinds.ts';

/** Events that some sockets receive without `ext`: only some of them need it. */
const partly = ['conversationNew', 'draftUpdated'];

const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/`(?:events\.)?(\w+)`/g)].map(([, name = '']) => name).filter(isEvent));
const isEvent = (name: string): boolean => Object.hasOwn(eventNotes, name) && !partly.includes(name);

test('EXT-1: the page of the API, the notes on events, the rule and what is sent name the same events', () => {
  const noted = new Set(Object.entries(eventNotes).flatMap(([name, { cap }]) => (cap === 'ext' ? [name] : [])));
  const rule = /^- \*\*EXT-1\*\* .*$/m.exec(readFileSync('docs/spec/log.md', 'utf8'))?.[0] ?? '';
  expect(namesIn(caps.ext)).toEqual(noted);
  expect(namesIn(rule)).toEqual(noted);
  const needsExt = eventClass.ext | eventClass.part | eventClass.signal;
  const kinds = Object.values(eventKinds).map(({ method, class: named }) => ({
    name: method.replace('events.', ''),
    isExt: (named & needsExt) !== 0,
  }));
  const sent = new Set(kinds.flatMap(({ name, isExt }) => (isExt && isEvent(name) ? [name] : [])));
  // Sent outside the log (PRESENCE-4).
  expect(new Set([...sent, 'presence'])).toEqual(noted);
});

test.each(['patch', 'focus', 'nodrafts'] as const)(
  'CAPS-1: the cap %s is described with the events that need it',
  (name) => {
    for (const [event, { cap }] of Object.entries(eventNotes))
      if (cap === name) expect(caps[name]).toContain(`\`events.${event}\``);
  },
);
