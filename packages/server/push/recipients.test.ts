import { ManualClock } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import pino from 'pino';
import { expect, test } from 'vitest';
import { Slice, SLICE_MS } from '../core/slices.ts';
import { PushStore } from '../test/notifications/push-store.ts';
import { defaultDeliveryLimits } from './delivery-limits.ts';
import type { Job } from './delivery-queue.ts';
import { DeliveryQueues } from './delivery-queues.ts';
import type { QueuedMessage } from './queued-message.ts';
import { Recipients } from './recipients.ts';
import { Settling } from './settling.ts';
import { Shown } from './shown.ts';
import { Unconfirmed } from './unconfirmed.ts';

const CHAT = 1;
const message = (messageKey: number, senderKey = 999): QueuedMessage => ({
  messageKey,
  chatKey: CHAT,
  senderKey,
  isLate: false,
});
const newestOf = (job: Job) => job.messages.at(-1)?.messageKey;

/** A group in a store, and delivery queues whose jobs end when a test says so. */
class Stage implements Disposable {
  readonly store = new PushStore();
  readonly clock = new ManualClock();
  readonly unconfirmed = new Unconfirmed();
  /** Accounts with a live socket. */
  readonly live = new Set<number>();
  /** The pushes made: token and newest message. */
  readonly pushed: [tokenKey: number, messageKey: number | undefined][] = [];
  mostOfAPush = 0;
  /** Keys of deleted rows. */
  readonly done: number[] = [];
  readonly settling = new Settling(this.clock, pino({ level: 'silent' }), new Shown(this.store.sql), async (input) => {
    this.done.push(...input.done);
  });
  readonly queues: DeliveryQueues;
  readonly recipients: Recipients;
  #held: (() => void)[] = [];

