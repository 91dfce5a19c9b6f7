import { expect, test } from 'vitest';
import type { ModelEvent } from './model-event.ts';
import { StreamReader } from './read-stream.ts';

function read(pieces: readonly unknown[]) {
  const reader = new StreamReader();
  const events: ModelEvent[] = pieces.flatMap((piece) => [...reader.read(piece)]);
  const joined = (of: (event: ModelEvent) => string) => events.map(of).join('');
  return {
    text: joined((event) => ('text' in event ? event.text : '')),
    thoughts: joined((event) => ('think' in event ? event.think : '')),
    parts: events.flatMap((event) => ('part' in event ? [event.part] : [])),
    usage: events.flatMap((event) => ('usage' in event ? [event] : [])),
    isSilent: reader.isSilent,
  };
}

const ai = (content: unknown, more = {}) => ({
  type: 'ai',
  content,
  additional_kwargs: {},
  response_metadata: {},
  tool_calls: [],
  tool_call_chunks: [],
  ...more,
});
const counted = { usage_metadata: { input_tokens: 3, output_tokens: 2, total_tokens: 5 } };
const called = [
  ai('Let me look. '),
  ai('', { tool_call_chunks: [{ name: 'weather', args: '{"ci', id: 'c1', index: 0 }] }),
  ai('', { tool_call_chunks: [{ name: undefined, args: 'ty":"Rome"}', index: 0 }] }),
];
const result = { type: 'tool', content: 'sunny', tool_call_id: 'c1', name: 'weather', response_metadata: {} };

test('BOTSDK-33: chunks of a LangChain model are read: texts, lists of blocks, reasoning, usage', () => {
  const stream = read([
    ai([{ type: 'thinking', thinking: 'hm', index: 0 }]),
    ai('Sun'),
    ai([{ type: 'text', text: 'ny', index: 1 }, '!']),
    ai([{ type: 'image_url', image_url: 'https://a.example/' }]),
    ai('', { additional_kwargs: { reasoning_content: ' so' } }),
    { ...ai('', counted), type: 'AIMessageChunk' },
    { ...ai('', counted), type: 'AIMessageChunk' },
  ]);
  expect(stream).toMatchObject({ text: 'Sunny!', thoughts: 'hm so', parts: [], isSilent: false });
  const once = { usage: { input_tokens: 3, output_tokens: 2 }, adds: true };
  expect(stream.usage).toEqual([once, once]);
});

test.each([
  ['alone', (message: unknown) => [message, { langgraph_node: 'agent' }]],
  ['beside others', (message: unknown) => ['messages', [message, { langgraph_node: 'agent' }]]],
])('BOTSDK-33: the messages of a LangGraph are read, with its tools (%s)', (name, pair) => {
  const messages = [{ ...ai('hello'), type: 'human' }, ...called, result, ai('Sunny.')];
  const others = name === 'alone' ? [] : [['updates', { agent: {} }]];
  const stream = read([...messages.map(pair), ...others]);
  const tool = { id: 'tool c1', type: 'tool', name: 'weather' };
  expect(stream).toMatchObject({
    text: 'Let me look. Sunny.',
    parts: [
      { ...tool, status: 'running' },
      { ...tool, status: 'done', input: { city: 'Rome' }, output: 'sunny' },
    ],
  });
});

test('BOTSDK-33: whole LangChain messages with calls, and tools that fail, are read', () => {
  const stream = read([
    ai('', { tool_calls: [{ id: 'c1', name: 'weather', args: { city: 'Rome' } }] }),
    { ...result, status: 'error', content: 'no network' },
  ]);
  expect(stream.parts).toMatchObject([
    { status: 'running' },
    { status: 'failed', input: { city: 'Rome' }, error: 'no network' },
  ]);
});

