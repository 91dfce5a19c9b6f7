import { hash } from 'node:crypto';
import type { Readings } from '../files/readings.ts';
import type { Clock } from '../core/clock.ts';
import type { Claimed } from '../commits/effects.ts';
import type { EndOfReply } from '../replies/end-of-reply.ts';
import type { LiveStream } from '../replies/live-stream.ts';
import { NOT_CARRIED_OUT } from '../rules/call-results.ts';
import { CONTEXT_NOTICE } from '../rules/context-notice.ts';
import { entriesToContinue } from '../rules/continued-replies.ts';
import { contextOf } from '../rules/conversation-context.ts';
import { unreadNotice, unseenNotice } from '../rules/left-out-files.ts';
import { untooledNotice } from '../rules/left-out-tools.ts';
import { pictureLimits, TOKENS_OF_PICTURE } from '../rules/pictures.ts';
import type { Rate } from '../rules/prices.ts';
import type { Notice } from '../rules/reply-parts.ts';
import { modelSettings } from '../rules/run-config.ts';
import { summaryLimits } from '../rules/summaries.ts';
import { OWN_TOOLS } from '@parley/protocol/built-in-tools';
import type { KeyRing } from '../secrets/seal.ts';
import type { AccountRow } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';
import { type CallRow, callsOfTurn } from '../store/tool-calls.ts';
import type { TurnRow } from '../store/turns.ts';
import type { Offer } from '../tools/outcomes.ts';
import { bytesAsked, tokensOfStep } from './bytes-asked.ts';
import {
  type AdmitStep,
  type Answered,
  beganWith,
  hasReadStrangers,
  ToolTurn,
  type ToolTurnNeeds,
} from './tool-turns/tool-turn.ts';
import type { WrittenCall } from './tool-turns/written-calls.ts';
import { BYTES_PER_TOKEN } from '../replies/request-usage.ts';
import type { Pictures } from './pictures.ts';
import { FileMemory } from './file-memory.ts';
import { turnConfigOf } from './load-run-config.ts';
import {
  type AgentProvider,
  type EndReason,
  ProviderError,
  type ProviderRequest,
  type ProviderStep,
  type ToolDefinition,
} from './providers/provider.ts';
import type { ProviderChoice } from './providers/provider-choice.ts';
import type { FilesOfRequest } from './read-files.ts';
import { noKey, noModel, type Refusal, refusalOf, withAdvice } from './refusals.ts';
import { ReplyWriter } from './reply-writer.ts';
import type { Summaries, WriteSummary } from './summaries.ts';
import type { Transcripts } from './transcripts.ts';
import { turnContext } from './turn-context.ts';
import { writeSummary } from './write-summary.ts';

/** What a reply says if its model refuses to think (PART-21). */
const UNTHOUGHT_NOTICE: Notice = {
  text: 'This model does not think before it answers, as the agent’s settings ask it to. Choose another model, or turn thinking off.',
  cause: { kind: 'thinking_refused' },
};

/** What a reply says of a picture that its model has drawn and that cannot be kept (PICTURE-6). */
const PICTURE_NOTICE: Notice = {
  text: 'The model has drawn a picture that could not be kept.',
  cause: { kind: 'picture_lost' },
};

/** What a reply says if its model does not search the web (PROVIDER-36). */
const UNSEARCHED_NOTICE: Notice = {
  text: 'This model can’t search the web, so it answered without. Choose another model, or turn web search off.',
  cause: { kind: 'search_refused' },
};

export interface AnswerNeeds {
  clock: Clock;
  read: Sql;
  keys: KeyRing;
  readings: Readings;
  summaries: Summaries;
  transcripts: Pick<Transcripts, 'makeForTurn'>;
  tools: ToolTurnNeeds['tools'];
  units: ToolTurnNeeds['units'];
  pictures: Pick<Pictures, 'keep'>;
  providers: ReadonlyMap<string, ProviderChoice>;
  /** The price of a model on its provider's own server; null if the operator has listed none (PRICE-1). */
  rateOf: (model: string) => Rate | null;
  /** Books the usage of a request that another one of the same reply follows. */
  bookUsage: (stream: LiveStream, estimatedTokens: number) => void;
  /** Faults of the service itself, for the log. */
  onFault: (error: unknown, turn: TurnRow) => void;
}

