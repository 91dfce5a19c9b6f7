import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { ByModel } from './by-model.ts';
import { jsonOf, missingEndMark, openEventStream, shapeOf } from './event-stream.ts';
import { Encoded } from './json-bytes.ts';
import {
  type AgentProvider,
  type EndReason,
  ProviderError,
  type ProviderEvent,
  type ProviderRequest,
} from './provider.ts';
import { deltaParts, hasParts, partsIn } from './openai-parts.ts';
import { reportedCount } from './reported-usage.ts';
import { ThinkTags } from './think-tags.ts';
import { errorInStream } from './vendor-errors.ts';
import { contentOf, type TurnPart, type VendorTurn, vendorTurns } from './vendor-messages.ts';
import { serverOf, type VendorOptions } from './vendor-server.ts';
import { namesFiles } from './without-refused-files.ts';
import { namesThinking } from './without-refused-thinking.ts';

export const openaiBaseUrl = 'https://api.openai.com/v1';

/**
 * Lenient, because servers that imitate the API differ: some send `choices: null` in the last chunk, others omit it.
 */
const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish(), ...deltaParts }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: reportedCount, completion_tokens: reportedCount }).nullish().catch(undefined),
  error: z.unknown().optional(),
});

const endReasons: Readonly<Record<string, EndReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'filtered',
};

/** Extras left out for a model, because its server refused a request with them and accepted it without them. */
export interface Downgrade {
  model: string;
  leftOut: 'entries' | 'entries and stream_options' | 'files' | 'thinking';
}

interface Options extends VendorOptions {
  clock: Clock;
  /** Called when a model is first downgraded, for the log. */
  onDowngrade?: (downgrade: Downgrade) => void;
}

/** The headers of every request; a server of one's own may need no key. */
export const openaiHeaders = (apiKey: string): Record<string, string> =>
  apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };

/** The streaming Chat Completions API of OpenAI, which Ollama, vLLM and llama.cpp also serve. */
export function openaiProvider(options: Options): AgentProvider {
  /** How many extras to leave out: models on one server may accept different requests. */
  const fewer = new ByModel<1 | 2>();

  function learn(request: ProviderRequest, without: 0 | 1 | 2): void {
    const { baseUrl, model } = request;
    if (without === 0 || fewer.get(request) === without) return;
    fewer.set(request, without);
    // Servers of people's own, which the operator cannot change, are left out of the log.
    if (baseUrl === undefined)
      options.onDowngrade?.({ model, leftOut: without === 1 ? 'entries' : 'entries and stream_options' });
  }

  async function* reply(
    request: ProviderRequest,
    body: unknown,
    signal: AbortSignal,
    heard: () => void,
  ): AsyncGenerator<ProviderEvent> {
    const apiKey = request.apiKey.trim();
    const server = serverOf(request, options, openaiBaseUrl);
    const call = { server, path: '/chat/completions', headers: openaiHeaders(apiKey), body, apiKey };
    const events = openEventStream(call, options.clock, signal, heard);
    const content = new ThinkTags();
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
      if (choice?.delta && hasParts(choice.delta)) yield* partsIn(choice.delta);
      if (text && content.isOver) yield { type: 'text', text };
      else if (text) yield* content.read(text);
      // The usage comes in its own chunk after the one that finishes; some servers send it with every chunk.
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = data.usage ?? {};
      if (typeof inputTokens === 'number' && typeof outputTokens === 'number')
        yield { type: 'usage', inputTokens, outputTokens };
      if (choice?.finish_reason) {
        finishReason = choice.finish_reason;
        events.finish();
      }
    }
    yield* content.end();
    if (finishReason === undefined) throw missingEndMark();
    yield { type: 'end', reason: endReasons[finishReason] ?? 'other' };
  }

  return {
    async *stream(request, signal, heard = () => {}) {
      const known = fewer.get(request) ?? 0;
      const hasFiles = request.messages.some(({ files }) => files !== undefined);
      const bodies = bodiesOf(request).filter(({ without }) => without >= known);
      let refusal: ProviderError | undefined;
      for (let next = bodies[0]; next;) {
        const { without, body } = next;
        try {
          for await (const event of reply(request, body, signal, heard)) {
            if (refusal) learn(request, without);
            yield event;
          }
          return undefined;
        } catch (error) {
          if (!isRefused(error)) throw error;
          // Files are left out by `withoutRefusedFiles`.
          if (hasFiles && namesFiles.test(error.message)) throw error;
          // `withoutRefusedThinking` asks without it.
          if (request.thinking && namesThinking.test(error.message)) throw error;
          const left = bodies.filter((other) => other.without > without);
          next = afterRefusal(error.message, left, refusal === undefined);
          // If the plainest body is refused too, the extras were not the reason: report the first refusal, which says
          // most.
          refusal ??= error;
        }
      }
      throw refusal ?? new ProviderError('bad_request', 'There is nothing to ask.');
    },
  };
}

