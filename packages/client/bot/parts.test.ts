import type { Part } from '@parley/protocol';
import { expect, test } from 'vitest';
import { BotStage } from '@parley/testing/bot/stage.ts';
import type { BotContext, StreamEvent } from './bot.ts';

/** Starts a bot that answers with this, and returns its answer. */
async function answered(stage: BotStage, answer: (ctx: BotContext) => unknown) {
  const bot = stage.bot();
  bot.on('message', async (ctx) => void (await answer(ctx)));
  await bot.start({ signals: false });
  return stage.answerTo(await stage.say('go'));
}

test('BOTSDK-26: the events of a model’s stream become text, reasoning, tools, sources and usage', async () => {
  await using stage = await BotStage.start();
  const call = { toolCallId: 'call_1', toolName: 'weather', input: { city: 'Lisbon' } };
  const events: (StreamEvent & Record<string, unknown>)[] = [
    { type: 'start' },
    { type: 'start-step', request: {}, warnings: [] },
    { type: 'reasoning-start', id: '0' },
    { type: 'reasoning-delta', id: '0', text: 'Let me \ud83d' },
    { type: 'reasoning-delta', id: '0', text: '\ude42 see' },
    { type: 'reasoning-end', id: '0' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', text: 'I look. ' },
    { type: 'text-end', id: '1' },
    { type: 'tool-input-start', id: 'call_1', toolName: 'weather' },
    { type: 'tool-call', ...call },
    { type: 'tool-result', ...call, output: { sky: 'clear' } },
    { type: 'tool-call', ...call, toolCallId: 'c'.repeat(100) },
    { type: 'tool-error', ...call, toolCallId: 'c'.repeat(100), error: new Error('no network') },
    { type: 'source', sourceType: 'url', id: 's1', url: 'https://sky.example/', title: 'Sky' },
    { type: 'source', sourceType: 'document', id: 's2', mediaType: 'text/plain', title: 'No' },
    { type: 'finish-step', finishReason: 'tool-calls' },
    { type: 'reasoning-delta', id: '0', text: 'Again' },
    { type: 'text-delta', id: '2', text: 'It is clear.' },
    { type: 'finish', finishReason: 'stop', totalUsage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 } },
  ];
  const answer = await answered(stage, (ctx) => ctx.stream(events));
  expect(answer).toMatchObject({
    content: 'I look. It is clear.',
    status: 'complete',
    usage: { input_tokens: 5, output_tokens: 7 },
  });
  const ms = expect.any(Number);
  const tool = { type: 'tool', name: 'weather', input: { city: 'Lisbon' }, offset: 8, duration_ms: ms };
  const order = ['thought 1', 'tool call_1', 'tool ', 'source', 'thought 2'];
  const rank = ({ id }: Part) => order.findIndex((name) => id.startsWith(name));
  expect(answer.parts?.toSorted((a, b) => rank(a) - rank(b))).toMatchObject([
    { type: 'reasoning', text: 'Let me 🙂 see', offset: 0, duration_ms: ms },
    { ...tool, output: { sky: 'clear' }, status: 'done' },
    { ...tool, error: 'no network', status: 'failed' },
    { type: 'source', url: 'https://sky.example/', title: 'Sky', offset: 8 },
    { type: 'reasoning', text: 'Again', offset: 8, duration_ms: ms },
  ]);
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-26: an error event fails the answer, and what is no event is a TypeError', async () => {
  await using stage = await BotStage.start();
  const bot = stage.bot();
  const sources = [
    [
      { type: 'text-delta', text: 'so far' },
      { type: 'error', error: new Error('overloaded') },
    ],
    [{ no: 1 }],
  ];
  bot.on('message', (ctx) => ctx.stream(sources[Number(ctx.text)] as StreamEvent[]));
  await bot.start({ signals: false });
  expect(await stage.answerTo(await stage.say('0'))).toMatchObject({ content: 'so far', status: 'failed' });
  expect(await stage.answerTo(await stage.say('1'))).toMatchObject({ status: 'failed' });
  expect(stage.lines.map((line) => line.split('\n')[0])).toEqual([
    'Error: overloaded',
    expect.stringMatching(/TypeError/),
  ]);
});
