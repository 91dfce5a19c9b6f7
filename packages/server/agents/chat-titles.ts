import type { Price, TokenUsage } from '@parley/protocol';
import type { TitleRequest } from '../commits/effects.ts';
import type { Clock } from '../core/clock.ts';
import { MAX_ANSWER_UNITS, titleLimits, titleOfAnswer, titlePrompt } from '../rules/chat-titles.ts';
import { priceOf, type Rate } from '../rules/prices.ts';
import { modelSettings } from '../rules/run-config.ts';
import type { KeyRing } from '../secrets/seal.ts';
import { accountByKey } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';
import { BYTES_PER_TOKEN } from '../replies/request-usage.ts';
import { turnConfigOf } from './load-run-config.ts';
import { type AgentProvider, ProviderError, type ProviderRequest } from './providers/provider.ts';
import type { ProviderChoice } from './providers/provider-choice.ts';

/** How long a model may take to make a title. */
const PATIENCE_MS = 30_000;
/** Maximum requests that run at once: of one human, and on this node. */
const OF_ONE_HUMAN = 2;
const IN_ALL = 64;

/** What a request for a title came to: what it used, and the title, if it made one. */
export interface TitleEnd {
  title: string | null;
  usage: TokenUsage | undefined;
  price: Price | undefined;
  /** See `Booking`. */
  estimatedTokens: number;
}

interface TitleNeeds {
  clock: Clock;
  read: Sql;
  keys: KeyRing;
  providers: ReadonlyMap<string, ProviderChoice>;
  /** See `Turns`. */
  rateOf: (model: string) => Rate | null;
  /** Stores the title and books the usage. */
  store: (request: TitleRequest, end: TitleEnd) => Promise<unknown>;
  /** Faults of the service itself, for the log. */
  onFault: (error: unknown) => void;
}

interface Running {
  humanKey: number;
  stop: AbortController;
  done: Promise<void>;
}

/** Asks models for the titles of separate chats, beside the turns: nothing waits for a title (TITLE-4). */
export class ChatTitles {
  readonly #needs: TitleNeeds;
  readonly #running = new Set<Running>();
  #isStopped = false;

  constructor(needs: TitleNeeds) {
    this.#needs = needs;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Makes the title of a chat; leaves it out if too many are being made. */
  make(request: TitleRequest): void {
    const { humanKey } = request;
    const own = [...this.#running].filter((one) => one.humanKey === humanKey).length;
    if (this.#isStopped || own >= OF_ONE_HUMAN || this.#running.size >= IN_ALL) return;
    const stop = new AbortController();
    const timer = this.#needs.clock.setTimer(() => stop.abort(), PATIENCE_MS);
    const running: Running = { humanKey, stop, done: Promise.resolve() };
    this.#running.add(running);
    running.done = this.#make(request, stop.signal)
      .catch(this.#needs.onFault)
      .finally(() => {
        timer.cancel();
        this.#running.delete(running);
      });
  }

  /** Ends all requests; titles that are not made yet are lost. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { stop } of this.#running) stop.abort();
    await Promise.all([...this.#running].map(({ done }) => done));
  }

  async #make(title: TitleRequest, signal: AbortSignal): Promise<void> {
    const { read, providers, rateOf, store, onFault } = this.#needs;
    const agent = await read.get(accountByKey, title.agentKey);
    const choice = providers.get(agent?.agent_provider ?? '');
    if (!agent || !choice?.fields || signal.aborted) return;
    const turn = { human_key: title.humanKey, payer: title.payer };
    const { config, apiKey, baseUrl } = await turnConfigOf({ ...this.#needs, tx: read }, agent, turn, choice.fields);
    const { model = baseUrl === null ? choice.model : undefined, maxOutputTokens = titleLimits.outputTokens } =
      modelSettings(config);
    if (apiKey === undefined || model === undefined) return;
    const { system, text } = titlePrompt(title.question, title.reply);
    const request: ProviderRequest = {
      apiKey,
      model,
      ...(baseUrl !== null && { baseUrl }),
      system,
      maxOutputTokens: Math.min(maxOutputTokens, titleLimits.outputTokens),
      messages: [{ role: 'user', text }],
    };
    const answer = new Answer();
    try {
      await answer.read(choice.provider, request, signal);
    } catch (error) {
      if (!signal.aborted && !(error instanceof ProviderError)) onFault(error);
    }
    const rate = baseUrl === null ? rateOf(model) : null;
    const end = answer.end(Buffer.byteLength(system) + Buffer.byteLength(text), rate, signal.aborted);
    if (end.title !== null || end.usage || end.estimatedTokens > 0) await store(title, end);
  }
}

/** A model's answer as it arrives. */
class Answer {
  #text = '';
  #isWhole = false;
  /** Of requests that were retried, and of the last one. */
  #earlier: TokenUsage | undefined;
  #usage: TokenUsage | undefined;

  async read(provider: AgentProvider, request: ProviderRequest, signal: AbortSignal): Promise<void> {
    for await (const event of provider.stream(request, signal)) {
      if (event.type === 'text') this.#text += event.text;
      else if (event.type === 'usage')
        this.#usage = { input_tokens: event.inputTokens, output_tokens: event.outputTokens };
      else if (event.type === 'retry') {
        this.#earlier = this.#total;
        this.#usage = undefined;
      } else if (event.type === 'end') this.#isWhole = event.reason === 'stop';
      // Too long for a title: the rest is not read.
      if (this.#text.length > MAX_ANSWER_UNITS) return;
    }
  }

  get #total(): TokenUsage | undefined {
    if (!this.#earlier || !this.#usage) return this.#earlier ?? this.#usage;
    return {
      input_tokens: this.#earlier.input_tokens + this.#usage.input_tokens,
      output_tokens: this.#earlier.output_tokens + this.#usage.output_tokens,
    };
  }

  /**
   * As for a reply, tokens are estimated unless all are reported, or the request failed before its text (KEY-15). A model
   * whose request was aborted may have thought until then.
   */
  end(askedBytes: number, rate: Rate | null, isAborted: boolean): TitleEnd {
    const isAllReported = this.#isWhole ? this.#usage !== undefined : this.#text === '' && !isAborted;
    const usage = this.#total;
    return {
      title: this.#isWhole ? titleOfAnswer(this.#text) : null,
      usage,
      price: rate && usage ? priceOf(rate, usage) : undefined,
      estimatedTokens: isAllReported ? 0 : Math.ceil((askedBytes + Buffer.byteLength(this.#text)) / BYTES_PER_TOKEN),
    };
  }
}
