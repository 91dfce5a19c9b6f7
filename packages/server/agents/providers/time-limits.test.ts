import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { startFakeProviders, type FakeProviders } from '@parley/testing/providers/fake-providers.ts';
import { anthropicProvider } from './anthropic.ts';
import { openaiProvider } from './openai.ts';
import type { AgentProvider, ProviderEvent, ProviderRequest } from './provider.ts';
import { withTimeLimits } from './time-limits.ts';

const limits = { firstByteMs: 30_000, silenceMs: 60_000, totalMs: 600_000 };
const request: ProviderRequest = { apiKey: 'k', model: 'm', messages: [{ role: 'user', text: 'Hi' }] };
const live = (): AbortSignal => new AbortController().signal;
const text = (value: string): ProviderEvent => ({ type: 'text', text: value });

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

/** A provider that the test controls, and that ignores its signal. */
function puppet(): {
  provider: AgentProvider;
  say: (event: ProviderEvent) => void;
  ping: () => void;
  signal: () => AbortSignal;
} {
  const steps: PromiseWithResolvers<ProviderEvent>[] = [Promise.withResolvers()];
  let heard: (() => void) | undefined;
  let given = live();
  return {
    provider: {
      async *stream(_request, signal, onHeard) {
        heard = onHeard;
        given = signal;
        for (const step of steps) {
          const event = await step.promise;
          yield event;
          if (event.type === 'end') return;
        }
      },
    },
    say(event) {
      steps.push(Promise.withResolvers());
      steps.at(-2)?.resolve(event);
    },
    ping: () => heard?.(),
    signal: () => given,
  };
}

function reading(provider: AgentProvider, signal = live()): { events: ProviderEvent[]; done: Promise<unknown> } {
  const events: ProviderEvent[] = [];
  const done = (async () => {
    try {
      for await (const event of provider.stream(request, signal)) events.push(event);
      return undefined;
    } catch (error) {
      return error;
    }
  })();
  return { events, done };
}

test('PROVIDER-15: no sign of life for 30 s is a time-out, and the provider is aborted', async () => {
  const clock = new ManualClock();
  const inner = puppet();
  const { done } = reading(withTimeLimits(inner.provider, limits, clock));
  await clock.advance(29_999);
  expect(inner.signal().aborted).toBe(false);
  await clock.advance(1);
  expect(await done).toMatchObject({ kind: 'timeout', retryable: false, message: expect.stringContaining('30 s') });
  expect(inner.signal().aborted).toBe(true);
  expect(clock.pendingTimers).toBe(0);
});

test('PROVIDER-15: after the first sign of life 60 s of silence are a time-out; each sign of life restarts the count', async () => {
  const clock = new ManualClock();
  const inner = puppet();
  const { done, events } = reading(withTimeLimits(inner.provider, limits, clock));
  await clock.advance(29_000);
  inner.ping();
  await clock.advance(59_000);
  inner.say(text('a'));
  await clock.advance(59_000);
  inner.ping();
  await clock.advance(59_999);
  inner.say(text('b'));
  await clock.advance(59_999);
  expect(events).toEqual([text('a'), text('b')]);
  await clock.advance(1);
  expect(await done).toMatchObject({ kind: 'timeout', message: expect.stringContaining('60 s') });
  expect(clock.pendingTimers).toBe(0);
});

test('PROVIDER-15: pings alone do not keep a reply open forever', async () => {
  const clock = new ManualClock();
  const inner = puppet();
  const { done } = reading(withTimeLimits(inner.provider, limits, clock));
  for (let minute = 0; minute < 20; minute += 1) {
    await clock.advance(29_000);
    inner.ping();
  }
  await clock.advance(20_000);
  expect(await done).toMatchObject({ kind: 'timeout', message: expect.stringContaining('10 min') });
});

test('PROVIDER-15: the time that the reader takes does not count', async () => {
  const clock = new ManualClock();
  const inner = puppet();
  const events = withTimeLimits(inner.provider, limits, clock).stream(request, live())[Symbol.asyncIterator]();
  inner.say(text('a'));
  await events.next();
  inner.ping();
  await clock.advance(300_000);
  inner.say({ type: 'end', reason: 'stop' });
  expect((await events.next()).value).toEqual({ type: 'end', reason: 'stop' });
  expect((await events.next()).done).toBe(true);
  expect(clock.pendingTimers).toBe(0);
});

test('PROVIDER-15: an abort by the caller throws its reason, even if the provider ignores it', async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const { done } = reading(withTimeLimits(puppet().provider, limits, clock), abort.signal);
  const reason = new Error('stopped');
  abort.abort(reason);
  expect(await done).toBe(reason);
  expect(clock.pendingTimers).toBe(0);
});

test('PROVIDER-15: leaving the iteration stops the provider', async () => {
  const clock = new ManualClock();
  const inner = puppet();
  inner.say(text('a'));
  for await (const _ of withTimeLimits(inner.provider, limits, clock).stream(request, live())) break;
  expect(inner.signal().aborted).toBe(true);
  expect(clock.pendingTimers).toBe(0);
});

test.each(['unanswered', 'silent'])('PROVIDER-15: the connection to a vendor that is %s is closed', async (how) => {
  for (const [vendor, provider] of [
    ['a', anthropicProvider({ clock: new ManualClock(), baseUrl: fakes.urlA })],
    ['b', openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB })],
  ] as const) {
    const clock = new ManualClock();
    const key = `limits-${how}-${vendor}`;
    fakes.script(key, how === 'unanswered' ? { unanswered: true } : { chunks: ['a'], ending: 'hang' });
    const events = withTimeLimits(provider, limits, clock).stream({ ...request, apiKey: key }, live());
    const iterator = events[Symbol.asyncIterator]();
    // Read up to the text: some vendors report a part of the usage before it.
    if (how === 'silent') while ((await iterator.next()).value?.type === 'usage');
    const next = iterator.next().catch((error: unknown) => error);
    const recorded = await fakes.waitForRequest(key);
    await clock.advance(how === 'silent' ? limits.silenceMs : limits.firstByteMs);
    expect(await next).toMatchObject({ kind: 'timeout' });
    await recorded.closed;
    expect(recorded.closedEarly).toBe(true);
  }
});
