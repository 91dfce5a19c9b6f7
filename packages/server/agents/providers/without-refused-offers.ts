import { ByModel } from './by-model.ts';
import type { Downgrade } from './openai.ts';
import { accepts, type AgentProvider, ProviderError, type ProviderEvent, type ProviderRequest } from './provider.ts';
import { hasTools, withoutTools } from './step-blocks.ts';
import { namesThinking } from './without-refused-thinking.ts';

/** Something that a request offers to a model, and that its server may refuse. */
interface Offer {
  isIn: (request: ProviderRequest) => boolean;
  isRefused: (error: ProviderError, request: ProviderRequest) => boolean;
  /** The server will refuse it again. */
  isLasting: (error: ProviderError) => boolean;
  without: (request: ProviderRequest) => ProviderRequest;
  /** Tells that the model was asked without. */
  event: Extract<ProviderEvent, { type: 'untooled' | 'unsearched' }>;
  leftOut: string;
}

/** Words in which servers refuse tools. */
const toolWords = /\btools?\b|\btool[_ -]?(?:use|call|choice)|\bfunctions?\b|\bfunction[_ -]?call/i;
/** Words of a server whose model takes no tools at all, and of one that is not set up for them. */
const takesNone =
  /unsupported|(?:not|n['’]t) (?:\w+ )?(?:support|permitted|allowed|accept|enabled|recognized|available)|no endpoints|requires? --|unrecognized|unknown|extra inputs?|extra_forbidden|only supported|unexpected|does not match any/i;
/** The refusal is about one of the tools, or about a call of a step. */
const aboutOne =
  /\btools?[[.]\d|schema|tool_call_id|tool_use_id|tool_use.?[`'"]? ids?|\bmessages?\b|too (?:many|long|large)|at most|maximum/i;
const searchWords = /web[_ -]?search|\bsearch\b/i;

/** Whether a refusal is about tools. */
export const namesTools = ({ message, refusal: { part } }: ProviderError): boolean =>
  part === undefined || part === 'role' || part === 'content' || part === 'name'
    ? toolWords.test(message)
    : part === 'tools' || part === 'description';

/** Whether a refusal is about the vendor's search of the web. */
export const namesSearch = ({ message }: ProviderError): boolean => searchWords.test(message);

const isUnsupported = ({ message, status, refusal: { reason } }: ProviderError): boolean =>
  reason === undefined ? takesNone.test(message) || status === 404 : reason === 'unsupported';

const tools: Offer = {
  isIn: hasTools,
  // Their chat template may fail at tools, and name nothing.
  isRefused: (error) => namesTools(error) || (error.status === 500 && /template|jinja/i.test(error.message)),
  isLasting: (error) => !aboutOne.test(error.message) && error.refusal.part !== 'description' && isUnsupported(error),
  without: withoutTools,
  event: { type: 'untooled' },
  leftOut: 'tools',
};

const search: Offer = {
  isIn: ({ webSearch }) => webSearch === true,
  // To a server that takes no tools, the search is one of them.
  isRefused: (error, request) => namesSearch(error) || (!hasTools(request) && namesTools(error)),
  isLasting: isUnsupported,
  without: ({ webSearch: _search, ...request }) => request,
  event: { type: 'unsearched' },
  leftOut: 'web search',
};

/**
 * Asks again without tools if the server refuses them, with the steps so far in words, and from then on if the model takes
 * none (PROVIDER-34).
 */
export const withoutRefusedTools = (provider: AgentProvider, onDowngrade?: (downgrade: Downgrade) => void) =>
  withoutRefused(tools, provider, onDowngrade);

/** Asks again without the vendor's search of the web if the server refuses it (PROVIDER-36). */
export const withoutRefusedSearch = (provider: AgentProvider, onDowngrade?: (downgrade: Downgrade) => void) =>
  withoutRefused(search, provider, onDowngrade);

function withoutRefused(
  offer: Offer,
  provider: AgentProvider,
  onDowngrade?: (downgrade: Downgrade) => void,
): AgentProvider {
  const refusing = new ByModel<true>();
  return {
    async *stream(request, signal, heard) {
      if (!offer.isIn(request)) return yield* provider.stream(request, signal, heard);
      let refusal: ProviderError | undefined;
      if (!refusing.get(request)) {
        let isFirst = true;
        try {
          for await (const event of provider.stream(request, signal, heard)) {
            isFirst &&= !accepts(event);
            yield event;
          }
          return undefined;
        } catch (error) {
          if (!isFirst || !isRefusal(error) || !isAbout(offer, error, request)) throw error;
          refusal = error;
        }
      }
      let isFirst = true;
      let isBefore = true;
      try {
        for await (const event of provider.stream(offer.without(request), signal, heard)) {
          if (isBefore) yield offer.event;
          isBefore = false;
          if (isFirst && accepts(event) && refusal && offer.isLasting(refusal)) learn(request);
          isFirst &&= !accepts(event);
          yield event;
        }
      } catch (error) {
        // The offer was not the reason: report the first refusal, which says most.
        throw refusal && isFirst && isRefusal(error) ? refusal : error;
      }
      return undefined;
    },
  };

  function learn(request: ProviderRequest): void {
    refusing.set(request, true);
    if (request.baseUrl === undefined) onDowngrade?.({ model: request.model, leftOut: offer.leftOut });
  }
}

/** Refusals of the whole request; errors inside a stream have no status. */
const isRefusal = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && [400, 404, 422, 500, 501].includes(error.status ?? 0);

/** A refusal of thinking together with tools costs the thoughts: `withoutRefusedThinking` asks without them. */
const isAbout = (offer: Offer, error: ProviderError, request: ProviderRequest): boolean =>
  error.kind !== 'too_long' &&
  !(request.thinking !== undefined && namesThinking(error)) &&
  offer.isRefused(error, request);
