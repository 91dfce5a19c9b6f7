import { ByModel } from './by-model.ts';
import type { Downgrade } from './openai.ts';
import { accepts, type AgentProvider, ProviderError, type ProviderRequest } from './provider.ts';

/** Words in which servers refuse to let a model think. */
const thinkingWords = /\bthinking\b|budget_tokens|reasoning|\beffort\b|output_config/i;
/** The refusal is about this request's token limit: with another one the model may think. */
const namesTokens = /budget_tokens|max_(?:completion_)?tokens/i;

/** Whether a refusal is about thinking. One about the token limit is if its words say so: thinking counts towards it. */
export const namesThinking = ({ message, refusal: { part } }: ProviderError): boolean =>
  part === undefined || part === 'token limit' ? thinkingWords.test(message) : part === 'thinking';

/**
 * Asks again without thinking if the server refuses that, and from then on without asking (PART-21). `forms`: 2 if the
 * provider has an older form to try before (`thinksInBudget`), otherwise 1. An `unthought` event tells that the model was
 * asked without.
 */
export function withoutRefusedThinking(
  provider: AgentProvider,
  forms: 1 | 2,
  onDowngrade?: (downgrade: Downgrade) => void,
): AgentProvider {
  /** How many of the forms a model refuses, which can differ with the effort. */
  const refused = new ByModel<number>();
  return {
    async *stream(request, signal, heard) {
      const { thinking, baseUrl, model } = request;
      if (thinking === undefined) return yield* provider.stream(request, signal, heard);
      const place = { ...request, model: `${model} ${thinking}` };
      const known = refused.get(place) ?? 0;
      let isLasting = true;
      for (let form = known; ; form += 1) {
        let isFirst = true;
        let isBefore = true;
        try {
          for await (const event of provider.stream(inForm(request, form, forms), signal, heard)) {
            if (isBefore && form === forms) yield { type: 'unthought' };
            isBefore = false;
            if (isFirst && accepts(event) && form > known && isLasting) {
              refused.set(place, form);
              if (form === forms && baseUrl === undefined) onDowngrade?.({ model, leftOut: 'thinking' });
            }
            isFirst &&= !accepts(event);
            yield event;
          }
          return undefined;
        } catch (error) {
          if (form === forms || !isFirst || !refusesThinking(error)) throw error;
          // Of a turn that has begun without thoughts, or with another model, a step may be the reason.
          isLasting &&= !namesTokens.test(error.message) && !request.steps?.length;
        }
      }
    },
  };
}

/** The request in the current form, in the older one, or without thinking. */
function inForm(request: ProviderRequest, form: number, forms: number): ProviderRequest {
  if (form === 0) return request;
  if (form < forms) return { ...request, thinksInBudget: true };
  const { thinking: _thinking, ...plain } = request;
  return plain;
}

/** Refusals of the whole request; errors inside a stream have no status. */
const refusesThinking = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && (error.status === 400 || error.status === 422) && namesThinking(error);
