import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { startFakeProviders, type FakeProviders } from '@parley/testing/providers/fake-providers.ts';
import { openaiProvider } from './openai.ts';
import type { ProviderEvent, ProviderRequest } from './provider.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

async function read(request: ProviderRequest): Promise<ProviderEvent[]> {
  const provider = openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB });
  return Array.fromAsync(provider.stream(request, new AbortController().signal));
}
const asking = (apiKey: string): ProviderRequest => ({ apiKey, model: 'm', messages: [{ role: 'user', text: 'Hi' }] });
const wire = (...chunks: object[]): string => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
const saying = (content: string, finish: string | null = null): object => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
});

test('PROVIDER-13: the request is one of OpenAI’s Chat Completions API', async () => {
  fakes.script('b-request', { chunks: ['ok'] });
  await read({
    ...asking('b-request'),
    model: 'gpt-test',
    system: 'Be brief.',
    temperature: 1.5,
    maxOutputTokens: 100,
  });
  const [request] = fakes.requestsOf('b-request');
  expect(request?.headers).toMatchObject({ authorization: 'Bearer b-request', 'content-type': 'application/json' });
  expect(request?.headers).not.toHaveProperty('x-api-key');
  expect(request?.body).toEqual({
    model: 'gpt-test',
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 100,
    temperature: 1.5,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ],
  });
});

test('PROVIDER-13: limits, temperature and the system message are sent only when set', async () => {
  fakes.script('b-defaults', { chunks: ['ok'] });
  await read(asking('b-defaults'));
  expect(fakes.requestsOf('b-defaults')[0]?.body).toEqual({
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'Hi' }],
  });
});

test('PROVIDER-13: a finish reason without [DONE] ends the reply, and so does [DONE] without a finish reason', async () => {
  fakes.script('b-finish', { raw: wire(saying('a'), saying('b', 'length')) });
  expect(await read(asking('b-finish'))).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
    { type: 'end', reason: 'length' },
  ]);
  fakes.script('b-done', { raw: `${wire(saying('a'))}data: [DONE]\n\n` });
  expect(await read(asking('b-done'))).toEqual([
    { type: 'text', text: 'a' },
    { type: 'end', reason: 'stop' },
  ]);
});

test('PROVIDER-13: the deviations of local servers are accepted', async () => {
  const raw = wire(
    { choices: [{ index: 0, delta: { role: 'assistant', content: null } }] },
    { choices: [{ index: 0, delta: { reasoning_content: 'hm' }, finish_reason: null }] },
    saying('Yes'),
    saying('', 'stop'),
    { choices: null, usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }, timings: {} },
  );
  fakes.script('b-local', { raw: `: ping\n\n${raw}` });
  expect(await read(asking('b-local'))).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Yes' },
    { type: 'usage', inputTokens: 3, outputTokens: 2 },
    { type: 'end', reason: 'stop' },
  ]);
});

test('PROVIDER-5: errors in the stream are recognized in all their forms', async () => {
  for (const [error, kind] of [
    [{ message: 'bad', type: 'BadRequestError', code: 400 }, 'bad_request'],
    [{ message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' }, 'rate_limited'],
    ['out of memory', 'overloaded'],
    [{}, 'overloaded'],
  ] as const) {
    fakes.script('b-error', { raw: wire(saying('a'), { error }), ending: 'hang' });
    await expect(read(asking('b-error'))).rejects.toMatchObject({ kind });
  }
});

test('PROVIDER-4: a spent budget is no rate limit', async () => {
  const error = { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' };
  fakes.script('b-quota', { status: 429, body: JSON.stringify({ error }) });
  await expect(read(asking('b-quota'))).rejects.toMatchObject({ kind: 'no_credit', retryable: false });
});

const usageOf = (events: readonly ProviderEvent[]) =>
  events.flatMap((event) => (event.type === 'usage' ? [[event.inputTokens, event.outputTokens]] : []));

test('USAGE-2: if a server sends the usage with every chunk, the last one counts', async () => {
  const counted = (content: string, completion_tokens: number) => ({
    ...saying(content),
    usage: { prompt_tokens: 3, completion_tokens },
  });
  fakes.script('b-each', { raw: `${wire(counted('a', 1), counted('b', 2), saying('', 'stop'))}data: [DONE]\n\n` });
  expect(usageOf(await read(asking('b-each')))).toEqual([
    [3, 1],
    [3, 2],
  ]);
});

test.each([[{}], [{ prompt_tokens: 3 }], [{ prompt_tokens: -3, completion_tokens: 1.5 }], ['many'], [[]], [2e12]])(
  'USAGE-2: a usage like %j counts as not reported and does not fail the reply',
  async (usage) => {
    fakes.script('b-odd', { raw: wire(saying('a', 'stop'), { choices: [], usage }) });
    expect(await read(asking('b-odd'))).toEqual([
      { type: 'text', text: 'a' },
      { type: 'end', reason: 'stop' },
    ]);
  },
);
