import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { MessageFile } from '../../rules/context-files.ts';
import type { ThinkingEffort } from '../../rules/run-config.ts';
import { AnthropicBlocks } from './anthropic-blocks.ts';
import { jsonOf, missingEndMark, openEventStream, shapeOf } from './event-stream.ts';
import { Encoded } from './json-bytes.ts';
import type { AgentProvider, EndReason, ProviderEvent, ProviderRequest } from './provider.ts';
import { reportedCount } from './reported-usage.ts';
import { errorInStream } from './vendor-errors.ts';
import { type VendorTurn, vendorTurns } from './vendor-messages.ts';
import { serverOf, type VendorOptions } from './vendor-server.ts';

export const anthropicBaseUrl = 'https://api.anthropic.com/v1';

const defaultMaxTokens = 4096;

/** Accepts anything: a malformed usage must not fail the reply (USAGE-2). */
const usage = z
  .object({
    input_tokens: reportedCount,
    cache_creation_input_tokens: reportedCount,
    cache_read_input_tokens: reportedCount,
    output_tokens: reportedCount,
  })
  .nullish()
  .catch(undefined);
const typed = z.object({ type: z.string() });
const messageStart = z.object({ message: z.object({ usage }) });
const blockDelta = z.object({ delta: z.object({ type: z.string(), text: z.string().optional() }) });
const messageDelta = z.object({ delta: z.object({ stop_reason: z.string().nullish() }), usage });

const endReasons: Readonly<Record<string, EndReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'filtered',
};

/** The headers of every request; a server of one's own may need no key. */
export const anthropicHeaders = (apiKey: string): Record<string, string> => ({
  ...(apiKey !== '' && { 'x-api-key': apiKey }),
  'anthropic-version': '2023-06-01',
});

/** Anthropic's Messages API, streaming. A reply is complete only with its `message_stop`. */
export function anthropicProvider(options: VendorOptions & { clock: Clock }): AgentProvider {
  return {
    async *stream(request, signal, heard = () => {}) {
      const apiKey = request.apiKey.trim();
      const server = serverOf(request, options, anthropicBaseUrl);
      const call = { server, path: '/messages', headers: anthropicHeaders(apiKey), body: bodyOf(request), apiKey };
      const events = openEventStream(call, options.clock, signal, heard);
      const reported = new ReportedUsage();
      const blocks = new AnthropicBlocks();
      let stopReason = '';
      let isWhole = false;
      for await (const event of events) {
        if (isWhole) continue;
        const data = jsonOf(event);
        // Other types (pings, future ones) are ignored.
        switch (shapeOf(typed, data).type) {
          case 'message_start': {
            const { message } = shapeOf(messageStart, data);
            // Report it immediately: a reply that breaks off has cost this much.
            if (reported.take(message.usage)) yield reported.event();
            break;
          }
          case 'content_block_delta': {
            const { delta } = shapeOf(blockDelta, data);
            if (delta.type !== 'text_delta') yield* blocks.delta(data);
            else if (delta.text) yield { type: 'text', text: delta.text };
            break;
          }
          case 'content_block_start':
            yield* blocks.start(data);
            break;
          case 'content_block_stop':
            yield* blocks.stop(data);
            break;
          case 'message_delta': {
            const { delta, usage } = shapeOf(messageDelta, data);
            stopReason = delta.stop_reason ?? stopReason;
            if (reported.take(usage)) yield reported.event();
            break;
          }
          case 'error':
            throw errorInStream(data, apiKey);
          case 'message_stop':
            isWhole = true;
            events.finish();
        }
      }
      if (!isWhole) throw missingEndMark();
      yield { type: 'end', reason: endReasons[stopReason] ?? 'other' };
    },
  };
}

/** The usage reported so far. A later number replaces an earlier one, because all of them are totals. */
class ReportedUsage {
  #input: number | undefined;
  #cache = { written: 0, read: 0 };
  #output = 0;

  /** Adds a report to the totals. Returns false if there is no report, or none has had input tokens yet. */
  take(report: z.output<typeof usage>): boolean {
    if (!report) return false;
    this.#input = report.input_tokens ?? this.#input;
    this.#cache.written = report.cache_creation_input_tokens ?? this.#cache.written;
    this.#cache.read = report.cache_read_input_tokens ?? this.#cache.read;
    this.#output = report.output_tokens ?? this.#output;
    return this.#input !== undefined;
  }

  event(): ProviderEvent {
    const inputTokens = (this.#input ?? 0) + this.#cache.written + this.#cache.read;
    return { type: 'usage', inputTokens, outputTokens: this.#output };
  }
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
