// The contract of every vendor's provider, over real HTTP against fakes that speak the vendors' wire formats.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { startFakeProviders, type FakeProviders, type ReplyScript } from '@parley/testing/providers/fake-providers.ts';
import { anthropicProvider } from './anthropic.ts';
import { openaiProvider } from './openai.ts';
import { ProviderError, type AgentProvider, type ProviderEvent, type ProviderRequest } from './provider.ts';
import { defaultTimeLimits, withTimeLimits } from './time-limits.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

const vendors = [
  {
    name: 'anthropic',
    make: (clock: ManualClock, at = fakes) => anthropicProvider({ clock, baseUrl: at.urlA }),
    full: 'max_tokens',
  },
  {
    name: 'openai',
    make: (clock: ManualClock, at = fakes) => openaiProvider({ clock, baseUrl: `${at.urlB}/` }),
    full: 'length',
  },
];

interface Outcome {
  text: string;
  events: ProviderEvent[];
  error: unknown;
}

async function read(provider: AgentProvider, request: ProviderRequest, signal = live()): Promise<Outcome> {
  const outcome: Outcome = { text: '', events: [], error: undefined };
  try {
    for await (const event of provider.stream(request, signal)) {
      outcome.events.push(event);
      if (event.type === 'text') outcome.text += event.text;
    }
  } catch (error) {
    outcome.error = error;
  }
  return outcome;
}

const live = (): AbortSignal => new AbortController().signal;
const asking = (apiKey: string): ProviderRequest => ({ apiKey, model: 'm', messages: [{ role: 'user', text: 'Hi' }] });

