// The tables of docs/MODEL-STREAMS.md, row by row, over real HTTP.
import { readFileSync } from 'node:fs';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { type FakeProviders, startFakeProviders } from '@parley/testing/providers/fake-providers.ts';
import { chatRows } from '@parley/testing/providers/streams/chat-rows.ts';
import { messagesRows } from '@parley/testing/providers/streams/messages-rows.ts';
import { ok, type RowOutcome, type StreamRow, tableOf } from '@parley/testing/providers/streams/row.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropicProvider } from './anthropic.ts';
import { openaiProvider } from './openai.ts';
import { type AgentProvider, ProviderError } from './provider.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

const protocols = [
  {
    name: 'Chat Completions',
    rows: chatRows,
    make: (clock: ManualClock) => openaiProvider({ clock, baseUrl: fakes.urlB }),
  },
  {
    name: 'Messages',
    rows: messagesRows,
    make: (clock: ManualClock) => anthropicProvider({ clock, baseUrl: fakes.urlA }),
  },
];

async function read(provider: AgentProvider, apiKey: string, offered: readonly string[] = []): Promise<RowOutcome> {
  const outcome: RowOutcome = { ...ok, text: '', end: null };
  const tools = new Map<string, RowOutcome['tools'][number]>();
  const sources = new Set<string>();
  const pictures: (number | string)[] = [];
  const calls: RowOutcome['calls'][number][] = [];
  const request = {
    apiKey,
    model: 'm',
    messages: [{ role: 'user' as const, text: 'Hi' }],
    ...(offered.length > 0 && { tools: offered.map((name) => ({ name, description: '', inputSchema: {} })) }),
  };
  try {
    for await (const event of provider.stream(request, new AbortController().signal)) {
      if (event.type === 'text') outcome.text += event.text;
      else if (event.type === 'reasoning') outcome.reasoning += event.text;
      else if (event.type === 'usage') outcome.usage = [event.inputTokens, event.outputTokens];
      else if (event.type === 'source') sources.add(event.url);
      else if (event.type === 'picture') pictures.push(event.bytes?.length ?? event.url ?? '');
      else if (event.type === 'tool')
        tools.set(event.key, { name: event.name, input: event.input, status: event.status });
      else if (event.type === 'call') calls.push({ name: event.name, arguments: event.arguments });
      else if (event.type === 'end') outcome.end = event.reason;
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    outcome.error = error.kind;
    if (error.quote !== undefined) outcome.quote = error.quote;
  }
  return { ...outcome, sources: [...sources], pictures, tools: [...tools.values()], calls };
}

describe.each(protocols)('$name', ({ name, rows, make }) => {
  let serial = 0;
  const ofRule = (rule: string): StreamRow[] => rows.filter((row) => row.rule === rule);

  async function check({ wires, type, tools, waitsMs, outcome }: StreamRow): Promise<void> {
    for (const wire of wires) {
      const clock = new ManualClock();
      const key = `${name.replace(' ', '-')}-${(serial += 1)}`;
      fakes.script(key, {
        raw: wire,
        ...(waitsMs !== undefined && { ending: 'hang' }),
        ...(type !== undefined && { headers: { 'content-type': type } }),
      });
      const reading = read(make(clock), key, tools);
      if (waitsMs !== undefined) {
        await clock.timerSet(waitsMs);
        await clock.advance(waitsMs);
      }
      const { quote, ...got } = await reading;
      const { quote: words, ...wanted } = { ...ok, ...outcome };
      expect({ wire, ...got }).toEqual({ wire, ...wanted });
      if (words !== undefined) expect({ wire, quote }).toEqual({ wire, quote: words });
      expect(clock.pendingTimers).toBe(0);
    }
  }

  test.each(ofRule('PROVIDER-3'))('PROVIDER-3: $sends', check);
  test.each(ofRule('PROVIDER-9'))('PROVIDER-9: $sends', check);
  test.each(ofRule('PROVIDER-12'))('PROVIDER-12: $sends', check);
  test.each(ofRule('PROVIDER-20'))('PROVIDER-20: $sends', check);
  test.each(ofRule('PROVIDER-21'))('PROVIDER-21: $sends', check);
  test.each(ofRule('PROVIDER-22'))('PROVIDER-22: $sends', check);
  test.each(ofRule('PROVIDER-23'))('PROVIDER-23: $sends', check);
  test.each(ofRule('PROVIDER-28'))('PROVIDER-28: $sends', check);
  test.each(ofRule('PROVIDER-29'))('PROVIDER-29: $sends', check);
  test.each(ofRule('PROVIDER-32'))('PROVIDER-32: $sends', check);
  test.each(ofRule('PART-16'))('PART-16: $sends', check);
  test.each(ofRule('PART-17'))('PART-17: $sends', check);
  test.each(ofRule('PART-18'))('PART-18: $sends', check);
  test.each(ofRule('PICTURE-6'))('PICTURE-6: $sends', check);
  test.each(ofRule('USAGE-2'))('USAGE-2: $sends', check);

  test('PROVIDER-30: docs/MODEL-STREAMS.md has the table of these rows', () => {
    expect(readFileSync('docs/MODEL-STREAMS.md', 'utf8')).toContain(tableOf(rows));
  });
});
