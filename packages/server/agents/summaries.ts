import { type Clock, unlessAborted } from '../core/clock.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import {
  isSummaryDue,
  readableOf,
  roomBeside,
  type Summary,
  summaryLimits,
  summaryRequest,
  summaryText,
  transcriptOf,
} from '../rules/summaries.ts';
import type { AccountRow } from '../store/accounts.ts';
import type { MessageRow } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';
import { messagesBetween, summaryOf, summaryPlace, type SummaryRow } from '../store/summaries.ts';
import { contextRow } from '../store/timelines.ts';
import type { TurnRow } from '../store/turns.ts';
import { contextMessages } from './context-messages.ts';
import { ProviderError } from './providers/provider.ts';
import type { beginSummary, storeSummary } from './summary-units.ts';

/**
 * How long no summary is tried again where one has failed, or made again where one was deleted: each try costs tokens, and
 * delays a reply.
 */
const REST_MS = 600_000;
/** Maximum places that rest; the oldest is forgotten first. */
const MAX_RESTING = 1_000;

/** Asks the model of a turn for a summary. Throws what the provider throws, or the turn's reason to stop. */
export type WriteSummary = (request: { system: string; text: string }) => Promise<string>;

export interface SummaryNeeds {
  clock: Clock;
  read: Sql;
  units: UnitCallers<{ beginSummary: typeof beginSummary; storeSummary: typeof storeSummary }>;
  /** Faults of the service itself, for the log. */
  onFault: (error: unknown, turn: TurnRow) => void;
}

interface Asked {
  turn: TurnRow;
  agent: AccountRow;
  chatId: string;
  /** The oldest message that the model receives: the summary is about those before it. */
  before: number;
  write: WriteSummary;
  signal: AbortSignal;
}

/** A place where no summary is made until a time, unless enough messages after a key are left out. */
interface Rest {
  until: number;
  throughKey: number;
}

/** Summaries of the messages that no longer fit into the contexts of agents, made by the turns that need them. */
export class Summaries {
  readonly #needs: SummaryNeeds;
  /** The summaries that this node is making, by place. They never reject. */
  readonly #making = new Map<string, Promise<void>>();
  /** By place. */
  readonly #resting = new Map<string, Rest>();

  constructor(needs: SummaryNeeds) {
    this.#needs = needs;
  }

  /** The stored summary of the messages before `before`, for the request of a turn. */
  async find(turn: TurnRow, before: number): Promise<Summary | undefined> {
    const row = await this.#needs.read.get(summaryOf, ...summaryPlace(turn));
    // A retried turn gets the conversation up to an older message: a newer summary would tell it what came later.
    if (!row || row.text === null || row.through_key >= turn.message_key) return undefined;
    const { length: leftOut } = await this.#leftOut(turn, row, before - 1, summaryLimits.messages);
    return { text: row.text, messages: row.messages, isWhole: row.is_whole === 1, leftOut };
  }

  /**
   * Makes a summary if enough messages are left out since the last one, or waits for another turn that is making it.
   * Returns false if there was nothing to wait for. If it fails, the reply goes on without (SUMMARY-7).
   */
  async renew(asked: Asked): Promise<boolean> {
    const { turn, before, signal } = asked;
    const row = await this.#needs.read.get(summaryOf, ...summaryPlace(turn));
    const left = await this.#leftOut(turn, row, before - 1, summaryLimits.dueMessages);
    const [newest] = left;
    if (!newest || !isSummaryDue(left)) return false;
    const place = summaryPlace(turn).join(' ');
    const others = this.#making.get(place);
    if (others) await unlessAborted(others, signal);
    else if (this.#rests(place, row, left)) return false;
    else {
      const making = this.#make(asked, newest.key, place).finally(() => this.#making.delete(place));
      this.#making.set(
        place,
        making.catch(() => {}),
      );
      await making;
    }
    return true;
  }

  async #make(asked: Asked, reachKey: number, place: string): Promise<void> {
    const { turn, signal } = asked;
    try {
      await this.#attempt(asked, reachKey);
      this.#rest(place, reachKey);
    } catch (error) {
      signal.throwIfAborted();
      this.#rest(place, Infinity);
      if (!(error instanceof ProviderError)) this.#needs.onFault(error, turn);
    }
  }

  async #attempt({ turn, agent, chatId, write }: Asked, reachKey: number): Promise<void> {
    const { read, units } = this.#needs;
    const begun = await units.beginSummary({ turnKey: turn.key, chatId, reachKey });
    if (!begun) return;
    const { attempt, former } = begun;
    // Read after the beginning is committed: from then on, no message can change unnoticed.
    const left = await this.#leftOut(turn, former, reachKey, summaryLimits.messages + 1);
    const rows: MessageRow[] = await read.gather(
      contextRow,
      readableOf(left).map(({ key }) => key),
    );
    const root = former || turn.thread_key === 0 ? undefined : await read.get(contextRow, turn.thread_key);
    const messages = await contextMessages(read, root ? [...rows, root] : rows);
    const newestFirst = messages.slice(0, rows.length);
    const formerText = former?.text ?? null;
    const transcript = transcriptOf(newestFirst, roomBeside(formerText), messages[rows.length]);
    const [newest] = newestFirst;
    const oldest = newestFirst.at(-1);
    if (!newest || !oldest || transcript.messages.length === 0) return;
    const text = summaryText(await write(summaryRequest(agent.username, transcript, formerText)));
    if (text === '') throw new ProviderError('protocol', 'The summary is empty.');
    await units.storeSummary({
      turnKey: turn.key,
      chatId,
      attempt,
      text,
      fromKey: former?.from_key ?? oldest.key,
      throughKey: newest.key,
      messages: (former?.messages ?? 0) + transcript.messages.length,
      isWhole: transcript.isWhole && rows.length === left.length && former?.is_whole !== 0,
    });
  }

  /** The messages of the turn's timeline, newest first, that neither the summary nor a context from `through` on has. */
  #leftOut(turn: TurnRow, row: SummaryRow | null | undefined, through: number, limit: number) {
    // Without a text it is 0.
    const after = row?.through_key ?? 0;
    const { chat_key, channel_key, thread_key } = turn;
    return this.#needs.read.all(messagesBetween, chat_key, channel_key, thread_key, after, through, limit);
  }

  /** Whether a summary has just failed there, or was deleted soon after it was made (SUMMARY-7). */
  #rests(place: string, row: SummaryRow | null | undefined, left: readonly { key: number }[]): boolean {
    const rest = this.#resting.get(place);
    if (!rest || rest.until <= this.#needs.clock.monotonic()) return false;
    if (rest.throughKey === Infinity) return true;
    const isDeleted = !row || row.text === null;
    const oldestDue = left[summaryLimits.dueMessages - 1];
    return isDeleted && (!oldestDue || oldestDue.key <= rest.throughKey);
  }

  #rest(place: string, throughKey: number): void {
    this.#resting.delete(place);
    this.#resting.set(place, { until: this.#needs.clock.monotonic() + REST_MS, throughKey });
    const [oldest] = this.#resting.keys();
    if (this.#resting.size > MAX_RESTING && oldest !== undefined) this.#resting.delete(oldest);
  }
}
