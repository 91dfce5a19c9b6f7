import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DueReason } from './agent-replies.ts';
import {
  CHAIN_MS,
  type AnswerKind,
  chainAfter,
  isAskedBy,
  MAX_QUOTES,
  ownersKeyPays,
  payerFor,
  type PayingFacts,
} from './who-pays.ts';

test.each<[DueReason, 'direct' | 'group', boolean]>([
  ['mentioned', 'group', true],
  ['quoted', 'group', true],
  // With always_on, or without a setting.
  ['always_on', 'group', false],
  ['follows', 'group', false],
  ['mentioned', 'direct', true],
  ['quoted', 'direct', true],
  ['always_on', 'direct', true],
])('DISPATCH-19: a human’s message that fires by %s in a %s asked the agent: %s', (reason, chatKind, isAsked) => {
  expect(isAskedBy(reason, chatKind)).toBe(isAsked);
});

const asked = { isByHuman: true, isAsked: true, age: 0, quotes: 0 };
const heard = { ...asked, isAsked: false };
const byAgent = { ...asked, isByHuman: false };
const justInTime = { age: CHAIN_MS - 1 };
const late = { age: CHAIN_MS };

test.each<[string, ...Parameters<typeof chainAfter>, ReturnType<typeof chainAfter>]>([
  ['the reply stream to a message that asked the bot', 'stream', asked, 'same'],
  ['that stream at the end of the hour', 'stream', { ...asked, ...justInTime }, 'same'],
  ['that stream an hour later', 'stream', { ...asked, ...late }, 'own'],
  ['the reply stream to a message that the bot only heard', 'stream', heard, 'owner'],
  ['that stream an hour later', 'stream', { ...heard, ...late }, 'own'],
  ['the reply stream to another agent’s message', 'stream', byAgent, 'same'],
  ['that stream an hour later', 'stream', { ...byAgent, ...late }, 'own'],
  ['a stream that answers nothing', 'stream', undefined, 'own'],
  ['the first message that quotes one that asked the bot', 'quote', { ...asked, quotes: 1 }, 'same'],
  ['the eighth', 'quote', { ...asked, quotes: MAX_QUOTES }, 'same'],
  ['the ninth', 'quote', { ...asked, quotes: MAX_QUOTES + 1 }, 'own'],
  ['a quote an hour later', 'quote', { ...asked, ...late, quotes: 1 }, 'own'],
  ['a quote of a message that the bot only heard', 'quote', { ...heard, quotes: 1 }, 'own'],
  ['a quote of another agent’s message', 'quote', { ...byAgent, quotes: 1 }, 'own'],
  ['a quote of a message that did not fire the bot', 'quote', undefined, 'own'],
  ['the service’s reply to a message that asked the agent', 'reply', asked, 'same'],
  ['that reply, having waited for an hour', 'reply', { ...asked, ...late }, 'same'],
  ['the service’s reply to a message that the agent only heard', 'reply', heard, 'owner'],
  ['the service’s reply to another agent’s message', 'reply', byAgent, 'same'],
])('DISPATCH-16, DISPATCH-19: %s', (_, kind, answered, expected) => {
  expect(chainAfter(kind, answered)).toBe(expected);
});

test('DISPATCH-19: nothing runs for a human whose message asked for nothing', () => {
  const firing = fc.record({
    isByHuman: fc.constant(true),
    isAsked: fc.constant(false),
    age: fc.nat(),
    quotes: fc.nat(),
  });
  fc.assert(
    fc.property(
      fc.constantFrom<AnswerKind>('reply', 'stream', 'quote'),
      fc.option(firing, { nil: undefined }),
      (kind, answered) => {
        expect(chainAfter(kind, answered)).not.toBe('same');
      },
    ),
  );
});

const guest: PayingFacts = { isOwner: false, hasOwnKey: false, isBlocked: false, paysFor: 'groups', sharesGroup: true };

test.each<[string, Partial<PayingFacts>, ReturnType<typeof payerFor>]>([
  ['the owner', { isOwner: true, paysFor: 'nobody', sharesGroup: false }, 'owner'],
  ['the owner with an override', { isOwner: true, hasOwnKey: true }, 'owner'],
  ['a human with an own key', { hasOwnKey: true }, 'asker'],
  ['a blocked human with an own key', { hasOwnKey: true, isBlocked: true }, 'asker'],
  ['a human in a common group', {}, 'owner'],
  ['a human in no common group', { sharesGroup: false }, null],
  ['anyone, with everyone', { paysFor: 'everyone', sharesGroup: false }, 'owner'],
  ['a human in a common group, with nobody', { paysFor: 'nobody' }, null],
  ['a blocked human in a common group', { isBlocked: true }, null],
  ['a blocked human, with everyone', { isBlocked: true, paysFor: 'everyone' }, null],
])('KEY-10: whose key pays for %s', (_, facts, payer) => {
  expect(payerFor({ ...guest, ...facts })).toBe(payer);
});

test('KEY-10: without an own key, a human is paid for exactly if the owner’s key pays', () => {
  const facts = fc.record({
    isOwner: fc.boolean(),
    isBlocked: fc.boolean(),
    paysFor: fc.constantFrom('nobody' as const, 'groups' as const, 'everyone' as const),
    sharesGroup: fc.boolean(),
  });
  fc.assert(
    fc.property(facts, (given) => {
      expect(payerFor({ ...given, hasOwnKey: false }) === 'owner').toBe(ownersKeyPays(given));
    }),
  );
});
