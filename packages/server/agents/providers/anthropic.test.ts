import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/manual-clock.ts';
import { startFakeProviders, type FakeProviders } from '@parley/testing/fake-providers.ts';
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

test('PROVIDER-12: max_tokens is always there, system and temperature only when set', async () => {
  fakes.script('a-defaults', { chunks: ['ok'] });
  await read({ apiKey: 'a-defaults', model: 'm', system: '', messages: [{ role: 'user', text: 'Hi' }] });
  expect(fakes.requestsOf('a-defaults')[0]?.body).toEqual({
    model: 'm',
    max_tokens: 4096,
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
  });
});

test('PROVIDER-12: events and deltas of other kinds, also those yet to be invented, are passed over', async () => {
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
    { type: 'text', text: 'Yes' },
    { type: 'usage', inputTokens: 5, outputTokens: 9 },
    { type: 'end', reason: 'stop' },
  ]);
});
