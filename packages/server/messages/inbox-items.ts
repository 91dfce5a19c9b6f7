import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope } from '../core/event-kinds.ts';
import {
  addFailedItem,
  addMentionItems,
  addReplyItem,
  addThreadItems,
  dropHiddenOfThread,
  pruneInboxes,
} from '../store/inbox.ts';
import type { MessageRow } from '../store/messages.ts';

/** One in this many messages deletes what inboxes no longer show, which costs as much as reading a full inbox. */
const MESSAGES_PER_PRUNING = 8;
/** A person follows a thread while one of this many newest messages in it is theirs (INBOX-3). */
const NEWEST_IN_THREAD = 50;

type InboxCall = Pick<UnitCall, 'tx' | 'now' | 'emit'>;
type Placed = Pick<MessageRow, 'key' | 'id' | 'channel_key' | 'thread_key' | 'sender_key'>;

interface About {
  /** The people for whom its mentions count (`peopleMentioned`). */
  mentioned: readonly number[];
  /** The author of the quoted message. */
  quotedKey?: number | undefined;
}

/**
 * Adds a finished message of a group to the inboxes that it belongs in, each person once: as a mention, otherwise as a
 * reply, otherwise as news in a thread. Most messages are none of these, and cost no statement.
 */
export async function addToInboxes(
  call: InboxCall,
  chat: { key: number; kind: 'direct' | 'group' },
  { key, id, channel_key, thread_key, sender_key }: Placed,
  { mentioned, quotedKey }: About,
): Promise<void> {
  if (chat.kind !== 'group') return;
  const { tx } = call;
  const added = mentioned.length > 0 ? await tx.list(addMentionItems, mentioned, chat.key, key, sender_key) : [];
  if (quotedKey !== undefined && quotedKey !== sender_key)
    added.push(...(await tx.all(addReplyItem, chat.key, key, sender_key, quotedKey)));
  if (thread_key !== 0) {
    await tx.run(dropHiddenOfThread, chat.key, channel_key, thread_key, NEWEST_IN_THREAD);
    added.push(
      ...(await tx.all(addThreadItems, chat.key, key, sender_key, channel_key, thread_key, call.now, NEWEST_IN_THREAD)),
    );
  }
  await settle(call, id, added);
}

/** Adds a failed reply to the inbox of its agent's owner, if the owner takes part. */
export async function addFailure(call: InboxCall, row: MessageRow, ownerKey: number | null): Promise<void> {
  if (ownerKey === null) return;
  await settle(call, row.id, await call.tx.all(addFailedItem, row.chat_key, row.key, row.sender_key, ownerKey));
}

async function settle(call: InboxCall, id: Uint8Array, added: readonly { account_key: number }[]): Promise<void> {
  // The last byte of an id is random: no sender can avoid the messages that prune.
  const prunes = (id.at(-1) ?? 0) % MESSAGES_PER_PRUNING === 0;
  const keys = added.map(({ account_key }) => account_key);
  if (prunes && keys.length > 0) await call.tx.list(pruneInboxes, keys);
  for (const key of keys) announceInbox(call, key);
}

/** Sends the account's devices that its inbox has changed. */
export function announceInbox(call: Pick<UnitCall, 'emit'>, accountKey: number): void {
  call.emit({ scope: accountScope(accountKey), kind: 'inboxUpdated', params: {} });
}
