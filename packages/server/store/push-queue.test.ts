import { expect, test } from 'vitest';
import { PushStore } from '../test/notifications/push-store.ts';
import { setDevicePrefs } from './notifications.ts';
import { membersFrom, pushTarget, tokensInChat } from './push-queue.ts';

const NOW = 1_000;
const [CHAT, ALICE] = [1, 7];
const target = (store: PushStore, tokenKey: number, accountKey = ALICE) =>
  store.sql.get(pushTarget, tokenKey, NOW, accountKey, CHAT);

test('PUSH-1: a token of a participant receives pushes, even without a session', () => {
  using store = new PushStore();
  store.account(ALICE);
  store.join(ALICE);
  expect(target(store, store.token(ALICE, 'a'))).toMatchObject({
    address: 'a',
    device_prefs: null,
    chat_kind: 'group',
  });
});

test('PUSH-1: a token of a bot receives pushes; one of a deleted account or a non-participant receives none', () => {
  using store = new PushStore();
  store.account(ALICE);
  store.account(8, { kind: 'agent' });
  store.account(9, { deleted_at: 5 });
  for (const key of [8, 9]) store.join(key);
  expect(target(store, store.token(8, 'of the bot'), 8)).toMatchObject({ prefs: null, device_prefs: null });
  for (const key of [ALICE, 9]) expect(target(store, store.token(key, `of ${key}`), key), `${key}`).toBeUndefined();
});

test('PUSH-1: a token that another account has registered since receives no push for the first account', () => {
  using store = new PushStore();
  for (const key of [ALICE, 8]) {
    store.account(key);
    store.join(key);
  }
  const token = store.token(ALICE, 'shared');
  expect(store.token(8, 'shared')).toBe(token);
  expect([target(store, token), target(store, token, 8)]).toEqual([undefined, expect.anything()]);
});

test('NOTIF-7: the token of a session receives pushes until the session expires, with the preferences of its device', () => {
  using store = new PushStore();
  store.account(ALICE);
  store.join(ALICE);
  const [lasting, over] = [store.session(1, ALICE, NOW + 1), store.session(2, ALICE, NOW)];
  const token = store.token(ALICE, 'a', lasting);
  expect(target(store, token)?.device_prefs).toBeNull();
  store.sql.run(setDevicePrefs, lasting, 'of this device');
  expect(target(store, token)?.device_prefs).toBe('of this device');
  expect(target(store, store.token(ALICE, 'b', over))).toBeUndefined();
});

test('PUSH-13: participants and their tokens are read a part at a time, in order', () => {
  using store = new PushStore();
  for (const key of [3, 1, 2, 4]) store.join(key);
  let places = 0;
  for (const account of [3, 1, 3, 4]) store.token(account, `${account} ${(places += 1)}`);
  expect(store.sql.all(membersFrom, CHAT, 2).map(({ account_key }) => account_key)).toEqual([2, 3, 4]);
  const tokens = store.sql.all(tokensInChat, CHAT, 1, 3);
  expect(tokens.map(({ account_key, token_key }) => [account_key, token_key])).toEqual([
    [1, 2],
    [3, 1],
    [3, 3],
  ]);
});
