// How models are asked to think, over real HTTP against fakes that refuse what the vendors' models refuse.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { startFakeProviders, type FakeProviders, type ReplyScript } from '@parley/testing/providers/fake-providers.ts';
import { anthropicProvider } from './anthropic.ts';
import { type Downgrade, openaiProvider } from './openai.ts';
import type { AgentProvider, ProviderRequest } from './provider.ts';
import { withoutRefusedThinking } from './without-refused-thinking.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

const downgrades: Downgrade[] = [];
const anthropic = () =>
  withoutRefusedThinking(anthropicProvider({ clock: new ManualClock(), baseUrl: fakes.urlA }), 2, (one) =>
    downgrades.push(one),
  );
const openai = () =>
  withoutRefusedThinking(openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB }), 1, (one) =>
    downgrades.push(one),
  );

async function ask(provider: AgentProvider, apiKey: string, more: Partial<ProviderRequest>): Promise<string[]> {
  const request = { apiKey, model: 'm', messages: [{ role: 'user' as const, text: 'Hi' }], ...more };
  const events = await Array.fromAsync(provider.stream(request, new AbortController().signal));
  return events.map(({ type }) => type).filter((type) => type !== 'usage');
}
const asked = (apiKey: string) =>
  fakes.requestsOf(apiKey).map(({ body: { thinking, output_config, temperature, reasoning_effort } }) => ({
    ...(thinking !== undefined && { thinking }),
    ...(output_config !== undefined && { output_config }),
    ...(temperature !== undefined && { temperature }),
    ...(reasoning_effort !== undefined && { reasoning_effort }),
  }));

const adaptive = { type: 'adaptive', display: 'summarized' };
const answered = ['text', 'end'];

test('PART-20: thinking is asked for in the vendor’s form, without a temperature; without the setting nothing is', async () => {
  for (const [key, provider] of [
    ['think-a', anthropic()],
    ['think-b', openai()],
  ] as const) {
    fakes.script(key, { chunks: ['ok'] });
    expect(await ask(provider, key, { thinking: 'medium', temperature: 0.5 })).toEqual(answered);
    expect(await ask(provider, key, { temperature: 0.5 })).toEqual(answered);
  }
  expect(asked('think-a')).toEqual([{ thinking: adaptive, output_config: { effort: 'medium' } }, { temperature: 0.5 }]);
  expect(asked('think-b')).toEqual([{ reasoning_effort: 'medium' }, { temperature: 0.5 }]);
});

test('PART-21: a model of Anthropic that knows only a budget gets one, from then on at once', async () => {
  const provider = anthropic();
  fakes.script('think-budget', { chunks: ['ok'] });
  const model = 'claude-sonnet-4-5';
  for (const more of [{}, { maxOutputTokens: 2_000 }])
    expect(await ask(provider, 'think-budget', { model, thinking: 'high', ...more })).toEqual(answered);
  expect(asked('think-budget')).toEqual([
    { thinking: adaptive, output_config: { effort: 'high' } },
    { thinking: { type: 'enabled', budget_tokens: 3_072 } },
    { thinking: { type: 'enabled', budget_tokens: 1_500 } },
  ]);
});

test('PART-21: a token limit without room for thoughts is no reason to remember', async () => {
  const provider = anthropic();
  fakes.script('think-small', { chunks: ['ok'] });
  const request = { model: 'claude-opus-4-5', thinking: 'low' } as const;
  expect(await ask(provider, 'think-small', { ...request, maxOutputTokens: 500 })).toEqual(['unthought', ...answered]);
  expect(await ask(provider, 'think-small', request)).toEqual(answered);
});

test('PART-21: a model that does not think is asked without, with its temperature, from then on at once', async () => {
  downgrades.length = 0;
  const provider = anthropic();
  fakes.script('think-not', { chunks: ['ok'] });
  const request = { model: 'claude-3-haiku', thinking: 'low', temperature: 0.5 } as const;
  for (let round = 0; round < 2; round += 1)
    expect(await ask(provider, 'think-not', request)).toEqual(['unthought', ...answered]);
  expect(asked('think-not').map((body) => Object.keys(body).join())).toEqual([
    'thinking,output_config',
    'thinking',
    'temperature',
    'temperature',
  ]);
  expect(downgrades).toEqual([{ model: 'claude-3-haiku', leftOut: 'thinking' }]);
});

const refusing =
  (script: ReplyScript) =>
  ({ body }: { body: Readonly<Record<string, unknown>> }): ReplyScript =>
    body['reasoning_effort'] === 'low' ? script : { chunks: ['ok'] };

test('PART-21: what a server refuses for one effort is asked for another', async () => {
  const provider = openai();
  const message = "Unsupported value: 'reasoning_effort' does not support 'low' with this model.";
  fakes.script('think-effort', refusing({ status: 400, message }));
  expect(await ask(provider, 'think-effort', { thinking: 'low' })).toEqual(['unthought', ...answered]);
  expect(await ask(provider, 'think-effort', { thinking: 'high' })).toEqual(answered);
  expect(asked('think-effort')).toEqual([{ reasoning_effort: 'low' }, {}, { reasoning_effort: 'high' }]);
});

test.each([
  [400, 'image_url is not supported'],
  [401, 'no thinking with this key'],
  [429, 'too much reasoning'],
])('PART-21: another refusal (%i, %s) fails the request', async (status, message) => {
  const key = `think-${status}`;
  fakes.script(key, { status, message });
  await expect(ask(openai(), key, { thinking: 'low' })).rejects.toThrow();
  const bodies = fakes.requestsOf(key).map(({ body }) => body['reasoning_effort']);
  expect(new Set(bodies)).toEqual(new Set(['low']));
});
