import { ManualClock } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { TurnQueues } from './turn-queues.ts';

/** Turn queues whose reads end when the test says so. */
class Stage {
  readonly clock = new ManualClock();
  readonly faults: unknown[] = [];
  readonly looks: { agent: number; end: () => void; fail: (error: Error) => void }[] = [];
  readonly queues = new TurnQueues(
    this.clock,
    String,
    (agent: number) => new Promise<void>((resolve, reject) => this.looks.push({ agent, end: resolve, fail: reject })),
    (error) => this.faults.push(error),
  );

  async wake(...agents: number[]): Promise<void> {
    this.queues.wake(agents);
    await turnOfLoop();
  }

  /** Ends the oldest read. */
  async end(): Promise<void> {
    this.looks.shift()?.end();
    await turnOfLoop();
    await turnOfLoop();
  }

  get agents(): number[] {
    return this.looks.map(({ agent }) => agent);
  }
}

test('TURN-17: a queue is read by one reader at a time, and once more if a turn was added during the read', async () => {
  const stage = new Stage();
  await stage.wake(7);
  await stage.wake(7, 8);
  stage.queues.look(7);
  expect(stage.agents).toEqual([7, 8]);
  await stage.end();
  expect(stage.agents).toEqual([8, 7]);
  await stage.end();
  await stage.end();
  expect([stage.agents, stage.queues.isIdle]).toEqual([[], true]);
});

test('TURN-17: at most 64 queues are read at once, and all of them in the end', async () => {
  const stage = new Stage();
  await stage.wake(...Array.from({ length: 200 }, (_, at) => at));
  expect(stage.looks).toHaveLength(64);
  const seen = new Set(stage.agents);
  while (!stage.queues.isIdle) {
    await stage.end();
    for (const agent of stage.agents) seen.add(agent);
    expect(stage.looks.length).toBeLessThanOrEqual(64);
  }
  expect(seen.size).toBe(200);
});

test('TURN-15: a queue whose read failed is read again a second later, until the service stops', async () => {
  const stage = new Stage();
  await stage.wake(7);
  stage.looks.shift()?.fail(new Error('not now'));
  await stage.clock.advance(999);
  expect([stage.agents, stage.faults.length]).toEqual([[], 1]);
  await stage.clock.advance(1);
  await turnOfLoop();
  expect(stage.agents).toEqual([7]);
  stage.queues.close();
  stage.looks.shift()?.fail(new Error('gone'));
  await turnOfLoop();
  expect([stage.faults.length, stage.clock.pendingTimers, stage.queues.isIdle]).toEqual([1, 0, true]);
});
