// Asks models with tools, over real HTTP against fakes that refuse what the vendors refuse.
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import {
  type FakeProviders,
  type RecordedRequest,
  type ReplyScript,
  startFakeProviders,
} from '@parley/testing/providers/fake-providers.ts';
import { afterAll, beforeAll } from 'vitest';
import { anthropicProvider } from '../../agents/providers/anthropic.ts';
import { openaiProvider } from '../../agents/providers/openai.ts';
import type {
  AgentProvider,
  ProviderEvent,
  ProviderRequest,
  ProviderStep,
  ToolDefinition,
} from '../../agents/providers/provider.ts';

export const look: ToolDefinition = {
  name: 'sky_look',
  description: 'Looks at the sky.',
  inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
};
const tools = [look];

let fakes: FakeProviders;
/** Starts the fakes for the tests of a file. */
export function useFakes(): void {
  beforeAll(async () => {
    fakes = await startFakeProviders();
  });
  afterAll(() => fakes.close());
}

interface Vendor {
  name: string;
  /** The vendor's reason for the end of an answer with calls. */
  reason: string;
  make: (clock?: ManualClock) => AgentProvider;
}
export const messagesApi: Vendor = {
  name: 'Messages',
  reason: 'tool_use',
  make: (clock = new ManualClock()) => anthropicProvider({ clock, baseUrl: fakes.urlA }),
};
export const chatApi: Vendor = {
  name: 'Chat Completions',
  reason: 'tool_calls',
  make: (clock = new ManualClock()) => openaiProvider({ clock, baseUrl: fakes.urlB }),
};
export const vendors = [messagesApi, chatApi];

type Call = Extract<ProviderEvent, { type: 'call' }>;
interface Answer {
  events: ProviderEvent[];
  calls: Call[];
  /** The step with these results; those of the calls by default. */
  step(results?: ProviderStep['results']): ProviderStep;
}

/** The whole answer, without its usage. */
export async function read(provider: AgentProvider, request: ProviderRequest): Promise<Answer> {
  const events = await Array.fromAsync(provider.stream(request, new AbortController().signal));
  const calls = events.filter((event) => event.type === 'call');
  return {
    events: events.filter(({ type }) => type !== 'usage'),
    calls,
    step(results = calls.map(({ id, name }) => ({ id, text: `${name} is done`, isError: false }))) {
      const last = events.findLast((event) => event.type === 'step');
      if (!last) throw new Error('the answer has no step');
      // As the turn stores it.
      return { blocks: JSON.parse(JSON.stringify(last.blocks)) as unknown, results };
    },
  };
}

let serial = 0;
/** A key under which the fakes answer with these. */
export function keyFor(...scripts: (ReplyScript | ((request: RecordedRequest) => ReplyScript))[]): string {
  const key = `tools-${(serial += 1)}`;
  fakes.script(key, ...scripts);
  return key;
}
/** A request that offers the tool. */
export const asking = (apiKey: string, more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  apiKey,
  model: 'm',
  messages: [{ role: 'user', text: 'Hi' }],
  tools,
  ...more,
});
/** The requests under a key. */
export const requestsOf = (key: string): readonly RecordedRequest[] => fakes.requestsOf(key);
/** The messages of the newest one. */
export const messagesOf = (key: string): readonly Record<string, unknown>[] =>
  (fakes.requestsOf(key).at(-1)?.body['messages'] ?? []) as Record<string, unknown>[];

/** The tools of one of them, counted from 0. */
export const toolsOf = (key: string, at: number): readonly Record<string, Record<string, unknown>>[] =>
  (requestsOf(key)[at]?.body['tools'] ?? []) as Record<string, Record<string, unknown>>[];
