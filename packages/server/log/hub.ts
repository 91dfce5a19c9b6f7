import type { Intent } from '../commits/effects.ts';
import { Outgoing } from './frames.ts';
import { headPlaces, noHead, raiseTo } from './engines/transient-heads.ts';
import type { EventLog, PublishedEvent, ScopeHead } from './event-log.ts';
import { hasFocus } from './caps.ts';
import { type Audience, FrameWriter, type FrameReceiver } from './frame-writer.ts';
import {
  eventClass,
  eventKinds,
  isAccountScope,
  type Scope,
  scopeKey,
  scopesOf,
  type TimelineId,
} from '../core/event-kinds.ts';
import { Listeners } from './listeners.ts';

/** A live socket, as the hub uses it. */
export interface Receiver extends FrameReceiver {
  readonly id: string;
  readonly subscription: Subscription | null;
  readonly isOpen: boolean;
  /** Called when the socket has become a receiver; the socket sends its greeting before any frame. */
  joined(subscription: Subscription): void;
}

/** The sockets of an account that have the same caps, and so receive the same frames (LOG-6). */
export interface Subscription extends Audience {
  readonly presence: Presence;
  /** Of an access token that may not see everything: such a socket has a subscription of its own. Null for others. */
  readonly within: Within | null;
  readonly classes: number;
  /**
   * For a socket with the cap `focus`, which has a subscription of its own: the timeline that it has focused, null for
   * none. Otherwise undefined.
   */
  focus: TimelineId | null | undefined;
  /** Open replies in the focused timeline whose snapshot is not sent yet: they count as not focused (CAPS-9). */
  awaited: Set<number> | null;
  readonly receivers: Receiver[];
  /** Pending while `last` is being read; until then the subscription has no receivers. */
  opening: Promise<void> | null;
}

/**
 * The only conversations whose events a socket receives (ACCESS-9). Of the account's own events it receives those that
 * name one of them.
 */
export interface Within {
  readonly chats: ReadonlySet<number>;
  readonly ids: ReadonlySet<string>;
}

/** Whether an event in an account's own scope names one of the conversations. */
export function namesOneOf({ ids }: Within, params: string): boolean {
  const { conversation_id: chatId } = JSON.parse(params) as { conversation_id?: string }; // as events are declared
  return chatId !== undefined && ids.has(chatId);
}

/** A pending load of an account's conversations and head. */
interface Loading {
  done: Promise<void>;
  /** Conversations that the account joined (true) or left (false) during the load. */
  readonly moved: Map<number, boolean>;
}

/** An account with at least one live socket, and its conversations at the current position of the log. */
interface Presence {
  readonly accountKey: number;
  chats: Set<number>;
  readonly subscriptions: Subscription[];
  /** Set until `chats` is loaded. */
  loading: Loading | null;
  /**
   * The log's newest number when the account last joined a conversation: its frames do not count older events of that
   * conversation (LOG-10).
   */
  joinedAt: number;
}

/** Addresses of files in the params of events, which are signed per account (FILE-5). */
interface PersonalAddresses {
  /** Whether the params contain such addresses. */
  in(params: string): boolean;
  /** The params with the addresses signed for one account. */
  sign(params: string, accountKey: number): string;
}

const noAddresses: PersonalAddresses = { in: () => false, sign: (params) => params };

/** Turns each event into frames of every live socket that may see it. */
export class Hub {
  readonly #presences = new Map<number, Presence>();
  readonly #loading = new Set<Loading>();
  /** The newest numbers that were published or skipped since the oldest pending load began. */
  readonly #passed = new Map<Scope, ScopeHead>();
  readonly #chatSubscriptions = new Map<number, Subscription[]>();
  readonly #addresses: PersonalAddresses;
  readonly #listeners = new Listeners();
  readonly #writer = new FrameWriter();
  #log: EventLog | null = null;
  /** The number of the newest published event. */
  #newest = 0;

  constructor(addresses: PersonalAddresses = noAddresses) {
    this.#addresses = addresses;
  }

  attach(log: EventLog): void {
    this.#log = log;
  }

