import type { Clock } from '../../core/clock.ts';
import type { MessageFile } from '../../rules/context-files.ts';
import type { ThinkingEffort } from '../../rules/run-config.ts';
import { AnthropicReader } from './anthropic-reader.ts';
import { openEventStream } from './event-stream.ts';
import { Encoded } from './json-bytes.ts';
import type { AgentProvider, ProviderRequest } from './provider.ts';
import { readReply } from './read-reply.ts';
import { type VendorTurn, vendorTurns } from './vendor-messages.ts';
import { serverOf, type VendorOptions } from './vendor-server.ts';

export const anthropicBaseUrl = 'https://api.anthropic.com/v1';

const defaultMaxTokens = 4096;

/** The headers of every request; a server of one's own may need no key. */
export const anthropicHeaders = (apiKey: string): Record<string, string> => ({
  ...(apiKey !== '' && { 'x-api-key': apiKey }),
  'anthropic-version': '2023-06-01',
});

/** Anthropic's Messages API, streaming. */
export function anthropicProvider(options: VendorOptions & { clock: Clock }): AgentProvider {
  return {
    stream(request, signal, heard = () => {}) {
      const apiKey = request.apiKey.trim();
      const server = serverOf(request, options, anthropicBaseUrl);
      const call = { server, path: '/messages', headers: anthropicHeaders(apiKey), body: bodyOf(request), apiKey };
      return readReply(openEventStream(call, options.clock, signal, heard), new AnthropicReader(), apiKey);
    },
  };
}

function bodyOf(request: ProviderRequest): unknown {
  const maxTokens = request.maxOutputTokens ?? defaultMaxTokens;
  return {
    model: request.model,
    max_tokens: maxTokens,
    stream: true,
    ...(request.system ? { system: request.system.toWellFormed() } : {}),
    ...(request.temperature === undefined || request.thinking ? {} : { temperature: request.temperature }),
    ...thinkingOf(request, maxTokens),
    messages: vendorTurns(request.messages).map(messageOf),
  };
}

/** The least budget that the API takes. */
const leastBudget = 1_024;
/** The share of `max_tokens` that may be thoughts, which count towards it. */
const budgetShares: Record<ThinkingEffort, number> = { low: 0.25, medium: 0.5, high: 0.75 };

/** How the model is asked to think (PART-20). Without `display` newer models think, but show nothing of it. */
function thinkingOf({ thinking, thinksInBudget }: ProviderRequest, maxTokens: number): object {
  if (thinking === undefined) return {};
  if (!thinksInBudget)
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: thinking } };
  const budget_tokens = Math.max(leastBudget, Math.floor(budgetShares[thinking] * maxTokens));
  return { thinking: { type: 'enabled', budget_tokens } };
}

/** One text block per message of a turn, so that no message can pass for another user's (PROVIDER-17). */
function messageOf({ role, parts }: VendorTurn): object {
  const blocks = parts.flatMap(({ text, files = [] }) => [{ type: 'text', text }, ...files.map(blockOf)]);
  const [first, ...others] = parts;
  return { role, content: others.length === 0 && !first?.files ? first?.text : blocks };
}

/** An image or a PDF (PROVIDER-18). */
function blockOf({ type, mimeType, name, data }: MessageFile): object {
  const source = { type: 'base64', media_type: mimeType, data: new Encoded('', data) };
  return { type, source, ...(type === 'document' && name !== '' && { title: name }) };
}
