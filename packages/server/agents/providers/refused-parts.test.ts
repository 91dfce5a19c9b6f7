// Refusals that say in fields what they are about, with words that say nothing or something else, and such words alone.
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { type FakeProviders, startFakeProviders } from '@parley/testing/providers/fake-providers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageFile } from '../../rules/context-files.ts';
import { openaiProvider } from './openai.ts';
import { type AgentProvider, ProviderError, type ProviderRequest } from './provider.ts';
import { type Refusal, refusalOf } from './refused-parts.ts';
import { withoutRefusedFiles } from './without-refused-files.ts';
import { withoutRefusedTemperature } from './without-refused-temperature.ts';
import { withoutRefusedThinking } from './without-refused-thinking.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

test.each<[string, string[], Refusal]>([
  ['temperature', ['unsupported_value', 'invalid_request_error'], { part: 'temperature', reason: 'unsupported' }],
  ['body.max_tokens', ['extra_forbidden'], { part: 'token limit', reason: 'unsupported' }],
  ['max_completion_tokens', ['integer_above_max_value'], { part: 'token limit', reason: 'value' }],
  ['stream_options.include_usage', [], { part: 'stream_options' }],
  ['messages[0].role', [], { part: 'role' }],
  ['body.messages.2.UserMessage.content.str', [], { part: 'content' }],
  ['messages.[1].name', [], { part: 'name' }],
  ['messages', ['image_too_large'], { reason: 'file' }],
  ['constructor', ['toString'], {}],
  ['', [], {}],
])('PROVIDER-22: a refusal of %j with the names %j is about %j', (field, names, refusal) => {
  expect(refusalOf(field, names)).toEqual(refusal);
});

interface Said {
  message: string;
  param?: string;
  code?: string;
}

/** The fields that a request was sent with, one time after another; the server refuses it once, in these fields. */
async function sent(said: Said, more: Partial<ProviderRequest> = {}): Promise<string[]> {
  const apiKey = `k${Buffer.from(JSON.stringify([said, Object.keys(more)])).toString('hex')}`;
  fakes.script(apiKey, { status: 400, body: JSON.stringify({ error: said }) }, { chunks: ['ok'] });
  const openai: AgentProvider = openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB });
  const provider = withoutRefusedThinking(withoutRefusedFiles(withoutRefusedTemperature(openai)), 1);
  const request: ProviderRequest = {
    apiKey,
    model: 'm',
    system: 'Be brief.',
    maxOutputTokens: 9,
    messages: [{ role: 'user', text: 'Hi', from: 'ann' }],
    ...more,
  };
  try {
    await Array.fromAsync(provider.stream(request, new AbortController().signal));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
  return fakes.requestsOf(apiKey).map(({ body }) => {
    const text = JSON.stringify(body['messages']);
    const parts = {
      temperature: 'temperature' in body,
      effort: 'reasoning_effort' in body,
      limit: 'max_tokens' in body,
      options: 'stream_options' in body,
      system: text.includes('"system"'),
      name: text.includes('"name"'),
      file: text.includes('image_url'),
    };
    return Object.entries(parts)
      .filter(([, isSent]) => isSent)
      .map(([part]) => part)
      .join(' ');
  });
}

const all = 'limit options system name';
const foreign = 'Das geht so nicht.';

test.each<[Said, string[]]>([
  [{ message: foreign, param: 'messages[0].role', code: 'unsupported_value' }, [all, 'limit options']],
  [{ message: foreign, param: 'messages[1].name' }, [all, 'limit options system']],
  [{ message: foreign, param: 'stream_options', code: 'unknown_parameter' }, [all, 'limit system name']],
  [{ message: foreign, param: 'max_tokens', code: 'unsupported_parameter' }, [all, 'options system name']],
  [{ message: 'max_tokens: not supported so high', param: 'max_tokens', code: 'integer_above_max_value' }, [all]],
  [{ message: 'The system role is fine.', param: 'stream_options' }, [all, 'limit system name']],
  // Words alone.
  [{ message: 'Unknown field: stream_options' }, [all, 'limit system name']],
  [{ message: 'System role not supported' }, [all, 'limit options']],
  [{ message: 'max_tokens is too large' }, [all]],
])('PROVIDER-22, USAGE-3: after the refusal %j the parts of the requests are %j', async (said, parts) => {
  expect(await sent(said)).toEqual(parts);
});

test.each<[Said, boolean]>([
  [{ message: foreign, param: 'temperature', code: 'unsupported_value' }, true],
  [{ message: 'Unexpected temperature, not allowed', param: 'temperature', code: 'decimal_above_max_value' }, false],
  [{ message: 'The temperature is not supported', param: 'thinking' }, false],
  [{ message: 'The temperature is not supported', param: 'temperature' }, true],
  [{ message: 'This model does not support temperature' }, true],
  [{ message: 'temperature must be at most 2' }, false],
])('PROVIDER-22, PROVIDER-27: after the refusal %j the temperature is left out: %s', async (said, isLeftOut) => {
  const parts = (await sent(said, { temperature: 0.5 })).map((one) => one.includes('temperature'));
  expect(parts).toEqual(isLeftOut ? [true, false] : [true]);
});

test.each<[Said, boolean]>([
  [{ message: foreign, param: 'reasoning_effort', code: 'unsupported_value' }, true],
  [{ message: 'Reasoning takes its temperature from elsewhere', param: 'temperature', code: 'invalid_value' }, false],
  [{ message: 'This model does not support reasoning' }, true],
])('PROVIDER-22, PART-21: after the refusal %j thinking is left out: %s', async (said, isLeftOut) => {
  const parts = (await sent(said, { thinking: 'low' })).map((one) => one.includes('effort'));
  expect(parts).toEqual(isLeftOut ? [true, false] : [true]);
});

const image: MessageFile = {
  type: 'image',
  mimeType: 'image/jpeg',
  name: 'a.jpg',
  data: Buffer.from(Buffer.from('a picture').toString('base64')),
  tokens: 1,
  instead: '(a picture)',
};

test.each<[Said, boolean]>([
  [{ message: foreign, param: 'messages[0].content[1]', code: 'unsupported_value' }, true],
  [{ message: `${foreign} max_tokens`, code: 'image_parse_error' }, true],
  [{ message: 'An image costs more than that', param: 'max_tokens', code: 'integer_above_max_value' }, false],
  [{ message: 'image input is not supported' }, true],
  [{ message: 'max_tokens is too large' }, false],
])('PROVIDER-22, PROVIDER-19: after the refusal %j files are left out: %s', async (said, isLeftOut) => {
  const messages = [{ role: 'user' as const, text: 'Hi', files: [image] }];
  const parts = (await sent(said, { messages })).map((one) => one.includes('file'));
  expect(parts).toEqual(isLeftOut ? [true, false] : [true]);
});
