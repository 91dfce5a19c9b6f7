import { limits, type Part } from '@parley/protocol';
import { expect, test } from 'vitest';
import { CONTEXT_NOTICE, contextNotice } from './context-notice.ts';
import type { Summary } from './summaries.ts';

const notice = (id: string): Part => ({ id, offset: 0, type: 'notice', text: 'x' });
const usual = { messages: limits.contextMessages, characters: limits.contextCharacters };
const cut = { sent: 40, isCut: true, limits: usual, ownParts: [undefined, []], summary: undefined };

test('CONTEXT-22, PART-22: a reply says that messages are left out, unless a reply that is sent says so', () => {
  expect(contextNotice(cut)).toEqual({
    text: 'Only the last 40 messages were sent to the model. Earlier ones no longer fit.',
    cause: { kind: 'messages_left_out', sent: 40, has_others: true },
  });
  expect(contextNotice({ ...cut, sent: 1 })?.text).toMatch(/^Only the last message was sent/);
  expect(contextNotice({ ...cut, isCut: false })).toBeUndefined();
  expect(contextNotice({ ...cut, ownParts: [undefined, [notice('n'), notice(CONTEXT_NOTICE)]] })).toBeUndefined();
  // Its owner has set that it receives less.
  for (const less of [{ messages: 39 }, { characters: 1_000 }])
    expect(contextNotice({ ...cut, limits: { ...usual, ...less } })).toBeUndefined();
  // Other notices, and other parts of that id, say something else.
  const source: Part = { id: CONTEXT_NOTICE, offset: 0, type: 'source', url: 'https://a.example/' };
  expect(contextNotice({ ...cut, ownParts: [[notice('n'), source]] })).toBeDefined();
});

test('CONTEXT-22, PART-22: the notice says how many messages were summarized, and whether others are left out', () => {
  const told = (summary: Partial<Summary>) =>
    contextNotice({ ...cut, summary: { text: 'x', messages: 120, isWhole: true, leftOut: 0, ...summary } });
  const last = 'Only the last 40 messages were sent to the model, with a summary of';
  expect(told({})).toEqual({
    text: `${last} 120 earlier ones.`,
    cause: { kind: 'messages_left_out', sent: 40, summarized: 120, has_others: false },
  });
  expect(told({ messages: 1 })?.text).toBe(`${last} an earlier one.`);
  for (const some of [{ isWhole: false }, { leftOut: 1 }])
    expect(told(some)).toMatchObject({
      text: `${last} 120 earlier ones. The others no longer fit.`,
      cause: { summarized: 120, has_others: true },
    });
});
