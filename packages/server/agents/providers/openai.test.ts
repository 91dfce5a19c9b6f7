import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import {
  startFakeProviders,
  type FakeProviders,
  type RecordedRequest,
  type ReplyScript,
} from '@parley/testing/providers/fake-providers.ts';
import { type Downgrade, openaiProvider } from './openai.ts';
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

const knowsNoOptions =
  (status: number) =>
  ({ body }: RecordedRequest): ReplyScript =>
    body['stream_options'] === undefined
      ? { chunks: ['ok'] }
      : { status, message: 'Extra inputs are not permitted: stream_options' };
const optionsOf = (key: string) => fakes.requestsOf(key).map(({ body }) => body['stream_options'] !== undefined);

test.each([400, 422])(
  'USAGE-3: a server that refuses stream_options (%i) gets this and all later requests without them',
  async (status) => {
    const key = `b-plain-${status}`;
    fakes.script(key, knowsNoOptions(status));
    const provider = openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB });
    const ask = () => Array.fromAsync(provider.stream(asking(key), new AbortController().signal));
    const reply = [
      { type: 'text', text: 'ok' },
      { type: 'end', reason: 'stop' },
    ];
    expect(await ask()).toEqual(reply);
    expect(optionsOf(key)).toEqual([true, false]);
    expect(await ask()).toEqual(reply);
    expect(optionsOf(key)).toEqual([true, false, false]);
  },
);

test('USAGE-3: a request that is refused in every form fails with the vendor’s first message, and later requests keep the extras', async () => {
  const provider = openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB });
  const ask = () => Array.fromAsync(provider.stream(asking('b-bad'), new AbortController().signal));
  fakes.script('b-bad', { status: 400, message: 'too long' }, { status: 400, message: 'still too long' });
  await expect(ask()).rejects.toMatchObject({ kind: 'bad_request', message: expect.stringContaining(': too long') });
  fakes.script('b-bad', { chunks: ['ok'] });
  expect(usageOf(await ask())).toEqual([[12, 7]]);
  expect(optionsOf('b-bad')).toEqual([true, false, true]);
});

const groupTalk = (apiKey: string): ProviderRequest => ({
  apiKey,
  model: 'm',
  messages: [
    { role: 'user', text: 'Ann (@ann): One', from: 'ann' },
    { role: 'user', text: 'Critic (@bob:critic): Two', from: 'bob:critic' },
    { role: 'user', text: 'Long: Three', from: `${'x'.repeat(32)}:${'y'.repeat(32)}` },
    { role: 'assistant', text: 'Four' },
    { role: 'user', text: 'Ann (@ann): Five', from: 'ann' },
  ],
});
const byName = [
  { role: 'user', name: 'ann', content: 'Ann (@ann): One' },
  { role: 'user', name: 'bob-critic', content: 'Critic (@bob:critic): Two' },
  { role: 'user', content: 'Long: Three' },
  { role: 'assistant', content: 'Four' },
  { role: 'user', name: 'ann', content: 'Ann (@ann): Five' },
];
const inTurns = [
  { role: 'user', content: 'Ann (@ann): One\n\nCritic (@bob:critic): Two\n\nLong: Three' },
  { role: 'assistant', content: 'Four' },
  { role: 'user', content: 'Ann (@ann): Five' },
];
const messagesOf = (key: string) => fakes.requestsOf(key).map(({ body }) => body['messages']);

test('PROVIDER-17: messages of several users are separate entries with their senders’ names', async () => {
  fakes.script('b-group', { chunks: ['ok'] });
  const provider = openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB });
  await Array.fromAsync(provider.stream(groupTalk('b-group'), new AbortController().signal));
  expect(messagesOf('b-group')).toEqual([byName]);
});

test.each([
  [400, 'Conversation roles must alternate user/assistant/user/assistant'],
  [422, 'messages.0.name: Extra inputs are not permitted'],
  [500, 'Jinja Exception: the chat template failed'],
])(
  'PROVIDER-17: a server that refuses such entries (%i) gets one entry per turn, from then on too',
  async (status, message) => {
    const key = `b-turns-${status}`;
    fakes.script(key, ({ body }) =>
      JSON.stringify(body['messages']).includes('name') ? { status, message } : { chunks: ['ok'] },
    );
    const provider = openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB });
    const ask = () => Array.fromAsync(provider.stream(groupTalk(key), new AbortController().signal));
    expect(usageOf(await ask())).toEqual([[12, 7]]);
    await ask();
    expect(messagesOf(key)).toEqual([byName, inTurns, inTurns]);
  },
);

test('PROVIDER-17, USAGE-3: if a model refuses the extras, others still get them, and the log says so once', async () => {
  const key = 'b-models';
  fakes.script(key, ({ body }) =>
    body['model'] === 'picky' && JSON.stringify(body['messages']).includes('"name"')
      ? { status: 422, message: 'messages.0.name: Extra inputs are not permitted' }
      : { chunks: ['ok'] },
  );
  const downgrades: Downgrade[] = [];
  const provider = openaiProvider({
    clock: new ManualClock(),
    baseUrl: fakes.urlB,
    onDowngrade: (downgrade) => downgrades.push(downgrade),
  });
  for (const model of ['picky', 'picky', 'm'])
    await Array.fromAsync(provider.stream({ ...groupTalk(key), model }, new AbortController().signal));
  expect(messagesOf(key)).toEqual([byName, inTurns, inTurns, byName]);
  expect(optionsOf(key)).toEqual([true, true, true, true]);
  expect(downgrades).toEqual([{ model: 'picky', leftOut: 'entries' }]);
});

test.each([
  ["This model's maximum context length is 4096 tokens", 1],
  ["Unsupported value: 'temperature'", 1],
  ['no', 2],
])('USAGE-3: a group’s request that is refused for another reason (%s) is sent %i times', async (message, times) => {
  const key = `b-other-${times}-${message.length}`;
  fakes.script(key, { status: 400, message });
  const provider = openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB });
  const ask = Array.fromAsync(provider.stream(groupTalk(key), new AbortController().signal));
  await expect(ask).rejects.toMatchObject({ name: 'ProviderError', status: 400 });
  expect(messagesOf(key)).toHaveLength(times);
});

test('PROVIDER-17: a request of a direct chat does not show whether the model accepts the extras', async () => {
  fakes.script('b-later', { chunks: ['ok'] });
  const provider = openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB });
  for (const request of [asking('b-later'), groupTalk('b-later')])
    await Array.fromAsync(provider.stream(request, new AbortController().signal));
  expect(messagesOf('b-later').at(-1)).toEqual(byName);
});