  constructor({ waitingPerService = 10_000, now = () => 0 }: { waitingPerService?: number; now?: () => number } = {}) {
    this.queues = new DeliveryQueues({
      clock: this.clock,
      random: () => 1,
      limits: { ...defaultDeliveryLimits, waitingPerService },
      run: (job) => {
        this.pushed.push([job.tokenKey, newestOf(job)]);
        this.mostOfAPush = Math.max(this.mostOfAPush, job.messages.length);
        return new Promise((resolve) => this.#held.push(() => resolve('done')));
      },
      end: (messages) => this.settling.end(messages),
      onRoom: (service) => void this.recipients.goOn(service),
    });
    this.recipients = new Recipients({
      clock: this.clock,
      logger: pino({ level: 'silent' }),
      read: this.store.sql,
      heardAt: (account) => (this.live.has(account) ? this.clock.now() : null),
      isUsable: (platform) => platform === 'web',
      queues: this.queues,
      settling: this.settling,
      unconfirmed: this.unconfirmed,
      slice: new Slice(now),
    });
  }

  /** Members 1, 2, … with one token each at the given service; a token's key is that of its account. */
  members(count: number, serviceOf: (account: number) => string = () => 'one'): void {
    for (let account = 1; account <= count; account += 1) {
      this.store.join(account);
      this.store.token(account, `https://${serviceOf(account)}.example/${account}`);
    }
  }

  /** Finishes pushes until none is left. */
  async drain(): Promise<void> {
    do {
      for (const end of this.#held.splice(0)) end();
      await turnOfLoop();
    } while (this.queues.size > 0 || !this.recipients.isIdle);
    await this.clock.advance(1_000); // the delay after which rows are deleted
  }

  [Symbol.dispose](): void {
    this.queues.close();
    this.store[Symbol.dispose]();
  }
}

test('ERR-12: recipients of a large group are found in parts, and the event loop runs in between', async () => {
  let now = 0;
  using stage = new Stage({ now: () => (now += SLICE_MS + 1) });
  stage.members(200);
  const sizes: number[] = [];
  void stage.recipients.find(CHAT, [message(1)]);
  while (!stage.recipients.isIdle) {
    await turnOfLoop();
    sizes.push(stage.queues.size);
  }
  const grown = sizes.map((size, at) => size - (sizes[at - 1] ?? 0));
  expect(Math.max(...grown)).toBeLessThanOrEqual(2 * 16);
  expect(stage.queues.size).toBe(200);
  await stage.drain();
});

test('PUSH-1: each of several messages that arrive together is pushed to each token', async () => {
  using stage = new Stage();
  stage.members(3);
  await stage.recipients.find(CHAT, [message(1), message(2, 1), message(3, 2)]);
  await stage.drain();
  const expected = [1, 2, 3].flatMap((token) => [1, 2, 3].map((key) => [token, key]));
  expect(stage.pushed.toSorted(([one, first = 0], [other, second = 0]) => one - other || first - second)).toEqual(
    expected,
  );
  expect(new Set(stage.done)).toEqual(new Set([1, 2, 3]));
});

test('PUSH-1: the sender of all the messages gets no push', async () => {
  using stage = new Stage();
  stage.members(2);
  await stage.recipients.find(CHAT, [message(1, 1), message(2, 1)]);
  await stage.drain();
  expect(stage.pushed).toEqual([
    [2, 1],
    [2, 2],
  ]);
});

test('PUSH-9: for live recipients the newest 50 messages are remembered and the rows kept', async () => {
  using stage = new Stage();
  stage.members(2);
  stage.live.add(1);
  const messages = Array.from({ length: 60 }, (_, at) => message(at + 1));
  await stage.recipients.find(CHAT, messages);
  await stage.drain();
  expect([stage.pushed.at(-1), stage.mostOfAPush]).toEqual([[2, 60], 5]);
  expect(stage.done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const [entry] = stage.unconfirmed.takeAll();
  expect([entry?.[0], entry?.[1].length]).toEqual([1, 50]);
  await stage.clock.advance(80_000);
  expect(stage.done).toHaveLength(60);
});

test('PUSH-13: messages refused by a full service keep their rows and are pushed when it has room, once to each recipient', async () => {
  using stage = new Stage({ waitingPerService: 10 });
  stage.members(100, (account) => (account % 5 === 0 ? 'other' : 'full'));
  await stage.recipients.find(CHAT, [message(1)]);
  await stage.clock.advance(60_000);
  expect([stage.recipients.postponed, stage.queues.dropped, stage.done]).toEqual([2, 0, []]);
  await stage.drain();
  expect(stage.pushed.map(([token]) => token).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 100 }, (_, at) => at + 1),
  );
  expect([stage.recipients.postponed, stage.recipients.dropped, stage.done]).toEqual([0, 0, [1]]);
});

test('PUSH-13: each device of an account gets one push, even if only some found room at first', async () => {
  using stage = new Stage({ waitingPerService: 10 });
  stage.store.join(1);
  const tokens = Array.from({ length: 25 }, (_, at) => stage.store.token(1, `https://one.example/${at}`));
  await stage.recipients.find(CHAT, [message(1)]);
  await stage.drain();
  expect(stage.pushed).toEqual(tokens.map((token) => [token, 1]));
});

test('PUSH-13: a recipient that waits for room gets newer messages after older ones, others immediately', async () => {
  using stage = new Stage({ waitingPerService: 10 });
  stage.members(30);
  await stage.recipients.find(CHAT, [message(1)]);
  await stage.recipients.find(CHAT, [message(2)]);
  await stage.drain();
  // A token's pushes stay in order: the last one is of the newest message, wherever it waited.
  const last = [...new Map(stage.pushed)].toSorted(([one], [other]) => one - other);
  expect(last).toEqual(Array.from({ length: 30 }, (_, at) => [at + 1, 2]));
  expect(new Set(stage.done)).toEqual(new Set([1, 2]));
});

test('PUSH-9, PUSH-13: messages lost with a dead socket wait for room too, for that account only', async () => {
  using stage = new Stage({ waitingPerService: 10 });
  stage.members(12);
  for (let token = 101; token <= 110; token += 1)
    stage.queues.add({
      tokenKey: token,
      accountKey: token,
      service: 'https://one.example',
      chatKey: 2,
      messages: [message(1)],
    });
  await stage.recipients.find(CHAT, [message(2)], 11);
  expect([stage.recipients.postponed, stage.queues.size]).toEqual([1, 10]);
  await stage.drain();
  expect(stage.pushed.filter(([token]) => token < 100)).toEqual([[11, 2]]);
});

test('PUSH-14: messages that wait for room when the service stops keep their rows', async () => {
  using stage = new Stage({ waitingPerService: 10 });
  stage.members(30);
  await stage.recipients.find(CHAT, [message(1)]);
  stage.queues.close();
  await stage.settling.close();
  expect([stage.done, stage.pushed]).toEqual([[], []]);
});

test('PUSH-18: a conversation without tokens is reported as such, one with only unusable tokens is not', async () => {
  const quiet: number[] = [];
  const clock = new ManualClock();
  using stage = new Stage();
  const settling = new Settling(clock, pino({ level: 'silent' }), new Shown(stage.store.sql), async (input) => {
    quiet.push(...input.quietChats);
  });
  stage.store.join(1);
  const recipients = new Recipients({
    clock,
    logger: pino({ level: 'silent' }),
    read: stage.store.sql,
    heardAt: () => null,
    isUsable: () => false,
    queues: stage.queues,
    settling,
    unconfirmed: stage.unconfirmed,
  });
  await recipients.find(CHAT, [message(1)]);
  await clock.advance(1_000);
  expect(quiet).toEqual([CHAT]);
  stage.store.token(1, 'https://one.example/1');
  await recipients.find(CHAT, [message(2)]);
  await clock.advance(1_000);
  expect([quiet, stage.queues.size]).toEqual([[CHAT], 0]);
});
