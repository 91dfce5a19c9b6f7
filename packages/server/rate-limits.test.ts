import { type OperationName, operationNames } from '@parley/protocol';
import { expect, test } from 'vitest';
import type { Caller } from './call.ts';
import { ServiceError } from './errors.ts';
import { addressBlock, Buckets, defaultRates, RateLimits } from './rate-limits.ts';

const START = Date.UTC(2026, 0, 1);
const callerOf = (key: number): Caller => ({
  key,
  username: `u${key}`,
  displayName: 'U',
  kind: 'human',
  sessionKey: null,
});
const alice = callerOf(1);

/** What came of a call: `ok`, or the seconds after which it is to be tried again. */
function outcome(act: () => void): 'ok' | number {
  try {
    act();
    return 'ok';
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error;
    return Number(error.parameters?.retry_after);
  }
}
const repeat = <Value>(times: number, act: () => Value): Value[] => Array.from({ length: times }, act);
const ok = (times: number) => Array<'ok'>(times).fill('ok');

test('LIMIT-1: an account sends 60 messages at once, then 20 a second; others are not held up by it', () => {
  const limits = new RateLimits();
  const send = (now: number, caller = alice) =>
    outcome(() => limits.admit('sendMessage', {}, caller, '192.0.2.1', now));
  expect(repeat(61, () => send(START))).toEqual([...ok(60), 1]);
  expect(send(START, callerOf(2))).toBe('ok');
  expect(repeat(2, () => send(START + 50))).toEqual(['ok', 1]);
  expect(repeat(21, () => send(START + 1_050))).toEqual([...ok(20), 1]);
  expect(repeat(61, () => send(START + 10_000))).toEqual([...ok(60), 1]);
});

test('LIMIT-2: one name is tried 5 times a minute from one address; a refused try costs nothing', () => {
  const limits = new RateLimits();
  const signIn = (now: number, username = 'bob', address = '192.0.2.1') =>
    outcome(() => limits.admit('signIn', { username, password: 'x' }, null, address, now));
  expect(repeat(7, () => signIn(START))).toEqual([...ok(5), 12, 12]);
  expect(signIn(START, 'carol')).toBe('ok');
  expect(signIn(START, 'bob', '192.0.2.2')).toBe('ok');
  expect(signIn(START + 11_999)).toBe(1);
  expect(repeat(2, () => signIn(START + 12_000))).toEqual(['ok', 12]);
});

test('LIMIT-2: an address has 60 sign-ins and sign-ups a minute, whatever the names; IPv6 counts by network', () => {
  const limits = new RateLimits();
  let names = 0;
  const call = (name: 'signIn' | 'signUp', address: string, now = START) =>
    outcome(() => limits.admit(name, { username: `n${(names += 1)}`, password: 'x' }, null, address, now));
  expect(repeat(30, () => call('signIn', '2001:db8::1'))).toEqual(ok(30));
  expect(repeat(31, () => call('signUp', '2001:db8::2'))).toEqual([...ok(30), 1]);
  expect(call('signIn', '2001:db8::3')).toBe(1);
  expect(call('signIn', '2001:db8:0:1::3')).toBe('ok');
  expect(call('signIn', '2001:db8::3', START + 1_000)).toBe('ok');
});

test('LIMIT-2: an account tries 60 invites a minute, an address 600; a refused try costs nothing', () => {
  const limits = new RateLimits();
  const join = (key: number, now = START) =>
    outcome(() => limits.admit('joinChat', { token: 'i_guess' }, callerOf(key), '2001:db8::7', now));
  expect(repeat(62, () => join(1))).toEqual([...ok(60), 1, 1]);
  expect(join(1, START + 1_000)).toBe('ok');
  for (let key = 2; key <= 10; key += 1) repeat(60, () => join(key, START + 1_000));
  // The address has made up for ten of them in that second.
  expect(repeat(10, () => join(11, START + 1_000))).toEqual([...ok(9), 1]);
  expect(outcome(() => limits.admit('joinChat', {}, callerOf(12), '2001:db8:0:1::7', START))).toBe('ok');
});

test.each([
  [
    ['sendMessage', 'startMessageStream', 'sendComponentAction', 'editMessage', 'retryReply', 'forwardMessages'],
    60,
    20,
  ],
  [['pushAlert'], 200, 20],
  [['startChat', 'addMembers'], 1_000, 50],
  [['uploadFile'], 60, 1],
] as const)(
  'LIMIT-1, LIMIT-2: %j count together, %i at once, then %i a second, and others go on',
  (names, burst, perS) => {
    const limits = new RateLimits();
    const take = (at: number, now: number) =>
      outcome(() => limits.admit(names[at % names.length] ?? names[0], {}, alice, '192.0.2.1', now));
    expect(Array.from({ length: burst + 2 }, (_, at) => take(at, START))).toEqual([...ok(burst), 1, 1]);
    const later = Array.from({ length: perS + 1 }, (_, at) => take(at, START + 1_000));
    expect(later).toEqual([...ok(perS), 1]);
    for (const name of operationNames.filter((other) => !names.some((counted) => counted === other)))
      expect(outcome(() => limits.admit(name, { username: 'x' }, alice, '192.0.2.1', START))).toBe('ok');
  },
);