/** The reply that a claimed turn writes. `refused`: why no provider is asked. */
interface ClaimedReply extends Pick<Claimed, 'refused'> {
  agent: AccountRow;
  stream: LiveStream;
}

/** A request to a provider, the files in it, and what its reply says about the context. */
interface AskedRequest {
  request: ProviderRequest;
  files: FilesOfRequest;
  notice?: Notice | undefined;
  /** There are files among them that others than the asker have sent. */
  hasOthersFiles?: boolean;
  /** What the agent may call, asked while the context was read; none if it has no tools. */
  offer?: Promise<Offer> | undefined;
}

/** Where the provider's answers to a turn go. */
interface Relay {
  turn: TurnRow;
  agent: AccountRow;
  stream: LiveStream;
  writer: ReplyWriter;
  provider: AgentProvider;
  signal: AbortSignal;
  /** Hashes of the pictures that the model has drawn in this reply. */
  pictures: Set<string>;
}

/** An answer to a request that was not made. */
const unanswered = { reason: null, calls: [], blocks: undefined, isOpenWorld: false } as const;

/** The reason of a turn's signal if the service stops. */
export class DrainTimeout extends Error {}

/** Answers turns that have a place and a placeholder: asks their providers, and writes into the replies. */
export class TurnAnswers {
  readonly #needs: AnswerNeeds;
  readonly #fileMemory = new FileMemory();

  constructor(needs: AnswerNeeds) {
    this.#needs = needs;
  }

  /**
   * Writes the reply of a turn. Resolves with how it ends, also if it fails or `signal` stops it; does not store that.
   * Null if it does not end: the next start goes on after its last stored step (TURN-19).
   */
  async answer(
    turn: TurnRow,
    { agent, stream, refused }: ClaimedReply,
    signal: AbortSignal,
  ): Promise<EndOfReply | null> {
    const choice = this.#needs.providers.get(agent.agent_provider ?? '');
    try {
      return refused
        ? await this.#refuse(turn, stream, refusalOf(refused, agent))
        : await this.#ask(turn, { agent, choice, stream }, signal);
    } catch (error) {
      if (signal.reason instanceof DrainTimeout && turn.steps > 0) return null;
      if (!signal.aborted && !(error instanceof ProviderError)) this.#needs.onFault(error, turn);
      return endOf(error, signal, agent);
    }
  }

