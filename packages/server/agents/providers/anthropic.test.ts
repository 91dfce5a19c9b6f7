import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { startFakeProviders, type FakeProviders } from '@parley/testing/providers/fake-providers.ts';
import { anthropicProvider } from './anthropic.ts';
import type { ProviderEvent, ProviderRequest } from './provider.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

async function read(request: ProviderRequest): Promise<ProviderEvent[]> {
  const provider = anthropicProvider({ clock: new ManualClock(), baseUrl: fakes.urlA });
  return Array.fromAsync(provider.stream(request, new AbortController().signal));
}

test('PROVIDER-12: the request is one of Anthropic’s Messages API', async () => {
  fakes.script('a-request', { chunks: ['ok'] });
  await read({
    apiKey: 'a-request',
    model: 'claude-test',
    system: 'Be brief.',
    messages: [
      { role: 'user', text: 'One' },
      { role: 'assistant', text: 'Two' },
      { role: 'user', text: 'Three' },
    ],
    temperature: 0.5,
    maxOutputTokens: 100,
  });
  const [request] = fakes.requestsOf('a-request');
  expect(request?.headers).toMatchObject({
    'x-api-key': 'a-request',
    'anthropic-version': '2023-06-01',
    'content-type': 'application/json',
  });
  expect(request?.headers).not.toHaveProperty('authorization');
  expect(request?.body).toEqual({
    model: 'claude-test',
    max_tokens: 100,
    stream: true,
    system: 'Be brief.',
    temperature: 0.5,
    messages: [
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Two' },
      { role: 'user', content: 'Three' },
    ],
  });
});

test('PROVIDER-17: messages of several users are separate text blocks of one turn', async () => {
  fakes.script('a-group', { chunks: ['ok'] });
  await read({
    apiKey: 'a-group',
    model: 'm',
    messages: [
      { role: 'user', text: 'Ann (@ann): One', from: 'ann' },
      { role: 'user', text: 'Bob (@bob): Two', from: 'bob' },
      { role: 'assistant', text: 'Three' },
      { role: 'user', text: 'Ann (@ann): Four', from: 'ann' },
    ],
  });
  const block = (text: string) => ({ type: 'text', text });
  expect(fakes.requestsOf('a-group')[0]?.body['messages']).toEqual([
    { role: 'user', content: [block('Ann (@ann): One'), block('Bob (@bob): Two')] },
    { role: 'assistant', content: 'Three' },
    { role: 'user', content: 'Ann (@ann): Four' },
  ]);
});

test('PROVIDER-12: max_tokens is always sent, system and temperature only when set', async () => {
  fakes.script('a-defaults', { chunks: ['ok'] });
  await read({ apiKey: 'a-defaults', model: 'm', system: '', messages: [{ role: 'user', text: 'Hi' }] });
  expect(fakes.requestsOf('a-defaults')[0]?.body).toEqual({
    model: 'm',
    max_tokens: 4096,
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
  });
});

test('PROVIDER-12: events and deltas of unknown kinds are ignored', async () => {
  const events = [
    { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'ping' },
    { type: 'invented_later', delta: 'a string', message: 7 },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Yes' } },
    { type: 'message_delta', delta: { stop_reason: 'stop_sequence' }, usage: { input_tokens: 5, output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  const raw = events.map((event) => `event: ${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join('');
  fakes.script('a-others', { raw });
  expect(await read({ apiKey: 'a-others', model: 'm', messages: [{ role: 'user', text: 'Hi' }] })).toEqual([
    { type: 'usage', inputTokens: 3, outputTokens: 1 },
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Yes' },
    { type: 'usage', inputTokens: 5, outputTokens: 9 },
    { type: 'end', reason: 'stop' },
  ]);
});

const usageOf = (events: readonly ProviderEvent[]) =>
  events.flatMap((event) => (event.type === 'usage' ? [[event.inputTokens, event.outputTokens]] : []));

test('USAGE-2: the input includes tokens written to and read from the cache, and is reported when the reply begins', async () => {
  const usage = { input: 5, output: 40, cacheWritten: 100, cacheRead: 2_000 };
  fakes.script('a-cached', { chunks: ['ok'], usage });
  const events = await read({ apiKey: 'a-cached', model: 'm', messages: [{ role: 'user', text: 'Hi' }] });
  expect(usageOf(events)).toEqual([
    [2_105, 1],
    [2_105, 40],
  ]);
  expect(events[0]?.type).toBe('usage');
});

test.each([
  ['told nowhere', undefined, undefined, []],
  ['only what came out', undefined, { output_tokens: 9 }, []],
  ['only at the end', undefined, { input_tokens: 4, cache_read_input_tokens: 2, output_tokens: 9 }, [[6, 9]]],
  ['negative', { input_tokens: -4, output_tokens: 1 }, { output_tokens: 9 }, []],
  ['no numbers', { input_tokens: 'four', output_tokens: 1 }, 'nine', []],
  ['beyond all bounds', { input_tokens: 1e300, output_tokens: 1 }, { output_tokens: 2e12 }, []],
])('USAGE-2: a usage that is %s is ignored, and the reply is complete', async (_what, first, last, told) => {
  const events = [
    { type: 'message_start', message: { usage: first } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yes' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: last },
    { type: 'message_stop' },
  ];
  const raw = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  fakes.script('a-odd', { raw });
  const got = await read({ apiKey: 'a-odd', model: 'm', messages: [{ role: 'user', text: 'Hi' }] });
  expect(usageOf(got)).toEqual(told);
  expect(got.filter(({ type }) => type !== 'usage')).toEqual([
    { type: 'text', text: 'Yes' },
    { type: 'end', reason: 'stop' },
  ]);
});
