import { type OperationName, operationNames } from '@parley/protocol';
import type { Caller } from '@parley/server/access/call.ts';
import { type Handler, isRated } from '@parley/server/operations/handler.ts';
import { ServiceError } from '@parley/server/core/errors.ts';
import { handlers } from '@parley/server/operations/index.ts';
import { defaultRates, type RatedCall, type RateLimits, type Rates } from '@parley/server/calls/rate-limits.ts';
import type { Awaitable } from '@parley/server/store/sql.ts';
import { describe, expect, test } from 'vitest';

const START = Date.UTC(2026, 0, 1);
const callerOf = (key: number, ownerKey = key): Caller => ({
  key,
  ownerKey,
  username: `u${key}`,
  displayName: 'U',
  kind: 'human',
  sessionKey: null,
});
const alice = callerOf(1);

/** A call as `dispatch` passes it to the rate limits. */
function callOf(name: OperationName, params: unknown, caller: Caller | null, address: string): RatedCall {
  const handler: Handler = handlers[name];
  return { name, params, caller, address, isRated: isRated(handler) };
}

/** The outcome of a call: `ok`, or the seconds after which to try again. */
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

/**
 * How many calls of each operation one account may make at the same time. Total: a new operation does not compile
 * without an entry.
 */
const atOnce: Record<OperationName, number> = {
  getInvite: 600,
  joinChat: 60,
  signUp: 60,
  previewDispatch: 60,
  updateProfile: 20,
  getModels: 20,
  transcribeMessage: 20,
  uploadFile: 60,
  createEmoji: 60,
  createUserToken: 100,
  deleteUser: 100,
  exchangeUserToken: 100,

  addGroupAgent: 200,
  addMembers: 200,
  blockUser: 200,
  cancelReminder: 200,
  cancelScheduledMessage: 200,
  chooseVersion: 200,
  clearChat: 200,
  closePoll: 200,
  continueReply: 200,
  createAgent: 200,
  createBot: 200,
  createChannel: 200,
  createInvite: 200,
  createWebhook: 60,
  createWebhookSubscription: 200,
  deleteAgent: 200,
  deleteBot: 200,
  deleteChannel: 200,
  deleteChat: 200,
  deleteEmoji: 200,
  deleteMessages: 200,
  deleteMessagesForMe: 200,
  deleteWebhook: 200,
  deleteWebhookSubscription: 200,
  dismissAgent: 200,
  editMessage: 200,
  editScheduledMessage: 200,
  forwardMessages: 200,
  leaveChat: 200,
  markRead: 200,
  orderPinnedChats: 200,
  pinMessage: 200,
  pushAlert: 200,
  queryInline: 200,
  registerPushToken: 200,
  remindMe: 200,
  replayWebhook: 200,
  removeAgentKey: 200,
  removeGroupAgent: 200,
  removeLinkPreview: 200,
  removeMember: 200,
  retryReply: 200,
  revokeInvite: 200,
  rotateBotToken: 200,
  saveDraft: 200,
  scheduleMessage: 200,
  sendChatAction: 200,
  sendComponentAction: 200,
  sendMessage: 200,
  sendScheduledMessage: 200,
  setAgentKey: 200,
  setBotCommands: 200,
  setBotConfig: 200,
  setChatAvatar: 60,
  setChatDescription: 200,
  setChatNotifications: 200,
  setChatState: 200,
  setChatTitle: 200,
  setDeviceNotificationPrefs: 200,
  setFolders: 200,
  setGroupAgentMode: 200,
  setMemberRole: 200,
  setMessageReaction: 200,
  setMyBotConfig: 200,
  setInboxDone: 200,
  setNotificationPrefs: 200,
  setPrivacy: 200,
  setStatus: 200,
  signOut: 200,
  startChat: 200,
  startMessageStream: 200,
  stopRun: 200,
  terminateOtherSessions: 200,
  terminateSession: 200,
  unblockUser: 200,
  unpinMessage: 200,
  unregisterPushToken: 200,
  updateAgent: 200,
  votePoll: 200,

  // Passwords are counted when they are checked: see password-tries-contract.ts.
  changePassword: everyCall,
  deleteAccount: everyCall,
  signIn: everyCall,

  answerInlineQuery: everyCall,
  appendMessageStream: everyCall,
  exportMyData: everyCall,
  finishMessageStream: everyCall,
  getAgent: everyCall,
  getBlockedUsers: everyCall,
  getBotCommands: everyCall,
  getOpenStreams: everyCall,
  getInbox: everyCall,
  getPresence: everyCall,
  getEmoji: everyCall,
  getChat: everyCall,
  getChatHistory: everyCall,
  getChatMedia: everyCall,
  getChats: everyCall,
  getDrafts: everyCall,
  getFolders: everyCall,
  getGroupAgents: everyCall,
  getInvites: everyCall,
  getMe: everyCall,
  getMembers: everyCall,
  getMessageReaders: everyCall,
  getMessages: everyCall,
  getMyAgents: everyCall,
  getMyBotConfig: everyCall,
  getNotificationPrefs: everyCall,
  getPollVoters: everyCall,
  getPollVotes: everyCall,
  getPrivacy: everyCall,
  getReadPosition: everyCall,
  getReminders: everyCall,
  getReplyPrices: everyCall,
  getRunConfig: everyCall,
  getScheduledMessages: everyCall,
  getServerInfo: everyCall,
  getSessions: everyCall,
  getUnreadMentions: everyCall,
  getUpdates: everyCall,
  getUsage: everyCall,
  getUser: everyCall,
  getUsers: everyCall,
  getWebhooks: everyCall,
  getWebhookSubscriptions: everyCall,
  searchChats: everyCall,
  searchMessages: everyCall,
  wsFocus: everyCall,
};

