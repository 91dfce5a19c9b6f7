import type { Clock } from '../../core/clock.ts';
import { anthropicBody } from './anthropic-body.ts';
import { AnthropicAnswer } from './anthropic-answer.ts';
import { AnthropicReader } from './anthropic-reader.ts';
import { openEventStream } from './event-stream.ts';
import type { AgentProvider } from './provider.ts';
import { readReply } from './read-reply.ts';
import { sendable } from './step-blocks.ts';
import { serverOf, type VendorOptions } from './vendor-server.ts';

export const anthropicBaseUrl = 'https://api.anthropic.com/v1';

/** The headers of every request; a server of one's own may need no key. */
export const anthropicHeaders = (apiKey: string): Record<string, string> => ({
  ...(apiKey !== '' && { 'x-api-key': apiKey }),
  'anthropic-version': '2023-06-01',
});

/** Anthropic's Messages API, streaming. */
export function anthropicProvider(options: VendorOptions & { clock: Clock }): AgentProvider {
  return {
    stream(given, signal, heard = () => {}) {
      const request = sendable(given);
      const apiKey = request.apiKey.trim();
      const server = serverOf(request, options, anthropicBaseUrl);
      const from = `${server.base} ${request.model}`;
      const body = anthropicBody(request, from);
      const call = { server, path: '/messages', headers: anthropicHeaders(apiKey), body, apiKey };
      const { tools = [], webSearch, steps = [] } = request;
      const answer = tools.length > 0 || webSearch ? new AnthropicAnswer(tools, steps, from) : undefined;
      return readReply(openEventStream(call, options.clock, signal, heard), new AnthropicReader(answer), apiKey);
    },
  };
}
