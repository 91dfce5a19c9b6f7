import { createHash } from 'node:crypto';
import type { Provider } from '@parley/protocol';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { boundedText, uncompressed } from '../../outbound/bounded-body.ts';
import type { Fetch } from '../../outbound/guarded-fetch.ts';
import { anthropicBaseUrl, anthropicHeaders } from './anthropic.ts';
import { connectionError } from './event-stream.ts';
import { openaiBaseUrl, openaiHeaders } from './openai.ts';
import { parsedJson } from './parsed-json.ts';
import { ProviderError, type ProviderRequest } from './provider.ts';
import { errorOfResponse } from './vendor-errors.ts';
import { serverOf } from './vendor-server.ts';

interface ListedModel {
  id: string;
  name?: string;
}

/** How long a list is kept. */
const KEPT_MS = 5 * 60_000;
/** Maximum number of lists that are kept; the oldest is forgotten first. */
const MAX_LISTS = 200;
/** Maximum models of a list, and bytes of an id or a name: the rest is left out. */
const MAX_MODELS = 1_000;
const MAX_NAME_BYTES = 256;
/** Maximum bytes of an answer, and time for a whole list. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const LIST_MS = 10_000;
/** Maximum requests for one list: Anthropic answers in pages. */
const MAX_PAGES = 10;

/** Both vendors send `data`; some servers that imitate them send `models`. */
const answered = z.object({
  data: z.array(z.unknown()).nullish(),
  models: z.array(z.unknown()).nullish(),
  has_more: z.boolean().nullish().catch(null),
  last_id: z.string().nullish().catch(null),
});
const word = z
  .string()
  .trim()
  .min(1)
  .refine((text) => !/\p{C}/u.test(text) && Buffer.byteLength(text) <= MAX_NAME_BYTES);
const model = z.object({
  id: word,
  display_name: word.optional().catch(undefined),
  name: word.optional().catch(undefined),
});

interface ModelListNeeds {
  config: { readonly providers: Readonly<Record<Provider, { readonly baseUrl: string }>> };
  guarded: Fetch;
  clock: Clock;
}

/** Whose models are asked for. */
interface ModelSource extends Pick<ProviderRequest, 'apiKey' | 'baseUrl'> {
  provider: Provider;
}

/** The models that providers and servers of agents offer, kept for some minutes per server and key (CUSTOM-13). */
export class ModelLists {
  readonly #needs: ModelListNeeds;
  /** Lists that are there or on their way; keys of providers are in none of the map's keys. */
  readonly #lists = new Map<string, { until: number; models: Promise<readonly ListedModel[]> }>();

  constructor(needs: ModelListNeeds) {
    this.#needs = needs;
  }

  /** Rejects with a ProviderError. */
  async list(source: ModelSource): Promise<readonly ListedModel[]> {
    const now = this.#needs.clock.monotonic();
    const place = placeOf(source);
    const known = this.#lists.get(place);
    if (known && known.until > now) return known.models;
    this.#lists.delete(place);
    const [oldest] = this.#lists.keys();
    if (oldest !== undefined && this.#lists.size >= MAX_LISTS) this.#lists.delete(oldest);
    const list = { until: now + KEPT_MS, models: this.#load(source) };
    this.#lists.set(place, list);
    try {
      return await list.models;
    } catch (error) {
      if (this.#lists.get(place) === list) this.#lists.delete(place);
      throw error;
    }
  }

  async #load(source: ModelSource): Promise<readonly ListedModel[]> {
    const stop = new AbortController();
    const slow = new ProviderError('timeout', `The provider did not list its models within ${LIST_MS / 1_000} s.`);
    // Also ends a request that its signal does not end.
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => {});
    const timer = this.#needs.clock.setTimer(() => {
      stop.abort(slow);
      late.reject(slow);
    }, LIST_MS);
    try {
      const models: ListedModel[] = [];
      let query = source.provider === 'provider_a' ? `?limit=${MAX_MODELS}` : '';
      for (let pages = 0; pages < MAX_PAGES && models.length < MAX_MODELS; pages += 1) {
        const page = await Promise.race([this.#page(source, query, stop.signal), late.promise]);
        models.push(...modelsOf(page));
        if (page.has_more !== true || !page.last_id) break;
        query = `?limit=${MAX_MODELS}&after_id=${encodeURIComponent(page.last_id)}`;
      }
      return models.slice(0, MAX_MODELS);
    } catch (error) {
      if (stop.signal.aborted) throw slow;
      throw error instanceof ProviderError ? error : connectionError(error);
    } finally {
      timer.cancel();
    }
  }

  async #page(source: ModelSource, query: string, signal: AbortSignal): Promise<z.output<typeof answered>> {
    const { provider, apiKey } = source;
    const { config, guarded, clock } = this.#needs;
    const [vendor, headersOf] =
      provider === 'provider_a' ? [anthropicBaseUrl, anthropicHeaders] : [openaiBaseUrl, openaiHeaders];
    const server = serverOf(source, { baseUrl: config.providers[provider].baseUrl, guarded }, vendor);
    if (!/^[\x21-\x7e]*$/.test(apiKey))
      throw new ProviderError('refused_key', 'The key has characters that no key has.');
    const response = await server.fetch(`${server.base}/models${query}`, {
      method: 'GET',
      headers: { ...headersOf(apiKey), accept: 'application/json', ...uncompressed },
      redirect: 'manual',
      signal,
    });
    if (!response.ok) throw await errorOfResponse(response, apiKey, clock);
    const page = answered.safeParse(parsedJson(await boundedText(response.body, MAX_ANSWER_BYTES)));
    if (!page.success || !(page.data.data ?? page.data.models)) throw noList();
    return page.data;
  }
}

const placeOf = ({ provider, baseUrl = '', apiKey }: ModelSource): string =>
  createHash('sha256')
    .update(JSON.stringify([provider, baseUrl, apiKey]))
    .digest('base64');

function modelsOf({ data, models }: z.output<typeof answered>): ListedModel[] {
  return (data ?? models ?? []).slice(0, MAX_MODELS).flatMap((given): ListedModel[] => {
    const read = model.safeParse(given);
    if (!read.success) return [];
    const { id, display_name: name = read.data.name } = read.data;
    return [{ id, ...(name !== undefined && name !== id && { name }) }];
  });
}

const noList = (): ProviderError => new ProviderError('protocol', 'The provider’s list of models cannot be read.');
