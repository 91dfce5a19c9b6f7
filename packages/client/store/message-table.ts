import type { Account, Actor, EventParams, Message, PollVote } from '@parley/protocol';
import type { Cell } from '../cell.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';
import type { StoredMessage } from './store.ts';

/** The position of messages without one (pending, or known only by their activity): they sort last. */
export const UNPLACED = Number.MAX_SAFE_INTEGER;

const bare = (emoji: string): string => emoji.replaceAll('\ufe0f', '');

/** A message that was saved, or fetched from an earlier version of the service, may have `❤` where it now has `❤️` (REACT-7). */
const groupOf = ({ reactions }: StoredMessage, emoji: string): StoredMessage['reactions'][number] | undefined =>
  reactions.find((group) => bare(group.emoji) === bare(emoji));

/** Messages by key. */
export class MessageTable {
  readonly family: CellFamily<StoredMessage | undefined>;
  /** The account's votes in polls, by message id; null while unknown. */
  readonly votes: CellFamily<readonly number[] | null>;
  /** Keys of messages sent from here, by id. */
  readonly #keys = new Map<string, string>();
  readonly #onStreaming: (message: StoredMessage, isStreaming: boolean) => void;

  /** `onStreaming` is called when a message starts or stops streaming; `show` is what a cell shows of a message. */
  constructor(
    changes: Changes,
    onStreaming: (message: StoredMessage, isStreaming: boolean) => void,
    show: (message: StoredMessage) => StoredMessage | undefined,
  ) {
    this.#onStreaming = onStreaming;
    this.family = new CellFamily<StoredMessage | undefined>(
      changes,
      () => undefined,
      undefined,
      (message) => message && show(message),
    );
    this.votes = new CellFamily<readonly number[] | null>(changes, () => null);
  }

  keyOf(id: string): string {
    return this.#keys.get(id) ?? id;
  }

  idOf(idOrKey: string): string {
    return this.get(idOrKey)?.id ?? idOrKey;
  }

  get(idOrKey: string): StoredMessage | undefined {
    return this.family.get(this.keyOf(idOrKey));
  }

  cell(idOrKey: string): Cell<StoredMessage | undefined> {
    return this.family.cell(this.keyOf(idOrKey));
  }

  /** Makes a message keep the key that it had while it was pending. */
  alias(id: string, key: string): void {
    this.#keys.set(id, key);
  }

  /** Stores a message from an event, which is newer than the stored one. */
  put(message: Message, extra: Pick<StoredMessage, 'outbox' | 'is_preview'> = {}): StoredMessage {
    const key = this.keyOf(message.id);
    const known = this.family.get(key);
    // Thread counts are maintained here: a replayed event may contain an older one.
    const thread = known ? known.thread : message.thread;
    const stored: StoredMessage = { ...withoutThread(message), ...(thread && { thread }), ...extra, key };
    if (!this.family.set(key, stored) && known) return known;
    const isStreaming = stored.status === 'streaming';
    if (isStreaming !== (known?.status === 'streaming')) this.#onStreaming(stored, isStreaming);
    return stored;
  }

  /** Stores a fetched message, which may be older than what events have reported. */
  putFetched(message: Message, extra: Pick<StoredMessage, 'is_preview'> = {}): StoredMessage {
    const known = this.get(message.id);
    if (known && isBefore(message, known)) return known;
    if (known?.thread && message.thread === undefined) this.change(message.id, (one) => withoutThread(one));
    else if (known && message.thread) this.change(message.id, (one) => ({ ...one, thread: message.thread }));
    return this.put(message, extra);
  }

  change(id: string, change: (message: StoredMessage) => StoredMessage): void {
    const known = this.get(id);
    if (known) this.family.set(known.key, change(known));
  }

  remove(id: string): void {
    const known = this.get(id);
    if (known?.status === 'streaming') this.#onStreaming(known, false);
    this.family.delete(this.keyOf(id));
    this.#keys.delete(id);
    this.votes.delete(id);
  }

  setVote({ message_id, options }: PollVote): void {
    if (this.get(message_id)) this.votes.set(message_id, options);
  }

  addReaction({ message_id, reactor, emoji }: Omit<EventParams<'reactionAdded'>, 'created_at'>): void {
    this.change(message_id, (message) => withReaction(message, emoji, reactor));
  }

  removeReaction({ message_id, reactor, emoji }: EventParams<'reactionRemoved'>): void {
    this.change(message_id, (message) => withoutReaction(message, emoji, reactor));
  }

  /** Updates an account in all messages. */
  rename(account: Account): void {
    const actor: Actor = { username: account.username, kind: account.kind, display_name: account.display_name };
    const isIt = ({ username }: { username: string }): boolean => username === account.username;
    for (const message of this.family.values()) {
      const isReactor = message.reactions.some(({ reactors }) => reactors.some(isIt));
      if (!isIt(message.sender) && !isReactor) continue;
      const reactions = message.reactions.map((group) => ({
        ...group,
        reactors: group.reactors.map((reactor) => (isIt(reactor) ? actor : reactor)),
      }));
      this.family.set(message.key, { ...message, reactions, sender: isIt(message.sender) ? account : message.sender });
    }
  }
}

export function withReaction(message: StoredMessage, emoji: string, reactor: Actor): StoredMessage {
  const known = groupOf(message, emoji);
  if (known?.reactors.some(({ username }) => username === reactor.username)) return message;
  const group = { emoji, count: (known?.count ?? 0) + 1, reactors: [...(known?.reactors ?? []), reactor] };
  const reactions = message.reactions.map((one) => (one === known ? group : one));
  return { ...message, reactions: known ? reactions : [...reactions, group] };
}

export function withoutReaction(message: StoredMessage, emoji: string, { username: gone }: Actor): StoredMessage {
  const known = groupOf(message, emoji);
  if (!known) return message;
  const reactors = known.reactors.filter(({ username }) => username !== gone);
  // Only the first 50 reactors are listed; others only count.
  const isNamed = reactors.length < known.reactors.length;
  if (!isNamed && known.count <= known.reactors.length) return message;
  const group = { emoji, count: known.count - 1, reactors };
  const reactions = message.reactions.map((one) => (one === known ? group : one)).filter((one) => one.count > 0);
  return { ...message, reactions };
}

function withoutThread<Some extends Message>(message: Some): Some {
  const rest = { ...message };
  delete rest.thread;
  return rest;
}

/** Whether a fetched message is older than the stored one. */
function isBefore(fetched: Message, known: StoredMessage): boolean {
  if (known.is_preview || known.outbox) return false;
  if (fetched.content_revision !== known.content_revision) return fetched.content_revision < known.content_revision;
  // A reply that goes on after its end has a later revision.
  return fetched.status === 'streaming' && known.status !== 'streaming';
}
