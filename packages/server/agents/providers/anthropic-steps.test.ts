// The steps of a turn in Anthropic's Messages API.
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import type { FakeBlock, ReplyScript } from '@parley/testing/providers/fake-providers.ts';
import { HIDDEN_THOUGHTS, signatureOf } from '@parley/testing/providers/fake-signature.ts';
import { describe, expect, test } from 'vitest';
import { withContinuedPauses } from './continued-pauses.ts';
import type { AgentProvider } from './provider.ts';
import { withRetries } from './retries.ts';
import { asking, keyFor, messagesApi, messagesOf, read, requestsOf, useFakes } from '../../test/helpers/tool-stage.ts';

useFakes();

describe('Messages', () => {
  const provider = (): AgentProvider => messagesApi.make();
  const rain = { url: 'https://rain.example/', title: 'Rain', quoted: 'It rains.' };
  const whole: ReplyScript = {
    chunks: [
      { reasoning: ['Let me ', 'see.'] },
      { search: 'rain', found: [rain] },
      { text: 'It rains', cites: [rain] },
      { call: 'sky_look', input: { at: 'north' } },
    ],
    finish: 'tool_use',
  };
  const contentSent = (key: string, at: number) => messagesOf(key)[at]?.['content'] as Record<string, unknown>[];

  test('PROVIDER-33: thoughts with their signatures, hidden ones, and tools of the vendor go back as they came, in order', async () => {
    const key = keyFor(whole, { chunks: ['ok'] });
    const thinking = 'medium';
    const first = await read(provider(), asking(key, { thinking }));
    expect(first.events.filter(({ type }) => type === 'tool').map((event) => 'name' in event && event.name)).toEqual([
      'web_search',
      'web_search',
      'web_search',
    ]);
    // The fake refuses a changed signature.
    const second = await read(provider(), asking(key, { thinking, steps: [first.step()] }));
    expect(second.events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    expect(contentSent(key, 1)).toMatchObject([
      { type: 'thinking', thinking: 'Let me see.', signature: signatureOf('Let me see.') },
      { type: 'redacted_thinking', data: HIDDEN_THOUGHTS },
      { type: 'server_tool_use', name: 'web_search', input: { query: 'rain' } },
      { type: 'web_search_tool_result', content: [{ url: rain.url, encrypted_content: expect.any(String) as string }] },
      { type: 'text', text: 'It rains', citations: [{ url: rain.url, encrypted_index: expect.any(String) as string }] },
      { type: 'tool_use', name: 'sky_look', input: { at: 'north' } },
    ]);
  });

  test('PROVIDER-33: another model, or server, does not get the thoughts', async () => {
    const key = keyFor(whole, { chunks: ['ok'] });
    const first = await read(provider(), asking(key));
    await read(provider(), asking(key, { model: 'another', steps: [first.step()] }));
    expect(contentSent(key, 1).map(({ type }) => type)).toEqual([
      'server_tool_use',
      'web_search_tool_result',
      'text',
      'tool_use',
    ]);
  });

  test('PROVIDER-33: the older form of thinking is asked for only if the newest answer began with thoughts', async () => {
    const model = 'claude-sonnet-4-5';
    const budget = { model, thinking: 'low', thinksInBudget: true } as const;
    for (const [script, isAsked] of [
      [whole, true],
      [{ chunks: [{ call: 'sky_look', input: {} }], finish: 'tool_use' }, false],
    ] as const) {
      const key = keyFor(script, { chunks: ['ok'] });
      const first = await read(provider(), asking(key, { model }));
      await read(provider(), asking(key, { ...budget, steps: [first.step()] }));
      expect(requestsOf(key)[1]?.body['thinking'] !== undefined).toBe(isAsked);
    }
  });

  test('PROVIDER-33: the container of the vendor’s tools is named again', async () => {
    const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
    const block = { type: 'tool_use', id: 'toolu_1', name: 'sky_look', input: { at: 'north' } };
    const raw =
      event({ type: 'message_start', message: { container: { id: 'container_1' } } }) +
      event({ type: 'content_block_start', index: 0, content_block: block }) +
      event({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }) +
      event({ type: 'message_stop' });
    const key = keyFor({ raw }, { chunks: ['ok'] });
    const first = await read(provider(), asking(key));
    await read(provider(), asking(key, { steps: [first.step()] }));
    expect(requestsOf(key).map(({ body }) => body['container'])).toEqual([undefined, 'container_1']);
  });

  describe('an answer that the vendor pauses', () => {
    const paused = (...chunks: (string | FakeBlock)[]): ReplyScript => ({
      chunks,
      finish: 'pause_turn',
      usage: { input: 10, output: 2 },
    });
    const search: FakeBlock = { search: 'rain', found: [rain] };
    const continued = (): AgentProvider => withContinuedPauses(provider());

    test('PROVIDER-35: is continued with what it has said; usage and steps are of all its requests', async () => {
      const key = keyFor(
        paused('One', search),
        paused('Two', search),
        { chunks: ['Three', { call: 'sky_look', input: {} }], finish: 'tool_use', usage: { input: 30, output: 5 } },
        { chunks: ['ok'] },
      );
      const events = await Array.fromAsync(continued().stream(asking(key), new AbortController().signal));
      expect(events.filter(({ type }) => type === 'end')).toEqual([{ type: 'end', reason: 'tools' }]);
      expect(events.flatMap((event) => (event.type === 'text' ? event.text : []))).toEqual(['One', 'Two', 'Three']);
      expect(events.findLast(({ type }) => type === 'usage')).toEqual({
        type: 'usage',
        inputTokens: 50,
        outputTokens: 9,
      });
      const { blocks } = events.find((event) => event.type === 'step') ?? {};
      const answer = await read(continued(), asking(key, { steps: [{ blocks, results: [] }] }));
      expect(answer.events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
      const types = ['text', 'server_tool_use', 'web_search_tool_result'];
      expect(contentSent(key, 1).map(({ type }) => type)).toEqual([...types, ...types, 'text', 'tool_use']);
    });

    test('PROVIDER-35: ends as paused after 8 continuations', async () => {
      const key = keyFor(paused('.'));
      const { events } = await read(continued(), asking(key));
      expect(requestsOf(key)).toHaveLength(9);
      expect(events.at(-1)).toEqual({ type: 'end', reason: 'paused' });
      expect(events.map(({ type }) => type)).not.toContain('step');
    });

    test('PROVIDER-35: ends as paused at once if the request has no tools', async () => {
      const key = keyFor(paused('.'));
      const { events } = await read(continued(), asking(key, { tools: [] }));
      expect(requestsOf(key)).toHaveLength(1);
      expect(events.at(-1)).toEqual({ type: 'end', reason: 'paused' });
    });

    test('PROVIDER-35: a continuation that is retried keeps what came before it, and its usage begins anew', async () => {
      const key = keyFor(
        paused('One', search),
        { chunks: [{ reasoning: ['Hm'] }], ending: 'error' },
        { chunks: ['Two'], usage: { input: 30, output: 5 } },
      );
      const clock = new ManualClock();
      const retried = withContinuedPauses(
        withRetries(provider(), { attempts: 2, baseMs: 1, maxMs: 1 }, clock, () => 1),
      );
      const reading = Array.fromAsync(retried.stream(asking(key), new AbortController().signal));
      await clock.timerSet(1);
      await clock.advance(1);
      const events = await reading;
      const types = events.filter(({ type }) => type !== 'usage').map(({ type }) => type);
      expect(types.slice(types.indexOf('retry'))).toEqual(['retry', 'tool', 'tool', 'tool', 'source', 'text', 'end']);
      expect(events.findLast(({ type }) => type === 'usage')).toMatchObject({ inputTokens: 30, outputTokens: 5 });
      // The second request was sent anew, and not the first.
      expect(requestsOf(key).map(({ body }) => (body['messages'] as unknown[]).length)).toEqual([1, 2, 2]);
    });

    test('PROVIDER-35: a result that the continuation brings belongs to the call before the pause', async () => {
      const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
      const answer = (block: object, stop_reason: string): ReplyScript => ({
        raw:
          event({ type: 'message_start', message: {} }) +
          event({ type: 'content_block_start', index: 0, content_block: block }) +
          event({ type: 'content_block_stop', index: 0 }) +
          event({ type: 'message_delta', delta: { stop_reason } }) +
          event({ type: 'message_stop' }),
      });
      const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
      const use = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'rain' } };
      const key = keyFor(answer(use, 'pause_turn'), answer(found, 'end_turn'));
      const { events } = await read(continued(), asking(key));
      expect(events.findLast(({ type }) => type === 'tool')).toMatchObject({ name: 'web_search', status: 'done' });
    });
  });
});
