import { hash } from 'node:crypto';
import { ByModel } from './by-model.ts';
import type { Downgrade } from './openai.ts';
import {
  accepts,
  type AgentProvider,
  ProviderError,
  type ProviderEvent,
  type ProviderRequest,
  type ToolDefinition,
} from './provider.ts';
import { hasTools, withoutTools } from './step-blocks.ts';
import { namesThinking } from './without-refused-thinking.ts';

/** Something that a request offers to a model, and that its server may refuse. */
interface Offer {
  isIn: (request: ProviderRequest) => boolean;
  isRefused: (error: ProviderError, request: ProviderRequest) => boolean;
  /** The server will refuse it again. */
  isLasting: (error: ProviderError) => boolean;
  without: (request: ProviderRequest) => ProviderRequest;
  /** Without the one part that the refusal is about; undefined if it is about none, or nothing would be left. */
  withoutPart?: (request: ProviderRequest, error: ProviderError) => ProviderRequest | undefined;
  /** Without these parts, as `left` returned them; undefined if the request has none of them. */
  withoutKnown?: (request: ProviderRequest, parts: ReadonlySet<string>) => ProviderRequest | undefined;
  /** The parts that a request lacks. */
  left?: (request: ProviderRequest, asked: ProviderRequest) => readonly string[];
  /** Tells what the model was asked without. */
  event: (request: ProviderRequest, asked: ProviderRequest) => ProviderEvent;
  leftOut: string;
}

/** Parts that are left out one after another, before all are. */
const MAX_TRIES = 5;
/** Maximum parts that are remembered for a model. */
const MAX_PARTS = 20;

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
  withoutPart(request, { message }) {
    const { tools: all = [] } = request;
    const index = /\btools?[.[](\d{1,4})\b/.exec(message)?.[1];
    const isMeant = ({ name }: ToolDefinition): boolean =>
      [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) => message.includes(quoted));
    const meant = index === undefined ? all.find(isMeant) : all[Number(index)];
    return meant && all.length > 1 ? { ...request, tools: all.filter((tool) => tool !== meant) } : undefined;
  },
  withoutKnown(request, parts) {
    const { tools: all = [] } = request;
    const left = all.filter((tool) => !parts.has(printOf(tool)));
    return left.length === all.length || left.length === 0 ? undefined : { ...request, tools: left };
  },
  left: (request, asked) => leftOf(request, asked).map(printOf),
  event(request, asked) {
    const names = leftOf(request, asked).map(({ name }) => name);
    return { type: 'untooled', ...(hasTools(asked) && { tools: names }) };
  },
  leftOut: 'tools',
};

const leftOf = (request: ProviderRequest, asked: ProviderRequest): readonly ToolDefinition[] =>
  (request.tools ?? []).filter((tool) => !asked.tools?.includes(tool));

/** A tool of another definition may be taken. */
const printOf = (tool: ToolDefinition): string => hash('sha256', JSON.stringify(tool));

const search: Offer = {
  isIn: ({ webSearch }) => webSearch === true,
  // To a server that takes no tools, the search is one of them.
  isRefused: (error, request) => namesSearch(error) || (!hasTools(request) && namesTools(error)),
  isLasting: isUnsupported,
  without: ({ webSearch: _search, ...request }) => request,
  event: () => ({ type: 'unsearched' }),
  leftOut: 'web search',
};

/**
 * Asks again without the tools that the server refuses, and from then on: without the one that it names, or without all,
 * with the steps so far in words (PROVIDER-34).
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
  /** What is left out for a model: all, or these parts. */
  const refused = new ByModel<'all' | ReadonlySet<string>>();
  return {
    async *stream(request, signal, heard) {
      if (!offer.isIn(request)) return yield* provider.stream(request, signal, heard);
      let asked = startOf(request);
      let first: ProviderError | undefined;
      let last: ProviderError | undefined;
      for (let tries = 1; ; tries += 1) {
        let isFirst = true;
        let isBefore = asked !== request;
        try {
          for await (const event of provider.stream(asked, signal, heard)) {
            if (isBefore) yield offer.event(request, asked);
            isBefore = false;
            if (isFirst && accepts(event) && last) learn(request, asked, last);
            isFirst &&= !accepts(event);
            yield event;
          }
          return undefined;
        } catch (error) {
          if (!isFirst || !isRefusal(error)) throw error;
          // The offer was not the reason: report the first refusal, which says most.
          if (!offer.isIn(asked) || !isAbout(offer, error, asked)) throw first ?? error;
          first ??= error;
          last = error;
          asked = (tries <= MAX_TRIES && offer.withoutPart?.(asked, error)) || offer.without(asked);
        }
      }
    },
  };

  function startOf(request: ProviderRequest): ProviderRequest {
    const known = refused.get(request);
    if (known === undefined) return request;
    return known === 'all' ? offer.without(request) : (offer.withoutKnown?.(request, known) ?? request);
  }

  function learn(request: ProviderRequest, asked: ProviderRequest, refusal: ProviderError): void {
    const known = refused.get(request);
    if (offer.isIn(asked)) {
      const parts = offer.left?.(request, asked) ?? [];
      if (known !== 'all' && parts.length <= MAX_PARTS) refused.set(request, new Set(parts));
      return;
    }
    if (!offer.isLasting(refusal)) return;
    refused.set(request, 'all');
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