test('LIMIT-1: of a forward every message counts; more than fit at once want all, and are waited for afterwards', () => {
  const limits = new RateLimits();
  const ids = (count: number) => Array.from({ length: count }, (_, at) => `id ${at}`);
  const forward = (now: number, message_ids: string[]) =>
    outcome(() => limits.admit('forwardMessages', { message_ids }, alice, '192.0.2.1', now));
  const send = (now: number) => outcome(() => limits.admit('sendMessage', {}, alice, '192.0.2.1', now));
  expect([forward(START, ids(50)), forward(START, ids(11)), forward(START, ids(10)), send(START)]).toEqual([
    'ok',
    1,
    'ok',
    1,
  ]);
  expect(forward(START + 3_000, [...ids(1), ...ids(1)])).toBe('ok');
  expect(forward(START + 3_000, ids(100))).toBe(1);
  expect(forward(START + 3_050, ids(100))).toBe('ok');
  expect([send(START + 5_050), send(START + 5_100), send(START + 5_100)]).toEqual([1, 'ok', 1]);
});

const everyCall = Number.POSITIVE_INFINITY;

/** How many calls of each operation one account may make at once: a new operation needs an answer here. */
const atOnce: Record<OperationName, number> = {
  addMembers: 1_000,
  changePassword: 5,
  deleteAccount: 5,
  editMessage: 60,
  forwardMessages: 60,
  joinChat: 60,
  pushAlert: 200,
  retryReply: 60,
  sendComponentAction: 60,
  sendMessage: 60,
  signIn: 5,
  signUp: 60,
  startChat: 1_000,
  startMessageStream: 60,
  updateProfile: 20,
  uploadFile: 60,

  addGroupAgent: everyCall,
  answerInlineQuery: everyCall,
  appendMessageStream: everyCall,
  blockUser: everyCall,
  createBot: everyCall,
  createChannel: everyCall,
  createInvite: everyCall,
  deleteBot: everyCall,
  deleteChannel: everyCall,
  deleteMessages: everyCall,
  deleteMessagesForMe: everyCall,
  exportMyData: everyCall,
  finishMessageStream: everyCall,
  getBlockedUsers: everyCall,
  getChat: everyCall,
  getChatHistory: everyCall,
  getChats: everyCall,
  getDrafts: everyCall,
  getGroupAgents: everyCall,
  getInvites: everyCall,
  getMe: everyCall,
  getMembers: everyCall,
  getMessages: everyCall,
  getMyAgents: everyCall,
  getMyBotConfig: everyCall,
  getNotificationPrefs: everyCall,
  getRunConfig: everyCall,
  getServerInfo: everyCall,
  getSessions: everyCall,
  getUpdates: everyCall,
  getUser: everyCall,
  getUsage: everyCall,
  getUsers: everyCall,
  leaveChat: everyCall,
  markRead: everyCall,
  pinMessage: everyCall,
  queryInline: everyCall,
  registerPushToken: everyCall,
  removeAgentKey: everyCall,
  removeGroupAgent: everyCall,
  removeMember: everyCall,
  revokeInvite: everyCall,
  rotateBotToken: everyCall,
  saveDraft: everyCall,
  searchMessages: everyCall,
  sendChatAction: everyCall,
  setAgentKey: everyCall,
  setBotConfig: everyCall,
  setChatDescription: everyCall,
  setChatNotifications: everyCall,
  setChatTitle: everyCall,
  setDeviceNotificationPrefs: everyCall,
  setGroupAgentMode: everyCall,
  setMemberRole: everyCall,
  setMessageReaction: everyCall,
  setMyBotConfig: everyCall,
  setNotificationPrefs: everyCall,
  signOut: everyCall,
  stopRun: everyCall,
  terminateOtherSessions: everyCall,
  terminateSession: everyCall,
  unblockUser: everyCall,
  unpinMessage: everyCall,
  unregisterPushToken: everyCall,
  wsFocus: everyCall,
};

test('LIMIT-2: nothing else is counted', () => {
  expect(Object.keys(atOnce).toSorted()).toEqual(operationNames.toSorted());
  for (const name of operationNames) {
    const limits = new RateLimits();
    const call = () => outcome(() => limits.admit(name, { username: 'x' }, alice, '192.0.2.1', START));
    const admitted = repeat(1_000, call).filter((answer) => answer === 'ok').length;
    expect([name, admitted]).toEqual([name, Math.min(1_000, atOnce[name])]);
  }
});

test('CONFIG-11: the rates are those that are given', () => {
  const limits = new RateLimits({ ...defaultRates, messages: { burst: 3, refillMs: 500 } });
  const send = (now: number) => outcome(() => limits.admit('sendMessage', {}, alice, '192.0.2.1', now));
  expect(repeat(4, () => send(START))).toEqual([...ok(3), 1]);
  expect(repeat(3, () => send(START + 1_000))).toEqual([...ok(2), 1]);
});

test('LIMIT-3: a bucket that is full again is forgotten', () => {
  const buckets = new Buckets<number>({ burst: 2, refillMs: 1_000 });
  for (let at = 0; at < 1_000; at += 1) buckets.take(at, START + at * 100);
  expect(buckets.size).toBeLessThanOrEqual(42);
});

test('LIMIT-3: what is known is bounded, however many come', () => {
  const buckets = new Buckets<number>({ burst: 2, refillMs: 1_000 });
  for (let key = 0; key < 350_000; key += 1) buckets.take(key, START);
  expect(buckets.size).toBeLessThanOrEqual(200_000);
});

test('LIMIT-3: a clock that is set back keeps nobody out for longer than one refill', () => {
  const buckets = new Buckets<string>({ burst: 2, refillMs: 1_000 });
  buckets.take('a', START);
  buckets.take('a', START);
  const back = START - 86_400_000;
  expect(buckets.waitMs('a', back)).toBe(1_000);
  buckets.take('b', back);
  expect(buckets.waitMs('a', back + 1_000)).toBeLessThanOrEqual(1_000);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::5:6', '2001:db8:0:0'],
  ['2001:db8:1:2:3::', '2001:db8:1:2'],
  ['', ''],
])('LIMIT-2: the address %s is counted as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block);
});
