import type { Clock } from '../../core/clock.ts';
import { ByModel } from './by-model.ts';
import { openEventStream } from './event-stream.ts';
import { OpenaiAnswer } from './openai-answer.ts';
import { type Extra, extrasOf, openaiBody } from './openai-body.ts';
import { OpenaiReader } from './openai-reader.ts';
import {
  accepts,
  type AgentProvider,
  type ProviderError,
  type ProviderEvent,
  type ProviderRequest,
} from './provider.ts';
import { readReply } from './read-reply.ts';
import { isRefused, nextWithout, refusesSteps } from './refused-extras.ts';
import { hasTools, sendable } from './step-blocks.ts';
import { serverOf, type VendorOptions } from './vendor-server.ts';
import { namesFiles } from './without-refused-files.ts';
import { namesThinking } from './without-refused-thinking.ts';
import { namesSearch, namesTools } from './without-refused-offers.ts';

export const openaiBaseUrl = 'https://api.openai.com/v1';

/** What is left out for a model, because its server refused a request with it and accepted it without it. */
export interface Downgrade {
  model: string;
  /** `Extra`s, joined by "and", or 'files', 'thinking', 'temperature'. */
  leftOut: string;
}

interface Options extends VendorOptions {
  clock: Clock;
  /** Called when something is first left out for a model, for the log. */
  onDowngrade?: (downgrade: Downgrade) => void;
}

/** The headers of every request; a server of one's own may need no key. */
export const openaiHeaders = (apiKey: string): Record<string, string> =>
  apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };

const NONE: ReadonlySet<Extra> = new Set();

/** The streaming Chat Completions API of OpenAI, which Ollama, vLLM and llama.cpp also serve. */
export function openaiProvider(options: Options): AgentProvider {
  /** The extras that a model refuses: models on one server may accept different requests. */
  const refused = new ByModel<ReadonlySet<Extra>>();

  function learn(request: ProviderRequest, without: ReadonlySet<Extra>): void {
    const known = refused.get(request) ?? NONE;
    const added = [...without].filter((extra) => !known.has(extra));
    if (added.length === 0) return;
    refused.set(request, new Set([...known, ...added]));
    const { baseUrl, model } = request;
    // Servers of people's own, which the operator cannot change, are left out of the log.
    if (baseUrl === undefined) options.onDowngrade?.({ model, leftOut: added.toSorted().join(' and ') });
  }

  function reply(
    request: ProviderRequest,
    without: ReadonlySet<Extra>,
    signal: AbortSignal,
    heard: () => void,
  ): AsyncGenerator<ProviderEvent> {
    const apiKey = request.apiKey.trim();
    const server = serverOf(request, options, openaiBaseUrl);
    const from = `${server.base} ${request.model}`;
    const body = openaiBody(request, without, { base: server.base, from });
    const { readLarge } = options;
    const call = { server, path: '/chat/completions', headers: openaiHeaders(apiKey), body, apiKey, readLarge };
    const answer = hasTools(request) ? new OpenaiAnswer(request.tools, request.steps ?? [], from) : undefined;
    return readReply(openEventStream(call, options.clock, signal, heard), new OpenaiReader(answer), apiKey);
  }

  return {
    async *stream(given, signal, heard = () => {}) {
      const request = sendable(given);
      const extras = extrasOf(request);
      const hasFiles = request.messages.some(({ files }) => files !== undefined);
      let without = refused.get(request) ?? NONE;
      let refusal: ProviderError | undefined;
      let isLasting = true;
      // Each refusal leaves out one extra at least, so this ends.
      for (;;) {
        try {
          for await (const event of reply(request, without, signal, heard)) {
            if (refusal && isLasting && accepts(event)) learn(request, without);
            yield event;
          }
          return undefined;
        } catch (error) {
          if (!isRefused(error)) throw error;
          const isOfSteps = refusesSteps(error, without, extras);
          // Files are left out by `withoutRefusedFiles`.
          if (hasFiles && namesFiles(error) && !isOfSteps) throw error;
          // `withoutRefusedThinking` asks without it.
          if (request.thinking && namesThinking(error) && !isOfSteps) throw error;
          // `withoutRefusedTools` and `withoutRefusedSearch` ask without them.
          if ((request.tools || request.webSearch) && namesTools(error) && !isOfSteps) throw error;
          if (request.webSearch && namesSearch(error)) throw error;
          // If the last form is refused too, the extras were not the reason: report the first refusal, which says most.
          refusal ??= error;
          const known = without;
          const left = extras.filter((extra) => !known.has(extra));
          const next = nextWithout(error, left);
          if (next.extras.length === 0) throw refusal;
          isLasting &&= next.isLasting;
          without = new Set([...known, ...next.extras]);
        }
      }
    },
  };
}
