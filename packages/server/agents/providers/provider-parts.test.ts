// What beside text comes from each vendor, over real HTTP against fakes that speak the vendors' wire formats.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { startFakeProviders, type FakeProviders, type ReplyScript } from '@parley/testing/providers/fake-providers.ts';
import { anthropicProvider } from './anthropic.ts';
import { openaiProvider } from './openai.ts';
import type { ProviderEvent } from './provider.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

let serial = 0;
async function read(vendor: 'anthropic' | 'openai', script: ReplyScript): Promise<ProviderEvent[]> {
  const clock = new ManualClock();
  const apiKey = `parts-${(serial += 1)}`;
  fakes.script(apiKey, script);
  const provider =
    vendor === 'anthropic'
      ? anthropicProvider({ clock, baseUrl: fakes.urlA })
      : openaiProvider({ clock, baseUrl: fakes.urlB });
  const request = { apiKey, model: 'm', messages: [{ role: 'user' as const, text: 'Hi' }] };
  const events = await Array.fromAsync(provider.stream(request, new AbortController().signal));
  return events.filter(({ type }) => type !== 'usage');
}

const rain = { url: 'https://rain.example/', title: 'Rain', quoted: 'It rains.' };
const end: ProviderEvent = { type: 'end', reason: 'stop' };

test('PART-16: thinking, web searches and citations of Anthropic’s API become reasoning, a tool and sources', async () => {
  const found = [{ url: 'https://sun.example/', title: 'Sun' }, { url: rain.url }];
  const events = await read('anthropic', {
    chunks: [
      { reasoning: ['Let me ', 'see.'] },
      'I look.',
      { search: 'rain today', found },
      { text: 'It rains', cites: [rain] },
      '.',
    ],
  });
  const tool = { type: 'tool', key: 'srvtoolu_3', name: 'web_search' };
  const input = { query: 'rain today' };
  expect(events).toEqual([
    { type: 'reasoning', text: 'Let me ' },
    { type: 'reasoning', text: 'see.' },
    { type: 'text', text: 'I look.' },
    { ...tool, status: 'running' },
    { ...tool, input, status: 'running' },
    { ...tool, input, output: found, status: 'done' },
    { type: 'source', ...found[0] },
    { type: 'source', ...found[1] },
    { type: 'text', text: 'It rains' },
    { type: 'source', url: rain.url, title: rain.title, excerpt: rain.quoted, isCited: true },
    { type: 'text', text: '.' },
    end,
  ]);
});

test('PART-16: a failed search is a failed tool', async () => {
  const search = { search: 'x', found: { error: 'max_uses_exceeded' } };
  const events = await read('anthropic', { chunks: [search, 'Sorry.'] });
  expect(events.slice(-3)).toMatchObject([
    { type: 'tool', status: 'failed', error: 'max_uses_exceeded' },
    { type: 'text', text: 'Sorry.' },
    end,
  ]);
});

test('PART-16: blocks of unknown kinds and shapes are ignored', async () => {
  const event = (type: string, fields: object) => `data: ${JSON.stringify({ type, ...fields })}\n\n`;
  const raw = [
    event('message_start', { message: {} }),
    event('content_block_start', { index: 0 }),
    event('content_block_start', { content_block: null, index: 'x' }),
    event('content_block_start', { index: 1, content_block: { type: 'server_tool_use', name: 7 } }),
    event('content_block_start', {
      index: 2,
      content_block: { type: 'web_search_tool_result', tool_use_id: 'nobody', content: 5 },
    }),
    event('content_block_delta', { index: 2, delta: { type: 'thinking_delta', thinking: 5 } }),
    event('content_block_delta', { index: 2, delta: { type: 'thinking_delta' } }),
    event('content_block_delta', { index: 2, delta: { type: 'input_json_delta', partial_json: '{' } }),
    event('content_block_delta', { index: 2, delta: { type: 'citations_delta', citation: { url: null } } }),
    event('content_block_delta', {
      index: 2,
      delta: { type: 'citations_delta', citation: { document_index: 0, cited_text: 'x' } },
    }),
    event('content_block_delta', { index: 2, delta: { type: 'new_delta' } }),
    event('content_block_stop', {}),
    event('content_block_stop', { index: 9 }),
    event('content_block_delta', { index: 3, delta: { type: 'text_delta', text: 'ok' } }),
    event('message_stop', {}),
  ].join('');
  expect(await read('anthropic', { raw })).toEqual([
    { type: 'text', text: 'ok' },
    { type: 'end', reason: 'stop' },
  ]);
});

test.each(['reasoning_content', 'reasoning'] as const)(
  'PART-17: %s of a server becomes reasoning',
  async (reasoningField) => {
    const chunks = [{ reasoning: ['Let me ', 'see.'] }, 'Yes', '.'];
    expect(await read('openai', { chunks, reasoningField })).toEqual([
      { type: 'reasoning', text: 'Let me ' },
      { type: 'reasoning', text: 'see.' },
      { type: 'text', text: 'Yes' },
      { type: 'text', text: '.' },
      end,
    ]);
  },
);

test('PART-17: annotations with addresses become sources, others and malformed fields are ignored', async () => {
  expect(await read('openai', { chunks: [{ text: 'It rains', cites: [rain] }] })).toEqual([
    { type: 'text', text: 'It rains' },
    { type: 'source', url: rain.url, title: rain.title, excerpt: rain.quoted, isCited: true },
    end,
  ]);
  const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  const odd = [{ reasoning: { a: 1 }, content: 'a' }, { annotations: 'x' }, { annotations: [5, { type: 'file' }] }];
  const raw = [...odd.map(chunk), chunk({ content: 'b' }), 'data: [DONE]\n\n'].join('');
  expect(await read('openai', { raw })).toEqual([{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, end]);
});

test('PART-18: thoughts between think tags at the beginning of the content become reasoning', async () => {
  expect(await read('openai', { chunks: ['<th', 'ink>\nHm', '.</think', '>\n\nYes', '. <think>'] })).toEqual([
    { type: 'reasoning', text: 'Hm' },
    { type: 'reasoning', text: '.' },
    { type: 'text', text: 'Yes' },
    { type: 'text', text: '. <think>' },
    end,
  ]);
});
