import type { Provider } from '@parley/protocol';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import type { NewFile } from '../files/stored-files.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import { altOf, imageModelOf, pictureLimits, TOKENS_OF_PICTURE } from '../rules/pictures.ts';
import { type CallState, callStates } from '../rules/call-states.ts';
import { priceOf, type Rate } from '../rules/prices.ts';
import type { KeyRing } from '../secrets/seal.ts';
import type { TextReader } from '../readers/text-reader.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import { callerOf } from './caller-of.ts';
import { turnConfigOf } from './load-run-config.ts';
import type { beginPicture, BegunPicture, endPicture, keepPicture } from './picture-units.ts';
import { type DrawnPicture, fetchPicture, requestPicture } from './providers/image-generations.ts';
import type { ModelLists } from './providers/model-lists.ts';
import { ProviderError } from './providers/provider.ts';
import type { ProviderChoice } from './providers/provider-choice.ts';
import type { TurnPlace } from './tool-turns/step-units.ts';
import type { CallEnd, SentCall } from './tool-turns/tool-port.ts';

/** The provider whose protocol has pictures. */
export const DRAWING_PROVIDER: Provider = 'provider_b';

interface Config {
  readonly providers: Readonly<Record<Provider, { readonly baseUrl: string }>>;
  /** The model to ask for; null: the first fitting one that the server lists. */
  readonly imageModel: string | null;
}

export interface PictureNeeds {
  config: Config;
  clock: Clock;
  read: Sql;
  keys: KeyRing;
  guarded: Fetch;
  modelLists: Pick<ModelLists, 'list'>;
  providers: ReadonlyMap<string, ProviderChoice>;
  rateOf: (model: string) => Rate | null;
  /** Inspects a photo and stores its bytes; `save` commits its row. */
  keepPhoto: (
    author: ReturnType<typeof callerOf>,
    photo: { bytes: Uint8Array; maxPixels: number },
    save: (file: NewFile) => Promise<unknown>,
  ) => Promise<unknown>;
  /** Reads a vendor's answer where it holds nobody. */
  reader: Pick<TextReader, 'pictureAnswer'>;
  /** True while this node may call providers (CLUSTER-39). */
  isSure: () => Awaitable<boolean>;
  units: UnitCallers<{
    beginPicture: typeof beginPicture;
    endPicture: typeof endPicture;
    keepPicture: typeof keepPicture;
  }>;
  /** Faults of the service itself, for the log. */
  onFault: (error: unknown) => void;
}

export interface PictureAsked {
  prompt: string;
  size: string | undefined;
}

const isCallState = (begun: BegunPicture): begun is CallState => callStates.some((state) => state === begun);

const refusals: Readonly<Record<Exclude<BegunPicture, CallState | null>, string>> = {
  too_many: `This reply has asked for enough pictures: at most ${pictureLimits.perTurn}.`,
  token_cap: 'You have used all the tokens that you may use this month.',
  group_token_cap: 'You have used all the tokens that you may use in this group this month.',
  asker_token_cap: 'The person who asked has used all the tokens of today.',
  house_token_cap: 'You have used all the tokens that you may use today.',
  house_is_off: 'You are switched off.',
  storage_full: 'There is no storage left for pictures.',
  own_key_needed: 'There is no key that pays for pictures.',
};

/** What a request is made with, and what it will cost. */
interface Source {
  apiKey: string;
  baseUrl?: string;
  model: string;
  rate: Rate | null;
}

/** Has models draw pictures for replies (PICTURE-1). */
export class Pictures {
  readonly #needs: PictureNeeds;

  constructor(needs: PictureNeeds) {
    this.#needs = needs;
  }

  /** Draws a picture and adds it to the reply of a call; the result says in words what became of it. */
  async draw(sent: SentCall, asked: PictureAsked, signal: AbortSignal): Promise<CallEnd | null> {
    const { read, units, isSure } = this.#needs;
    const { call, turn, place, stored } = sent;
    const agent = await read.get(accountByKey, turn.agent_key);
    if (!agent) return null;
    const source = await this.#sourceOf(agent, sent);
    if (typeof source === 'string') return { event: 'fail', result: source };
    if (!(await isSure())) return { event: 'fail', result: 'The service cannot draw at the moment.' };
    const begun = await stored(() => units.beginPicture({ ...place, callKey: call.key }));
    if (begun === null) return null;
    if (!isCallState(begun)) return { event: 'fail', result: refusals[begun] };
    // An answer that allowed it was taken back.
    if (begun !== 'sending') return { stored: begun, result: null };
    return this.#drawn(sent, { agent, source, asked }, signal);
  }

