import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { startFakeProviders, type FakeProviders } from '@parley/testing/providers/fake-providers.ts';
import { openaiProvider } from './openai.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

let serial = 0;
async function errorOf(status: number, body: string): Promise<unknown> {
  const apiKey = `bodies-${(serial += 1)}`;
  fakes.script(apiKey, { status, body });
  const provider = openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB });
  const request = { apiKey, model: 'm', messages: [{ role: 'user' as const, text: 'Hi' }] };
  try {
    return await Array.fromAsync(provider.stream(request, new AbortController().signal));
  } catch (error) {
    return error;
  }
}

test.each([
  [{ error: { message: 'out of luck' } }],
  [{ error: 'out of luck' }],
  [[{ error: { code: 503, message: 'out of luck', status: 'UNAVAILABLE' } }]],
  [{ detail: 'out of luck' }],
  [{ detail: [{ msg: 'out of luck' }] }],
  [{ message: 'out of luck' }],
  [{ message: { detail: 'out of luck' } }],
  [{ errors: [{ message: 'out of luck' }] }],
  [{ error_code: 7, error_msg: 'out of luck' }],
  [{ base_resp: { status_code: 7, status_msg: 'out of luck' } }],
  [{ title: 'Error', detail: 'out of luck' }],
  [{ fault: { description: 'out of luck' } }],
  ['out of luck'],
  ['data: {"error":{"message":"out of luck"}}\n\n'],
  ['event: error\ndata: {"message":"out of luck"}\n\n'],
])('PROVIDER-22: the words of an error body are quoted: %j', async (body) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  expect(await errorOf(503, text)).toMatchObject({ kind: 'overloaded', status: 503, quote: 'out of luck' });
});

test.each([
  [{ detail: [{ loc: ['body', 'n'], msg: 'too many' }, { msg: 'and more' }] }, 'body.n: too many; and more'],
  [{ error: { message: 'Unknown parameter.', param: 'top_k' } }, 'top_k: Unknown parameter.'],
  [
    { error: { message: 'Provider returned error', metadata: { raw: 'no such model' } } },
    'Provider returned error: no such model',
  ],
])('PROVIDER-22: %j is quoted with its place: %s', async (body, quote) => {
  expect(await errorOf(404, JSON.stringify(body))).toMatchObject({ quote });
});

test.each(['<html>gateway</html>', '{"some":"thing"}', '[]', '7', '', '{', '\u0000\ufffd\ufffd'])(
  'PROVIDER-22: an error body without words (%j) is not quoted',
  async (body) => {
    expect(await errorOf(503, body)).toMatchObject({ kind: 'overloaded', quote: undefined });
  },
);

test('PROVIDER-22: an error under the status 200 fails the reply, of the kind that it names', async () => {
  const apiKey = 'bodies-200';
  const body = JSON.stringify({ error: { message: 'slow down', code: 429 } });
  fakes.script(apiKey, { raw: body, headers: { 'content-type': 'application/json' } });
  const provider = openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB });
  const request = { apiKey, model: 'm', messages: [{ role: 'user' as const, text: 'Hi' }] };
  await expect(Array.fromAsync(provider.stream(request, new AbortController().signal))).rejects.toMatchObject({
    kind: 'rate_limited',
    quote: 'slow down',
  });
});
