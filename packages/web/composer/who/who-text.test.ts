import { expect, test } from 'vitest';
import { type Previewed, whoText, withoutPayer } from './who-text.ts';

const agent = (username: string, payer: string | null, more: Partial<Previewed> = {}): Previewed => ({
  username,
  display_name: username.slice(username.indexOf(':') + 1).toUpperCase(),
  reason: 'mentioned',
  payer,
  ...more,
});
const [a, b, c, d] = [agent('ann:a', 'me'), agent('ann:b', 'ann'), agent('bob:c', 'bob'), agent('me:d', 'me')];
const guide = agent('parley:guide', null);
const unable = agent('ann:x', null, { needs_key: true });

test.each([
  [[], [], ''],
  [[guide], [], 'GUIDE · parley answers.'],
  [[a], [], 'A · ann answers, paid by you.'],
  [[b, a], [], 'B · ann and A · ann answer, paid by you and ann.'],
  [[a, b, c], [], 'A · ann, B · ann and 1 other answer, paid by you, ann and 1 other.'],
  [[a, d, guide, b], [], 'A · ann, D · me and 2 others answer, paid by you and ann.'],
  [[unable], [], 'X · ann can’t answer without a key.'],
  [[b, unable], [], 'B · ann answers, paid by ann. X · ann can’t answer without a key.'],
  [
    [{ ...b, chain_for: 'me' }],
    [],
    'B · ann answers, paid by ann. If it asks other agents, that counts as your request.',
  ],
  [[{ ...b, chain_for: 'ann' }], [], 'B · ann answers, paid by ann.'],
  [[{ ...d, chain_for: 'me' }], [], 'D · me answers, paid by you.'],
  [[{ ...unable, chain_for: 'me' }], [], 'X · ann can’t answer without a key.'],
  [[], ['ann:z'], '@ann:z isn’t in this chat.'],
  [[a], ['ann:z', 'bob:z'], 'A · ann answers, paid by you. @ann:z and @bob:z aren’t in this chat.'],
])('WEB-110: it names the agents that answers, who pays, and who is not there: %#', (agents, absent, text) => {
  expect(whoText(agents, absent, 'me')).toBe(text);
});

test('WIDGET-15: a visitor does not read who pays', () => {
  expect(whoText([b, { ...a, chain_for: 'me' }].map(withoutPayer), [], 'me')).toBe('B · ann and A · ann answer.');
});
