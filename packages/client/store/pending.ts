import type { Account, Poll } from '@parley/protocol';
import type { Client } from '../client.ts';
import type { OutboxEntry, SendParams } from '../outbox.ts';
import { messageOfParams } from '../sent-message.ts';
import type { ChatTable } from './chat-table.ts';
import { type MessageTable, UNPLACED } from './message-table.ts';
import type { StoredMessage } from './store.ts';
import { timelineIdOf } from './timeline-id.ts';
import type { Windows } from './windows.ts';

interface Parts {
  client: Client;
  messages: MessageTable;
  windows: Windows;
  chats: ChatTable;
}

const unknownSender: Account = { username: '', kind: 'human', display_name: '', created_at: new Date(0).toISOString() };
const nameOf = (chatId: string, clientMsgId: string): string => `${chatId} ${clientMsgId}`;

/** The poll as it will be shown once it is sent, without votes. */
const pollOf = ({ question, options, is_multiple, is_anonymous }: NonNullable<SendParams['poll']>): Poll => ({
  question,
  options: options.map((text) => ({ text, votes: 0 })),
  voter_count: 0,
  is_multiple: is_multiple === true,
  is_anonymous: is_anonymous === true,
});

/** Shows the messages of the outbox in their timelines. */
export class Pending {
  readonly #parts: Parts;
  /** Keys of pending messages, by conversation and client_msg_id. */
  readonly #keys = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A message arrived: if it was pending, it keeps its key. */
  resolve(message: { id: string; conversation_id: string; client_msg_id?: string | undefined }): void {
    if (message.client_msg_id === undefined) return;
    const name = nameOf(message.conversation_id, message.client_msg_id);
    const key = this.#keys.get(name);
    if (key === undefined) return;
    this.#keys.delete(name);
    this.#parts.messages.alias(message.id, key);
    this.#arrange(this.#parts.client.outbox.entries.get());
  }

  /** Updates the pending messages from the outbox; returns its new entries. */
  update(): OutboxEntry[] {
    const { client, messages } = this.#parts;
    const entries = client.outbox.entries.get();
    const named = new Map(entries.map((entry) => [nameOf(entry.params.chat_id, entry.client_msg_id), entry]));
    for (const [name, key] of this.#keys)
      if (!named.has(name)) {
        this.#keys.delete(name);
        messages.remove(key);
      }
    const added: OutboxEntry[] = [];
    for (const [name, entry] of named) {
      const key = `pending:${name}`;
      if (!this.#keys.has(name)) {
        // The message has already arrived as an event, before the reply.
        if (messages.family.has(key)) continue;
        added.push(entry);
        this.#keys.set(name, key);
      }
      const { params, at, ...outbox } = entry;
      messages.put(this.#standIn(key, params, at), { outbox });
    }
    this.#arrange(entries);
    return added;
  }

  #arrange(entries: readonly OutboxEntry[]): void {
    const { windows, chats, messages } = this.#parts;
    const byTimeline = new Map<string, string[]>();
    const byChat = new Map<string, string>();
    for (const { params, client_msg_id } of entries) {
      const key = this.#keys.get(nameOf(params.chat_id, client_msg_id));
      const message = key === undefined ? undefined : messages.get(key);
      if (!message?.outbox) continue;
      const id = timelineIdOf(message);
      byTimeline.set(id, [...(byTimeline.get(id) ?? []), message.key]);
      // A failed message stays in its place and does not count as the newest.
      if (message.outbox.state !== 'failed') byChat.set(message.conversation_id, message.key);
    }
    const before = windows.pending;
    windows.pending = byTimeline;
    windows.publishPending(new Set([...before.keys(), ...byTimeline.keys()]));
    const chatsBefore = chats.pending;
    chats.pending = byChat;
    for (const id of new Set([...chatsBefore.keys(), ...byChat.keys()])) chats.change(id, (chat) => chat);
  }

  /** A placeholder for the message, as far as its fields are known. */
  #standIn(key: string, params: SendParams, at: number): StoredMessage {
    return {
      key,
      id: key,
      position: UNPLACED,
      ...messageOfParams(params),
      sender: this.#parts.client.account ?? unknownSender,
      ...(params.poll && { poll: pollOf(params.poll) }),
      mentions: [],
      dispatch: [],
      reactions: [],
      created_at: new Date(at).toISOString(),
      content_revision: 0,
      status: 'complete',
    };
  }
}
