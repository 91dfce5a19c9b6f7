import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { jsonOf, missingEndMark, openEventStream, shapeOf } from './event-stream.ts';
import type { AgentProvider, EndReason, ProviderRequest } from './provider.ts';
import { errorInStream } from './vendor-errors.ts';
import { vendorMessages } from './vendor-messages.ts';

export const openaiBaseUrl = 'https://api.openai.com/v1';

/** As loose as the servers that imitate the API: some send `choices: null` in the last chunk, some leave it out. */
const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
  error: z.unknown().optional(),
});

const endReasons: Readonly<Record<string, EndReason>> = { stop: 'stop', length: 'length' };

/** OpenAI's Chat Completions API, streaming, as Ollama, vLLM and llama.cpp serve it too. */
export function openaiProvider(options: { clock: Clock; baseUrl?: string }): AgentProvider {
  const url = `${(options.baseUrl ?? openaiBaseUrl).replace(/\/+$/, '')}/chat/completions`;
  return {
    async *stream(request, signal, heard = () => {}) {
      const apiKey = request.apiKey.trim();
      const headers = { authorization: `Bearer ${apiKey}` };
      const events = openEventStream({ url, headers, body: bodyOf(request), apiKey }, options.clock, signal, heard);
      let finishReason: string | undefined;
      for await (const event of events) {
        if (event.data === '[DONE]') {
          finishReason ??= 'stop';
          events.finish();
          continue;
        }
        const data = shapeOf(chunk, jsonOf(event));
        if (data.error !== undefined && data.error !== null) throw errorInStream(data, apiKey);
        const choice = data.choices?.[0];
        const text = choice?.delta?.content || choice?.delta?.refusal;
        if (text) yield { type: 'text', text };
        // The usage comes in a chunk of its own behind the one that finishes.
        if (data.usage) {
          yield { type: 'usage', inputTokens: data.usage.prompt_tokens, outputTokens: data.usage.completion_tokens };
        }
        if (choice?.finish_reason) {
          finishReason = choice.finish_reason;
          events.finish();
        }
      }
      if (finishReason === undefined) throw missingEndMark();
      yield { type: 'end', reason: endReasons[finishReason] ?? 'other' };
    },
  };
}

function bodyOf(request: ProviderRequest): unknown {
  return {
    model: request.model,
    stream: true,
    stream_options: { include_usage: true },
    ...(request.maxOutputTokens === undefined ? {} : { max_completion_tokens: request.maxOutputTokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    messages: [
      // Not `developer`: only OpenAI knows that role, and it takes this one too.
      ...(request.system ? [{ role: 'system', content: request.system.toWellFormed() }] : []),
      ...vendorMessages(request.messages),
    ],
  };
}
