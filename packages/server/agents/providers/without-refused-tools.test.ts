// Servers that refuse tools.
import type { RecordedRequest, ReplyScript } from '@parley/testing/providers/fake-providers.ts';
import { describe, expect, test } from 'vitest';
import type { Downgrade } from './openai.ts';
import type { AgentProvider } from './provider.ts';
import { withoutRefusedFiles } from './without-refused-files.ts';
import { withoutRefusedTools } from './without-refused-tools.ts';
import { asking, keyFor, messagesOf, read, requestsOf, vendors, useFakes } from '../../test/helpers/tool-stage.ts';

useFakes();

describe('a server that takes no tools', () => {
  const make = (vendor: (typeof vendors)[number], downgrades: Downgrade[] = []): AgentProvider =>
    withoutRefusedTools(vendor.make(), (one) => downgrades.push(one));
  const refusing =
    (status: number, message: string) =>
    ({ body }: RecordedRequest): ReplyScript =>
      body['tools'] === undefined ? { chunks: ['ok'] } : { status, message };
  const untooled = [{ type: 'untooled' }, { type: 'text', text: 'ok' }, { type: 'end', reason: 'stop' }];

  test.each([
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [500, 'tools param requires --jinja flag'],
    [404, 'No endpoints found that support tool use.'],
    [400, '`tool calling` is not supported with this model'],
    [400, "This model doesn't support tool use."],
    [422, 'body.tools: Extra inputs are not permitted'],
    [400, 'Function calling is not enabled for this model'],
  ])('PROVIDER-34: which says so (%i, %s) is asked without, from then on at once', async (status, message) => {
    for (const vendor of vendors) {
      const key = keyFor(refusing(status, message));
      const downgrades: Downgrade[] = [];
      const provider = make(vendor, downgrades);
      for (const requests of [2, 3]) {
        expect((await read(provider, asking(key))).events).toEqual(untooled);
        expect(requestsOf(key)).toHaveLength(requests);
      }
      expect(downgrades).toEqual([{ model: 'm', leftOut: 'tools' }]);
    }
  });

  test.each([
    [500, 'Jinja Exception: Cannot call something that is not a function'],
    [400, "Invalid schema for function 'sky_look': In context=(), object schema missing properties."],
    [400, 'tools.0.custom.input_schema: JSON schema is invalid'],
    [400, "Invalid 'tools': array too long. Expected an array with maximum length 16."],
  ])(
    'PROVIDER-34: for a reason that may be another next time (%i, %s) is asked with them again',
    async (status, message) => {
      for (const vendor of vendors) {
        const key = keyFor(refusing(status, message));
        const provider = make(vendor);
        for (let round = 0; round < 2; round += 1) expect((await read(provider, asking(key))).events).toEqual(untooled);
        expect(requestsOf(key).filter(({ body }) => body['tools'] !== undefined).length).toBeGreaterThanOrEqual(2);
      }
    },
  );

  test.each([
    [401, 'no tools with this key', 'refused_key'],
    [429, 'too many tools', 'rate_limited'],
    [400, 'temperature is out of range', 'bad_request'],
    [400, 'prompt is too long: the tools alone have 300000 tokens', 'too_long'],
    [500, 'the tool crashed', 'overloaded'],
  ])('PROVIDER-34: another refusal (%i, %s) fails the request', async (status, message, kind) => {
    for (const vendor of vendors) {
      const key = keyFor({ status, message });
      await expect(read(make(vendor), asking(key))).rejects.toMatchObject({ kind });
    }
  });

  test('PROVIDER-34: in the middle of a turn gets the steps in words', async () => {
    for (const vendor of vendors) {
      const key = keyFor(
        { chunks: [{ call: 'sky_look', input: {} }], finish: vendor.reason },
        refusing(400, 'no tools: unsupported'),
      );
      const provider = make(vendor);
      const first = await read(provider, asking(key));
      expect((await read(provider, asking(key, { steps: [first.step()] }))).events).toEqual(untooled);
      expect(messagesOf(key).map(({ content }) => content)).toEqual([
        'Hi',
        '(I called the tool sky_look with {})',
        '(The tool sky_look returned:)\nsky_look is done',
      ]);
    }
  });

  test('PROVIDER-34: refuses the tools, and not the files of the request', async () => {
    const file = {
      type: 'image',
      mimeType: 'image/jpeg',
      name: 'a.png',
      data: Buffer.from('eA=='),
      instead: '(a.png)',
      tokens: 1,
    } as const;
    for (const vendor of vendors) {
      const key = keyFor(refusing(400, 'this model does not support tools'));
      const provider = withoutRefusedFiles(make(vendor));
      const messages = [{ role: 'user' as const, text: 'Hi', files: [file] }];
      expect((await read(provider, asking(key, { messages }))).events).toEqual(untooled);
      expect(JSON.stringify(messagesOf(key))).toContain('eA==');
    }
  });
});
