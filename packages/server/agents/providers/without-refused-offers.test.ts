// Servers that refuse tools, or the search of the web.
import type { RecordedRequest, ReplyScript } from '@parley/testing/providers/fake-providers.ts';
import { describe, expect, test } from 'vitest';
import type { Downgrade } from './openai.ts';
import { withContinuedPauses } from './continued-pauses.ts';
import type { AgentProvider, ProviderRequest } from './provider.ts';
import { withoutRefusedFiles } from './without-refused-files.ts';
import { withoutRefusedSearch, withoutRefusedTools } from './without-refused-offers.ts';
import { withoutRefusedThinking } from './without-refused-thinking.ts';
import {
  asking,
  chatApi,
  keyFor,
  look,
  messagesApi,
  messagesOf,
  read,
  requestsOf,
  toolsOf,
  useFakes,
  vendors,
} from '../../test/helpers/tool-stage.ts';

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

  const other = { name: 'other', description: '', inputSchema: {} };

  test.each([
    ["Invalid schema for function 'sky_look': In context=(), bad keyword."],
    ['tools.1.custom.input_schema: JSON schema is invalid'],
    ['tools[1].function.parameters: schema is not supported'],
  ])('PROVIDER-34: but names one of them (%s) is asked without that one, from then on at once', async (message) => {
    for (const vendor of vendors) {
      const key = keyFor(({ body }: RecordedRequest): ReplyScript =>
        JSON.stringify(body['tools']).includes('sky_look') ? { status: 400, message } : { chunks: ['ok'] },
      );
      const provider = make(vendor);
      for (const requests of [2, 3]) {
        const { events } = await read(provider, asking(key, { tools: [other, look] }));
        expect(events).toEqual([{ type: 'untooled', tools: ['sky_look'] }, ...untooled.slice(1)]);
        expect(requestsOf(key)).toHaveLength(requests);
        expect(toolsOf(key, requests - 1)).toHaveLength(1);
      }
      // Another definition may be taken, and so is looked at anew.
      const changed = { ...look, description: 'Looks up.' };
      await read(provider, asking(key, { tools: [other, changed] }));
      expect(requestsOf(key)).toHaveLength(5);
    }
  });

  test('PROVIDER-34: but names one after another is asked without any after the fifth', async () => {
    for (const vendor of vendors) {
      const key = keyFor(refusing(400, 'tools.0.custom.input_schema: JSON schema is invalid'));
      const tools = Array.from({ length: 20 }, (_, at) => ({ ...other, name: `t${at}` }));
      expect((await read(make(vendor), asking(key, { tools }))).events).toEqual(untooled);
      expect(requestsOf(key)).toHaveLength(7);
    }
  });

  test('PROVIDER-34: together with thinking is asked without thoughts, and with the tools', async () => {
    const key = keyFor(({ body }: RecordedRequest): ReplyScript =>
      body['reasoning_effort'] === undefined || body['tools'] === undefined
        ? { chunks: ['ok'] }
        : { status: 400, message: 'Function tools with reasoning_effort are not supported for this model.' },
    );
    const provider = withoutRefusedThinking(make(chatApi), 1);
    const { events } = await read(provider, asking(key, { thinking: 'low' }));
    expect(events.map(({ type }) => type)).toEqual(['unthought', 'text', 'end']);
    expect(requestsOf(key).at(-1)?.body).toHaveProperty('tools');
  });
});

describe('the search of the web', () => {
  const searching = (key: string, more: Partial<ProviderRequest> = {}): ProviderRequest =>
    asking(key, { tools: [], webSearch: true, ...more });
  const tool = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 };

  test('PROVIDER-36: is offered to Anthropic as a tool beside the others, and to OpenAI’s models as an option', async () => {
    for (const tools of [[], [look]]) {
      const keyA = keyFor({ chunks: [{ search: 'rain', found: [] }, 'ok'] });
      const { events } = await read(messagesApi.make(), searching(keyA, { tools }));
      expect(events.map(({ type }) => type)).toEqual(['tool', 'tool', 'tool', 'text', 'end']);
      expect(toolsOf(keyA, 0).map(({ name }) => name)).toEqual([...tools.map(({ name }) => name), 'web_search']);
      expect(toolsOf(keyA, 0).at(-1)).toEqual(tool);
      const keyB = keyFor({ chunks: ['ok'] });
      await read(chatApi.make(), searching(keyB, { tools, model: 'gpt-5-search-api' }));
      expect(requestsOf(keyB)[0]?.body['web_search_options']).toEqual({});
    }
  });

  test('PROVIDER-36: gives way to a tool of the same name', async () => {
    const key = keyFor({ chunks: ['ok'] });
    await read(messagesApi.make(), searching(key, { tools: [{ ...look, name: 'web_search' }] }));
    expect(toolsOf(key, 0)).toHaveLength(1);
    expect(toolsOf(key, 0)[0]).toHaveProperty('input_schema');
  });

  test('PROVIDER-28: a call of a client’s tool in a request with the search alone is shown', async () => {
    const key = keyFor({ chunks: [{ call: 'look', input: {} }], finish: 'tool_use' });
    const { events } = await read(messagesApi.make(), searching(key));
    expect(events.map(({ type }) => type)).toEqual(['tool', 'tool', 'end']);
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'tools' });
  });

  test('PROVIDER-35: an answer that pauses in the search alone is continued', async () => {
    const key = keyFor({ chunks: [{ search: 'rain', found: [] }], finish: 'pause_turn' }, { chunks: ['Dry.'] });
    const { events } = await read(withContinuedPauses(messagesApi.make()), searching(key));
    expect(events.slice(-2)).toEqual([
      { type: 'text', text: 'Dry.' },
      { type: 'end', reason: 'stop' },
    ]);
    expect(requestsOf(key)).toHaveLength(2);
  });

  const unsearched = ['unsearched', 'text', 'end'];

  test('PROVIDER-36: that a server refuses is left out, from then on at once; tools stay', async () => {
    for (const tools of [[], [look]]) {
      const key = keyFor({ chunks: ['ok'] });
      const downgrades: Downgrade[] = [];
      const provider = withoutRefusedTools(
        withoutRefusedSearch(chatApi.make(), (one) => downgrades.push(one)),
        (one) => downgrades.push(one),
      );
      for (const requests of [1, 2]) {
        const { events } = await read(provider, searching(key, { tools, model: 'gpt-5.1' }));
        expect(events.map(({ type }) => type)).toEqual(unsearched);
        expect(requestsOf(key).filter(({ body }) => body['web_search_options'] === undefined)).toHaveLength(requests);
        expect(requestsOf(key)).toHaveLength(requests + 1);
      }
      expect(requestsOf(key).at(-1)?.body['tools'] === undefined).toBe(tools.length === 0);
      expect(downgrades).toEqual([{ model: 'gpt-5.1', leftOut: 'web search' }]);
    }
  });

  test('PROVIDER-36: is left out where a server refuses tools', async () => {
    const key = keyFor(({ body }: RecordedRequest): ReplyScript =>
      body['tools'] === undefined ? { chunks: ['ok'] } : { status: 400, message: 'this model does not support tools' },
    );
    const provider = withoutRefusedTools(withoutRefusedSearch(messagesApi.make()));
    expect((await read(provider, searching(key))).events.map(({ type }) => type)).toEqual(unsearched);
    const both = await read(provider, searching(key, { tools: [look] }));
    expect(both.events.map(({ type }) => type)).toEqual(['untooled', ...unsearched]);
  });
});
