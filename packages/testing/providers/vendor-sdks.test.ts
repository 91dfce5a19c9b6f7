// What the fakes send must be what the vendors send: their own libraries read it, down to the assembled reply.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeBlock, type FakeProviders, type ReplyScript, startFakeProviders } from './fake-providers.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

let serial = 0;
/** A key under which the fakes answer with this. */
function keyFor(script: ReplyScript): string {
  const key = `sdk-${(serial += 1)}`;
  fakes.script(key, script);
  return key;
}
const messages = [{ role: 'user' as const, content: 'Hi' }];
const rain = { url: 'https://rain.example/', title: 'Rain', quoted: 'It rains.' };

const anthropicClient = (script: ReplyScript) =>
  new Anthropic({
    apiKey: keyFor(script),
    baseURL: fakes.urlA.replace(/\/v1$/, ''),
    maxRetries: 0,
    logLevel: 'off',
  });
const anthropic = (script: ReplyScript) =>
  anthropicClient(script).messages.stream({ model: 'claude-test', max_tokens: 100, messages });

function openai(script: ReplyScript) {
  const client = new OpenAI({ apiKey: keyFor(script), baseURL: fakes.urlB, maxRetries: 0, logLevel: 'off' });
  return client.chat.completions.stream({ model: 'gpt-test', messages, stream_options: { include_usage: true } });
}

test('PROVIDER-31: @anthropic-ai/sdk assembles the fake’s reply with thoughts, tools, citations and usage', async () => {
  const chunks: (string | FakeBlock)[] = [
    { reasoning: ['Let me ', 'see.'] },
    'I look.',
    { search: 'rain today', found: [rain] },
    { mcp: 'read', input: { path: 'a.txt' }, answers: 'rain' },
    { text: 'It rains', cites: [rain] },
    { call: 'get_umbrella', input: { size: 'L' } },
  ];
  const client = anthropicClient({ chunks, finish: 'tool_use', usage: { input: 5, output: 40, cacheRead: 2 } });
  // Tools of MCP servers are in the library's beta part alone.
  const reply = await client.beta.messages.stream({ model: 'claude-test', max_tokens: 100, messages }).finalMessage();
  expect(reply).toMatchObject({
    role: 'assistant',
    stop_reason: 'tool_use',
    usage: { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 40 },
  });
  const blocks = reply.content.filter((block) => block.type !== 'text' || block.text !== '');
  expect(blocks).toMatchObject([
    { type: 'thinking', thinking: 'Let me see.' },
    { type: 'redacted_thinking' },
    { type: 'text', text: 'I look.' },
    { type: 'server_tool_use', name: 'web_search', input: { query: 'rain today' } },
    { type: 'web_search_tool_result', content: [{ type: 'web_search_result', url: rain.url, title: rain.title }] },
    { type: 'mcp_tool_use', name: 'read', input: { path: 'a.txt' } },
    { type: 'mcp_tool_result', is_error: false, content: [{ type: 'text', text: 'rain' }] },
    { type: 'text', text: 'It rains', citations: [{ url: rain.url, cited_text: rain.quoted }] },
    { type: 'tool_use', name: 'get_umbrella', input: { size: 'L' } },
  ]);
});

test('PROVIDER-31: openai assembles the fake’s reply with tool calls and usage', async () => {
  const chunks: (string | FakeBlock)[] = [
    { reasoning: ['Hm'] },
    'It ',
    { text: 'rains', cites: [rain] },
    { call: 'get_umbrella', input: { size: 'L' } },
    { call: 'go_home', input: {} },
  ];
  const stream = openai({ chunks, finish: 'tool_calls', usage: { input: 5, output: 40 } });
  const reply = await stream.finalChatCompletion();
  expect(reply).toMatchObject({
    choices: [{ finish_reason: 'tool_calls', message: { role: 'assistant', content: 'It rains' } }],
    usage: { prompt_tokens: 5, completion_tokens: 40, total_tokens: 45 },
  });
  expect(reply.choices[0]?.message.tool_calls).toMatchObject([
    { id: 'call_0', type: 'function', function: { name: 'get_umbrella', arguments: '{"size":"L"}' } },
    { id: 'call_1', type: 'function', function: { name: 'go_home', arguments: '{}' } },
  ]);
});

