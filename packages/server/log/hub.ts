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

/** What the hub needs of a live socket. */
export interface Receiver extends FrameReceiver {
  readonly id: string;
  readonly view: View | null;
  readonly isOpen: boolean;
  /** It is among the view's receivers from now on: what it is greeted with goes out before any frame. */
  joined(view: View): void;
}

/** What an account sees through one set of caps: the sockets that share it get the same frames (LOG-6). */
export interface View extends Audience {
  readonly presence: Presence;
  readonly classes: number;
  /** Where a socket with the cap `focus` looks; null nowhere; undefined for all others. Such a view is one socket's. */
  focus: TimelineId | null | undefined;
  /** Drafts there that have not come whole yet, by their messages: until then they are as those elsewhere (CAPS-9). */
  awaited: Set<number> | null;
  readonly receivers: Receiver[];
  /** Its `last` is being found out; until then nobody is told anything of it. */
  opening: Promise<void> | null;
}

/** What happens while the store is asked where an account stands. */
interface Loading {
  done: Promise<void>;
  /** Where it came in, or went out. */
  readonly moved: Map<number, boolean>;
}

/** An account with at least one live socket, and the conversations it takes part in at this place of the log. */
interface Presence {
  readonly accountKey: number;
  chats: Set<number>;
  readonly views: View[];
  /** Until `chats` is read. */
  loading: Loading | null;
  /** The newest number there was when it last came into a conversation, whose past no live frame of it counts (LOG-10). */
  joinedAt: number;
}

/** Addresses in the params of events that differ from account to account: those of files (FILE-5). */
export interface PersonalAddresses {
  /** True for params that have such addresses. */
  in(params: string): boolean;
  /** The params with the addresses of one account. */
  sign(params: string, accountKey: number): string;
}

const noAddresses: PersonalAddresses = { in: () => false, sign: (params) => params };

/** From one event to the frames of every live socket that may see it. */
export class Hub {
  readonly #presences = new Map<number, Presence>();
  readonly #loading = new Set<Loading>();
  /** The newest numbers of what was published, or skipped, while it is read where any accounts stand. */
  readonly #passed = new Map<Scope, ScopeHead>();
  readonly #chatViews = new Map<number, View[]>();
  readonly #addresses: PersonalAddresses;
  readonly #listeners = new Listeners();
  readonly #writer = new FrameWriter();
  #log: EventLog | null = null;
  /** The number of the newest event that was published. */
  #newest = 0;

  constructor(addresses: PersonalAddresses = noAddresses) {
    this.#addresses = addresses;
  }

  attach(log: EventLog): void {
    this.#log = log;
  }