  async #ask(
    turn: TurnRow,
    { agent, choice, stream }: { agent: AccountRow; choice: ProviderChoice | undefined; stream: LiveStream },
    signal: AbortSignal,
  ): Promise<EndOfReply> {
    const asked = choice && (await this.#request(turn, { agent, choice, stream }, signal));
    if (!asked) return this.#refuse(turn, stream, noKey(agent));
    // A turn that begins with text continues its reply, which has said what there is to say of its context.
    const began = turn.steps > 0 ? await beganWith(this.#needs.read, turn) : stream.text.length;
    const isContinued = began > 0;
    if (isContinued) asked.request.messages.push(...entriesToContinue(stream.text.slice(0, began)));
    try {
      const writer = new ReplyWriter(stream, this.#needs.clock);
      if (!isContinued && turn.steps === 0) writer.notice(CONTEXT_NOTICE, asked.notice);
      const relay = { turn, agent, stream, writer, provider: choice.provider, signal, pictures: new Set<string>() };
      if (asked.offer || turn.steps > 0) {
        // What is continued was written by a model that had read it (CALL-8).
        const isTainted =
          asked.hasOthersFiles === true || (isContinued && (await hasReadStrangers(this.#needs.read, stream)));
        return await this.#useTools(turn, agent, { asked, relay, began, isTainted });
      }
      return (await this.#relay(relay, asked, true)).end;
    } catch (error) {
      throw asked.request.baseUrl === undefined ? error : withAdvice(error);
    } finally {
      asked.files.release();
    }
  }

  /** Writes the refusal as the reply, without asking a provider. */
  async #refuse({ key, steps }: TurnRow, stream: LiveStream, { text, end }: Refusal): Promise<EndOfReply> {
    const calls = steps > 0 ? await this.#needs.read.all(callsOfTurn, key) : [];
    const words = calls.some(isAllowed) ? `${text} ${NOT_CARRIED_OUT}` : text;
    if (stream.text === '') stream.append(words);
    // Otherwise it would read like a part of the text that a continued reply has.
    else if (steps > 0) stream.append(`\n\n${words}`);
    return end;
  }

  /** Asks the model as often as it calls tools (CALL-1). */
  #useTools(
    turn: TurnRow,
    agent: AccountRow,
    { asked, relay, began, isTainted }: { asked: AskedRequest; relay: Relay; began: number; isTainted: boolean },
  ): Promise<EndOfReply> {
    const { stream, writer, signal } = relay;
    let isFirst = true;
    const given = {
      turn,
      agent,
      offer: asked.offer,
      stream,
      writer,
      began,
      isTainted,
      ask: async (
        steps: readonly ProviderStep[],
        tools: readonly ToolDefinition[],
        admit: AdmitStep,
      ): Promise<Answered> => {
        const request = { ...asked.request, ...(tools.length > 0 && { tools }), ...(steps.length > 0 && { steps }) };
        const refused = steps.length === 0 ? null : await admit(tokensOfStep(stream, request));
        if (refused === 'over') return { ...unanswered, end: { status: 'cancelled', finishReason: 'stopped' } };
        if (refused) return { ...unanswered, end: await this.#refuse(turn, stream, refusalOf(refused, agent)) };
        const answered = await this.#relay(relay, { ...asked, request }, isFirst);
        isFirst = false;
        return answered;
      },
    };
    return new ToolTurn(this.#needs, given, signal).run();
  }

  /** Writes what the provider sends into the stream until it ends. */
  async #relay(relay: Relay, { request, files }: AskedRequest, isFirst: boolean): Promise<Answered> {
    const { stream, writer, provider, signal } = relay;
    if (isFirst) stream.request.ask(bytesAsked(request));
    else stream.request.askAgain(bytesAsked(request));
    writer.notice('unread', unreadNotice(files.unread));
    const calls: WrittenCall[] = [];
    let blocks: unknown;
    let isOpenWorld = false;
    const ended = (end: EndOfReply, reason: EndReason | null): Answered => ({
      end,
      reason,
      calls,
      blocks,
      isOpenWorld,
    });
    try {
      for await (const event of provider.stream(request, signal)) {
        switch (event.type) {
          case 'text':
            if (!writer.text(event.text)) return ended({ status: 'complete', finishReason: 'length' }, null);
            break;
          case 'reasoning':
            writer.reasoning(event);
            break;
          case 'tool':
            isOpenWorld = true;
            writer.tool(event);
            break;
          case 'picture':
            if (!(await this.#keepPicture(relay, event))) writer.notice('picture', PICTURE_NOTICE);
            break;
          case 'source':
            isOpenWorld = true;
            writer.source(event);
            break;
          case 'call':
            calls.push(event);
            break;
          case 'step':
            blocks = event.blocks;
            break;
          case 'usage':
            stream.request.report({ input_tokens: event.inputTokens, output_tokens: event.outputTokens });
            break;
          case 'retry':
            this.#needs.bookUsage(stream, 0);
            calls.length = 0;
            writer.retry();
            break;
          case 'unseen':
            writer.notice('unseen', unseenNotice(event.files.map(({ name }) => name)));
            break;
          case 'unthought':
            writer.notice('unthought', UNTHOUGHT_NOTICE);
            break;
          case 'untooled':
            writer.notice('untooled', untooledNotice(event.tools));
            break;
          case 'unsearched':
            writer.notice('unsearched', UNSEARCHED_NOTICE);
            break;
          default:
            writer.end();
            return ended(
              event.reason === 'stop' ? { status: 'complete' } : { status: 'complete', finishReason: event.reason },
              event.reason,
            );
        }
      }
    } finally {
      writer.stop();
    }
    throw new ProviderError('interrupted', 'The provider’s stream ended without an end event.');
  }

  /** Adds a picture of the model's answer to the reply, each once (PICTURE-6). */
  async #keepPicture(
    { turn, agent, stream, signal, pictures }: Relay,
    picture: { bytes?: Uint8Array; url?: string },
  ): Promise<boolean> {
    const name = picture.bytes ? hash('sha256', picture.bytes) : (picture.url ?? '');
    if (pictures.has(name)) return true;
    if (pictures.size >= pictureLimits.perTurn) return false;
    pictures.add(name);
    // A vendor that reports no usage is paid for it all the same (KEY-15).
    stream.request.receive(TOKENS_OF_PICTURE * BYTES_PER_TOKEN);
    const { messageKey, chatId } = stream.info;
    const place = { turnKey: turn.key, messageKey, chatId, humanKey: turn.human_key, agentName: agent.username };
    return this.#needs.pictures.keep({ agent, place, alt: stream.text }, picture, signal);
  }

  /**
   * The request to the provider, with the key that the claim chose and the current settings of the asker (KEY-5,
   * KEY-11, BOTCONF-10); undefined if that key is not set.
   */
  async #request(
    turn: TurnRow,
    { agent, choice, stream }: { agent: AccountRow; choice: ProviderChoice; stream: LiveStream },
    signal: AbortSignal,
  ): Promise<AskedRequest | undefined> {
    const { clock, read, keys, readings, summaries, transcripts } = this.#needs;
    const { model, fields, takes, provider } = choice;
    const onFault = (error: unknown): void => this.#needs.onFault(error, turn);
    const needs = { clock, read, readings, memory: this.#fileMemory, onFault };
    if (!fields) {
      const asked = { turn, agent, context: contextOf({}), takes: null, write: null, remembers: false, signal };
      const { messages, files } = await turnContext({ ...needs, summaries: null, transcripts: null }, asked);
      return { request: { apiKey: '', model, messages }, files };
    }
    const { config, apiKey, baseUrl, context, hasTools, remembers } = await turnConfigOf(
      { tx: read, keys, onFault },
      agent,
      turn,
      fields,
    );
    if (apiKey === undefined) return undefined;
    const settings = modelSettings(config);
    // The operator's model is one of the provider's: a server of the agent's own has others.
    if (baseUrl !== null && settings.model === undefined) throw noModel();
    stream.request.setRate(baseUrl === null ? this.#needs.rateOf(settings.model ?? model) : null);
    const server = baseUrl !== null && { baseUrl };
    const taken = (context.files && takes?.(baseUrl)) || null;
    const base = { apiKey, model, ...server };
    const offer = hasTools ? this.#needs.tools.offered(agent, turn.human_key, signal) : undefined;
    // A fault is met where the turn waits for it.
    offer?.catch(() => {});
    const write: WriteSummary = ({ system, text }) => {
      // Only the model: what else an asker may set must not decide what others' replies are based on.
      const chosen = settings.model === undefined ? {} : { model: settings.model };
      const messages = [{ role: 'user' as const, text }];
      const request = { ...base, ...chosen, system, maxOutputTokens: summaryLimits.outputTokens, messages };
      return writeSummary(this.#needs, { stream, provider, request }, signal);
    };
    const { messages, files, notice, hasOthersFiles } = await turnContext(
      { ...needs, summaries, transcripts },
      // The cost of a turn that sends the reply's own text again leaves no room for a summary (SUMMARY-12).
      { turn, agent, context, takes: taken, write: stream.text === '' ? write : null, remembers, signal },
    );
    return { request: { ...base, ...settings, messages }, files, notice, hasOthersFiles, offer };
  }
}

/** Whether people may have allowed a call that was not carried out: of the service's own tools only one that writes. */
const isAllowed = ({ state, server, writes }: CallRow): boolean =>
  state === 'approved' && (server !== OWN_TOOLS || writes === 1);

function endOf(error: unknown, signal: AbortSignal, agent: AccountRow): EndOfReply {
  if (signal.reason instanceof DrainTimeout)
    return {
      status: 'failed',
      finishReason: 'restart',
      alert: `The reply of ${agent.display_name} was cut off by a restart.`,
    };
  if (signal.aborted) return { status: 'cancelled', finishReason: 'stopped' };
  if (error instanceof ProviderError)
    return {
      status: 'failed',
      finishReason: error.kind,
      alert: `The reply of ${agent.display_name} failed: ${error.summary}`,
      ...(error.quote !== undefined && { details: error.quote }),
    };
  return { status: 'failed', finishReason: 'internal', alert: `The reply of ${agent.display_name} failed.` };
}
