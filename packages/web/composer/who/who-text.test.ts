import { OWN_TOOLS } from '@parley/protocol/built-in-tools';
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
  [[agent('parley:house', 'parley')], [], 'HOUSE · parley answers, paid by this server.'],
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

const tooled: Previewed = {
  ...agent('ann:t', 'me'),
  tools: [
    { server: 'bank', names: ['look', 'pay', 'close', 'open', 'list'], as: 'asker', approval: 'writes' },
    { server: 'wiki', names: ['find'], as: 'owner', approval: 'never' },
    { server: 'time', names: [], as: 'none', approval: 'never' },
  ],
  budget: { calls: 25 },
};
const servers =
  'bank (look, pay, close, and 2 more; with your account), wiki (find; with the account of ann), and time (without an account)';

test('WEB-110: it names the tools that an agent may use, with whose account, and its budget', () => {
  expect(whoText([tooled], [], 'me')).toBe(
    `T · ann answers, paid by you. It may use ${servers}. It asks again after 25 calls.`,
  );
  expect(whoText([a, tooled], [], 'me')).toBe(
    'A · ann and T · ann answer, paid by you. Together they may use 3 servers of tools.',
  );
  expect(whoText([{ ...tooled, tools: tooled.tools?.slice(1, 2) }], [], 'ann')).toBe(
    'T · ann answers, paid by me. It may use wiki (find; with your account). It asks again after 25 calls.',
  );
  expect(whoText([withoutPayer(tooled)], [], 'me')).toBe('T · ann answers.');
  const nameOf = (username: string) => `the person ${username}`;
  expect(whoText([{ ...tooled, payer: 'ann', tools: tooled.tools?.slice(1, 2) }], [], 'me', nameOf)).toMatch(
    /paid by the person ann\. It may use wiki \(find; with the account of the person ann\)/,
  );
  const [own, many]: NonNullable<Previewed['tools']>[] = [
    [{ server: OWN_TOOLS, names: ['search_messages', 'remind'], as: 'asker', approval: 'never' }],
    Array.from({ length: 9 }, (_, at) => ({ server: `s${at}`, names: [], as: 'none', approval: 'never' })),
  ];
  const who = 'T · ann answers, paid by you.';
  expect(whoText([{ ...tooled, tools: own, budget: undefined }], [], 'me')).toBe(
    `${who} It may use Parley (Search the conversation and Set reminders).`,
  );
  expect(whoText([{ ...tooled, tools: many, budget: undefined }], [], 'me')).toBe(
    `${who} It may use s0 (without an account), s1 (without an account), s2 (without an account), and 6 more.`,
  );
});

test('WIDGET-15: a visitor does not read who pays', () => {
  expect(whoText([b, { ...a, chain_for: 'me' }].map(withoutPayer), [], 'me')).toBe('B · ann and A · ann answer.');
});
