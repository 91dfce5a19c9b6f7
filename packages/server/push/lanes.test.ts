import { ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { type Job, type LaneLimits, Lanes } from './lanes.ts';

const limits: LaneLimits = {
  atOnce: 4,
  atOncePerService: 2,
  waiting: 10,
  waitingPerLane: 3,
  beginsPerTurn: 3,
  attempts: 3,
  firstDelayMs: 1_000,
  maxDelayMs: 10_000,
};
/** Half and all of a delay are the same distance from this. */
const noChance = () => 1;

type Outcome = Awaited<ReturnType<Job['run']>>;

class Play {
  readonly clock = new ManualClock();
  readonly lanes = new Lanes(this.clock, noChance, limits);
  readonly started: string[] = [];
  readonly ended: string[] = [];
  readonly #open = new Map<string, (outcome: Outcome) => void>();

  add(name: string, lane: number, { service = 'one', topic = name } = {}): void {
    this.lanes.add({
      lane,
      service,
      topic,
      run: () => {
        this.started.push(name);
        return new Promise((resolve) => this.#open.set(name, resolve));
      },
      end: () => void this.ended.push(name),
    });
  }

  async finish(name: string, outcome: Outcome = 'done'): Promise<void> {
    this.#open.get(name)?.(outcome);
    this.#open.delete(name);
    await this.turns();
  }

  /** What was set going has begun. */
  async turns(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await this.clock.advance(0);
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await this.turns();
  }
}

const fail = { retryAfterMs: undefined };

test('PUSH-13: jobs of one token run one after the other, in their order', async () => {
  const play = new Play();
  for (const name of ['a', 'b', 'c']) play.add(name, 1);
  await play.turns();
  expect(play.started).toEqual(['a']);
  await play.finish('a');
  expect(play.started).toEqual(['a', 'b']);
  await play.finish('b');
  await play.finish('c');
  expect(play.ended).toEqual(['a', 'b', 'c']);
  expect(play.lanes.size).toBe(0);
});

test('PUSH-13: a service has only so many under way, all services together too; each takes its turn', async () => {
  const play = new Play();
  for (let lane = 1; lane <= 4; lane += 1) play.add(`one${lane}`, lane);
  for (let lane = 5; lane <= 7; lane += 1) play.add(`two${lane}`, lane, { service: 'two' });
  play.add('three', 8, { service: 'three' });
  await play.turns();
  expect(play.started).toEqual(['one1', 'two5', 'three', 'one2']);
  await play.finish('three');
  expect(play.started.slice(4)).toEqual(['two6']);
  // Two have two under way each: what is left waits, though there would be room for one more.
  await play.finish('two5');
  expect(play.started.slice(5)).toEqual(['two7']);
  await play.finish('one1');
  expect(play.started.slice(6)).toEqual(['one3']);
});

test('PUSH-13: only a few begin in one turn of the loop', async () => {
  const play = new Play();
  for (let lane = 1; lane <= 4; lane += 1) play.add(`a${lane}`, lane, { service: `s${lane}` });
  expect(play.started).toHaveLength(0);
  await play.clock.advance(0);
  expect(play.started).toHaveLength(3);
  await play.clock.advance(0);
  expect(play.started).toHaveLength(4);
});

test('PUSH-11: pauses grow, and end at last; the next job of the token waits as well', async () => {
  const play = new Play();
  play.add('a', 1);
  play.add('b', 1);
  await play.turns();
  await play.finish('a', fail);
  await play.pass(999);
  expect(play.started).toEqual(['a']);
  await play.pass(1);
  expect(play.started).toEqual(['a', 'a']);
  await play.finish('a', fail);
  await play.pass(3_999);
  expect(play.started).toHaveLength(2);
  await play.pass(1);
  await play.finish('a', fail);
  expect(play.ended).toEqual(['a']);
  await play.pass(10_000);
  expect(play.started.at(-1)).toBe('b');
  await play.finish('b');
  expect(play.clock.pendingTimers).toBe(0);
});

test('PUSH-11: a service is not asked before the time that it tells, up to a bound', async () => {
  const play = new Play();
  play.add('a', 1);
  await play.turns();
  await play.finish('a', { retryAfterMs: 5_000 });
  await play.pass(4_999);
  expect(play.started).toHaveLength(1);
  await play.pass(1);
  await play.finish('a', { retryAfterMs: 1_000_000_000 });
  await play.pass(10_000);
  expect(play.started).toHaveLength(3);
  await play.finish('a');
});

test('PUSH-11: a later job of the same topic takes the place of one that was in vain, of another topic does not', async () => {
  const play = new Play();
  play.add('a', 1, { topic: 'chat' });
  play.add('other', 1);
  play.add('b', 1, { topic: 'chat' });
  await play.turns();
  await play.finish('a', fail);
  expect(play.ended).toEqual(['a']);
  play.add('c', 1, { topic: 'chat' });
  expect(play.ended).toEqual(['a', 'b']);
  await play.pass(1_000);
  await play.finish('other');
  await play.finish('c');
  expect(play.started).toEqual(['a', 'other', 'c']);
});

test('PUSH-13: a token keeps its newest jobs, all tokens together only so many', async () => {
  const play = new Play();
  play.add('a', 1);
  await play.turns();
  for (const name of ['b', 'c', 'd']) play.add(name, 1);
  expect([play.ended, play.lanes.dropped]).toEqual([['b'], 1]);
  for (let lane = 2; lane <= 8; lane += 1) play.add(`more${lane}`, lane);
  expect(play.lanes.size).toBe(10);
  play.add('too many', 9);
  expect([play.ended, play.lanes.dropped]).toEqual([['b', 'too many'], 2]);
});

test('PUSH-14: what waits when the service stops does not end: its row stays', async () => {
  const play = new Play();
  play.add('runs', 1);
  play.add('waits', 1);
  play.add('pauses', 2);
  await play.turns();
  await play.finish('pauses', fail);
  play.lanes.close();
  play.add('comes late', 3);
  let isIdle = false;
  void play.lanes.idle().then(() => (isIdle = true));
  await play.pass(0);
  expect(isIdle).toBe(false);
  await play.finish('runs');
  await play.pass(60_000);
  expect(isIdle).toBe(true);
  expect(play.started).toEqual(['runs', 'pauses']);
  expect(play.ended).toEqual(['runs']);
});

test('PUSH-13: a job that breaks ends like any other', async () => {
  const lanes = new Lanes(new ManualClock(), noChance, limits);
  const ended: string[] = [];
  lanes.add({
    lane: 1,
    service: 'x',
    topic: 't',
    run: () => Promise.reject(new Error('broken')),
    end: () => void ended.push('a'),
  });
  await lanes.idle();
  expect(ended).toEqual(['a']);
});