test.each([1, 3])('PROVIDER-31: both assemble a plain reply that arrives %i bytes at a time', async (splitBytes) => {
  const script = { chunks: ['Grüße, ', '世界'], splitBytes };
  const [a, b] = await Promise.all([anthropic(script).finalMessage(), openai(script).finalChatCompletion()]);
  expect(a.content).toMatchObject([{ type: 'text', text: 'Grüße, 世界' }]);
  expect(a.stop_reason).toBe('end_turn');
  expect(b.choices).toMatchObject([{ finish_reason: 'stop', message: { content: 'Grüße, 世界' } }]);
});

test('PROVIDER-31: both know the fakes’ errors, as a response and inside a stream', async () => {
  const refusal = { status: 429, message: 'Slow down' };
  await expect(anthropic(refusal).finalMessage()).rejects.toThrow(Anthropic.RateLimitError);
  await expect(openai(refusal).finalChatCompletion()).rejects.toThrow(OpenAI.RateLimitError);
  const broken = { chunks: ['so far'], ending: 'error', message: 'Out of luck' } as const;
  await expect(anthropic(broken).finalMessage()).rejects.toThrow(/Out of luck/);
  await expect(openai(broken).finalChatCompletion()).rejects.toThrow(/Out of luck/);
  await expect(anthropic({ chunks: ['so far'], ending: 'close' }).finalMessage()).rejects.toThrow();
});

test('PROVIDER-31: both take part in a turn of several steps with tools', async () => {
  const script = (finish: string): ReplyScript => ({
    chunks: [{ reasoning: ['Hm'] }, { call: 'look', input: { at: 'sky' } }, { call: 'look', input: {} }],
    finish,
  });
  const schema = { type: 'object' as const, properties: { at: { type: 'string' } } };
  const keyA = keyFor(script('tool_use'));
  fakes.script(keyA, script('tool_use'), script('tool_use'), { chunks: ['Clouds.'] });
  const a = new Anthropic({ apiKey: keyA, baseURL: fakes.urlA.replace(/\/v1$/, ''), maxRetries: 0, logLevel: 'off' });
  const toldA: Anthropic.MessageParam[] = [...messages];
  for (const stop of ['tool_use', 'tool_use', 'end_turn']) {
    const body = { model: 'm', max_tokens: 100, messages: toldA, tools: [{ name: 'look', input_schema: schema }] };
    const { content, stop_reason: reason } = await a.messages.stream(body).finalMessage();
    expect(reason).toBe(stop);
    const results = content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'grey' }] : [],
    );
    toldA.push({ role: 'assistant', content: content.filter((block) => block.type !== 'text') });
    toldA.push({ role: 'user', content: results });
  }

  const keyB = keyFor(script('tool_calls'));
  fakes.script(keyB, script('tool_calls'), script('tool_calls'), { chunks: ['Clouds.'] });
  const b = new OpenAI({ apiKey: keyB, baseURL: fakes.urlB, maxRetries: 0, logLevel: 'off' });
  const toldB: OpenAI.ChatCompletionMessageParam[] = [...messages];
  for (const finish of ['tool_calls', 'tool_calls', 'stop']) {
    const tools = [{ type: 'function' as const, function: { name: 'look', parameters: schema } }];
    const reply = await b.chat.completions.stream({ model: 'm', messages: toldB, tools }).finalChatCompletion();
    expect(reply.choices[0]?.finish_reason).toBe(finish);
    const { content = null, tool_calls: calls = [] } = reply.choices[0]?.message ?? {};
    toldB.push({ role: 'assistant', content, tool_calls: calls });
    for (const { id } of calls) toldB.push({ role: 'tool', tool_call_id: id, content: 'grey' });
  }
});
