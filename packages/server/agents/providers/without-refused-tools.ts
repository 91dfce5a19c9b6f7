import { ByModel } from './by-model.ts';
import type { Downgrade } from './openai.ts';
import { accepts, type AgentProvider, ProviderError, type ProviderRequest } from './provider.ts';
import { hasTools, withoutTools } from './step-blocks.ts';

/** Words in which servers refuse tools. */
const toolWords = /\btools?\b|\btool[_ -]?(?:use|call|choice)|\bfunctions?\b|\bfunction[_ -]?call/i;
/** Words of a server whose model takes no tools at all, and of one that is not set up for them. */
const takesNone =
  /unsupported|(?:not|n['’]t) (?:\w+ )?(?:support|permitted|allowed|accept|enabled|recognized|available)|no endpoints|requires? --|unrecognized|unknown|extra inputs?|extra_forbidden|only supported|unexpected/i;
/** The refusal is about one of the tools, or about a call of a step. */
const aboutOne =
  /\btools?[[.]\d|schema|tool_call_id|tool_use_id|tool_use.?[`'"]? ids?|\bmessages?\b|too (?:many|long|large)|at most|maximum/i;

/** Whether a refusal is about tools. */
export const namesTools = ({ message, refusal: { part } }: ProviderError): boolean =>
  part === undefined || part === 'role' || part === 'content' || part === 'name'
    ? toolWords.test(message)
    : part === 'tools' || part === 'description';

/**
 * Asks again without tools if the server refuses them, with the steps so far in words, and from then on if the model takes
 * none (PROVIDER-34). An `untooled` event tells that the model was asked without.
 */
export function withoutRefusedTools(
  provider: AgentProvider,
  onDowngrade?: (downgrade: Downgrade) => void,
): AgentProvider {
  const toolless = new ByModel<true>();
  return {
    async *stream(request, signal, heard) {
      if (!hasTools(request)) return yield* provider.stream(request, signal, heard);
      let refusal: ProviderError | undefined;
      if (!toolless.get(request)) {
        let isFirst = true;
        try {
          for await (const event of provider.stream(request, signal, heard)) {
            isFirst &&= !accepts(event);
            yield event;
          }
          return undefined;
        } catch (error) {
          if (!isFirst || !refusesTools(error)) throw error;
          refusal = error;
        }
      }
      let isFirst = true;
      let isBefore = true;
      try {
        for await (const event of provider.stream(withoutTools(request), signal, heard)) {
          if (isBefore) yield { type: 'untooled' };
          isBefore = false;
          if (isFirst && accepts(event) && refusal && isLasting(refusal)) learn(request);
          isFirst &&= !accepts(event);
          yield event;
        }
      } catch (error) {
        // The tools were not the reason: report the first refusal, which says most.
        throw refusal && isFirst && isRefusal(error) ? refusal : error;
      }
      return undefined;
    },
  };

  function learn(request: ProviderRequest): void {
    toolless.set(request, true);
    if (request.baseUrl === undefined) onDowngrade?.({ model: request.model, leftOut: 'tools' });
  }
}

/** Refusals of the whole request; errors inside a stream have no status. */
const isRefusal = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && [400, 404, 422, 500, 501].includes(error.status ?? 0);

/** Servers name them, or their chat template fails at them. */
const refusesTools = (error: unknown): error is ProviderError =>
  isRefusal(error) &&
  error.kind !== 'too_long' &&
  (namesTools(error) || (error.status === 500 && /template|jinja/i.test(error.message)));

function isLasting({ message, status, refusal: { part, reason } }: ProviderError): boolean {
  if (aboutOne.test(message) || part === 'description') return false;
  if (reason !== undefined) return reason === 'unsupported';
  return takesNone.test(message) || status === 404;
}
