import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { startFakeProviders, type FakeProviders } from '@parley/testing/providers/fake-providers.ts';
import { anthropicProvider } from './anthropic.ts';
import { ProviderError, type AgentProvider, type ProviderEvent, type ProviderRequest } from './provider.ts';
import { withRetries } from './retries.ts';

const policy = { attempts: 3, baseMs: 500, maxMs: 8000 };
const request: ProviderRequest = { apiKey: 'k', model: 'm', messages: [{ role: 'user', text: 'Hi' }] };
const live = (): AbortSignal => new AbortController().signal;
const end: ProviderEvent = { type: 'end', reason: 'stop' };
const busy = (retryAfterMs?: number): ProviderError => new ProviderError('overloaded', 'busy', { retryAfterMs });

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

/** A provider whose n-th request yields the n-th list of events, and throws an error in it. */
function lines(...all: (ProviderEvent | Error)[][]): { provider: AgentProvider; calls: () => number } {
  let calls = 0;
  return {
    provider: {
      async *stream() {
        for (const event of all[(calls += 1) - 1] ?? []) {
          if (event instanceof Error) throw event;
          yield event;
        }
      },
    },
    calls: () => calls,
  };
}

async function outcome(
  provider: AgentProvider,
  clock: ManualClock,
  signal = live(),
): Promise<[ProviderEvent[], unknown]> {
  const events: ProviderEvent[] = [];
  let error: unknown;
  const reading = (async () => {
    try {
      for await (const event of withRetries(provider, policy, clock, () => 1).stream(request, signal))
        events.push(event);
    } catch (thrown) {
      error = thrown;
    }
  })();
  await clock.advance(60_000);
  await reading;
  expect(clock.pendingTimers).toBe(0);
  return [events, error];
}

test('PROVIDER-16: a retryable error is retried, at most three requests in all', async () => {
  const { provider, calls } = lines([busy()], [busy()], [busy()], [end]);
  const [events, error] = await outcome(provider, new ManualClock());
  expect(events).toEqual([]);
  expect(error).toMatchObject({ kind: 'overloaded' });
  expect(calls()).toBe(3);
});

test('PROVIDER-16: the reply of a retry is passed on', async () => {
  const text: ProviderEvent = { type: 'text', text: 'at last' };
  const { provider, calls } = lines([new ProviderError('interrupted', 'gone')], [text, end]);
  expect(await outcome(provider, new ManualClock())).toEqual([[text, end], undefined]);
  expect(calls()).toBe(2);
});

test('PROVIDER-16: after the first text there is no retry', async () => {
  const { provider, calls } = lines([{ type: 'text', text: 'so far' }, busy()], [end]);
  const [events, error] = await outcome(provider, new ManualClock());
  expect(events).toEqual([{ type: 'text', text: 'so far' }]);
  expect(error).toMatchObject({ kind: 'overloaded' });
  expect(calls()).toBe(1);
});

test.each(['refused_key', 'bad_request', 'timeout', 'protocol'] as const)(
  'PROVIDER-16: %s is not retried',
  async (kind) => {
    const { provider, calls } = lines([new ProviderError(kind, 'no')], [end]);
    expect((await outcome(provider, new ManualClock()))[1]).toMatchObject({ kind });
    expect(calls()).toBe(1);
  },
);

test('PROVIDER-16: an error other than a ProviderError is passed on', async () => {
  const bug = new TypeError('a bug');
  const { provider, calls } = lines([bug], [end]);
  expect((await outcome(provider, new ManualClock()))[1]).toBe(bug);
  expect(calls()).toBe(1);
});

test('PROVIDER-16: a retry-after of up to 10 s is honoured; a longer one fails the reply', async () => {
  const clock = new ManualClock(0);
  const patient = lines([busy(10_000)], [end]);
  const reading = outcome(patient.provider, clock);
  await clock.timerSet(10_000);
  expect(await reading).toEqual([[end], undefined]);

  const impatient = lines([busy(10_001)], [end]);
  expect((await outcome(impatient.provider, new ManualClock()))[1]).toMatchObject({ retryAfterMs: 10_001 });
  expect(impatient.calls()).toBe(1);
});

test.each([
  [1, [500, 1000, 2000, 4000, 8000, 8000]],
  [0, [250, 500, 1000, 2000, 4000, 4000]],
])(
  'PROVIDER-16: delays double up to a maximum, and jitter (%d) shortens them by up to half',
  async (chance, expected) => {
    const clock = new ManualClock(0);
    const { provider } = lines(...expected.map(() => [busy()]), [end]);
    const times: number[] = [];
    const watched: AgentProvider = {
      stream(...args) {
        times.push(clock.now());
        return provider.stream(...args);
      },
    };
    const retrying = withRetries(watched, { ...policy, attempts: 20 }, clock, () => chance);
    const reading = Array.fromAsync(retrying.stream(request, live()));
    await clock.advance(60_000);
    expect(await reading).toEqual([end]);
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual(expected);
  },
);

test('PROVIDER-16: an abort interrupts the wait before a retry', async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const { provider, calls } = lines([busy()], [end]);
  const reading = Array.fromAsync(withRetries(provider, policy, clock, () => 1).stream(request, abort.signal));
  await clock.timerSet(500);
  const reason = new Error('stopped');
  abort.abort(reason);
  await expect(reading).rejects.toBe(reason);
  expect(clock.pendingTimers).toBe(0);
  expect(calls()).toBe(1);
});

test('PROVIDER-16: over the wire, a request to an overloaded vendor is retried', async () => {
  const clock = new ManualClock();
  fakes.script('retried', { status: 529 }, { status: 429, headers: { 'retry-after': '2' } }, { chunks: ['here'] });
  const provider = withRetries(anthropicProvider({ clock, baseUrl: fakes.urlA }), policy, clock, () => 1);
  const reading = Array.fromAsync(provider.stream({ ...request, apiKey: 'retried' }, live()));
  await clock.timerSet(500);
  await clock.advance(500);
  await clock.timerSet(2000);
  await clock.advance(2000);
  expect((await reading).find(({ type }) => type === 'text')).toEqual({ type: 'text', text: 'here' });
  expect(fakes.requestsOf('retried')).toHaveLength(3);
});

test('USAGE-5: the usage of a failed request is reported separately from that of its retry', async () => {
  const used = (inputTokens: number): ProviderEvent => ({ type: 'usage', inputTokens, outputTokens: 1 });
  const { provider } = lines([used(3), busy()], [busy()], [used(4), end]);
  const [events] = await outcome(provider, new ManualClock());
  expect(events).toEqual([used(3), { type: 'retry' }, used(4), end]);
});