/** The behaviour of rate limits, wherever their buckets are stored. Each `open` starts with full buckets. */
export function rateLimitsContract(name: string, open: (rates: Rates) => RateLimits): void {
  describe(`${name} as the store of rate limits`, () => {
    test('LIMIT-1: an owner sends 200 messages at once, then 20 a second; other owners are not affected', async () => {
      const limits = open(defaultRates);
      const send = (now: number, caller = alice) =>
        outcome(() => limits.admit(callOf('sendMessage', {}, caller, '192.0.2.1'), now));
      expect(await repeat(201, () => send(START))).toEqual([...ok(200), 1]);
      expect(await send(START, callerOf(2))).toBe('ok');
      expect(await repeat(2, () => send(START + 50))).toEqual(['ok', 1]);
      expect(await repeat(21, () => send(START + 1_050))).toEqual([...ok(20), 1]);
      expect(await repeat(201, () => send(START + 11_050))).toEqual([...ok(200), 1]);
    });

    test('LIMIT-2: 60 invite attempts a minute per account, 600 per address; a refused attempt costs nothing', async () => {
      const limits = open(defaultRates);
      const join = (key: number, now = START) =>
        outcome(() => limits.admit(callOf('joinChat', { token: 'i_guess' }, callerOf(key), '2001:db8::7'), now));
      expect(await repeat(62, () => join(1))).toEqual([...ok(60), 1, 1]);
      expect(await join(1, START + 1_000)).toBe('ok');
      for (let key = 2; key <= 10; key += 1) await repeat(60, () => join(key, START + 1_000));
      // The address regained ten attempts in that second.
      expect(await repeat(10, () => join(11, START + 1_000))).toEqual([...ok(9), 1]);
      expect(await outcome(() => limits.admit(callOf('joinChat', {}, callerOf(12), '2001:db8:0:1::7'), START))).toBe(
        'ok',
      );
    });

    test('LIMIT-1: a person and its bots share one bucket for messages and one for all other writes', async () => {
      const limits = open(defaultRates);
      const bots = Array.from({ length: 10 }, (_, at) => callerOf(100 + at, alice.key));
      const call = (name: OperationName, caller: Caller) =>
        outcome(() => limits.admit(callOf(name, {}, caller, '192.0.2.1'), START));
      for (const name of ['sendMessage', 'setMessageReaction'] as const) {
        for (const bot of bots) expect(await repeat(20, () => call(name, bot))).toEqual(ok(20));
        for (const caller of [alice, ...bots]) expect(await call(name, caller)).toBe(1);
        expect(await call(name, callerOf(2))).toBe('ok');
      }
    });

    test('LIMIT-1: bots that use up the rate do not keep their owner from ending sessions and tokens', async () => {
      const limits = open(defaultRates);
      const call = (name: OperationName, caller: Caller) =>
        outcome(() => limits.admit(callOf(name, {}, caller, '192.0.2.1'), START));
      await repeat(200, () => call('sendChatAction', callerOf(100, alice.key)));
      expect(await call('setChatTitle', alice)).toBe(1);
      for (const name of ['rotateBotToken', 'deleteBot', 'terminateSession', 'signOut', 'removeAgentKey'] as const)
        expect(await call(name, alice)).toBe('ok');
    });

    test.each([
      [
        'messages',
        [
          'sendMessage',
          'scheduleMessage',
          'startMessageStream',
          'sendComponentAction',
          'editMessage',
          'retryReply',
          'continueReply',
          'forwardMessages',
        ],
        200,
        20,
      ],
      ['uploads', ['uploadFile', 'createEmoji', 'setChatAvatar', 'createWebhook'], 60, 1],
    ] as const)('LIMIT-1, LIMIT-2: %s share a rate: %j', async (_rate, names, burst, perS) => {
      const limits = open(defaultRates);
      const take = (turn: number, now: number) =>
        outcome(() => limits.admit(callOf(names[turn % names.length] ?? names[0], {}, alice, '192.0.2.1'), now));
      let at = 0;
      expect(await repeat(burst + 2, () => take((at += 1), START))).toEqual([...ok(burst), 1, 1]);
      const later = await repeat(perS + 1, () => take((at += 1), START + 1_000));
      expect(later).toEqual([...ok(perS), 1]);
      for (const name of operationNames.filter((other) => !names.some((counted) => counted === other)))
        expect(
          await outcome(() =>
            limits.admit(callOf(name, { username: 'x', backend_key: 'x' }, alice, '192.0.2.1'), START),
          ),
        ).toBe('ok');
    });

    test('LIMIT-1: all operations that write but post no message share 200 calls at once, then 20 a second', async () => {
      const limits = open(defaultRates);
      const names = (
        ['setChatTitle', 'setMessageReaction', 'sendChatAction', 'pushAlert', 'startChat'] as const
      ).concat();
      const take = (turn: number, now: number) =>
        outcome(() => limits.admit(callOf(names[turn % names.length] ?? 'setChatTitle', {}, alice, '192.0.2.1'), now));
      let at = 0;
      expect(await repeat(202, () => take((at += 1), START))).toEqual([...ok(200), 1, 1]);
      expect(await repeat(21, () => take((at += 1), START + 1_000))).toEqual([...ok(20), 1]);
      expect(await outcome(() => limits.admit(callOf('uploadFile', {}, alice, '192.0.2.1'), START + 1_000))).toBe(1);
    });

    test('LIMIT-1: every message of a forward counts; a forward larger than the bucket needs a full bucket, and leaves a debt', async () => {
      const limits = open({ ...defaultRates, messages: { burst: 60, refillMs: 50 } });
      const ids = (count: number) => Array.from({ length: count }, (_, at) => `id ${at}`);
      const forward = (now: number, message_ids: string[]) =>
        outcome(() => limits.admit(callOf('forwardMessages', { message_ids }, alice, '192.0.2.1'), now));
      const send = (now: number) => outcome(() => limits.admit(callOf('sendMessage', {}, alice, '192.0.2.1'), now));
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

    test('LIMIT-1, LIMIT-2: every operation that writes has a rate; reads and parts of a counted call have none', async () => {
      expect(Object.keys(atOnce).toSorted()).toEqual(operationNames.toSorted());
      const largest = Math.max(...Object.values(atOnce).filter(Number.isFinite));
      for (const name of operationNames) {
        const limits = open(defaultRates);
        const call = () =>
          outcome(() => limits.admit(callOf(name, { username: 'x', backend_key: 'x' }, alice, '192.0.2.1'), START));
        // A few more calls than the largest rate admits.
        const tries = Math.min(atOnce[name], largest) + 10;
        const admitted = (await repeat(tries, call)).filter((answer) => answer === 'ok').length;
        expect([name, admitted]).toEqual([name, Math.min(tries, atOnce[name])]);
      }
    });

    test('PREVIEW-5: previews have a rate of their own, 60 at once, then 5 a second', async () => {
      const limits = open(defaultRates);
      const call = (name: OperationName, now: number) =>
        outcome(() => limits.admit(callOf(name, {}, alice, '192.0.2.1'), now));
      expect(await repeat(61, () => call('previewDispatch', START))).toEqual([...ok(60), 1]);
      expect(await repeat(200, () => call('addGroupAgent', START))).toEqual(ok(200));
      expect(await repeat(200, () => call('sendMessage', START))).toEqual(ok(200));
      expect(await repeat(6, () => call('previewDispatch', START + 1_000))).toEqual([...ok(5), 1]);
    });

    test('CONFIG-11: the configured rates apply', async () => {
      const limits = open({ ...defaultRates, messages: { burst: 3, refillMs: 500 } });
      const send = (now: number) => outcome(() => limits.admit(callOf('sendMessage', {}, alice, '192.0.2.1'), now));
      expect(await repeat(4, () => send(START))).toEqual([...ok(3), 1]);
      expect(await repeat(3, () => send(START + 1_000))).toEqual([...ok(2), 1]);
    });
  });
}
