import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import {
  startFakeProviders,
  type FakeProviders,
  type RecordedRequest,
  type ReplyScript,
} from '@parley/testing/providers/fake-providers.ts';
import { anthropicProvider } from './anthropic.ts';
import { openaiBody } from './openai-body.ts';
import { type Downgrade, openaiProvider } from './openai.ts';
import type { AgentProvider, ProviderEvent, ProviderRequest } from './provider.ts';
import { withoutRefusedTemperature } from './without-refused-temperature.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

const clock = new ManualClock();
let serial = 0;
const freshKey = (): string => `refused-${(serial += 1)}`;
const asking = (apiKey: string, more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  apiKey,
  model: 'm',
  messages: [{ role: 'user', text: 'Hi' }],
  ...more,
});
const ask = (provider: AgentProvider, request: ProviderRequest) =>
  Array.fromAsync(provider.stream(request, new AbortController().signal));
const openai = (onDowngrade?: (downgrade: Downgrade) => void) =>
  openaiProvider({ clock, baseUrl: fakes.urlB, ...(onDowngrade && { onDowngrade }) });

/** A server that refuses requests of which this is true. */
const refusing =
  (isRefused: (body: Readonly<Record<string, unknown>>) => boolean, refusal: ReplyScript) =>
  ({ body }: RecordedRequest): ReplyScript =>
    isRefused(body) ? refusal : { chunks: ['ok'] };
const limitsOf = (key: string) =>
  fakes
    .requestsOf(key)
    .map(({ body }) =>
      'max_tokens' in body ? 'max_tokens' : Object.keys(body).find((name) => name.startsWith('max_')),
    );
const rolesOf = (key: string) =>
  fakes.requestsOf(key).map(({ body }) => (body['messages'] as { role: string }[]).map(({ role }) => role).join(' ')); // the fake checks it

describe('the token limit', () => {
  test.each([
    ['https://api.openai.com/v1', 'm', 'max_completion_tokens'],
    ['https://mine.openai.azure.com/openai/v1', 'm', 'max_completion_tokens'],
    ['https://gateway.example/v1', 'openai/gpt-5.1', 'max_completion_tokens'],
    ['https://gateway.example/v1', 'o3-mini', 'max_completion_tokens'],
    ['https://gateway.example/v1', 'gpt-oss:20b', 'max_tokens'],
    ['https://openai.com.example/v1', 'm', 'max_tokens'],
    ['http://127.0.0.1:11434/v1', 'llama3.2', 'max_tokens'],
  ])('PROVIDER-25: %s gets the limit of %s as %s', (base, model, name) => {
    const body = openaiBody(asking('k', { maxOutputTokens: 5, model }), new Set(), { base, from: '' });
    expect(Object.entries(body).filter(([field]) => field.startsWith('max_'))).toEqual([[name, 5]]);
  });

  test.each([
    [
      'OpenAI',
      {
        status: 400,
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      },
    ],
    [
      'FastAPI',
      {
        status: 422,
        body: JSON.stringify({
          detail: [{ type: 'extra_forbidden', loc: ['body', 'max_tokens'], msg: 'Extra inputs are not permitted' }],
        }),
      },
    ],
    [
      'a nested message',
      {
        status: 422,
        body: JSON.stringify({
          object: 'error',
          message: { detail: [{ loc: ['body', 'max_tokens'], msg: 'Extra inputs are not permitted' }] },
        }),
      },
    ],
    ['plain text', { status: 400, body: 'unknown field max_tokens', headers: { 'content-type': 'text/plain' } }],
    [
      'the first event of a stream',
      {
        raw: 'data: {"error":{"message":"Unrecognized request argument supplied: max_tokens","code":400}}\n\ndata: [DONE]\n\n',
      },
    ],
    ['param', { status: 400, body: JSON.stringify({ error: { message: 'Unknown parameter.', param: 'max_tokens' } }) }],
  ] satisfies [string, ReplyScript][])(
    'PROVIDER-25: a server that does not know max_tokens (%s) gets the other name, from then on too',
    async (_form, refusal) => {
      const key = freshKey();
      fakes.script(
        key,
        refusing((body) => 'max_tokens' in body, refusal),
      );
      const downgrades: Downgrade[] = [];
      const provider = openai((one) => downgrades.push(one));
      for (let times = 0; times < 2; times += 1)
        expect(await ask(provider, asking(key, { maxOutputTokens: 9 }))).toContainEqual({ type: 'text', text: 'ok' });
      expect(limitsOf(key)).toEqual(['max_tokens', 'max_completion_tokens', 'max_completion_tokens']);
      expect(downgrades).toEqual([{ model: 'm', leftOut: 'token limit' }]);
      // Another model of the same server is asked as before.
      await ask(provider, asking(key, { maxOutputTokens: 9, model: 'other' }));
      expect(limitsOf(key).slice(3)).toEqual(['max_tokens', 'max_completion_tokens']);
    },
  );

  test('PROVIDER-25: a limit that is too large is no unknown field, and one that is refused under both names is not left out', async () => {
    const large = freshKey();
    fakes.script(large, { status: 400, message: 'max_tokens is too large: 9. This model supports at most 5 tokens.' });
    await expect(ask(openai(), asking(large, { maxOutputTokens: 9 }))).rejects.toMatchObject({ status: 400 });
    expect(limitsOf(large)).toEqual(['max_tokens']);
    const none = freshKey();
    fakes.script(none, ({ body }) => ({
      status: 400,
      message: `Unknown field: ${'max_tokens' in body ? 'max_tokens' : 'max_completion_tokens'}`,
    }));
    await expect(ask(openai(), asking(none, { maxOutputTokens: 9 }))).rejects.toMatchObject({
      quote: 'Unknown field: max_tokens',
    });
    expect(limitsOf(none)).toEqual(['max_tokens', 'max_completion_tokens']);
  });
});

