import type { Provider } from '@parley/protocol';
import type { UnitCallers } from '../commits/unit-callers.ts';
import { type Clock, unlessAborted } from '../core/clock.ts';
import { idBytes, idText } from '../core/ids.ts';
import { notFound, ServiceError, unavailable } from '../core/errors.ts';
import type { FileStorage } from '../files/storage.ts';
import { bytesOf } from '../files/stored-files.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import { priceOf, type Rate } from '../rules/prices.ts';
import { cleanTranscript, soundName, tokensOfSound, toTranscribe, transcriptionModelOf } from '../rules/transcripts.ts';
import type { KeyRing } from '../secrets/seal.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import type { ChatRow } from '../store/chats.ts';
import { type FileRow, fileInMessage } from '../store/files.ts';
import { messageById, messageByKey, recordOf } from '../store/messages.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import type { TurnRow } from '../store/turns.ts';
import { turnConfigOf } from './load-run-config.ts';
import type { ModelLists } from './providers/model-lists.ts';
import { ProviderError } from './providers/provider.ts';
import { requestTranscript, type Transcription } from './providers/transcription.ts';
import {
  type BegunTranscript,
  type beginTranscript,
  type endTranscript,
  type TranscriptEnd,
  transcribers,
} from './transcript-units.ts';
import type { ProviderChoice } from './providers/provider-choice.ts';

/** How long a model may take. */
const PATIENCE_MS = 60_000;
/** Maximum requests that run at once on this node: each holds its sound in memory. */
const AT_ONCE = 4;
/** The provider whose protocol has transcriptions. */
const PROVIDER: Provider = 'provider_b';

export interface TranscriptNeeds {
  config: {
    readonly providers: Readonly<Record<Provider, { readonly baseUrl: string }>>;
    /** The model to ask for; null: the first fitting one that the server lists. */
    readonly transcriptionModel: string | null;
  };
  clock: Clock;
  read: Sql;
  keys: KeyRing;
  storage: FileStorage;
  guarded: Fetch;
  modelLists: Pick<ModelLists, 'list'>;
  providers: ReadonlyMap<string, ProviderChoice>;
  rateOf: (model: string) => Rate | null;
  /** True while this node may call providers (CLUSTER-39). */
  isSure: () => Awaitable<boolean>;
  units: UnitCallers<{ beginTranscript: typeof beginTranscript; endTranscript: typeof endTranscript }>;
  /** Faults of the service itself, for the log. */
  onFault: (error: unknown) => void;
}

/** What a transcript is asked for. */
interface TranscriptAsked {
  messageId: string;
  chatId: string;
  humanKey: number;
  /** The agent whose turn needs it; null: any of the conversation. */
  agentKey: number | null;
}

/** Has models transcribe voice messages: for a person who asks, and before a reply in a direct chat (TRANSCRIPT-1). */
export class Transcripts {
  readonly #needs: TranscriptNeeds;
  /** The transcripts that this node is making, by message. They never reject. */
  readonly #making = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();

  constructor(needs: TranscriptNeeds) {
    this.#needs = needs;
  }

  get runningCount(): number {
    return this.#making.size;
  }

