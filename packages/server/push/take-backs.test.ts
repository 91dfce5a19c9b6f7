import { ManualClock } from '@parley/testing';
import { HeldReads, ReadCounter } from '@parley/testing/stores/slow-reads.ts';
import { expect, test } from 'vitest';
import { PushStore } from '../test/notifications/push-store.ts';
import { type Sql, statement } from '../store/sql.ts';
import type { Job } from './delivery-queue.ts';
import { TakeBacks } from './take-backs.ts';

const insertDue = statement<never, [token: number, chat: number, account: number]>(
  'INSERT INTO shown_pushes (token_key, chat_key, account_key, message_key, is_due) VALUES ($1, $2, $3, 1, 1)',
);

/** The take-backs of a store, with delivery queues that may be full. */
class Stage implements Disposable {
  readonly clock = new ManualClock();
  readonly store = new PushStore();
  readonly jobs: string[] = [];
  isFull = false;
  readonly takeBacks: TakeBacks;

  constructor(wrapRead = (read: Sql): Sql => read) {
    this.takeBacks = new TakeBacks({
      clock: this.clock,
      read: wrapRead(this.store.sql),
      isUsable: (platform) => platform === 'web',
      heardAt: () => null,
      queues: {
        add: ({ accountKey, tokenKey, chatKey }: Job) => {
          if (!this.isFull) this.jobs.push(`${accountKey}: ${chatKey} at ${tokenKey}`);
          return !this.isFull;
        },
      },
    });
  }

  due(accountKey: number, ...chatKeys: number[]): void {
    const token = this.store.token(accountKey, `https://push.example/${accountKey}`);
    for (const chatKey of chatKeys) this.store.sql.run(insertDue, token, chatKey, accountKey);
  }

  /** The jobs since the last call. */
  async taken(ms = 0): Promise<string[]> {
    await this.clock.advance(ms);
    while (!this.takeBacks.isIdle) await this.clock.advance(0);
    return this.jobs.splice(0);
  }

  [Symbol.dispose](): void {
    this.store[Symbol.dispose]();
  }
}

test('PUSH-21: an account is checked immediately, then at most every 2 s', async () => {
  using stage = new Stage();
  stage.due(7, 1, 2);
  stage.takeBacks.ask([7]);
  expect(await stage.taken()).toEqual(['7: 1 at 1', '7: 2 at 1']);
  for (let times = 0; times < 3; times += 1) stage.takeBacks.ask([7]);
  expect(await stage.taken(1_999)).toEqual([]);
  expect(await stage.taken(1)).toHaveLength(2);
  expect(await stage.taken(10_000)).toEqual([]);
  expect(stage.clock.pendingTimers).toBe(0);
  stage.takeBacks.ask([7]);
  expect(await stage.taken()).toHaveLength(2);
  await stage.takeBacks.close();
  expect(stage.clock.pendingTimers).toBe(0);
});

test('PUSH-21: a take-back refused by a full service is found again when the service has room', async () => {
  using stage = new Stage();
  stage.due(7, 1);
  stage.isFull = true;
  stage.takeBacks.ask([7]);
  expect(await stage.taken(10_000)).toEqual([]);
  stage.isFull = false;
  stage.takeBacks.goOn('https://push.example');
  expect(await stage.taken()).toEqual(['7: 1 at 1']);
  stage.takeBacks.goOn('https://push.example');
  expect(await stage.taken(2_000)).toEqual([]);
});

test('PUSH-22: recovery finds the take-backs of all accounts; a stopping service finds none', async () => {
  using stage = new Stage();
  for (let account = 1; account <= 3; account += 1) stage.due(account, 9);
  stage.store.token(4, 'phone', null, 'ios');
  await stage.takeBacks.recover();
  expect(await stage.taken()).toEqual(['1: 9 at 1', '2: 9 at 2', '3: 9 at 3']);
  await stage.takeBacks.close();
  stage.takeBacks.ask([5]);
  await stage.takeBacks.recover();
  expect(await stage.taken(2_000)).toEqual([]);
});

test('PUSH-21: a request during a check causes another check', async () => {
  const held = new HeldReads();
  using stage = new Stage((read) => held.wrap(read));
  const reading = held.hold('SELECT d.account_key');
  stage.takeBacks.ask([7]);
  await reading.asked;
  stage.due(7, 1);
  stage.takeBacks.ask([7]);
  reading.release();
  expect(await stage.taken(1_999)).toEqual([]);
  expect(await stage.taken(1)).toEqual(['7: 1 at 1']);
  // Also if the check takes longer than the pace.
  await stage.clock.advance(2_000);
  const slow = held.hold('FROM shown_pushes s');
  stage.takeBacks.ask([7]);
  await slow.asked;
  await stage.clock.advance(5_000);
  stage.takeBacks.ask([7]);
  slow.release();
  expect(await stage.taken()).toEqual(['7: 1 at 1', '7: 1 at 1']);
  await stage.takeBacks.close();
  expect(stage.clock.pendingTimers).toBe(0);
});

test('PUSH-21: accounts whose last sockets close at once are checked with one read, if nothing is due', async () => {
  const counter = new ReadCounter();
  using stage = new Stage((read) => counter.wrap(read));
  const many = Array.from({ length: 256 }, (_, at) => at + 1);
  stage.takeBacks.ask(many);
  expect(await stage.taken()).toEqual([]);
  expect(counter.reads).toBe(1);
  await stage.clock.advance(2_000);
  stage.due(9, 1);
  stage.takeBacks.ask(many);
  expect(await stage.taken()).toEqual(['9: 1 at 1']);
  expect(counter.reads).toBe(4);
  await stage.takeBacks.close();
});
