import { expect, test } from 'vitest';
import type { Intent } from '../commits/effects.ts';
import { PushStore } from '../test/notifications/push-store.ts';
import { advanceRead } from '../store/chats.ts';
import { accountsWithDue, dueBadges, dueTakeBacks, MAX_SHOWN, type ShownBadge } from '../store/shown-pushes.ts';
import { storeShown } from './store-shown.ts';
import { statement } from '../store/sql.ts';

const [CHAT, ALICE] = [1, 7];

/** A store with Alice as a participant, and the accounts in the take-back intents. */
class Stage extends PushStore {
  readonly asked: number[] = [];
  readonly phone: number;

  constructor() {
    super();
    this.account(ALICE);
    this.join(ALICE);
    this.phone = this.token(ALICE, 'phone');
  }

  show(messageKey: number | null, tokenKey = this.phone, accountKey = ALICE, chatKey = CHAT): Promise<void> {
    return this.#store([{ tokenKey, accountKey, chatKey, messageKey }], []);
  }

  badge(badge: Omit<ShownBadge, 'tokenKey'>): Promise<void> {
    return this.#store([], [{ tokenKey: this.phone, ...badge }]);
  }

  get rows(): { chat_key: number; message_key: number; is_due: number }[] {
    return this.sql.all(allRows);
  }

  #store(...[shown, badges]: [Parameters<typeof storeShown>[1], Parameters<typeof storeShown>[2]]): Promise<void> {
    const intend = (intent: Intent): void =>
      void (intent.type === 'takeBack' && this.asked.push(...intent.accountKeys));
    return storeShown({ tx: this.sql, intend }, shown, badges);
  }
}
const allRows = statement<{ chat_key: number; message_key: number; is_due: number }>(
  'SELECT chat_key, message_key, is_due FROM shown_pushes ORDER BY chat_key',
);

test('PUSH-22: the last push of a conversation counts as shown until it is taken back', async () => {
  using stage = new Stage();
  for (const key of [1, 2]) stage.message(key);
  await stage.show(2);
  // A late push of an older message replaces the newer one on the device.
  await stage.show(1);
  expect(stage.rows).toEqual([{ chat_key: CHAT, message_key: 1, is_due: 0 }]);
  await stage.show(null);
  expect([stage.rows, stage.asked]).toEqual([[], []]);
});

test('PUSH-20: a message read between the push and the storing of its row is due immediately; a newer push replaces it', async () => {
  using stage = new Stage();
  for (const key of [1, 2]) stage.message(key);
  stage.sql.run(advanceRead, CHAT, ALICE, 1);
  await stage.show(1);
  expect([stage.rows[0]?.is_due, stage.asked]).toEqual([1, [ALICE]]);
  expect(stage.sql.all(dueTakeBacks, ALICE, 10)).toMatchObject([{ token_key: stage.phone, chat_key: CHAT }]);
  expect(stage.sql.all(accountsWithDue, 0, 10)).toEqual([{ account_key: ALICE }]);
  expect(stage.sql.all(accountsWithDue, ALICE, 10)).toEqual([]);
  await stage.show(2);
  expect([stage.rows[0]?.is_due, stage.asked]).toEqual([0, [ALICE]]);
});

test('PUSH-22: nothing is stored for a token that was deleted or belongs to another account', async () => {
  using stage = new Stage();
  stage.message(1);
  await stage.show(1, 99);
  await stage.show(1, stage.phone, 8);
  expect(stage.rows).toEqual([]);
});

test('PUSH-22: per token the rows of the conversations with the newest messages are kept', async () => {
  using stage = new Stage();
  for (let key = 1; key <= MAX_SHOWN + 2; key += 1) {
    stage.message(key, { chat_key: key });
    await stage.show(key, stage.phone, ALICE, key);
  }
  expect(stage.rows).toHaveLength(MAX_SHOWN);
  expect(stage.rows[0]?.message_key).toBe(3);
});

test('PUSH-23: a badge update is due until a push answers the latest request for it', async () => {
  using stage = new Stage();
  const ask = statement<never>('UPDATE push_tokens SET badge_asked = badge_asked + 1');
  const isDue = () => stage.sql.all(dueBadges, ALICE).length === 1;
  stage.sql.run(ask);
  stage.sql.run(ask);
  await stage.badge({ badge: 3, asked: 1 });
  expect([isDue(), stage.asked]).toEqual([true, [ALICE]]);
  await stage.badge({ badge: 2, asked: 2 });
  expect([isDue(), stage.asked]).toEqual([false, [ALICE]]);
  // An answer to the older request that is stored late does not make the update due again.
  await stage.badge({ badge: 2, asked: 1 });
  expect(isDue()).toBe(false);
  await stage.badge({ badge: 2, asked: 2, isOld: true });
  expect([isDue(), stage.asked]).toEqual([true, [ALICE, ALICE]]);
});
