import { type OperationName, operationNames } from '@parley/protocol';
import type { Caller } from '@parley/server/call.ts';
import { ServiceError } from '@parley/server/errors.ts';
import { defaultRates, type RateLimits, type Rates } from '@parley/server/rate-limits.ts';
import type { Awaitable } from '@parley/server/store/sql.ts';
import { describe, expect, test } from 'vitest';

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
async function outcome(act: () => Awaitable<void>): Promise<'ok' | number> {
  try {
    await act();
    return 'ok';
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error;
    return Number(error.parameters?.retry_after);
  }
}
async function repeat<Value>(times: number, act: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let at = 0; at < times; at += 1) values.push(await act());
  return values;
}
const ok = (times: number) => Array<'ok'>(times).fill('ok');

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

/** What rate limits are wherever their buckets are kept. Each `open` begins with full ones. */
export function rateLimitsContract(name: string, open: (rates: Rates) => RateLimits): void {
  describe(`${name} as the place of rate limits`, () => {
    test('LIMIT-1: an account sends 60 messages at once, then 20 a second; others are not held up by it', async () => {
      const limits = open(defaultRates);
      const send = (now: number, caller = alice) =>
        outcome(() => limits.admit('sendMessage', {}, caller, '192.0.2.1', now));
      expect(await repeat(61, () => send(START))).toEqual([...ok(60), 1]);
      expect(await send(START, callerOf(2))).toBe('ok');
      expect(await repeat(2, () => send(START + 50))).toEqual(['ok', 1]);
      expect(await repeat(21, () => send(START + 1_050))).toEqual([...ok(20), 1]);
      expect(await repeat(61, () => send(START + 10_000))).toEqual([...ok(60), 1]);
    });

    test('LIMIT-2: one name is tried 5 times a minute from one address; a refused try costs nothing', async () => {
      const limits = open(defaultRates);
      const signIn = (now: number, username = 'bob', address = '192.0.2.1') =>
        outcome(() => limits.admit('signIn', { username, password: 'x' }, null, address, now));
      expect(await repeat(7, () => signIn(START))).toEqual([...ok(5), 12, 12]);
      expect(await signIn(START, 'carol')).toBe('ok');
      expect(await signIn(START, 'bob', '192.0.2.2')).toBe('ok');
      expect(await signIn(START + 11_999)).toBe(1);
      expect(await repeat(2, () => signIn(START + 12_000))).toEqual(['ok', 12]);
    });

    test('LIMIT-2: an address has 60 sign-ins and sign-ups a minute, whatever the names; IPv6 counts by network', async () => {
      const limits = open(defaultRates);
      let names = 0;
      const call = (name: 'signIn' | 'signUp', address: string, now = START) =>
        outcome(() => limits.admit(name, { username: `n${(names += 1)}`, password: 'x' }, null, address, now));
      expect(await repeat(30, () => call('signIn', '2001:db8::1'))).toEqual(ok(30));
      expect(await repeat(31, () => call('signUp', '2001:db8::2'))).toEqual([...ok(30), 1]);
      expect(await call('signIn', '2001:db8::3')).toBe(1);
      expect(await call('signIn', '2001:db8:0:1::3')).toBe('ok');
      expect(await call('signIn', '2001:db8::3', START + 1_000)).toBe('ok');
    });

    test('LIMIT-2: an account tries 60 invites a minute, an address 600; a refused try costs nothing', async () => {
      const limits = open(defaultRates);
      const join = (key: number, now = START) =>
        outcome(() => limits.admit('joinChat', { token: 'i_guess' }, callerOf(key), '2001:db8::7', now));
      expect(await repeat(62, () => join(1))).toEqual([...ok(60), 1, 1]);
      expect(await join(1, START + 1_000)).toBe('ok');
      for (let key = 2; key <= 10; key += 1) await repeat(60, () => join(key, START + 1_000));
      // The address has made up for ten of them in that second.
      expect(await repeat(10, () => join(11, START + 1_000))).toEqual([...ok(9), 1]);
      expect(await outcome(() => limits.admit('joinChat', {}, callerOf(12), '2001:db8:0:1::7', START))).toBe('ok');
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
      async (names, burst, perS) => {
        const limits = open(defaultRates);
        const take = (turn: number, now: number) =>
          outcome(() => limits.admit(names[turn % names.length] ?? names[0], {}, alice, '192.0.2.1', now));
        let at = 0;
        expect(await repeat(burst + 2, () => take((at += 1), START))).toEqual([...ok(burst), 1, 1]);
        const later = await repeat(perS + 1, () => take((at += 1), START + 1_000));
        expect(later).toEqual([...ok(perS), 1]);
        for (const name of operationNames.filter((other) => !names.some((counted) => counted === other)))
          expect(await outcome(() => limits.admit(name, { username: 'x' }, alice, '192.0.2.1', START))).toBe('ok');
      },
    );

    test('LIMIT-1: of a forward every message counts; more than fit at once want all, and are waited for afterwards', async () => {
      const limits = open(defaultRates);
      const ids = (count: number) => Array.from({ length: count }, (_, at) => `id ${at}`);
      const forward = (now: number, message_ids: string[]) =>
        outcome(() => limits.admit('forwardMessages', { message_ids }, alice, '192.0.2.1', now));
      const send = (now: number) => outcome(() => limits.admit('sendMessage', {}, alice, '192.0.2.1', now));
      expect([
        await forward(START, ids(50)),
        await forward(START, ids(11)),
        await forward(START, ids(10)),
        await send(START),
      ]).toEqual(['ok', 1, 'ok', 1]);
      expect(await forward(START + 3_000, [...ids(1), ...ids(1)])).toBe('ok');
      expect(await forward(START + 3_000, ids(100))).toBe(1);
      expect(await forward(START + 3_050, ids(100))).toBe('ok');
      expect([await send(START + 5_050), await send(START + 5_100), await send(START + 5_100)]).toEqual([1, 'ok', 1]);
    });

    test('LIMIT-2: nothing else is counted', async () => {
      expect(Object.keys(atOnce).toSorted()).toEqual(operationNames.toSorted());
      for (const name of operationNames) {
        const limits = open(defaultRates);
        const call = () => outcome(() => limits.admit(name, { username: 'x' }, alice, '192.0.2.1', START));
        const admitted = (await repeat(1_000, call)).filter((answer) => answer === 'ok').length;
        expect([name, admitted]).toEqual([name, Math.min(1_000, atOnce[name])]);
      }
    });

    test('CONFIG-11: the rates are those that are given', async () => {
      const limits = open({ ...defaultRates, messages: { burst: 3, refillMs: 500 } });
      const send = (now: number) => outcome(() => limits.admit('sendMessage', {}, alice, '192.0.2.1', now));
      expect(await repeat(4, () => send(START))).toEqual([...ok(3), 1]);
      expect(await repeat(3, () => send(START + 1_000))).toEqual([...ok(2), 1]);
    });
  });
}