test('BOTSDK-33: the events of streamEvents are read, each text and tool once', () => {
  const event = (name: string, data = {}) => ({ event: name, name: 'weather', run_id: 'r1', data, tags: [] });
  const stream = read([
    event('on_chain_start'),
    ...called.map((chunk) => event('on_chat_model_stream', { chunk })),
    event('on_chat_model_end', { output: called[0] }),
    event('on_tool_start', { input: { city: 'Rome' } }),
    event('on_tool_end', { output: result }),
    event('on_chain_stream', { chunk: called[0] }),
    event('on_llm_stream', { chunk: { text: 'Sunny.' } }),
    event('on_chain_end'),
  ]);
  expect(stream.text).toBe('Let me look. Sunny.');
  expect(stream.parts).toMatchObject([
    { id: 'tool r1', status: 'running', input: { city: 'Rome' } },
    { id: 'tool r1', status: 'done', output: 'sunny' },
  ]);
});

const raw = (data: object) => ({ type: 'raw_model_stream_event', data });
const item = (name: string, rawItem: object, more = {}) => ({
  type: 'run_item_stream_event',
  name,
  item: { rawItem, ...more },
});
const done = raw({ type: 'response_done', response: { usage: { inputTokens: 3, outputTokens: 2 } } });
const message = (...content: object[]) => item('message_output_created', { type: 'message', content });

test('BOTSDK-34: a run of the OpenAI Agents SDK is read: text, reasoning, tools, usage of all its calls', () => {
  const call = { type: 'function_call', callId: 'c1', name: 'weather', arguments: '{"city":"Rome"}' };
  const stream = read([
    { type: 'agent_updated_stream_event', agent: {} },
    raw({ type: 'response_started' }),
    raw({ type: 'model', event: { type: 'response.reasoning_summary_text.delta', delta: 'hm' } }),
    raw({ type: 'model', event: { type: 'response.output_text.delta', delta: 'ignored' } }),
    done,
    item('tool_called', call),
    item('tool_output', { type: 'function_call_result', callId: 'c1', name: 'weather' }, { output: 'sunny' }),
    raw({ type: 'response_started' }),
    raw({ type: 'output_text_delta', delta: 'Sun' }),
    raw({ type: 'output_text_delta', delta: 'ny' }),
    done,
    message({ type: 'output_text', text: 'Sunny' }),
  ]);
  const tool = { id: 'tool c1', name: 'weather', input: { city: 'Rome' } };
  expect(stream).toMatchObject({
    text: 'Sunny',
    thoughts: 'hm',
    parts: [
      { ...tool, status: 'running' },
      { ...tool, status: 'done', output: 'sunny' },
    ],
  });
  expect(stream.usage).toHaveLength(2);
});

test('BOTSDK-34: the text of a model that does not stream, and its refusal, are read', () => {
  expect(read([raw({ type: 'response_started' }), done, message({ type: 'output_text', text: 'Sunny' })]).text).toBe(
    'Sunny',
  );
  expect(read([message({ type: 'refusal', refusal: 'I cannot.' })]).text).toBe('I cannot.');
});

test('BOTSDK-26: the events of `ai` for user interfaces are read', () => {
  const stream = read([
    { type: 'start' },
    { type: 'data-progress', data: {} },
    { type: 'reasoning-delta', id: 'r', delta: 'hm' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'weather', input: { city: 'Rome' } },
    { type: 'tool-output-available', toolCallId: 'c1', output: 'sunny' },
    { type: 'tool-output-error', toolCallId: 'c1', errorText: 'no network' },
    { type: 'text-delta', id: 't', delta: 'Sunny' },
    { type: 'source-url', sourceId: 's', url: 'https://a.example/', title: 'A' },
    { type: 'finish' },
  ]);
  const tool = { id: 'tool c1', name: 'weather', input: { city: 'Rome' } };
  expect(stream).toMatchObject({
    text: 'Sunny',
    thoughts: 'hm',
    parts: [
      { ...tool, status: 'running' },
      { ...tool, status: 'done', output: 'sunny' },
      { ...tool, status: 'failed', error: 'no network' },
      { type: 'source', url: 'https://a.example/' },
    ],
  });
});

