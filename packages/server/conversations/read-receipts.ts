import type { EventParams } from '@parley/protocol';
import type { Clock, Timer } from '../core/clock.ts';
import { accountScope, chatScope, type Scope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import type { TransientEvent } from '../log/event-log.ts';
import { knowledgeOf } from '../rules/read-receipts.ts';
import { chatByKey } from '../store/chats.ts';
import { blocksAgainst, blocksWith, newestReceipts, withoutReceipts } from '../store/receipts.ts';
import type { Sql } from '../store/sql.ts';

/** Delay between two events about the receipts of one conversation: what is read meanwhile is sent together. */
const PAUSE_MS = 1_000;
/** Maximum readers that are compared: whom a block separates from all of these is sent nothing. */
const MAX_READERS = 8;
/** Conversations whose last event is remembered, so that it is not sent again. */
const MAX_REMEMBERED = 10_000;

interface ReceiptNeeds {
  clock: Clock;
  read: Sql;
  publish: (event: TransientEvent) => void;
  onFault: (error: unknown) => void;
}

/**
 * Sends people how far the others have read, as transient events: a client that was away loads the position again. In a
 * group of any size, however many read at the same time, a conversation has at most one event for all per second, and
 * only if the position of the furthest reader has changed (READ-14).
 */
export class ReadReceipts {
  readonly #needs: ReceiptNeeds;
  /** Conversations with a recent event, and whether somebody has read on since. */
  readonly #resting = new Map<number, { timer: Timer; isDue: boolean }>();
  /** What was sent last, by conversation; those used last at the end. */
  readonly #sent = new Map<number, string>();

  constructor(needs: ReceiptNeeds) {
    this.#needs = needs;
  }

  /** Somebody has read on: called on the node that has stored it. */
  moved(chatKey: number): void {
    const resting = this.#resting.get(chatKey);
    if (resting) resting.isDue = true;
    else this.#begin(chatKey);
  }

  close(): void {
    for (const { timer } of this.#resting.values()) timer.cancel();
    this.#resting.clear();
  }

  #begin(chatKey: number): void {
    const timer = this.#needs.clock.setTimer(() => this.#rested(chatKey), PAUSE_MS);
    this.#resting.set(chatKey, { timer, isDue: false });
    this.#send(chatKey).catch(this.#needs.onFault);
  }

  #rested(chatKey: number): void {
    const isDue = this.#resting.get(chatKey)?.isDue;
    this.#resting.delete(chatKey);
    if (isDue) this.#begin(chatKey);
  }

  async #send(chatKey: number): Promise<void> {
    const { read, publish } = this.#needs;
    const chat = await read.get(chatByKey, chatKey);
    const rows = await read.all(newestReceipts, chatKey, MAX_READERS);
    const state = JSON.stringify(rows);
    if (!chat || this.#sent.get(chatKey) === state) return;
    const keys = rows.map(({ account_key }) => account_key);
    // In a direct chat with a block no receipt moves (READ-12).
    const blocks =
      chat.kind === 'direct'
        ? []
        : [...(await read.list(blocksWith, keys, chatKey)), ...(await read.list(blocksAgainst, keys, chatKey))];
    const { position, others } = knowledgeOf(
      rows.map((row) => ({ account: row.account_key, position: row.receipt_key })),
      blocks.map(({ reader_key, other_key }) => [reader_key, other_key]),
    );
    const outside = new Set((await read.all(withoutReceipts, chatKey)).map(({ account_key }) => account_key));
    const event = (scope: Scope, upTo: number): TransientEvent => {
      const params: EventParams<'messagesRead'> = { conversation_id: idText(chat.id), position: upTo };
      return { scope, kind: 'messagesRead', params: JSON.stringify(params) };
    };
    publish({ ...event(chatScope(chatKey), position), hiddenFrom: [...outside, ...others.keys()] });
    for (const [account, upTo] of others)
      if (upTo > 0 && !outside.has(account)) publish(event(accountScope(account), upTo));
    this.#remember(chatKey, state);
  }

  #remember(chatKey: number, state: string): void {
    this.#sent.delete(chatKey);
    this.#sent.set(chatKey, state);
    const [oldest] = this.#sent.keys();
    if (oldest !== undefined && this.#sent.size > MAX_REMEMBERED) this.#sent.delete(oldest);
  }
}