/**
 * The server refused the whole request, e.g. because it does not know a field or because its chat template does not
 * accept two user messages in a row (llama.cpp answers 500 then). Errors inside a stream do not count.
 */
const isRefused = (error: unknown): error is ProviderError =>
  error instanceof ProviderError &&
  (error.status === 400 || error.status === 422 || (error.status === 500 && /template|alternate/i.test(error.message)));

/** Words in which servers name the part of a request that they refuse. */
const refusalNames = {
  options: /stream_options|include_usage/i,
  entries: /\bname\b|\brole|alternate|template/i,
  another: /context (?:length|window|size)|temperature|max_(?:completion_)?tokens/i,
};

/**
 * The body to try after a refusal: without the extra that the server names. If it names neither an extra nor another
 * reason, the plainest body is tried once. Undefined: give up.
 */
function afterRefusal<Body extends { without: number }>(
  message: string,
  left: readonly Body[],
  isFirst: boolean,
): Body | undefined {
  if (refusalNames.options.test(message)) return left.at(-1);
  const inTurns = left.find(({ without }) => without === 1);
  if (inTurns && refusalNames.entries.test(message)) return inTurns;
  return isFirst && !refusalNames.another.test(message) ? left.at(-1) : undefined;
}

/**
 * The bodies to try, each with one extra less: one entry per message of a group (PROVIDER-17), then one entry per
 * turn, then without `stream_options` too (USAGE-3). In a direct chat the first two are the same.
 */
function bodiesOf(request: ProviderRequest): { without: 0 | 1 | 2; body: object }[] {
  const turns = vendorTurns(request.messages);
  const counted = { stream_options: { include_usage: true } };
  const entries = turns.flatMap(entriesOf);
  const merged = turns.map((turn) => ({ role: turn.role, content: contentFor(turn.parts) }));
  const isSame = turns.every(({ parts }) => parts.every(({ name }) => name === undefined));
  const rich = { without: 0, body: { ...bodyOf(request, entries), ...counted } } as const;
  const plain = { without: 1, body: { ...bodyOf(request, merged), ...counted } } as const;
  const plainest = { without: 2, body: bodyOf(request, merged) } as const;
  return isSame ? [plain, plainest] : [rich, plain, plainest];
}

/** The API's `name` allows only these characters; no username contains `-`, so names stay distinct. */
const entriesOf = ({ role, parts }: VendorTurn): object[] =>
  parts.map((part) => {
    const label = part.name?.replaceAll(':', '-') ?? '';
    return { role, ...(/^[\w-]{1,64}$/.test(label) && { name: label }), content: contentFor([part]) };
  });

/** A text, or a list of texts and files: servers that take no files accept only a text. */
function contentFor(parts: readonly TurnPart[]): string | object[] {
  const content = contentOf(parts);
  const texts = content.filter((item) => typeof item === 'string');
  if (texts.length === content.length) return texts.join('\n\n');
  return content.map((item) => {
    if (typeof item === 'string') return { type: 'text', text: item };
    const data = new Encoded(`data:${item.mimeType};base64,`, item.data);
    return item.type === 'image'
      ? { type: 'image_url', image_url: { url: data } }
      : { type: 'file', file: { filename: item.name, file_data: data } };
  });
}

function bodyOf(request: ProviderRequest, messages: readonly object[]): object {
  return {
    model: request.model,
    stream: true,
    ...(request.maxOutputTokens === undefined ? {} : { max_completion_tokens: request.maxOutputTokens }),
    ...(request.temperature === undefined || request.thinking ? {} : { temperature: request.temperature }),
    ...(request.thinking && { reasoning_effort: request.thinking }),
    messages: [
      // Not `developer`: only OpenAI knows that role, and it accepts `system` too.
      ...(request.system ? [{ role: 'system', content: request.system.toWellFormed() }] : []),
      ...messages,
    ],
  };
}