describe('the role of the instructions', () => {
  const hasSystem = (body: Readonly<Record<string, unknown>>) => JSON.stringify(body['messages']).includes('"system"');

  test.each([
    [400, 'System role not supported'],
    [500, 'Jinja Exception: System role not supported'],
    [500, 'Template error: roles must be user or model'],
    [422, 'Unexpected role: system'],
    [400, 'Conversation roles must alternate user/assistant/user/assistant/...'],
  ])(
    'PROVIDER-26: a server that refuses the role (%i, %s) gets them in the first message, from then on too',
    async (status, message) => {
      const key = freshKey();
      fakes.script(key, refusing(hasSystem, { status, message }));
      const provider = openai();
      for (let times = 0; times < 2; times += 1)
        expect(await ask(provider, asking(key, { system: 'Be brief.' }))).toContainEqual({ type: 'text', text: 'ok' });
      const bodies = fakes.requestsOf(key).map(({ body }) => body);
      expect(bodies.at(-1)?.['messages']).toEqual([{ role: 'user', content: 'Be brief.\n\nHi' }]);
      expect(bodies.filter(hasSystem).length).toBeLessThanOrEqual(2);
      expect(hasSystem(bodies.at(-2) ?? {})).toBe(false);
    },
  );

  test('PROVIDER-26: in a group such a server gets one message per turn', async () => {
    const key = freshKey();
    fakes.script(key, ({ body }) =>
      hasSystem(body) || /"user"[^[]*"user"/.test(JSON.stringify(body['messages']))
        ? { status: 400, message: 'Only user and assistant roles are supported, in turns' }
        : { chunks: ['ok'] },
    );
    const messages = ['ann', 'bob'].map((from) => ({ role: 'user' as const, text: from, from }));
    await ask(openai(), asking(key, { system: 'Be brief.', messages }));
    expect(rolesOf(key)).toEqual(['system user user', 'system user', 'user']);
    expect(fakes.requestsOf(key).at(-1)?.body['messages']).toEqual([
      { role: 'user', content: 'Be brief.\n\nann\n\nbob' },
    ]);
  });
});

test('USAGE-3, PROVIDER-24: a server that refuses everything, one thing after another, is asked at most five times', async () => {
  const key = freshKey();
  const words = [
    'stream_options: Extra inputs are not permitted',
    'Unknown field: max_tokens',
    'name: Extra inputs',
    'System role not supported',
    'No',
  ];
  fakes.script(
    key,
    ...words.map((message) => ({ raw: `data: ${JSON.stringify({ error: { message, code: 400 } })}\n\n` })),
  );
  const messages = ['ann', 'bob'].map((from) => ({ role: 'user' as const, text: from, from }));
  const request = asking(key, { system: 'Be brief.', maxOutputTokens: 9, messages });
  await expect(ask(openai(), request)).rejects.toMatchObject({ quote: words[0] });
  expect(fakes.requestsOf(key)).toHaveLength(5);
});

const usage = { prompt_tokens: 3, completion_tokens: 0 };
const errorEvent = (message: string, more: object = {}): string =>
  `data: ${JSON.stringify({ error: { message, code: 400 }, ...more })}\n\n`;

test.each([
  ['in the same event', errorEvent('Unknown field: max_tokens', { usage })],
  [
    'in an event before it',
    `data: ${JSON.stringify({ choices: [], usage })}\n\n${errorEvent('Unknown field: max_tokens')}`,
  ],
])('PROVIDER-24, USAGE-3: usage %s is no acceptance', async (_where, raw) => {
  const key = freshKey();
  const downgrades: Downgrade[] = [];
  fakes.script(key, { raw }, { raw: raw.replace('max_tokens', 'max_completion_tokens') });
  const provider = openai((one) => downgrades.push(one));
  await expect(ask(provider, asking(key, { maxOutputTokens: 9 }))).rejects.toMatchObject({ status: 400 });
  expect([limitsOf(key), downgrades]).toEqual([['max_tokens', 'max_completion_tokens'], []]);
  const warm = freshKey();
  fakes.script(warm, { raw: raw.replace('max_tokens', 'temperature') }, { chunks: ['ok'] });
  expect(await ask(withoutRefusedTemperature(openai()), asking(warm, { temperature: 0.5 }))).toContainEqual({
    type: 'text',
    text: 'ok',
  });
});

test('USAGE-3, PROVIDER-26: a server that refuses the role without naming it is asked anew each time', async () => {
  const key = freshKey();
  fakes.script(
    key,
    refusing((body) => JSON.stringify(body['messages']).includes('"system"'), { status: 400, message: 'Bad request' }),
  );
  const provider = openai();
  for (let times = 0; times < 2; times += 1)
    expect(await ask(provider, asking(key, { system: 'Be brief.' }))).toContainEqual({ type: 'text', text: 'ok' });
  expect(rolesOf(key)).toEqual(['system user', 'system user', 'user', 'system user', 'system user', 'user']);
});

test.each([
  ['an outage', 500, 'Unable to assume role arn:aws:iam::1:role/x'],
  ['the same with 400', 400, 'Unable to assume role arn:aws:iam::1:role/x'],
  ['a role that is none of messages', 500, 'The worker lost its role'],
  ['no reason', 400, 'Bad request'],
])('USAGE-3: a refusal that names nothing is remembered for no later request: %s', async (_what, status, message) => {
  const key = freshKey();
  const downgrades: Downgrade[] = [];
  fakes.script(key, { status, message }, { chunks: ['ok'] }, { chunks: ['ok'] });
  const provider = openai((one) => downgrades.push(one));
  const request = asking(key, { system: 'Be brief.' });
  for (let times = 0; times < 2; times += 1)
    expect(await ask(provider, request)).toContainEqual({ type: 'text', text: 'ok' });
  expect('stream_options' in (fakes.requestsOf(key).at(-1)?.body ?? {})).toBe(true);
  expect(rolesOf(key).at(-1)).toBe('system user');
  expect(downgrades).toEqual([]);
});

test('PROVIDER-24: an error after the first event, or of another kind, refuses nothing', async () => {
  for (const raw of [
    'data: {"choices":[]}\n\ndata: {"error":{"message":"System role not supported","code":400}}\n\n',
    'data: {"error":{"message":"stream_options","code":401}}\n\n',
  ]) {
    const key = freshKey();
    fakes.script(key, { raw });
    await expect(ask(openai(), asking(key, { system: 'Be brief.' }))).rejects.toThrow();
    expect(fakes.requestsOf(key)).toHaveLength(1);
  }
});

describe.each([
  ['Messages', () => anthropicProvider({ clock, baseUrl: fakes.urlA })],
  ['Chat Completions', () => openaiProvider({ clock, baseUrl: fakes.urlB })],
] as const)('the temperature, %s', (_name, make) => {
  const temperatures = (key: string) => fakes.requestsOf(key).map(({ body }) => body['temperature']);

  test('PROVIDER-27: a model that takes none is asked without it, from then on too', async () => {
    const key = freshKey();
    const message =
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.";
    fakes.script(
      key,
      refusing((body) => 'temperature' in body, { status: 400, message }),
    );
    const downgrades: Downgrade[] = [];
    const provider = withoutRefusedTemperature(make(), (one) => downgrades.push(one));
    for (const model of ['m', 'm', 'other'])
      expect(await ask(provider, asking(key, { temperature: 0.5, model }))).toContainEqual({
        type: 'text',
        text: 'ok',
      });
    expect(temperatures(key)).toEqual([0.5, undefined, undefined, 0.5, undefined]);
    expect(downgrades.map(({ leftOut }) => leftOut)).toEqual(['temperature', 'temperature']);
  });

  test('PROVIDER-27: a temperature out of range is not left out', async () => {
    const key = freshKey();
    fakes.script(key, { status: 400, message: 'temperature: range: 0..0.4' });
    const provider = withoutRefusedTemperature(make());
    await expect(ask(provider, asking(key, { temperature: 0.5 }))).rejects.toMatchObject({ status: 400 });
    expect(temperatures(key)).toEqual([0.5]);
  });
});

const usageOf = (events: readonly ProviderEvent[]) =>
  events.flatMap((event) => (event.type === 'usage' ? [[event.inputTokens, event.outputTokens]] : []));

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
    const provider = openai();
    const asked = () => ask(provider, asking(key));
    const reply = [
      { type: 'text', text: 'ok' },
      { type: 'end', reason: 'stop' },
    ];
    expect(await asked()).toEqual(reply);
    expect(optionsOf(key)).toEqual([true, false]);
    expect(await asked()).toEqual(reply);
    expect(optionsOf(key)).toEqual([true, false, false]);
  },
);

test('USAGE-3: a request that is refused in every form fails with the vendor’s first message, and later requests keep the extras', async () => {
  const provider = openai();
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
  const provider = openai();
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
    const provider = openai();
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
  const provider = openai();
  const ask = Array.fromAsync(provider.stream(groupTalk(key), new AbortController().signal));
  await expect(ask).rejects.toMatchObject({ name: 'ProviderError', status: 400 });
  expect(messagesOf(key)).toHaveLength(times);
});

test('PROVIDER-17: a request of a direct chat does not show whether the model accepts the extras', async () => {
  fakes.script('b-later', { chunks: ['ok'] });
  const provider = openai();
  for (const request of [asking('b-later'), groupTalk('b-later')])
    await Array.fromAsync(provider.stream(request, new AbortController().signal));
  expect(messagesOf('b-later').at(-1)).toEqual(byName);
});