  /** Sends an event to the sockets that may see it; false if no account with a live socket here may. */
  publish(event: PublishedEvent): boolean {
    this.#newest = event.seq;
    if (this.#loading.size > 0) this.#pass(event.scope, eventKinds[event.kind].class, event.seq);
    const subscriptions = isAccountScope(event.scope)
      ? this.#presences.get(scopeKey(event.scope))?.subscriptions
      : this.#chatSubscriptions.get(scopeKey(event.scope));
    if (!subscriptions) return false;
    if (this.#addresses.in(event.params)) {
      this.#publishSigned(event, subscriptions);
      return true;
    }
    const outgoing = new Outgoing(event);
    const hiddenFrom = event.hiddenFrom && new Set(event.hiddenFrom);
    for (const subscription of subscriptions)
      if (
        subscription.presence.accountKey !== event.except &&
        !hiddenFrom?.has(subscription.presence.accountKey) &&
        isWithin(subscription, event)
      )
        this.#give(subscription, outgoing, event.exceptSocket);
    return true;
  }

  /**
   * Publishes an event with addresses of files: its params are signed for each account when they are written (FILE-5).
   */
  #publishSigned(event: PublishedEvent, subscriptions: readonly Subscription[]): void {
    const own = new Map<number, Outgoing>();
    for (const subscription of subscriptions) {
      const { accountKey } = subscription.presence;
      if (accountKey === event.except || !isWithin(subscription, event)) continue;
      let outgoing = own.get(accountKey);
      if (!outgoing)
        own.set(accountKey, (outgoing = new Outgoing(event, () => this.#addresses.sign(event.params, accountKey))));
      this.#give(subscription, outgoing, event.exceptSocket);
    }
  }

  /** Notifies the sockets of a scope that they have missed an event, which this node read from the store. */
  skip(scope: Scope, seq: number): void {
    if (this.#loading.size > 0) this.#pass(scope, eventClass.base, seq);
    const subscriptions = isAccountScope(scope)
      ? this.#presences.get(scopeKey(scope))?.subscriptions
      : this.#chatSubscriptions.get(scopeKey(scope));
    for (const subscription of subscriptions ?? []) this.#writer.skip(subscription, seq);
  }

  /** Changes the memberships in memory: only here, after COMMIT, in the order of the log. */
  apply(intent: Intent): void {
    if (intent.type !== 'join' && intent.type !== 'leave') return;
    const presence = this.#presences.get(intent.accountKey);
    if (!presence) return;
    if (intent.type === 'join') presence.joinedAt = Math.max(this.#newest, this.#log?.published ?? 0);
    if (presence.loading) presence.loading.moved.set(intent.chatKey, intent.type === 'join');
    else if (intent.type === 'join') {
      if (presence.chats.has(intent.chatKey)) return;
      presence.chats.add(intent.chatKey);
      for (const subscription of presence.subscriptions) this.#enter(intent.chatKey, subscription);
    } else if (presence.chats.delete(intent.chatKey)) {
      for (const subscription of presence.subscriptions) this.#exit(intent.chatKey, subscription);
    }
  }

  /**
   * Adds a socket to its account's subscription, unless the socket closes before that; `subscription.last` is the
   * `head` of its greeting. Events that are published while conversations and head are read are included in
   * `subscription.last` and are not sent.
   */
  async connect(accountKey: number, classes: number, receiver: Receiver, within: Within | null = null): Promise<void> {
    const presence = this.#presences.get(accountKey) ?? this.#begin(accountKey);
    const focus = hasFocus(classes) ? null : undefined;
    let subscription =
      focus === null || within
        ? undefined
        : presence.subscriptions.find((candidate) => candidate.classes === classes && !candidate.within);
    if (!subscription) {
      subscription = {
        presence,
        within,
        classes,
        focus,
        awaited: null,
        last: 0,
        run: null,
        runPrev: 0,
        waiting: null,
        receivers: [],
        opening: null,
      };
      presence.subscriptions.push(subscription);
      subscription.opening = presence.loading?.done ?? this.#open(subscription);
    }
    if (subscription.opening)
      try {
        await subscription.opening;
      } catch (error) {
        this.#leave(subscription);
        throw error;
      }
    if (!presence.subscriptions.includes(subscription)) return this.connect(accountKey, classes, receiver, within);
    if (!receiver.isOpen) return this.#leave(subscription);
    // Flushed first, because the head of the new socket already includes the frames that wait.
    this.flushSubscription(subscription);
    subscription.receivers.push(receiver);
    receiver.joined(subscription);
  }

  disconnect(subscription: Subscription, receiver: Receiver): void {
    remove(subscription.receivers, receiver);
    this.#leave(subscription);
  }

  /** The number of the account's newest event in these classes, of those published up to `through` (LOG-6). */
  async headOf(accountKey: number, classes: number, through: number): Promise<number> {
    const presence = this.#presences.get(accountKey);
    const subscription = presence?.subscriptions.find(
      (candidate) => candidate.classes === classes && !candidate.opening && !candidate.within,
    );
    if (subscription) return subscription.last;
    const standing = await this.#log?.standingOf(accountKey, through);
    // Events published during the read do not count.
    return standing ? Math.min(headThrough(standing.head, classes), through) : 0;
  }

  /** The number from which on live frames count all events of the account's conversations. */
  joinedAt(accountKey: number): number {
    return this.#presences.get(accountKey)?.joinedAt ?? 0;
  }

  /** The scopes of an account: from memory if it has live sockets, otherwise from the store. */
  async scopesOf(accountKey: number): Promise<ReadonlySet<Scope>> {
    const presence = this.#presences.get(accountKey);
    if (presence && !presence.loading) return scopesOf(accountKey, presence.chats);
    return (await this.#log?.standingOf(accountKey, this.#log.published))?.scopes ?? new Set();
  }

  /** Whether a live socket of the conversation receives this class of events. */
  listens(chatKey: number, wanted: number): boolean {
    return this.#listeners.has(chatKey, wanted);
  }

  /** Schedules the replies of a socket, which are sent before the frames of other sockets. */
  reply(receiver: Receiver): void {
    this.#writer.reply(receiver);
  }

  /** Called when a socket of the subscription has shown that it is read: frames that wait for it go first again. */
  attended(subscription: Subscription): void {
    this.#writer.attended(subscription);
  }

  /** Writes all waiting replies and frames. */
  flush(): void {
    this.#writer.flush();
  }

  /** Writes the frames that wait for one subscription. */
  flushSubscription(subscription: Subscription): void {
    this.#writer.flushFor(subscription);
  }

  #give(subscription: Subscription, outgoing: Outgoing, exceptSocket: string | undefined): void {
    if ((subscription.classes & outgoing.class) === 0) return;
    // In the focused timeline the socket receives the text of open replies, in others only their activity.
    if (subscription.focus !== undefined && outgoing.timeline !== null) {
      const isHere = subscription.focus === outgoing.timeline && !subscription.awaited?.has(outgoing.draft);
      if (isHere === (outgoing.class === eventClass.activity)) return;
    }
    const except =
      exceptSocket === undefined ? undefined : subscription.receivers.find(({ id }) => id === exceptSocket);
    if (except) this.#writer.giveOthers(subscription, outgoing, except);
    else this.#writer.give(subscription, outgoing);
  }

  #enter(chatKey: number, subscription: Subscription): void {
    if (subscription.within?.chats.has(chatKey) === false) return;
    this.#listeners.count(chatKey, subscription.classes, 1);
    const subscriptions = this.#chatSubscriptions.get(chatKey);
    if (subscriptions) subscriptions.push(subscription);
    else this.#chatSubscriptions.set(chatKey, [subscription]);
  }

  #exit(chatKey: number, subscription: Subscription): void {
    const subscriptions = this.#chatSubscriptions.get(chatKey);
    if (!subscriptions || !remove(subscriptions, subscription)) return;
    this.#listeners.count(chatKey, subscription.classes, -1);
    if (subscriptions.length === 0) this.#chatSubscriptions.delete(chatKey);
  }

  /** Conversations and head are read once, even if several sockets of the account connect at the same time. */
  #begin(accountKey: number): Presence {
    const loading: Loading = { done: Promise.resolve(), moved: new Map() };
    const presence: Presence = { accountKey, chats: new Set(), subscriptions: [], loading, joinedAt: 0 };
    this.#presences.set(accountKey, presence);
    this.#loading.add(loading);
    loading.done = this.#load(presence, loading);
    return presence;
  }

  async #load(presence: Presence, loading: Loading): Promise<void> {
    const { accountKey, subscriptions } = presence;
    try {
      const standing = await this.#log?.standingOf(accountKey, this.#log.published);
      // The rest is synchronous, so the next socket finds everything loaded.
      presence.loading = null;
      for (const scope of standing?.scopes ?? []) if (!isAccountScope(scope)) presence.chats.add(scopeKey(scope));
      // The read may or may not include these changes, which are newer in any case: apply them again.
      for (const [chatKey, isIn] of loading.moved)
        if (isIn) presence.chats.add(chatKey);
        else presence.chats.delete(chatKey);
      const head: ScopeHead = { ...(standing?.head ?? noHead) };
      for (const scope of scopesOf(accountKey, presence.chats)) {
        const passed = this.#passed.get(scope);
        if (passed) raiseTo(head, passed);
      }
      for (const subscription of subscriptions) {
        this.#enterAll(subscription);
        subscription.last = headThrough(head, subscription.classes);
        subscription.opening = null;
      }
    } catch (error) {
      this.#presences.delete(accountKey);
      throw error;
    } finally {
      this.#loading.delete(loading);
      if (this.#loading.size === 0) this.#passed.clear();
    }
  }

  #pass(scope: Scope, classes: number, seq: number): void {
    let head = this.#passed.get(scope);
    if (!head) this.#passed.set(scope, (head = { ...noHead }));
    for (const [named, place] of headPlaces) if (classes & named) head[place] = seq;
  }

  async #open(subscription: Subscription): Promise<void> {
    const { presence, classes } = subscription;
    this.#enterAll(subscription);
    const scopes = scopesOf(presence.accountKey, presence.chats);
    const head = await this.#log?.headOf(scopes, this.#log.published);
    subscription.last = Math.max(subscription.last, head ? headThrough(head, classes) : 0);
    subscription.opening = null;
  }

