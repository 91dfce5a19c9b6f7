// Tools in both protocols.
import type { FakeBlock, ReplyScript } from '@parley/testing/providers/fake-providers.ts';
import { describe, expect, test } from 'vitest';
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

describe.each(vendors)('$name', ({ name, reason, make }) => {
  const isMessages = name === 'Messages';
  const calling = (...blocks: (string | FakeBlock)[]): ReplyScript => ({ chunks: blocks, finish: reason });

  test('PROVIDER-32: the model is offered the tools, and its calls come whole and in order before the end', async () => {
    const key = keyFor(
      calling('I look.', { call: 'sky_look', input: { at: 'north' } }, { call: 'sky_look', input: { at: 'south' } }),
    );
    const { events, calls } = await read(make(), asking(key));
    expect(events.map(({ type }) => type)).toEqual(['text', 'call', 'call', 'step', 'end']);
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'tools' });
    expect(calls).toEqual([
      { type: 'call', id: expect.any(String) as string, name: 'sky_look', arguments: '{"at":"north"}' },
      { type: 'call', id: expect.any(String) as string, name: 'sky_look', arguments: '{"at":"south"}' },
    ]);
    expect(calls[0]?.id).not.toBe(calls[1]?.id);
    const { description, inputSchema } = look;
    expect(requestsOf(key)[0]?.body['tools']).toEqual([
      isMessages
        ? { name: 'sky_look', description, input_schema: inputSchema }
        : { type: 'function', function: { name: 'sky_look', description, parameters: inputSchema } },
    ]);
    for (const field of ['tool_choice', 'parallel_tool_calls'])
      expect(requestsOf(key)[0]?.body).not.toHaveProperty(field);
  });

  test('PROVIDER-33: the model gets its answers back, and the results of the calls behind each', async () => {
    const key = keyFor(
      calling('I look.', { call: 'sky_look', input: { at: 'north' } }, { call: 'sky_look', input: { at: 'south' } }),
      calling({ call: 'sky_look', input: {} }),
      { chunks: ['Clouds.'] },
    );
    const first = await read(make(), asking(key));
    const [north, south] = first.calls;
    // In another order than the calls, as they ended.
    const steps = [
      first.step([
        { id: south?.id ?? '', text: '', isError: false },
        { id: north?.id ?? '', text: 'Too bright', isError: true },
      ]),
    ];
    const second = await read(make(), asking(key, { steps }));
    expect(second.calls[0]?.id).not.toBe(north?.id);
    steps.push(second.step());
    const third = await read(make(), asking(key, { steps }));
    expect(third.events).toEqual([
      { type: 'text', text: 'Clouds.' },
      { type: 'end', reason: 'stop' },
    ]);
    const ids = [north?.id, south?.id, second.calls[0]?.id];
    const use = (at: number, input: object) => ({ type: 'tool_use', id: ids[at], name: 'sky_look', input });
    const call = (at: number, json: string) => ({
      id: ids[at],
      type: 'function',
      function: { name: 'sky_look', arguments: json },
    });
    const done = 'sky_look is done';
    expect(messagesOf(key).slice(1)).toEqual(
      isMessages
        ? [
            {
              role: 'assistant',
              content: [{ type: 'text', text: 'I look.' }, use(0, { at: 'north' }), use(1, { at: 'south' })],
            },
            {
              role: 'user',
              content: [
                { type: 'tool_result', tool_use_id: ids[0], content: 'Too bright', is_error: true },
                { type: 'tool_result', tool_use_id: ids[1], content: '(no output)' },
              ],
            },
            { role: 'assistant', content: [use(2, {})] },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: ids[2], content: done }] },
          ]
        : [
            {
              role: 'assistant',
              content: 'I look.',
              tool_calls: [call(0, '{"at":"north"}'), call(1, '{"at":"south"}')],
            },
            { role: 'tool', tool_call_id: ids[0], content: 'Error: Too bright' },
            { role: 'tool', tool_call_id: ids[1], content: '(no output)' },
            { role: 'assistant', content: null, tool_calls: [call(2, '{}')] },
            { role: 'tool', tool_call_id: ids[2], content: done },
          ],
    );
  });

  test.each([1, 7])(
    'PROVIDER-2, PROVIDER-32: calls are whole when the network splits them after every %i bytes',
    async (splitBytes) => {
      const input = { at: 'Zürich, 世界 👩‍👩‍👧' };
      const { calls } = await read(
        make(),
        asking(keyFor({ ...calling('Grüße', { call: 'sky_look', input }), splitBytes })),
      );
      expect(calls.map((call) => JSON.parse(call.arguments) as unknown)).toEqual([input]);
    },
  );

  test('PROVIDER-33: a call without a result is answered as one that failed, and a result without a call is left out', async () => {
    const key = keyFor(calling({ call: 'sky_look', input: {} }), { chunks: ['ok'] });
    const first = await read(make(), asking(key));
    const steps = [first.step([{ id: 'of-nothing', text: 'lost', isError: false }])];
    expect((await read(make(), asking(key, { steps }))).events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    const sent = JSON.stringify(messagesOf(key));
    expect(sent).toContain('There is no result.');
    expect(sent).not.toContain('lost');
  });

  test.each([
    ['no properties', { type: 'object' }],
    ['no type', {}],
    [
      'choices at the top',
      { oneOf: [{ properties: { at: {} }, required: ['at'] }, { properties: { by: {} } }], type: 'object' },
    ],
    ['choices of a kind', { anyOf: [true, { type: 'object' }], enum: [{}], not: {} }],
  ])('PROVIDER-32: a tool whose schema has %s is offered', async (_, inputSchema) => {
    const key = keyFor(calling({ call: 'sky_look', input: {} }));
    const { calls } = await read(make(), asking(key, { tools: [{ name: 'sky_look', description: ' ', inputSchema }] }));
    expect(calls).toHaveLength(1);
    const [tool] = toolsOf(key, 0);
    const properties = (isMessages ? tool?.['input_schema'] : tool?.['function']?.['parameters']) as object;
    expect(properties).toEqual({
      type: 'object',
      properties: 'oneOf' in inputSchema ? { at: {}, by: {} } : {},
    });
  });

  test.each([
    ['nothing', '', '{}'],
    ['a cut object', '{"at": "no', '{"at": "no'],
    ['a list', '[1]', '[1]'],
    ['words', 'north', 'north'],
    ['an object with much depth', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, undefined],
  ])(
    'PROVIDER-32: arguments that are %s come as the model wrote them, and the step can be sent back',
    async (_, json, given) => {
      const key = keyFor(calling({ call: 'sky_look', input: {}, json }), { chunks: ['ok'] });
      const first = await read(make(), asking(key));
      expect(first.calls).toMatchObject([{ arguments: given ?? json }]);
      expect(first.calls[0]).not.toHaveProperty('isTooLong');
      const second = await read(make(), asking(key, { steps: [first.step()] }));
      expect(second.events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    },
  );

  test('PROVIDER-32: of arguments of more than 256 Ki characters only the beginning comes, which is marked and no JSON', async () => {
    const json = (chars: number) => `{}${' '.repeat(chars - 2)}`;
    for (const [chars, isTooLong] of [
      [256 * 1_024, false],
      [256 * 1_024 + 1, true],
      // An event of more is refused.
      [1_000_000, true],
    ] as const) {
      const key = keyFor(calling({ call: 'sky_look', input: {}, json: json(chars) }), { chunks: ['ok'] });
      const first = await read(make(), asking(key));
      const [call] = first.calls;
      expect({ chars, isTooLong: call?.isTooLong ?? false }).toEqual({ chars, isTooLong });
      expect(call?.arguments.length).toBe(isTooLong ? 1_001 : chars);
      if (isTooLong) expect(() => JSON.parse(call?.arguments ?? '{}') as unknown).toThrow(SyntaxError);
      const second = await read(make(), asking(key, { steps: [first.step()] }));
      expect(second.events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    }
  });

  test('PROVIDER-32: a tool that was not offered is called by a name that both vendors take back', async () => {
    const key = keyFor(calling({ call: 'functions.look at:ü', input: {} }, { call: 'x'.repeat(5_000), input: {} }), {
      chunks: ['ok'],
    });
    const first = await read(make(), asking(key));
    expect(first.calls.map((call) => call.name)).toEqual(['functions_look_at__', 'x'.repeat(64)]);
    expect(first.events.at(-1)).toEqual({ type: 'end', reason: 'tools' });
    const second = await read(make(), asking(key, { steps: [first.step()] }));
    expect(second.events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
  });

  test('PROVIDER-28: an answer that calls an offered tool ends as tools, whatever text and reason follow', async () => {
    const key = keyFor({ chunks: [{ call: 'sky_look', input: {} }, 'I have called it.'] });
    const { events } = await read(make(), asking(key));
    expect(events.map(({ type }) => type)).toEqual(['text', 'call', 'step', 'end']);
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'tools' });
  });

  test('PROVIDER-28: a call of another tool that text follows was run by the server, and is shown', async () => {
    const key = keyFor({ chunks: [{ call: 'servers_own', input: { q: 1 } }, 'Found.'] });
    const { events } = await read(make(), asking(key));
    expect(events).toMatchObject([
      { type: 'text', text: 'Found.' },
      { type: 'tool', name: 'servers_own', input: { q: 1 }, status: 'running' },
      { type: 'end', reason: 'stop' },
    ]);
  });

  test('PROVIDER-32: at the token limit the calls come with the reason length', async () => {
    const finish = isMessages ? 'max_tokens' : 'length';
    const key = keyFor({ chunks: [{ call: 'sky_look', input: {}, json: '{"at' }], finish });
    const { events, calls } = await read(make(), asking(key));
    expect(calls).toMatchObject([{ arguments: '{"at' }]);
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'length' });
  });

  test('PROVIDER-32: an answer that breaks off has no calls', async () => {
    const key = keyFor({ chunks: [{ call: 'sky_look', input: {} }], ending: 'close' });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { type } of make().stream(asking(key), new AbortController().signal)) seen.push(type);
    })();
    await expect(reading).rejects.toMatchObject({ kind: 'interrupted' });
    expect(seen).not.toContain('call');
  });

  test('PROVIDER-32: of more than 100 calls the first count, and an answer of more than 8 Mi characters fails', async () => {
    const many = Array.from({ length: 150 }, (_, at) => ({ call: 'sky_look', input: { at } }));
    const key = keyFor(calling(...many), { chunks: ['ok'] });
    const first = await read(make(), asking(key));
    expect(first.calls.map((call) => JSON.parse(call.arguments) as unknown)).toEqual(
      many.slice(0, 100).map(({ input }) => input),
    );
    const second = await read(make(), asking(key, { steps: [first.step()] }));
    expect(second.events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    const huge = { reasoning: Array.from({ length: 10 }, () => 'x'.repeat(900_000)) };
    await expect(read(make(), asking(keyFor(calling(huge))))).rejects.toMatchObject({ kind: 'protocol' });
  });

  test('PROVIDER-32: an answer with files in its context and a step before it is asked for as one without', async () => {
    const file = {
      type: 'image',
      mimeType: 'image/jpeg',
      name: 'a.jpg',
      data: Buffer.from('eA=='),
      instead: '',
      tokens: 1,
    } as const;
    const messages = [{ role: 'user' as const, text: 'Hi', files: [file] }];
    const key = keyFor(calling({ call: 'sky_look', input: {} }), { chunks: ['ok'] });
    const first = await read(make(), asking(key, { messages }));
    await read(make(), asking(key, { messages, steps: [first.step()] }));
    expect(messagesOf(key).map((message) => JSON.stringify(message).includes('eA=='))).toEqual([true, false, false]);
  });

  test('PROVIDER-33: steps of the other protocol, and those of a request without tools, come in words', async () => {
    const other = isMessages ? chatApi : messagesApi;
    const firstKey = keyFor({
      chunks: ['I look.', { call: 'sky_look', input: { at: 'north' } }],
      finish: other.reason,
    });
    const first = await read(other.make(), asking(firstKey));
    for (const more of [{}, { tools: [] }]) {
      const key = keyFor({ chunks: ['Clouds.'] });
      const { events } = await read(make(), asking(key, { steps: [first.step()], ...more }));
      expect(events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
      expect(messagesOf(key)).toEqual([
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'I look.\n\n(I called the tool sky_look with {"at":"north"})' },
        { role: 'user', content: '(The tool sky_look returned:)\nsky_look is done' },
      ]);
    }
  });
});
