import { ByModel } from './by-model.ts';
import type { Downgrade } from './openai.ts';
import { accepts, type AgentProvider, ProviderError, type ProviderRequest } from './provider.ts';

/** Words by which a server says that its model takes no temperature at all. A value out of range is another refusal. */
const takesNone =
  /unsupported|not (?:\w+ )?(?:support|permitted|allowed|accept)|deprecated|unrecognized|unknown|extra inputs?|only the default|unexpected/i;

/**
 * Asks again without a temperature if the model takes none, and from then on too (PROVIDER-27): models that always think
 * answer with 400 otherwise.
 */
export function withoutRefusedTemperature(
  provider: AgentProvider,
  onDowngrade?: (downgrade: Downgrade) => void,
): AgentProvider {
  const refused = new ByModel<true>();
  return {
    async *stream(request, signal, heard) {
      if (request.temperature === undefined || request.thinking) return yield* provider.stream(request, signal, heard);
      const { temperature: _temperature, ...plain } = request;
      if (refused.get(request)) return yield* provider.stream(plain, signal, heard);
      let isFirst = true;
      try {
        for await (const event of provider.stream(request, signal, heard)) {
          isFirst &&= !accepts(event);
          yield event;
        }
        return undefined;
      } catch (error) {
        if (!isFirst || !refusesTemperature(error)) throw error;
      }
      for await (const event of provider.stream(plain, signal, heard)) {
        if (isFirst && accepts(event)) learn(request);
        isFirst &&= !accepts(event);
        yield event;
      }
      return undefined;
    },
  };

  function learn(request: ProviderRequest): void {
    refused.set(request, true);
    if (request.baseUrl === undefined) onDowngrade?.({ model: request.model, leftOut: 'temperature' });
  }
}

/** Refusals of the whole request; errors inside a stream have no status. */
function refusesTemperature(error: unknown): boolean {
  if (!(error instanceof ProviderError) || (error.status !== 400 && error.status !== 422)) return false;
  const { message, refusal } = error;
  const isAboutIt = refusal.part === undefined ? /temperature/i.test(message) : refusal.part === 'temperature';
  return isAboutIt && (refusal.reason === undefined ? takesNone.test(message) : refusal.reason === 'unsupported');
}