  #enterAll(subscription: Subscription): void {
    for (const chatKey of subscription.presence.chats) this.#enter(chatKey, subscription);
  }

  /** Removes a subscription that has no receivers. */
  #leave(subscription: Subscription): void {
    if (subscription.receivers.length > 0) return;
    const { presence } = subscription;
    if (!remove(presence.subscriptions, subscription)) return;
    for (const chatKey of presence.chats) this.#exit(chatKey, subscription);
    if (presence.subscriptions.length === 0 && this.#presences.get(presence.accountKey) === presence)
      this.#presences.delete(presence.accountKey);
  }
}

const isWithin = ({ within }: Subscription, { scope, params }: PublishedEvent): boolean =>
  !within || !isAccountScope(scope) || namesOneOf(within, params);

/** The newest number in the classes that a socket receives. */
function headThrough(head: ScopeHead, classes: number): number {
  // A socket with `focus` begins without a focused timeline: it receives the activity of open replies, not their text.
  const content = hasFocus(classes) ? classes & eventClass.draft : classes;
  return Math.max(
    head.base,
    content & eventClass.draft ? head.draft : 0,
    content & eventClass.delta ? head.delta : 0,
    classes & eventClass.typing ? head.typing : 0,
    content & eventClass.patch ? head.patch : 0,
    classes & eventClass.activity ? head.activity : 0,
    classes & eventClass.ext ? head.ext : 0,
    content & eventClass.part ? head.part : 0,
  );
}

/** Removes an item, without keeping the order of the others. */
function remove<Item>(items: Item[], item: Item): boolean {
  const at = items.indexOf(item);
  if (at < 0) return false;
  const last = items.pop();
  if (last !== undefined && at < items.length) items[at] = last;
  return true;
}