  /** Adds a picture that stands in a model's answer to its reply; false if it cannot be kept (PICTURE-6). */
  async keep(
    { agent, place, alt }: { agent: AccountRow; place: TurnPlace; alt: string },
    { bytes: given, url }: { bytes?: Uint8Array; url?: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { guarded, keepPhoto, units, onFault } = this.#needs;
    try {
      const bytes = given ?? (url === undefined ? undefined : await fetchPicture(url, guarded, signal));
      if (!bytes) return false;
      let isKept = false;
      await keepPhoto(callerOf(agent), { bytes, maxPixels: pictureLimits.pixels }, async (file) => {
        const picture = { file, alt: altOf(alt) };
        isKept = await units.keepPicture({ ...place, agentKey: agent.key, picture });
      });
      return isKept;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderError || error instanceof ServiceError)) onFault(error);
      return false;
    }
  }

  /** The key that pays, the server and the model; a text says what is missing. */
  async #sourceOf(agent: AccountRow, { turn }: SentCall): Promise<Source | string> {
    const { read, keys, providers, config, modelLists, rateOf, onFault } = this.#needs;
    const fields = providers.get(DRAWING_PROVIDER)?.fields;
    if (agent.agent_provider !== DRAWING_PROVIDER || !fields) return 'The provider of this agent draws no pictures.';
    const { apiKey, baseUrl } = await turnConfigOf({ tx: read, keys, onFault }, agent, turn, fields);
    if (apiKey === undefined) return 'There is no key that pays for pictures.';
    const server = { apiKey, ...(baseUrl !== null && { baseUrl }) };
    if (baseUrl === null && config.imageModel !== null)
      return { ...server, model: config.imageModel, rate: rateOf(config.imageModel) };
    try {
      const model = imageModelOf(await modelLists.list({ ...server, provider: DRAWING_PROVIDER }));
      if (model === undefined) return 'The server of this agent lists no model that draws.';
      return { ...server, model, rate: baseUrl === null ? rateOf(model) : null };
    } catch (error) {
      if (error instanceof ProviderError || error instanceof ServiceError) return error.message;
      throw error;
    }
  }

  async #drawn(
    sent: SentCall,
    { agent, source, asked }: { agent: AccountRow; source: Source; asked: PictureAsked },
    signal: AbortSignal,
  ): Promise<CallEnd | null> {
    const { clock, config, guarded, keepPhoto, reader } = this.#needs;
    const late = new AbortController();
    const tooLate = new ProviderError('timeout', 'The picture took too long.');
    const timer = clock.setTimer(() => late.abort(tooLate), pictureLimits.ms);
    const either = AbortSignal.any([signal, late.signal]);
    let drawn: DrawnPicture | undefined;
    let end: CallEnd | null = null;
    try {
      const readAnswer = (body: Uint8Array) => reader.pictureAnswer(body, agent.parent_key ?? agent.key);
      const options = { baseUrl: config.providers[DRAWING_PROVIDER].baseUrl, guarded, clock, readAnswer };
      drawn = await requestPicture(options, { ...source, ...asked }, either);
      timer.cancel();
      const spent = spentOn(drawn, source.rate);
      const alt = altOf(drawn.revisedPrompt ?? asked.prompt);
      const photo = { bytes: drawn.bytes, maxPixels: pictureLimits.pixels };
      await keepPhoto(callerOf(agent), photo, async (file) => {
        const result = resultOf(file, alt);
        end = await this.#end(sent, { event: 'finish', result, picture: { file, alt }, ...spent });
      });
      return end;
    } catch (error) {
      // It is stored and booked: what failed came after it.
      if (end) {
        this.#needs.onFault(error);
        return end;
      }
      const spent = drawn ? spentOn(drawn, source.rate) : either.aborted ? unreported : nothing;
      if (signal.aborted) {
        // What was stopped may have been drawn, so the estimate is booked (KEY-15).
        await this.#end(sent, { event: 'lose', result: null, picture: null, ...spent });
        throw error;
      }
      const isKnown = error instanceof ProviderError || error instanceof ServiceError;
      if (!isKnown) this.#needs.onFault(error);
      const result = isKnown ? wordsOf(error) : 'The service could not store the picture.';
      // Nobody can say whether a vendor that did not answer has drawn.
      const isLost = !drawn && error instanceof ProviderError && ['timeout', 'interrupted'].includes(error.kind);
      return await this.#end(sent, { event: isLost ? 'lose' : 'fail', result, picture: null, ...spent });
    } finally {
      timer.cancel();
    }
  }

  async #end(
    { call, place, turn, seal, stored }: SentCall,
    { result, ...end }: Pick<Ended, 'event' | 'picture' | keyof typeof nothing> & { result: string | null },
  ): Promise<CallEnd | null> {
    const sealed = result === null ? null : seal(result);
    const input = { ...place, callKey: call.key, agentKey: turn.agent_key, result: sealed, ...end };
    const state = await stored(() => this.#needs.units.endPicture(input));
    return state === null ? null : { stored: state, result };
  }
}

type Ended = Parameters<PictureNeeds['units']['endPicture']>[0];

const nothing: Pick<Ended, 'usage' | 'price' | 'estimatedTokens'> = {
  usage: undefined,
  price: undefined,
  estimatedTokens: 0,
};
const unreported = { ...nothing, estimatedTokens: TOKENS_OF_PICTURE };

/** A price for each picture stands before those of tokens (PICTURE-5). */
function spentOn({ usage }: DrawnPicture, rate: Rate | null): typeof nothing {
  const byPicture = rate?.image === undefined ? undefined : { currency: rate.currency, micros: rate.image };
  const price = byPicture ?? (rate && usage ? priceOf(rate, usage) : undefined);
  return { usage, price, estimatedTokens: usage ? 0 : TOKENS_OF_PICTURE };
}

const resultOf = ({ width, height }: NewFile, alt: string): string =>
  `The picture is drawn and stands below your reply (${width ?? '?'} × ${height ?? '?'} pixels). It was drawn from: ${alt}`;

const wordsOf = ({ message }: ProviderError | ServiceError): string => `No picture was stored: ${message}`;
