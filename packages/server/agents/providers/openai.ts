import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { jsonOf, missingEndMark, openEventStream, shapeOf } from './event-stream.ts';
import {
  type AgentProvider,
  type EndReason,
  ProviderError,
  type ProviderEvent,
  type ProviderRequest,
} from './provider.ts';
import { toldCount } from './told-usage.ts';
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
  usage: z.object({ prompt_tokens: toldCount, completion_tokens: toldCount }).nullish().catch(undefined),
  error: z.unknown().optional(),
});

const endReasons: Readonly<Record<string, EndReason>> = { stop: 'stop', length: 'length' };

/** OpenAI's Chat Completions API, streaming, as Ollama, vLLM and llama.cpp serve it too. */
export function openaiProvider(options: { clock: Clock; baseUrl?: string }): AgentProvider {
  const url = `${(options.baseUrl ?? openaiBaseUrl).replace(/\/+$/, '')}/chat/completions`;
  /** Set once this address has answered without `stream_options` what it had refused with them (USAGE-3). */
  let isPlain = false;

  async function* reply(
    { apiKey: given }: ProviderRequest,
    body: unknown,
    signal: AbortSignal,
    heard: () => void,
  ): AsyncGenerator<ProviderEvent> {
    const apiKey = given.trim();
    const headers = { authorization: `Bearer ${apiKey}` };
    const events = openEventStream({ url, headers, body, apiKey }, options.clock, signal, heard);
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
      // The usage comes in a chunk of its own behind the one that finishes; some servers tell it with every chunk.
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = data.usage ?? {};
      if (typeof inputTokens === 'number' && typeof outputTokens === 'number')
        yield { type: 'usage', inputTokens, outputTokens };
      if (choice?.finish_reason) {
        finishReason = choice.finish_reason;
        events.finish();
      }
    }
    if (finishReason === undefined) throw missingEndMark();
    yield { type: 'end', reason: endReasons[finishReason] ?? 'other' };
  }

  return {
    async *stream(request, signal, heard = () => {}) {
      const plain = bodyOf(request);
      let refusal: ProviderError | undefined;
      if (!isPlain)
        try {
          yield* reply(request, { ...plain, stream_options: { include_usage: true } }, signal, heard);
          return undefined;
        } catch (error) {
          if (!isRefused(error)) throw error;
          refusal = error;
        }
      try {
        for await (const event of reply(request, plain, signal, heard)) {
          isPlain = true;
          yield event;
        }
      } catch (error) {
        // It was not for the options that it was refused.
        throw refusal && isRefused(error) ? refusal : error;
      }
      return undefined;
    },
  };
}

/** The whole request was refused, as by a server that does not know one of its fields; not an error in a stream. */
const isRefused = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && (error.status === 400 || error.status === 422);

function bodyOf(request: ProviderRequest): object {
  return {
    model: request.model,
    stream: true,
    ...(request.maxOutputTokens === undefined ? {} : { max_completion_tokens: request.maxOutputTokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    messages: [
      // Not `developer`: only OpenAI knows that role, and it takes this one too.
      ...(request.system ? [{ role: 'system', content: request.system.toWellFormed() }] : []),
      ...vendorMessages(request.messages),
    ],
  };
}
