import { caps, type CapName, capOf, eventNames } from '@parley/protocol';
import { expect, test } from 'vitest';
import { eventClass, eventKinds } from '../core/event-kinds.ts';
import { classesOf } from './caps.ts';

const capNames = Object.keys(caps) as CapName[]; // keys of a constant

test('CAPS-1, CAPS-2, EXT-1: which classes of events a socket receives with each set of caps, in any order', () => {
  const sets = capNames.reduce<CapName[][]>((known, cap) => [...known, ...known.map((set) => [...set, cap])], [[]]);
  const received = (set: readonly string[]) =>
    Object.entries(eventClass).flatMap(([name, bit]) => (classesOf(set.join(',')) & bit ? [name] : []));
  expect(Object.fromEntries(sets.map((set) => [set.join(',') || 'none', received(set).join(' ')])))
    .toMatchInlineSnapshot(`
    {
      "ext": "base draft delta typing ext part signal",
      "focus": "base draft delta typing activity",
      "focus,ext": "base draft delta typing activity ext part signal",
      "nodrafts": "base",
      "nodrafts,ext": "base ext",
      "nodrafts,focus": "base",
      "nodrafts,focus,ext": "base ext",
      "nodrafts,patch": "base",
      "nodrafts,patch,ext": "base ext",
      "nodrafts,patch,focus": "base",
      "nodrafts,patch,focus,ext": "base ext",
      "none": "base draft delta typing",
      "patch": "base draft typing patch",
      "patch,ext": "base draft typing patch ext part signal",
      "patch,focus": "base draft typing patch activity",
      "patch,focus,ext": "base draft typing patch activity ext part signal",
    }
  `);
  for (const set of sets) expect(received(set.toReversed())).toEqual(received(set));
  expect(classesOf('other, ext ,')).toBe(classesOf('ext'));
});

test('CAPS-1: the page of the API says with each cap which events need it', () => {
  for (const cap of capNames)
    for (const name of eventNames.filter((event) => capOf(event) === cap))
      expect(caps[cap], name).toMatch(new RegExp(`\`(events\\.)?${name}\``));
  expect(caps.ext).toContain('`conversationNew` for newly added participants, `draftUpdated` of channels and threads');
  expect(caps.ext).toMatch(/, and, where replies are sent as they grow, `messagePart` and `messagesRead`\.$/);
  expect(caps.ext).not.toContain('`messageNew`');
});

test('no two kinds of events have the same code in the log', () => {
  const codes = Object.values(eventKinds).flatMap(({ code }) => (code === 0 ? [] : [code]));
  expect(new Set(codes).size).toBe(codes.length);
});