  /** Rejects with a ServiceError or a ProviderError if there is no transcript then. */
  make(asked: TranscriptAsked, signal?: AbortSignal): Promise<void> {
    const { messageId } = asked;
    if (this.#making.has(messageId))
      return Promise.reject(new ServiceError('conflict', 'this voice message is being transcribed'));
    if (this.#stop.signal.aborted || this.#making.size >= AT_ONCE)
      return Promise.reject(unavailable('too many voice messages are being transcribed'));
    const making = this.#make(asked, signal);
    this.#making.set(
      messageId,
      making.catch(() => {}).finally(() => this.#making.delete(messageId)),
    );
    return making;
  }

  /**
   * Asks the turn's agent for a transcript of the voice message that fired the turn, or waits if this node is already
   * asking. Returns false if that message needs none. A failure does not stop the turn (TRANSCRIPT-7): this rejects only
   * with the signal's reason.
   */
  async makeForTurn({ turn, agent, chat }: { turn: TurnRow; agent: AccountRow; chat: ChatRow }, signal: AbortSignal) {
    const { read, onFault } = this.#needs;
    const trigger = agent.agent_provider === PROVIDER ? await read.get(messageByKey, turn.message_key) : undefined;
    if (!trigger || !toTranscribe(recordOf(trigger).attachments)) return false;
    const [messageId, chatId] = [idText(trigger.id), idText(chat.id)];
    const asked = { messageId, chatId, humanKey: turn.human_key, agentKey: agent.key };
    try {
      await unlessAborted(this.#making.get(messageId) ?? this.make(asked, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError || error instanceof ProviderError)) onFault(error);
    }
    return true;
  }

  /** Ends all requests. */
  async stop(): Promise<void> {
    this.#stop.abort(unavailable('the service is stopping'));
    await Promise.all(this.#making.values());
  }

  async #make(asked: TranscriptAsked, signal: AbortSignal | undefined): Promise<void> {
    const { clock, units, read } = this.#needs;
    const message = await read.get(messageById, idBytes(asked.messageId), asked.humanKey);
    if (!message) throw notFound('message');
    const agentNames = (await transcribers(read, message.chat_key, asked.agentKey)).map(({ username }) => username);
    const begun = await units.beginTranscript({ ...asked, agentNames });
    if (!begun) return;
    const late = new AbortController();
    const tooLate = (): void => late.abort(new ProviderError('timeout', 'The transcript took too long.'));
    const timer = clock.setTimer(tooLate, PATIENCE_MS);
    const either = AbortSignal.any([late.signal, this.#stop.signal, ...(signal ? [signal] : [])]);
    let end: TranscriptEnd = { text: null, usage: undefined, price: undefined, estimatedTokens: 0 };
    try {
      end = await this.#ask(begun, either);
    } catch (error) {
      // A model that was interrupted may have processed the sound, so the estimate is booked (KEY-15).
      if (either.aborted) end.estimatedTokens = tokensOfSound(begun.durationMs / 1_000, '');
      throw error;
    } finally {
      timer.cancel();
      await units.endTranscript({ begun, ...end });
    }
  }

  async #ask(begun: BegunTranscript, signal: AbortSignal): Promise<TranscriptEnd> {
    const { read, clock, config, guarded, keys, providers, isSure, onFault, rateOf } = this.#needs;
    const { agentKey, humanKey, payer } = begun;
    const agent = await read.get(accountByKey, agentKey);
    const fields = providers.get(PROVIDER)?.fields;
    if (!agent || !fields) throw new Error('an agent has its account and the fields of its provider');
    const turn = { human_key: humanKey, payer };
    const { apiKey, baseUrl } = await turnConfigOf({ tx: read, keys, onFault }, agent, turn, fields);
    if (apiKey === undefined) throw new ProviderError('refused_key', 'The agent has no key.');
    if (!(await isSure())) throw unavailable('this node is not connected to the others');
    const source = { apiKey, ...(baseUrl !== null && { baseUrl }) };
    const model = await this.#modelOn(source);
    const sound = await this.#soundOf(begun);
    const options = { baseUrl: config.providers[PROVIDER].baseUrl, guarded, clock };
    const heard = await requestTranscript(options, { ...source, model, sound }, signal);
    return endOf(heard, begun, baseUrl === null ? rateOf(model) : null);
  }

  async #modelOn(source: { apiKey: string; baseUrl?: string }): Promise<string> {
    const { config, modelLists } = this.#needs;
    if (source.baseUrl === undefined && config.transcriptionModel !== null) return config.transcriptionModel;
    const model = transcriptionModelOf(await modelLists.list({ ...source, provider: PROVIDER }));
    if (model === undefined)
      throw new ProviderError('bad_request', 'The server of this agent lists no model that transcribes.');
    return model;
  }

  async #soundOf({ fileId, messageKey, humanKey, agentKey }: BegunTranscript) {
    const { read, storage } = this.#needs;
    // Checked again: the message may have been deleted or hidden since.
    const file: FileRow | undefined = await read.get(fileInMessage, idBytes(fileId), messageKey, humanKey, agentKey);
    const bytes = file && (await storage.read(bytesOf(fileId)));
    if (!file || !bytes) throw new ServiceError('not_found', 'not found: file');
    return { name: soundName(file.mime_type), mimeType: file.mime_type, size: file.size, bytes };
  }
}

function endOf({ text, usage, seconds }: Transcription, { durationMs }: BegunTranscript, rate: Rate | null) {
  return {
    text: cleanTranscript(text),
    usage,
    price: rate && usage ? priceOf(rate, usage) : undefined,
    estimatedTokens: usage ? 0 : tokensOfSound(Math.max(seconds ?? 0, durationMs / 1_000), text),
  };
}
