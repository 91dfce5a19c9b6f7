// The steps of a turn in the Chat Completions API.
import type { RecordedRequest, ReplyScript } from '@parley/testing/providers/fake-providers.ts';
import { describe, expect, test } from 'vitest';
import type { AgentProvider } from './provider.ts';
import {
  asking,
  chatApi,
  keyFor,
  look,
  messagesOf,
  read,
  requestsOf,
  toolsOf,
  useFakes,
} from '../../test/helpers/tool-stage.ts';

useFakes();

describe('Chat Completions', () => {
  const provider = (): AgentProvider => chatApi.make();
  const calling = { chunks: [{ call: 'sky_look', input: { at: 'north' } }], finish: 'tool_calls' };
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const call = (given: object): string => chunk({ tool_calls: [given] });
  const rawCalls = (...calls: string[]): ReplyScript => ({
    raw: `${calls.join('')}${chunk({}, 'tool_calls')}data: [DONE]\n\n`,
  });

  test.each(['reasoning_content', 'reasoning'] as const)(
    'PROVIDER-33: thoughts in %s go back to the model that wrote them, and to no other',
    async (reasoningField) => {
      const key = keyFor(
        { ...calling, chunks: [{ reasoning: ['Hm, ', 'up.'] }, ...calling.chunks], reasoningField },
        {
          chunks: ['ok'],
        },
      );
      const first = await read(provider(), asking(key));
      await read(provider(), asking(key, { steps: [first.step()] }));
      expect(messagesOf(key)[1]).toMatchObject({ role: 'assistant', content: null, [reasoningField]: 'Hm, up.' });
      await read(provider(), asking(key, { model: 'another', steps: [first.step()] }));
      expect(messagesOf(key)[1]).not.toHaveProperty(reasoningField);
    },
  );

  test('PROVIDER-33: pieces of reasoning_details, and fields of calls that the API does not have, go back whole', async () => {
    const details = (...reasoning_details: object[]): string => chunk({ reasoning_details });
    const signed = { google: { thought_signature: 'c2ln' } };
    const key = keyFor(
      rawCalls(
        details({ type: 'reasoning.text', index: 0, text: 'Hm, ' }),
        details({ type: 'reasoning.text', index: 0, text: 'up.', signature: null }),
        details({ type: 'reasoning.text', index: 0, signature: 'c2ln' }),
        details(
          { type: 'reasoning.encrypted', index: 1, id: 'r1', data: 'aGlk' },
          { type: 'reasoning.encrypted', index: 1, id: 'r2', data: 'ZGVu' },
        ),
        call({ index: 0, id: 'a', extra_content: signed, function: { name: 'sky_look', arguments: '{}' } }),
      ),
      { chunks: ['ok'] },
    );
    const first = await read(provider(), asking(key));
    await read(provider(), asking(key, { steps: [first.step()] }));
    expect(messagesOf(key)[1]).toEqual({
      role: 'assistant',
      content: null,
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'Hm, up.', signature: 'c2ln' },
        { type: 'reasoning.encrypted', index: 1, id: 'r1', data: 'aGlk' },
        { type: 'reasoning.encrypted', index: 1, id: 'r2', data: 'ZGVu' },
      ],
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'sky_look', arguments: '{}' }, extra_content: signed },
      ],
    });
  });

  test('PROVIDER-33: thoughts in tags go back in the text', async () => {
    const key = keyFor(
      rawCalls(
        chunk({ content: '<think>Hm</think>I look.' }),
        call({ index: 0, id: 'a', function: { name: 'sky_look', arguments: '{}' } }),
      ),
      { chunks: ['ok'] },
    );
    const first = await read(provider(), asking(key));
    expect(first.events.slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'I look.' },
    ]);
    await read(provider(), asking(key, { steps: [first.step()] }));
    expect(messagesOf(key)[1]).toMatchObject({ content: '<think>Hm</think>I look.' });
  });

  test.each([
    [
      'no ids at one index',
      call({ index: 0, function: { name: 'a', arguments: '{}' } }) +
        call({ index: 0, function: { name: 'b', arguments: '{"x":1}' } }),
    ],
    [
      'neither index nor id in their pieces',
      call({ id: '1', function: { name: 'a' } }) +
        call({ function: { arguments: '{' } }) +
        call({ function: { arguments: '}' } }) +
        call({ id: '2', function: { name: 'b', arguments: '{"x"' } }) +
        call({ function: { arguments: ':1}' } }),
    ],
    [
      'a name with every piece',
      call({ index: 0, id: '1', function: { name: 'a', arguments: '{}' } }) +
        call({ index: 0, function: { name: 'a', arguments: '' } }) +
        call({ index: 1, id: '2', function: { name: 'b', arguments: '{"x"' } }) +
        call({ index: 1, function: { name: 'b', arguments: ':1}' } }),
    ],
    [
      'one id',
      call({ index: 0, id: 'same', function: { name: 'a', arguments: '{}' } }) +
        call({ index: 1, id: 'same', function: { name: 'b', arguments: { x: 1 } } }),
    ],
    [
      'an id that is too long',
      call({ index: 0, id: 'i'.repeat(300), function: { name: 'a', arguments: '{}' } }) +
        call({ index: 1, function: { name: 'b', arguments: { x: 1 } } }),
    ],
  ])('PROVIDER-32: calls with %s are told apart, and get ids of their own', async (_, calls) => {
    const key = keyFor(rawCalls(calls), { chunks: ['ok'] });
    const first = await read(provider(), asking(key));
    expect(first.calls.map((one) => [one.name, one.arguments])).toEqual([
      ['a', '{}'],
      ['b', '{"x":1}'],
    ]);
    expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2);
    const second = await read(provider(), asking(key, { steps: [first.step()] }));
    expect(second.events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
  });

  const refusingOnce =
    (isRefused: (messages: readonly Record<string, unknown>[]) => boolean, message: string, status = 400) =>
    ({ body }: RecordedRequest): ReplyScript => {
      const messages = body['messages'] as Record<string, unknown>[];
      if (messages.length === 1) return { ...calling, chunks: [{ reasoning: ['Hm'] }, ...calling.chunks] };
      return isRefused(messages) ? { status, message } : { chunks: ['ok'] };
    };

  test.each([
    [
      "property 'messages.1.reasoning_content' is unsupported",
      (sent: Record<string, unknown>) => 'reasoning_content' in sent,
    ],
    [
      'messages[1].content: Input should be a valid string',
      (sent: Record<string, unknown>) => sent['content'] === null,
    ],
    [
      "Invalid type for 'messages[1].content': expected string, got null",
      (sent: Record<string, unknown>) => sent['content'] === null,
    ],
  ])(
    'PROVIDER-33: a server that says “%s” gets the step in another form, from then on at once',
    async (message, isWrong) => {
      const key = keyFor(refusingOnce(([, sent = {}]) => isWrong(sent), message));
      const one = provider();
      const first = await read(one, asking(key));
      for (const requests of [3, 4]) {
        const { events } = await read(one, asking(key, { steps: [first.step()], thinking: 'low' }));
        expect(events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
        expect(requestsOf(key)).toHaveLength(requests);
      }
    },
  );

  test('PROVIDER-32: a server that limits descriptions gets their beginning', async () => {
    const key = keyFor({ chunks: ['ok'] });
    const long = { ...look, description: 'Looks. '.repeat(200) };
    expect((await read(provider(), asking(key, { tools: [long] }))).events.at(-1)).toMatchObject({ reason: 'stop' });
    expect(toolsOf(key, 1)[0]?.['function']?.['description']).toHaveLength(1_024);
  });
});