test('BOTSDK-26: an error, with its text alone, and an aborted stream are failures', () => {
  const failure = (piece: object) => new StreamReader().read(piece);
  const text = new Error('no credit');
  expect(failure({ type: 'error', errorText: 'no credit' })).toEqual([{ failure: text }]);
  expect(failure({ type: 'abort' })).toEqual([{ failure: expect.any(Error) }]);
});

test('BOTSDK-26, BOTSDK-34: an answer that its model ended with an error, and a response that failed, are failures', () => {
  const failure = (piece: object) => new StreamReader().read(piece);
  expect(failure({ type: 'finish', finishReason: 'error', totalUsage: { inputTokens: 3, outputTokens: 2 } })).toEqual([
    { usage: { input_tokens: 3, output_tokens: 2 } },
    { failure: new Error('the model ended its answer with an error') },
  ]);
  expect(failure({ type: 'finish', finishReason: 'stop' })).toEqual([]);
  const response = { status: 'failed', error: { message: 'no credit' } };
  for (const event of [
    { type: 'response.failed', response },
    { type: 'error', message: 'no credit' },
  ])
    expect(failure(raw({ type: 'model', event }))).toEqual([{ failure: new Error('no credit') }]);
});

test.each([
  ['ai', { type: 'finish', finishReason: 'length' }],
  ['ai', { type: 'finish', finishReason: 'content-filter' }],
  ['LangChain', ai('', { response_metadata: { finish_reason: 'length' } })],
  ['Agents', raw({ type: 'model', event: { type: 'response.incomplete', response: {} } })],
])('BOTSDK-36: an answer that its model ended early has a notice, and is silent without a text: %s', (_name, end) => {
  expect(read([end])).toMatchObject({ parts: [{ id: 'end', type: 'notice' }], isSilent: true });
  expect(read(['Sun', end])).toMatchObject({ text: 'Sun', isSilent: false });
});

test('BOTSDK-33: messages of older versions of LangChain say their type in a method', () => {
  const old = (type: string, content: string) => ({
    content,
    additional_kwargs: {},
    response_metadata: {},
    _getType: () => type,
  });
  expect(read([old('human', 'hello'), old('ai', 'Sun'), old('ai', 'ny')]).text).toBe('Sunny');
  const unknown = { ...ai('x'), type: 'novelty' };
  expect(() => new StreamReader().read(unknown)).toThrow(TypeError);
  expect(() => new StreamReader().read({ ...ai('x'), type: undefined })).toThrow(TypeError);
});

class Delta {
  readonly type = 'content_block_delta';
}
test.each([
  [{ type: 'content_block_delta', delta: { text: 'x' } }, 'Object of type "content_block_delta"'],
  [new Delta(), 'Delta of type "content_block_delta"'],
  [{ type: 'message' }, 'Object of type "message"'],
  [{ type: 'error' }, 'Object of type "error"'],
  [{ type: 7 }, 'Object'],
  [{ choices: [{ delta: { content: 'x' } }] }, 'Object'],
  [{ event: 'message', data: 'x' }, 'Object'],
  [{ agent: { messages: [ai('x')] } }, 'Object'],
  [{ content: 'x', type: 'ai' }, 'Object of type "ai"'],
  [['a', 'b'], 'Array'],
  [[ai('x'), {}, {}], 'Array'],
  [new Uint8Array(2), 'Uint8Array'],
  [new Map(), 'Map'],
  [7, 'number'],
  [null, 'null'],
  [undefined, 'undefined'],
  [() => 'x', 'function'],
])('BOTSDK-24: what is no event that the SDK knows is a TypeError that names its type: %j', (piece, name) => {
  expect(() => new StreamReader().read(piece)).toThrow(new TypeError(`an answer must be made of strings, not ${name}`));
});

test('BOTSDK-35: events without anything to read are noticed', () => {
  expect(read([{ type: 'start' }, { type: 'finish' }]).isSilent).toBe(true);
  expect(read([['updates', {}]]).isSilent).toBe(true);
  expect(read(['', { type: 'start' }]).isSilent).toBe(true);
  expect(read([]).isSilent).toBe(false);
  expect(read(['text', { type: 'finish' }]).isSilent).toBe(false);
});
