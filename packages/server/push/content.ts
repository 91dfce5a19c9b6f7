import { idText } from '../core/ids.ts';
import { badgeCounts } from '../rules/push-delivery.ts';
import { plainText } from '../rules/plain-text.ts';
import { accountByKey } from '../store/accounts.ts';
import { channelByKey } from '../store/chats.ts';
import { decisionOf } from '../store/decisions.ts';
import { mark, messageByKey, type MessageRecord, recordOf, stateOfMessage } from '../store/messages.ts';
import { unreadChats, unreadMessages } from '../store/push-queue.ts';
import type { Sql } from '../store/sql.ts';
import type { NotifPrefs } from '@parley/protocol';

/** Maximum characters taken from a message: more than a body shows, since a name is prepended and the whole is cut. */
const ENOUGH = 256;
/** How long a text is cached: a message goes to many devices within moments. */
const FRESH_MS = 5_000;
const MAX_REMEMBERED = 200;

export interface PushableMessage {
  id: string;
  senderName: string;
  /** Without text, what it holds is described in the language of each device (PUSH-19). */
  text: string;
  attachments: MessageRecord['attachments'];
  /** The message is an open decision. */
  isOpenDecision: boolean;
  /** 0 for #all. */
  channelKey: number;
  /** Username of the sender of the message of which this one reminds. */
  remindsOf?: string | undefined;
}

type Content = Pick<PushableMessage, 'text' | 'attachments' | 'remindsOf'>;

/** Current texts of messages, for pushes. */
export class PushTexts {
  readonly #read: Sql;
  readonly #texts = new Map<number, { content: Promise<Content>; freshUntil: number }>();

  constructor(read: Sql) {
    this.#read = read;
  }

  /**
   * Null for a message that is not pushed: incomplete, a service notice, deleted, in a deleted channel (PUSH-7), or a
   * decision that has ended (PUSH-28).
   */
  async of(messageKey: number, now: number): Promise<PushableMessage | null> {
    if (!(await this.#pushable(messageKey))) return null;
    const content = await this.#contentOf(messageKey, now);
    // The message may have been deleted while its text was read.
    const state = await this.#pushable(messageKey);
    const sender = state && (await this.#read.get(accountByKey, state.sender_key));
    const isOpenDecision = state !== null && (state.marks & mark.decision) !== 0;
    if (!sender) return null;
    const channelKey = state.channel_key;
    return { id: idText(state.id), senderName: sender.display_name, isOpenDecision, channelKey, ...content };
  }

  async #pushable(messageKey: number) {
    const state = await this.#read.get(stateOfMessage, messageKey);
    if (!state || state.deleted_at !== null || state.status !== 'complete' || state.marks & mark.service) return null;
    if (state.marks & mark.decision && (await this.#read.get(decisionOf, messageKey))?.state !== 'open') return null;
    if (state.channel_key === 0) return state;
    return (await this.#read.get(channelByKey, state.channel_key))?.deleted_at === null ? state : null;
  }

  /** Drops the cached text of an edited message. */
  forget(messageKey: number): void {
    this.#texts.delete(messageKey);
  }

  async #contentOf(messageKey: number, now: number): Promise<Content> {
    for (;;) {
      let known = this.#texts.get(messageKey);
      if (!known || known.freshUntil <= now) {
        known = { content: this.#readContent(messageKey), freshUntil: now + FRESH_MS };
        if (this.#texts.size >= MAX_REMEMBERED) this.#texts.clear();
        this.#texts.set(messageKey, known);
      }
      const content = await known.content.catch((error: unknown) => {
        this.#texts.delete(messageKey);
        throw error;
      });
      // If it was invalidated during the read, read again.
      if (this.#texts.get(messageKey) === known) return content;
    }
  }

  async #readContent(messageKey: number): Promise<Content> {
    const row = await this.#read.get(messageByKey, messageKey);
    if (!row) return { text: '', attachments: [] };
    const { content, attachments, reminder_of } = recordOf(row);
    return { text: plainText(content, ENOUGH), attachments, remindsOf: reminder_of?.sender };
  }
}

/** The number on the app's icon; null if the account wants none (PUSH-6). */
export async function badgeOf(
  read: Sql,
  accountKey: number,
  prefs: NotifPrefs['badge'],
  now: number,
): Promise<number | null> {
  const counted = badgeCounts(prefs);
  if (!counted) return null;
  const statement = counted.what === 'messages' ? unreadMessages : unreadChats;
  return (await read.get(statement, accountKey, Number(counted.withGroups), now))?.count ?? 0;
}
