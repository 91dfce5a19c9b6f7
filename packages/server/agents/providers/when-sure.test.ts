import { ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import type { AgentProvider, ProviderEvent } from './provider.ts';
import { whenSure } from './when-sure.ts';

const request = { apiKey: 'key', model: 'model', messages: [] };

function stage() {
  const clock = new ManualClock();
  const asked = { count: 0 };
  const node = { isSure: true };
  const vendor: AgentProvider = {
    async *stream() {
      asked.count += 1;
      yield { type: 'end', reason: 'stop' };
    },
  };
  const provider = whenSure(vendor, () => node.isSure, clock);
  const read = (signal = new AbortController().signal): Promise<ProviderEvent[]> =>
    Array.fromAsync(provider.stream(request, signal));
  return { clock, asked, node, read };
}

test('CLUSTER-39: no request goes to a vendor until the node is sure that it is alive', async () => {
  const { clock, asked, node, read } = stage();
  node.isSure = false;
  const events = read();
  await clock.advance(5_000);
  expect(asked.count).toBe(0);
  node.isSure = true;
  await clock.advance(1_000);
  expect(await events).toEqual([{ type: 'end', reason: 'stop' }]);
  expect(asked.count).toBe(1);
});

test('CLUSTER-39: a reply that is stopped during the wait makes no request', async () => {
  const { clock, asked, node, read } = stage();
  node.isSure = false;
  const stop = new AbortController();
  const events = read(stop.signal);
  await clock.advance(1_500);
  stop.abort(new Error('stopped'));
  await expect(events).rejects.toThrow('stopped');
  expect([asked.count, clock.pendingTimers]).toEqual([0, 0]);
});