  publish(event: PublishedEvent): void {
    this.#newest = event.seq;
    if (this.#loading.size > 0) this.#pass(event.scope, eventKinds[event.kind].class, event.seq);
    const views = isAccountScope(event.scope)
      ? this.#presences.get(scopeKey(event.scope))?.views
      : this.#chatViews.get(scopeKey(event.scope));
    if (!views) return;
    if (this.#addresses.in(event.params)) return this.#publishSigned(event, views);
    const outgoing = new Outgoing(event);
    for (const view of views)
      if (view.presence.accountKey !== event.except) this.#give(view, outgoing, event.exceptSocket);
  }

  /** An event that names files: each account gets bytes of its own, made when its turn to be written comes (FILE-5). */
  #publishSigned(event: PublishedEvent, views: readonly View[]): void {
    const own = new Map<number, Outgoing>();
    for (const view of views) {
      const { accountKey } = view.presence;
      if (accountKey === event.except) continue;
      let outgoing = own.get(accountKey);
      if (!outgoing)
        own.set(accountKey, (outgoing = new Outgoing(event, () => this.#addresses.sign(event.params, accountKey))));
      this.#give(view, outgoing, event.exceptSocket);
    }
  }

  /** Something happened in a scope that nobody here was told: whoever sees it learns that there is something to fetch. */
  skip(scope: Scope, seq: number): void {
    if (this.#loading.size > 0) this.#pass(scope, eventClass.base, seq);
    const views = isAccountScope(scope)
      ? this.#presences.get(scopeKey(scope))?.views
      : this.#chatViews.get(scopeKey(scope));
    for (const view of views ?? []) this.#writer.skip(view, seq);
  }

  /** Memory moves only here, after COMMIT, in the order of the log. */
  apply(intent: Intent): void {
    if (intent.type !== 'join' && intent.type !== 'leave') return;
    const presence = this.#presences.get(intent.accountKey);
    if (!presence) return;
    if (intent.type === 'join') presence.joinedAt = Math.max(this.#newest, this.#log?.published ?? 0);
    if (presence.loading) presence.loading.moved.set(intent.chatKey, intent.type === 'join');
    else if (intent.type === 'join') {
      if (presence.chats.has(intent.chatKey)) return;
      presence.chats.add(intent.chatKey);
      for (const view of presence.views) this.#enter(intent.chatKey, view);
    } else if (presence.chats.delete(intent.chatKey)) {
      for (const view of presence.views) this.#exit(intent.chatKey, view);
    }
  }

  /**
   * Adds a socket to its account's view, and tells it so; `view.last` is its `head`. One that has closed meanwhile is
   * not added. What comes while conversations and head are read counts for the view, and is told to nobody.
   */
  async connect(accountKey: number, classes: number, receiver: Receiver): Promise<void> {
    const presence = this.#presences.get(accountKey) ?? this.#begin(accountKey);
    const focus = hasFocus(classes) ? null : undefined;
    let view = focus === null ? undefined : presence.views.find((candidate) => candidate.classes === classes);
    if (!view) {
      view = { presence, classes, focus, awaited: null, last: 0, run: null, runPrev: 0, receivers: [], opening: null };
      presence.views.push(view);
      view.opening = presence.loading?.done ?? this.#open(view);
    }
    if (view.opening)
      try {
        await view.opening;
      } catch (error) {
        this.#leave(view);
        throw error;
      }
    if (!presence.views.includes(view)) return this.connect(accountKey, classes, receiver);
    if (!receiver.isOpen) return this.#leave(view);
    // What came before is not for the newcomer, whose head is behind it.
    this.flushView(view);
    view.receivers.push(receiver);
    receiver.joined(view);
  }

  disconnect(view: View, receiver: Receiver): void {
    remove(view.receivers, receiver);
    this.#leave(view);
  }

  /** The account's last number through these classes, of what was published up to `through` (LOG-6). */
  async headOf(accountKey: number, classes: number, through: number): Promise<number> {
    const presence = this.#presences.get(accountKey);
    const view = presence?.views.find((candidate) => candidate.classes === classes && !candidate.opening);
    if (view) return view.last;
    const standing = await this.#log?.standingOf(accountKey, through);
    // What came meanwhile is above it: what was missed up to there is not.
    return standing ? Math.min(headThrough(standing.head, classes), through) : 0;
  }

  /** Behind this number live frames have counted everything that the account sees. */
  joinedAt(accountKey: number): number {
    return this.#presences.get(accountKey)?.joinedAt ?? 0;
  }

  /** What the account sees: as its sockets know it, else as it is stored. */
  async scopesOf(accountKey: number): Promise<ReadonlySet<Scope>> {
    const presence = this.#presences.get(accountKey);
    if (presence && !presence.loading) return scopesOf(accountKey, presence.chats);
    return (await this.#log?.standingOf(accountKey, this.#log.published))?.scopes ?? new Set();
  }

  /** True when a live socket of the chat receives this class of events. */
  listens(chatKey: number, wanted: number): boolean {
    return this.#listeners.has(chatKey, wanted);
  }

  /** A socket has replies to send: they go out before anybody's frames. */
  reply(receiver: Receiver): void {
    this.#writer.reply(receiver);
  }

  /** Writes all that has gathered. */
  flush(): void {
    this.#writer.flush();
  }

  /** Writes what has gathered for one view. */
  flushView(view: View): void {
    this.#writer.flushFor(view);
  }

  #give(view: View, outgoing: Outgoing, exceptSocket: string | undefined): void {
    if ((view.classes & outgoing.class) === 0) return;
    // Where a socket looks it gets the draft itself, elsewhere only that something is written.
    if (view.focus !== undefined && outgoing.timeline !== null) {
      const isHere = view.focus === outgoing.timeline && !view.awaited?.has(outgoing.draft);
      if (isHere === (outgoing.class === eventClass.activity)) return;
    }
    const except = exceptSocket === undefined ? undefined : view.receivers.find(({ id }) => id === exceptSocket);
    if (except) this.#writer.giveOthers(view, outgoing, except);
    else this.#writer.give(view, outgoing);
  }

  #enter(chatKey: number, view: View): void {
    this.#listeners.count(chatKey, view.classes, 1);
    const views = this.#chatViews.get(chatKey);
    if (views) views.push(view);
    else this.#chatViews.set(chatKey, [view]);
  }

  #exit(chatKey: number, view: View): void {
    const views = this.#chatViews.get(chatKey);
    if (!views || !remove(views, view)) return;
    this.#listeners.count(chatKey, view.classes, -1);
    if (views.length === 0) this.#chatViews.delete(chatKey);
  }

  /** Where the account stands is read once, however many of its sockets come at once. */
  #begin(accountKey: number): Presence {
    const loading: Loading = { done: Promise.resolve(), moved: new Map() };
    const presence: Presence = { accountKey, chats: new Set(), views: [], loading, joinedAt: 0 };
    this.#presences.set(accountKey, presence);
    this.#loading.add(loading);
    loading.done = this.#load(presence, loading);
    return presence;
  }

  async #load(presence: Presence, loading: Loading): Promise<void> {
    const { accountKey, views } = presence;
    try {
      const standing = await this.#log?.standingOf(accountKey, this.#log.published);
      // Nothing happens from here on: who comes next finds it loaded.
      presence.loading = null;
      for (const scope of standing?.scopes ?? []) if (!isAccountScope(scope)) presence.chats.add(scopeKey(scope));
      // Both may tell of the same change: what was published last is how it is.
      for (const [chatKey, isIn] of loading.moved)
        if (isIn) presence.chats.add(chatKey);
        else presence.chats.delete(chatKey);
      const head: ScopeHead = { ...(standing?.head ?? noHead) };
      for (const scope of scopesOf(accountKey, presence.chats)) {
        const passed = this.#passed.get(scope);
        if (passed) raiseTo(head, passed);
      }
      for (const view of views) {
        this.#enterAll(view);
        view.last = headThrough(head, view.classes);
        view.opening = null;
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

  async #open(view: View): Promise<void> {
    const { presence, classes } = view;
    this.#enterAll(view);
    const scopes = scopesOf(presence.accountKey, presence.chats);
    const head = await this.#log?.headOf(scopes, this.#log.published);
    view.last = Math.max(view.last, head ? headThrough(head, classes) : 0);
    view.opening = null;
  }

  #enterAll(view: View): void {
    for (const chatKey of view.presence.chats) this.#enter(chatKey, view);
  }

  /** Nobody may be left who looks through it. */
  #leave(view: View): void {
    if (view.receivers.length > 0) return;
    const { presence } = view;
    if (!remove(presence.views, view)) return;
    for (const chatKey of presence.chats) this.#exit(chatKey, view);
    if (presence.views.length === 0 && this.#presences.get(presence.accountKey) === presence)
      this.#presences.delete(presence.accountKey);
  }
}

/** The newest number that such caps let through. */
function headThrough(head: ScopeHead, classes: number): number {
  // A socket that looks nowhere yet gets no content of drafts; where one began it is told by its activity.
  const content = hasFocus(classes) ? classes & eventClass.draft : classes;
  return Math.max(
    head.base,
    content & eventClass.draft ? head.draft : 0,
    content & eventClass.delta ? head.delta : 0,
    content & eventClass.patch ? head.patch : 0,
    classes & eventClass.activity ? head.activity : 0,
    classes & eventClass.ext ? head.ext : 0,
  );
}

/** Takes one item out, without keeping the order of the others. */
function remove<Item>(items: Item[], item: Item): boolean {
  const at = items.indexOf(item);
  if (at < 0) return false;
  const last = items.pop();
  if (last !== undefined && at < items.length) items[at] = last;
  return true;
}