describe.each(vendors)('$name', ({ name, make, full }) => {
  let serial = 0;
  const freshKey = (): string => `key-${name}-${(serial += 1)}-0123456789abcdef`;

  async function outcomeOf(script: ReplyScript): Promise<Outcome & { key: string; clock: ManualClock }> {
    const clock = new ManualClock();
    const key = freshKey();
    fakes.script(key, script);
    const outcome = await read(make(clock), asking(key));
    expect(clock.pendingTimers).toBe(0);
    return { ...outcome, key, clock };
  }

  test('PROVIDER-1: a reply yields its texts in order, its usage, and its end', async () => {
    const { events } = await outcomeOf({ chunks: ['Hel', 'lo', '!'], usage: { input: 31, output: 4 } });
    // Some vendors report a part of the usage before the text.
    expect(events.filter((event, at) => event.type !== 'usage' || at === events.length - 2)).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'text', text: '!' },
      { type: 'usage', inputTokens: 31, outputTokens: 4 },
      { type: 'end', reason: 'stop' },
    ]);
  });

  test('PROVIDER-1: a reply that reached its token limit ends with reason length, one that was filtered with filtered, one that is paused with paused, any other end is other', async () => {
    expect((await outcomeOf({ chunks: ['a'], finish: full })).events.at(-1)).toEqual({ type: 'end', reason: 'length' });
    const filtered = name === 'anthropic' ? 'refusal' : 'content_filter';
    for (const [finish, reason] of [
      [filtered, 'filtered'],
      ['pause_turn', 'paused'],
      ['invented_later', 'other'],
    ] as const)
      expect((await outcomeOf({ chunks: [], finish })).events.at(-1)).toEqual({ type: 'end', reason });
  });

  test.each([1, 2, 3, 7])(
    'PROVIDER-2: text is complete when the network splits it after every %i bytes',
    async (splitBytes) => {
      const chunks = ['Grüße, ', '世界 ', '👩‍👩‍👧 "quoted"\n', 'data: not an event\n\n', 'end'];
      const { text, error } = await outcomeOf({ chunks, splitBytes });
      expect(error).toBeUndefined();
      expect(text).toBe(chunks.join(''));
    },
  );

  test.each(['abort', 'close'] as const)(
    'PROVIDER-3: without its end mark (%s) a reply is interrupted',
    async (ending) => {
      const { text, events, error } = await outcomeOf({ chunks: ['so ', 'far'], ending });
      expect(text).toBe('so far');
      expect(events.some((event) => event.type === 'end')).toBe(false);
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ kind: 'interrupted', retryable: true });
    },
  );

  test('PROVIDER-3: a truncated end mark does not count', async () => {
    const whole = name === 'anthropic' ? 'event: message_stop\ndata: {"type":"message_stop"}' : 'data: [DONE]';
    expect((await outcomeOf({ raw: whole.slice(0, -2) })).error).toMatchObject({ kind: 'interrupted' });
    expect((await outcomeOf({ raw: `${whole}\n\n` })).events.at(-1)).toMatchObject({ type: 'end' });
  });

  test('PROVIDER-3: errors of the connection after the end mark are ignored', async () => {
    const clock = new ManualClock();
    const key = freshKey();
    const steered = fakes.steer(key);
    const reading = read(make(clock), asking(key));
    await steered.started;
    steered.text('whole');
    const mark = name === 'anthropic' ? 'data: {"type":"message_stop"}\n\n' : 'data: [DONE]\n\n';
    steered.raw(mark); // then the connection stays open without sending more
    await clock.timerSet(1000);
    await clock.advance(1000);
    const { text, error, events } = await reading;
    expect({ text, error }).toEqual({ text: 'whole', error: undefined });
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    await steered.aborted;
  });

  test('PROVIDER-20: after a reason each further thing is awaited for 10 s, and a connection that breaks then leaves the end unconfirmed', async () => {
    const piece = (text: string, isEnd: boolean) => {
      const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
      const reason = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
      const chunk = { choices: [{ index: 0, delta: { content: text }, finish_reason: isEnd ? 'stop' : null }] };
      const all = name === 'anthropic' ? [delta, ...(isEnd ? [reason] : [])] : [chunk];
      return all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    };
    for (const [last, outcome] of [
      [true, { text: 'one two three', end: 'unconfirmed', kind: undefined }],
      [false, { text: 'one two three', end: undefined, kind: 'interrupted' }],
    ] as const) {
      const clock = new ManualClock();
      const key = freshKey();
      const steered = fakes.steer(key);
      const seen: ProviderEvent[] = [];
      let wake = (): void => {};
      const reading = (async () => {
        try {
          for await (const event of make(clock).stream(asking(key), live())) {
            seen.push(event);
            wake();
          }
          return undefined;
        } catch (error) {
          return error;
        }
      })();
      const textOf = () => seen.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
      const until = async (text: string) => {
        while (textOf() !== text) await new Promise<void>((resolve) => (wake = resolve));
      };
      await steered.started;
      let text = '';
      for (const word of ['one ', 'two ']) {
        steered.raw(piece(word, true));
        await until((text += word));
        await clock.timerSet(10_000);
        await clock.advance(9_999);
      }
      steered.raw(piece('three', last));
      await until('one two three');
      steered.abort();
      const error = await reading;
      const end = seen.find((event) => event.type === 'end');
      const kind = error instanceof ProviderError ? error.kind : undefined;
      expect({ text: textOf(), end: end?.reason, kind }).toEqual(outcome);
    }
  });

  test.each([
    [400, 'bad_request', false],
    [401, 'refused_key', false],
    [403, 'refused_key', false],
    [404, 'bad_request', false],
    [402, 'no_credit', false],
    [413, 'too_long', false],
    [429, 'rate_limited', true],
    [500, 'overloaded', true],
    [503, 'overloaded', true],
    [529, 'overloaded', true],
  ])('PROVIDER-4: an answer with status %i is %s', async (status, kind, retryable) => {
    const { error } = await outcomeOf({ status, message: 'the vendor’s own words' });
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind, retryable, status });
    if (status !== 401) expect(String(error)).toContain('the vendor’s own words');
  });

  test.each([
    [400, 'Your credit balance is too low to access the API', 'no_credit'],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'too_long'],
    [400, 'This model’s maximum context length is 8192 tokens', 'too_long'],
    [429, 'too many tokens per minute', 'rate_limited'],
  ])('PROVIDER-4: an answer with status %i that says %j is %s', async (status, message, kind) => {
    expect((await outcomeOf({ status, message })).error).toMatchObject({ kind });
  });

  test.each([
    ['insufficient_quota', 'no_credit'],
    ['context_length_exceeded', 'too_long'],
    ['content_filter', 'filtered'],
  ])('PROVIDER-4: an error that the vendor names %s is %s', async (type, kind) => {
    const body = JSON.stringify({ error: { type, message: 'No.' } });
    expect((await outcomeOf({ status: 400, body })).error).toMatchObject({ kind, quote: 'No.' });
  });

  test('PROVIDER-4: a key that the vendor does not know fails with refused_key', async () => {
    const { error } = await read(make(new ManualClock()), asking('never-scripted'));
    expect(error).toMatchObject({ kind: 'refused_key', status: 401 });
  });

  test('PROVIDER-4: retry-after is reported, whether in seconds or as a date', async () => {
    for (const [header, expected] of [
      ['7', 7000],
      [new Date(new ManualClock().now() + 3000).toUTCString(), 3000],
      ['soon', undefined],
    ] as const) {
      const { error } = await outcomeOf({ status: 429, headers: { 'retry-after': header } });
      expect(error).toBeInstanceOf(ProviderError);
      expect(error instanceof ProviderError && error.retryAfterMs).toBe(expected);
    }
  });

  test('PROVIDER-4: an unreachable server is a retryable interruption', async () => {
    const gone = await startFakeProviders();
    await gone.close();
    const { error } = await read(make(new ManualClock(), gone), asking('any-key'));
    expect(error).toMatchObject({ kind: 'interrupted', retryable: true });
    expect(String(error)).toContain('ECONNREFUSED');
  });

  test('PROVIDER-5: an error inside the stream fails the reply; its text so far remains', async () => {
    const { text, error } = await outcomeOf({ chunks: ['begun'], ending: 'error', message: 'Too busy' });
    expect(text).toBe('begun');
    expect(error).toMatchObject({ kind: 'overloaded', retryable: true });
    expect(String(error)).toContain('Too busy');
  });

  test.each([
    ['invalid_request_error', 'bad_request'],
    ['authentication_error', 'refused_key'],
    ['rate_limit_error', 'rate_limited'],
    ['something_new', 'overloaded'],
  ])('PROVIDER-5: %s inside the stream is %s', async (errorType, kind) => {
    expect((await outcomeOf({ ending: 'error', errorType })).error).toMatchObject({ kind });
  });

  test('PROVIDER-6: an abort closes the connection to the vendor immediately and throws the abort’s reason', async () => {
    const key = freshKey();
    const steered = fakes.steer(key);
    const abort = new AbortController();
    const reading = read(make(new ManualClock()), asking(key), abort.signal);
    const request = await steered.started;
    steered.text('half');
    const reason = new Error('stopped by a human');
    abort.abort(reason);
    await steered.aborted;
    expect(request.closedEarly).toBe(true);
    expect((await reading).error).toBe(reason);
  });

  test('PROVIDER-6: an abort before the first byte or before the request ends the reply too', async () => {
    const key = freshKey();
    fakes.script(key, { unanswered: true });
    const abort = new AbortController();
    const reading = read(make(new ManualClock()), asking(key), abort.signal);
    const request = await fakes.waitForRequest(key);
    abort.abort();
    await request.closed;
    expect((await reading).error).toBe(abort.signal.reason);
    expect((await read(make(new ManualClock()), asking(key), abort.signal)).error).toBe(abort.signal.reason);
    expect(fakes.requestsOf(key)).toHaveLength(1);
  });

  test('PROVIDER-6: leaving the iteration closes the connection', async () => {
    const key = freshKey();
    const steered = fakes.steer(key);
    steered.text('enough');
    for await (const event of make(new ManualClock()).stream(asking(key), live())) {
      if (event.type === 'usage') continue;
      expect(event).toEqual({ type: 'text', text: 'enough' });
      break;
    }
    await steered.aborted;
  });

  test('PROVIDER-7: no error contains the key, even if the vendor repeats it', async () => {
    const clock = new ManualClock();
    const key = 'sk-proj-AbCdEf0123456789-_xyz';
    for (const [script, secret] of [
      [{ status: 400, message: `bad: ${key}.` }, key],
      [{ status: 403, message: `no access for ${key.slice(0, 12)}***${key.slice(-4)}` }, key.slice(0, 12)],
      [{ ending: 'error', message: `failed for "${key}"` }, key],
      [{ status: 500, body: `<html>${key}</html>` }, key],
    ] satisfies [ReplyScript, string][]) {
      fakes.script(key, script);
      const { error } = await read(make(clock), asking(key));
      expect(error).toBeInstanceOf(ProviderError);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret);
    }
  });

  test.each(['', '   ', 'two words', 'line\nbreak', 'schlüssel'])(
    'PROVIDER-7: a key that cannot be a header value (%j) is refused without a request, and is not quoted',
    async (key) => {
      const { error } = await read(make(new ManualClock()), asking(key));
      expect(error).toMatchObject({ kind: 'refused_key' });
      if (key.trim() !== '') expect(String(error)).not.toContain(key);
    },
  );

  test('PROVIDER-7: white space around a pasted key does not matter', async () => {
    const key = freshKey();
    fakes.script(key, { chunks: ['ok'] });
    expect((await read(make(new ManualClock()), asking(` ${key}\n`))).text).toBe('ok');
  });

  test('PROVIDER-8: a redirect is not followed', async () => {
    const { error, key } = await outcomeOf({ status: 307, headers: { location: `${fakes.urlB}/elsewhere` } });
    expect(error).toMatchObject({ kind: 'bad_request', status: 307 });
    expect(fakes.requestsOf(key)).toHaveLength(1);
  });

  test('PROVIDER-9: an endless event is a protocol error', async () => {
    for (const raw of [`data: ${'x'.repeat(1_200_000)}`, 'data: x\n'.repeat(700_000)]) {
      const key = freshKey();
      fakes.script(key, { raw, ending: 'hang' });
      const { error } = await read(make(new ManualClock()), asking(key));
      expect(error).toMatchObject({ kind: 'protocol', retryable: false });
    }
  });

  test.each(['{', '[]', '"text"', '{"type":"content_block_delta","choices":1}'])(
    'PROVIDER-9: an event that the vendor would not send (%s) is a protocol error',
    async (data) => {
      expect((await outcomeOf({ raw: `data: ${data}\n\n`, ending: 'hang' })).error).toMatchObject({ kind: 'protocol' });
    },
  );

  test('PROVIDER-9: an answer other than an event stream is a protocol error', async () => {
    const { error } = await outcomeOf({ raw: '<html></html>', headers: { 'content-type': 'text/html' } });
    expect(error).toMatchObject({ kind: 'protocol' });
  });

  test('PROVIDER-9: at most 64 KiB of an error’s body are read', async () => {
    for (const [padding, isRead] of [
      [65_000, true],
      [66_000, false],
      [5_000_000, false],
    ] as const) {
      const body = JSON.stringify({ error: { message: 'quoted' }, padding: 'x'.repeat(padding) });
      const { error } = await outcomeOf({ status: 400, body });
      expect(error).toMatchObject({ kind: 'bad_request', status: 400 });
      expect(String(error).includes('quoted')).toBe(isRead);
    }
  });

  test('PROVIDER-9: an error’s body is read for at most 5 seconds', async () => {
    const clock = new ManualClock();
    const key = freshKey();
    // The content-length announces more bytes than are sent.
    fakes.script(key, { status: 503, body: '{"error":', headers: { 'content-length': '1000' } });
    const reading = read(make(clock), asking(key));
    await clock.timerSet(5000);
    await clock.advance(5000);
    expect((await reading).error).toMatchObject({ kind: 'overloaded', status: 503 });
    expect(clock.pendingTimers).toBe(0);
  });

  test('PROVIDER-10: every received chunk is reported as heard, even without an event', async () => {
    const key = freshKey();
    const steered = fakes.steer(key);
    let heard = 0;
    let wake: (() => void) | undefined;
    const reading = (async () => {
      const events = make(new ManualClock()).stream(asking(key), live(), () => {
        heard += 1;
        wake?.();
      });
      for await (const _ of events);
    })();
    await steered.started;
    for (const comment of [': thinking\n\n', ': still thinking\n\n']) {
      const before = heard;
      const next = new Promise<void>((resolve) => (wake = resolve));
      steered.raw(comment);
      await next;
      expect(heard).toBeGreaterThan(before);
    }
    steered.end();
    await reading;
  });

  test('PROVIDER-11: the connection of a finished reply is used for the next request', async () => {
    const own = await startFakeProviders(); // has no connections of other tests
    const key = freshKey();
    own.script(key, { chunks: ['ok'] });
    const clock = new ManualClock();
    const provider = withTimeLimits(make(clock, own), defaultTimeLimits, clock);
    for (let n = 0; n < 6; n += 1) await read(provider, asking(key));
    // Two, not one: the next request may find the first connection still busy with its last bytes.
    expect(new Set(own.requestsOf(key).map((request) => request.remotePort)).size).toBeLessThanOrEqual(2);
    await own.close();
  });
});
