// recovery/: replays: what an account has missed. Imports agents and below.
import { msSince } from '@parley/protocol/dates';
import { type Actor, limits } from '@parley/protocol';
import { type ByteBudget, Held, ownerOf, tooMuchUnread } from '../core/byte-budget.ts';
import { idBytes, idText } from '../core/ids.ts';
import { RawJson, renderJson } from '../core/json.ts';
import type { Clock } from '../core/clock.ts';
import type { InlineQueries } from '../agents/inline-queries.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import type { OpenReplies } from '../replies/open-replies.ts';
import type { TypingEnds } from '../agents/typing-ends.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Hub } from '../log/hub.ts';
import type { AccountTexts } from '../rendering/account-texts.ts';
import { accountByKey, everByName } from '../store/accounts.ts';
import { accountJson, actorOf, textsOfPage } from '../rendering/accounts.ts';
import { channelById, ownChatByKey } from '../store/chats.ts';
import { ownChanges, sharedChanges } from '../rendering/conversation-changes.ts';
import { conversationView } from '../rendering/conversation-view.ts';
import { draftRecord } from '../messages/input-drafts.ts';
import { draftOf, timelineDraftOf } from '../store/drafts.ts';
import { isWhole, type Light, shownAmong, shownByKey, type ShownRow } from '../store/messages.ts';
import {
  type LiveTexts,
  messageJson,
  type OpenText,
  placeholderOf,
  reopened,
  plainMessageJson,
} from '../rendering/messages.ts';
import { shownVote } from '../store/poll-votes.ts';
import { optionsOf } from '../rules/polls.ts';
import { Slice, tickSlice } from '../core/slices.ts';
import { type Awaitable, type Sql } from '../store/sql.ts';
import type { StoredEvent } from '../log/event-log.ts';
import {
  accountScope,
  chatScope,
  eventClass,
  eventKinds,
  isAccountScope,
  isOfMessage,
  type Scope,
  type TimelineId,
  timelineOf,
} from '../core/event-kinds.ts';

export interface Replay {
  frames: RawJson[];
  head: number;
  more: boolean;
  truncated: boolean;
  /** The number up to which a caller has everything that it asked for, with these frames. */
  reached: number;
}

interface Request {
  accountKey: number;
  /** The owner whose memory quota the answer counts towards while it is built (LIMIT-27). */
  ownerKey: number;
  /** The event classes that the socket's caps let through, and the timeline that it focuses (`Subscription.focus`). */
  classes: number;
  focus: TimelineId | null | undefined;
  since: number;
  /** Frames per page. Undefined for callers without paging, which get everything or `truncated` (LOG-10). */
  limit: number | undefined;
  /** Leaves out other events: those of other scopes, unless it is null, and of other methods. None of these is too old. */
  only?: { scope: Scope | null; methods: ReadonlySet<string> };
  /** Numbers of snapshots that the socket alone was sent, by message key: they are in the answer too (CAPS-9). */
  alone?: ReadonlyMap<number, number>;
  /** Returns the number up to which the answer brings a client; called before the rows are read. */
  head: (through: number) => Awaitable<number>;
}

/** The rooms that a replay reads from. */
export interface ReplayRooms {
  readonly read: Sql;
  readonly accounts: AccountTexts;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly hub: Hub;
  readonly texts: LiveTexts;
  readonly streams: LiveStreams;
  readonly replies: OpenReplies;
  readonly inlineQueries: InlineQueries;
  readonly typingEnds: TypingEnds;
  readonly answers: ByteBudget;
}

/** Minimum number of frames rendered per read of events, however long the store takes for each. */
const MIN_RENDERED = 64;
/** Maximum and minimum of stored events per read: one more than frames are missing, to see whether more follow. */
const READ_EVENTS = 1_001;
const MIN_READ_EVENTS = 64;
/** Maximum number of times that one answer reads on, because a reply that it shows as open has ended meanwhile. */
const MAX_ROUNDS = 3;

/** The events that an account missed since a number, with today's data (LOG-7). */
export async function replay(rooms: ReplayRooms, request: Request): Promise<Replay> {
  const { since, limit } = request;
  const bounds: Bounds = limit === undefined ? atOnce : { frames: limit, bytes: limits.pageBytes, isPage: true };
  const page = new Page(since, bounds, rooms.answers, ownerOf(request));
  try {
    return await fill(page, rooms, request, bounds);
  } finally {
    page.release();
  }
}

/** Whether an account may have missed stored events since a number. */
export const mayMiss = (
  { hub }: Pick<ReplayRooms, 'hub'>,
  accountKey: number,
  { since, head }: { since: number; head: number },
): boolean => since < Math.max(head, hub.joinedAt(accountKey));

async function fill(page: Page, rooms: ReplayRooms, request: Request, bounds: Bounds): Promise<Replay> {
  const { log, hub, streams, replies } = rooms;
  const { accountKey, since, only } = request;
  await log.catchUp();
  const scopesNow = async (): Promise<ReadonlySet<Scope>> => {
    const all = await hub.scopesOf(accountKey);
    return only?.scope ? all.intersection(new Set([only.scope])) : all;
  };
  let scopes = await scopesNow();
  /** The open replies and the newest number at this moment: the end of what one round reads. */
  const present = async () => {
    // Deltas gathered for open replies are published first, so that head and snapshots cover the same text.
    for (const stream of streams.all()) if (scopes.has(chatScope(stream.info.chatKey))) streams.publishPending(stream);
    const open = openStreams(rooms, request);
    const through = log.published;
    return { open, through, head: await request.head(through) };
  };
  let { open, through, head } = await present();
  const truncated = { frames: [], head, more: false, truncated: true, reached: head };
  if (since > log.highest) return truncated;
  // The usual case of a returning client: the head shows that it has missed nothing.
  const isOpen = [...open.values()].some(({ event }) => scopes.has(event.scope));
  const misses = mayMiss(rooms, accountKey, { since, head }) || isOpen;
  if (!misses && openQueries(rooms, accountKey, since, through).length === 0)
    return { frames: [], head, more: false, truncated: false, reached: Math.max(through, since) };

  // The snapshot of an open reply that has published no text has no number, so it gets that of the reply's start.
  const asOpen = (event: StoredEvent): StoredEvent => {
    const reply = startsStream(event.kind) && event.ref !== null ? open.get(event.ref) : undefined;
    return reply?.event.seq === 0 ? { ...reply.event, seq: event.seq } : event;
  };
  // The client may have received the end live, and then it would apply a snapshot from before that: so the end comes
  // in the same answer (LOG-12).
  const hasEnded = (): boolean =>
    [...open].some(([key, { event }]) => scopes.has(event.scope) && replies.get(key) === undefined);
  const slice = new Slice();
  for (let after = since, round = 1; ;) {
    const missing = Math.max(MIN_READ_EVENTS, bounds.frames - page.frames.length + 1);
    const range = { accountKey, after, through, limit: Math.min(READ_EVENTS, missing) };
    const { events, through: last, isLost, messages } = await log.read(scopes, range);
    if (isLost) return truncated;
    const within = scopes;
    const isHere = ({ scope, seq }: StoredEvent): boolean => within.has(scope) && seq > after && seq <= last;
    const snapshots = [
      ...[...open.values()].map(({ event }) => event).filter(isHere),
      ...openQueries(rooms, accountKey, after, last),
      ...rooms.typingEnds.within(scopes, accountKey, after, last),
    ];
    const known = await withMessagesOf(snapshots, rooms.read, accountKey, messages);
    // Read after the events: a later change of an account has an event of its own, which follows them.
    const accounts = await textsOfPage({ tx: rooms.read, accounts: rooms.accounts }, known.values());
    const rendering = new Slice();
    tickSlice();
    let rendered = 0;
    let reached = last;
    const repeated = repeatedIn(events);
    for (const item of merge(events.map(asOpen), snapshots)) {
      if (repeated.has(item) || only?.methods.has(eventKinds[item.kind].method) === false) continue;
      const quick = quickParams(accounts, request.classes, item, known);
      const params = quick ?? (await paramsOf({ ...rooms, accounts }, request, item, known, open));
      if (params === undefined) continue;
      if (!page.add(eventKinds[item.kind].method, params, item.seq))
        return bounds.isPage
          ? { frames: page.frames, head, more: true, truncated: false, reached: page.last }
          : truncated;
      rendered += 1;
      // Records of conversations take long to render (ERR-12): the rest is read again in a later tick. If the store
      // answers asynchronously, each record ends the tick, so a minimum of frames is rendered first.
      if (quick === undefined && rendering.isSpent && (rendered >= MIN_RENDERED || tickSlice().isSpent)) {
        reached = item.seq;
        break;
      }
    }
    // After a join `page.last` may exceed the head: the page includes older history, which live frames do not count.
    if (reached >= through && (round === MAX_ROUNDS || !hasEnded())) {
      const upTo = Math.max(head, page.last);
      return { frames: page.frames, head: upTo, more: false, truncated: false, reached: Math.max(upTo, since) };
    }
    after = reached;
    await slice.pause();
    // Skip conversations that the account left while the page was built.
    scopes = scopes.intersection(await scopesNow());
    if (after < through) continue;
    round += 1;
    ({ open, through, head } = await present());
  }
}

interface Bounds {
  frames: number;
  bytes: number;
  /**
   * True for a caller that pages: more pages may follow, and the first frame of each page is accepted whatever its
   * size.
   */
  isPage: boolean;
}

const atOnce: Bounds = { frames: limits.updatesAtOnce, bytes: limits.updatesAtOnceBytes, isPage: false };

/** The frames of one answer in order, each with the number of the one before it, within limits of count and size. */
class Page {
  readonly frames: RawJson[] = [];
  /** The number of the newest frame. */
  last = 0;
  readonly #since: number;
  readonly #bounds: Bounds;
  readonly #held: Held;
  #size = 0;
  #isGivenUp = false;

  constructor(since: number, bounds: Bounds, answers: ByteBudget, owner: string) {
    this.#since = since;
    this.#bounds = bounds;
    this.#held = new Held(answers, owner, () => (this.#isGivenUp = true));
  }

  /** Adds a frame. Returns false if the page has no room for it. */
  add(method: string, params: string, seq: number): boolean {
    this.#size += Buffer.byteLength(params);
    const { frames, bytes } = this.#bounds;
    if (this.frames.length === frames || (this.#size > bytes && this.frames.length > 0)) return false;
    if (this.#isGivenUp || !this.#held.set(this.#size)) throw tooMuchUnread();
    const prev = this.frames.length === 0 ? this.#since : this.last;
    this.frames.push(new RawJson(`{"method":"${method}","params":${params},"seq":${seq},"prev":${prev}}`));
    this.last = seq;
    return true;
  }

  release(): void {
    this.#held.set(0);
  }
}

interface OpenReply {
  event: StoredEvent;
  open: OpenText;
}

/**
 * The open replies as they are at this moment, by message key. Each becomes one snapshot at the number of its newest
 * event, with its text at that number, so that later deltas continue it (LOG-12). A socket that focuses another
 * timeline gets only its activity (CAPS-8).
 */
function openStreams({ replies }: ReplayRooms, { classes, focus, alone }: Request): Map<number, OpenReply> {
  const found = new Map<number, OpenReply>();
  if ((classes & eventClass.draft) === 0) return found;
  for (const { info, numbered, draft } of replies.all()) {
    const { textSeq, partSeq, open } = numbered;
    const event = { scope: chatScope(info.chatKey), ref: info.messageKey, params: null, createdAt: 0 };
    const { numbered: patched, published, activitySeq } = draft;
    // To a socket that receives parts, they are events like the text's own.
    const seqWith = (seq: number): number => (classes & eventClass.part ? Math.max(seq, partSeq) : seq);
    const aloneAt = alone?.get(info.messageKey) ?? 0;
    const shown: OpenReply =
      focus !== undefined && focus !== timelineOf(info)
        ? { event: { ...event, seq: activitySeq, kind: 'draftActivity' }, open: published }
        : classes & eventClass.patch && patched
          ? { event: { ...event, seq: Math.max(seqWith(patched.seq), aloneAt), kind: 'streamSnapshot' }, open: patched }
          : { event: { ...event, seq: Math.max(seqWith(textSeq), aloneAt), kind: 'streamSnapshot' }, open };
    found.set(info.messageKey, shown);
  }
  return found;
}

/** The inline queries that wait for the account, a bot. They are not stored, so they come from memory (INLINE-7). */
const openQueries = (
  { inlineQueries }: ReplayRooms,
  accountKey: number,
  after: number,
  through: number,
): StoredEvent[] =>
  inlineQueries
    .waitingFor(accountKey)
    .filter(({ seq }) => seq > after && seq <= through)
    .map(({ seq, chatKey, params, askedAt }) => ({
      seq,
      scope: accountScope(accountKey),
      kind: 'inlineQuery',
      ref: chatKey,
      params,
      createdAt: askedAt,
    }));

const merge = (events: StoredEvent[], snapshots: StoredEvent[]): StoredEvent[] =>
  snapshots.length === 0 ? events : [...events, ...snapshots].toSorted((a, b) => a.seq - b.seq);

const startsStream = (kind: StoredEvent['kind']): boolean => kind === 'streamStarted' || kind === 'streamContinued';

/** Kinds of events that one message can have several times. */
const recurs: ReadonlySet<StoredEvent['kind']> = new Set(['messageUpdated', 'messageComplete', 'pollVoted'] as const);

/**
 * Events that are skipped, because a later event becomes the same with today's data: for example, all moves of a read
 * marker but the last, and all ends of a continued reply but the last.
 */
function repeatedIn(events: readonly StoredEvent[]): ReadonlySet<StoredEvent> {
  const repeated = new Set<StoredEvent>();
  const shown = new Set<string>();
  for (const event of events.toReversed()) {
    const { replay } = eventKinds[event.kind];
    if (replay !== 'chat-changes' && replay !== 'account' && !recurs.has(event.kind)) continue;
    const what = `${event.kind} ${replay === 'account' ? '' : event.scope} ${event.ref}`;
    if (shown.has(what)) repeated.add(event);
    else shown.add(what);
  }
  return repeated;
}

/** Adds the messages of further events that the account can see today. */
async function withMessagesOf(
  events: readonly StoredEvent[],
  read: Sql,
  accountKey: number,
  found: ReadonlyMap<number, Light<ShownRow>>,
): Promise<ReadonlyMap<number, Light<ShownRow>>> {
  const keys = new Set<number>();
  for (const { kind, ref } of events) {
    if (ref !== null && isOfMessage(kind) && !found.has(ref)) keys.add(ref);
  }
  if (keys.size === 0) return found;
  const visible = new Map(found);
  for (const row of await read.list(shownAmong, [...keys], accountKey)) visible.set(row.key, row);
  return visible;
}

/** The fast path of most events: renders a message from its row alone, without promises; undefined for other events. */
function quickParams(
  accounts: AccountTexts,
  classes: number,
  { kind, ref }: StoredEvent,
  messages: ReadonlyMap<number, Light<ShownRow>>,
): string | undefined {
  const { replay, class: eventClass } = eventKinds[kind];
  const row = replay === 'message' && (classes & eventClass) !== 0 && ref !== null ? messages.get(ref) : undefined;
  return row && isWhole(row) ? plainMessageJson(accounts, row)?.text : undefined;
}

/** Reads a large record only when it is rendered: by then the page may be full, or the message deleted. */
async function whole(read: Sql, row: Light<ShownRow>): Promise<ShownRow | undefined> {
  if (isWhole(row)) return row;
  const found = await read.get(shownByKey, row.key);
  return found?.deleted_at === null ? found : undefined;
}

/** The params of an event with today's data; undefined if the account can no longer see it. */
async function paramsOf(
  rooms: ReplayRooms,
  { accountKey, classes, only }: Request,
  event: StoredEvent,
  messages: ReadonlyMap<number, Light<ShownRow>>,
  open: ReadonlyMap<number, OpenReply>,
): Promise<string | undefined> {
  const { read, accounts, clock, texts, streams } = rooms;
  const source = { tx: read, accounts };
  const kind = eventKinds[event.kind];
  const row = event.ref === null ? undefined : messages.get(event.ref);
  const render = async (found: Light<ShownRow>, live: LiveTexts) => {
    const shown = await whole(read, found);
    return shown && (await messageJson(source, shown, live)).text;
  };
  const reply = row && open.get(row.key);
  if (event.kind === 'streamSnapshot') {
    const shown = row && (await whole(read, row));
    if (!shown || !reply) return undefined;
    // A reply that has ended since this replay began was open at this place of the log, and its end is a later frame.
    const open = shown.status === 'streaming' ? shown : reopened(shown);
    return (await messageJson(source, open, { get: () => reply.open })).text;
  }
  if (event.kind === 'draftActivity') {
    // Also of a reply that has ended since this replay began: its end is a later frame.
    return reply && streams.activityOf(row.key, reply.open);
  }
  if ((classes & kind.class) === 0) return undefined;
  switch (kind.replay) {
    case 'message':
      // The reply is being continued: its snapshot covers what it was, and its next end will (CONTINUE-3).
      if (event.kind === 'messageComplete' && row?.status === 'streaming') return undefined;
      return row && render(row, texts);
    case 'stream': {
      // An open stream is covered by its snapshot. A finished one gets its placeholder, which its messageComplete changes.
      const ended = row && !reply && row.status !== 'streaming' ? await whole(read, row) : undefined;
      return ended && render(placeholderOf(ended), { get: () => undefined });
    }
    case 'stream-again':
      // A client that has the reply keeps it until the snapshot or the next messageComplete.
      return undefined;
    case 'vote':
      return event.ref === null ? undefined : voteParams(read, event.ref, accountKey);
    case 'message-params':
      return row && event.params !== null ? withReactor(read, event.params) : undefined;
    case 'kept':
      return event.kind === 'typing' ? typingParams(read, event) : (event.params ?? undefined);
    case 'params':
      return event.params ?? undefined;
    case 'chat': {
      const chat = event.ref === null ? undefined : await read.get(ownChatByKey, event.ref, accountKey);
      return chat && renderJson(await conversationView(source, chat, accountKey, clock.now(), texts));
    }
    case 'chat-changes': {
      const chat = event.ref === null ? undefined : await read.get(ownChatByKey, event.ref, accountKey);
      if (!chat) return undefined;
      const isOwn = isAccountScope(event.scope);
      return renderJson(
        isOwn ? await ownChanges(read, chat, accountKey, clock.now()) : await sharedChanges(read, chat),
      );
    }
    case 'account':
      return event.ref === null ? undefined : accountJson(source, event.ref);
    case 'draft':
      return event.ref === null ? undefined : draftParams(read, accountKey, event.ref, event.createdAt);
    case 'timeline-draft':
      return event.ref === null ? undefined : timelineDraftParams(read, accountKey, event.ref);
    case 'never':
      return undefined;
    default:
      // An event about a conversation names it in `ref`: skip the event if the account has left the conversation.
      if (event.ref !== null && !(await read.get(ownChatByKey, event.ref, accountKey))) return undefined;
      // A receiver of chosen events gets each of them, however late (WEBHOOK-23).
      if (only === undefined && msSince(event.createdAt, clock.now()) > kind.replay.withinMs) return undefined;
      return event.params ?? undefined;
  }
}

/** The reaction with its author's current name, even if the author has left (PEOPLE-3, PEOPLE-9). */
async function withReactor(read: Sql, text: string): Promise<string> {
  // The shape that setMessageReaction emits.
  const params = JSON.parse(text) as { reactor: Actor };
  const account = await read.get(everByName, params.reactor.username);
  return account ? JSON.stringify({ ...params, reactor: actorOf(account) }) : text;
}

/** The end of typing with the account's current name; undefined if the account or the channel was deleted (LOG-13). */
async function typingParams(read: Sql, { ref, params }: StoredEvent): Promise<string | undefined> {
  // As `TypingIndicators` publishes it.
  const told = JSON.parse(params ?? '{}') as { channel_id: string | null };
  const account = ref === null ? undefined : await read.get(accountByKey, ref);
  const channel = told.channel_id === null ? null : await read.get(channelById, idBytes(told.channel_id));
  if (account?.deleted_at !== null || (channel !== null && channel?.deleted_at !== null)) return undefined;
  return JSON.stringify({ ...told, actor: actorOf(account) });
}

/** The account's vote as it is now; undefined if the account can no longer see the poll. */
async function voteParams(read: Sql, messageKey: number, accountKey: number): Promise<string | undefined> {
  const vote = await read.get(shownVote, messageKey, accountKey);
  return vote && JSON.stringify({ message_id: idText(vote.id), options: optionsOf(vote.options) });
}

async function draftParams(
  read: Sql,
  accountKey: number,
  chatKey: number,
  createdAt: number,
): Promise<string | undefined> {
  const chat = await read.get(ownChatByKey, chatKey, accountKey);
  if (!chat) return undefined;
  const draft = await read.get(draftOf, accountKey, chatKey);
  return JSON.stringify({
    conversation_id: idText(chat.id),
    text: draft?.text ?? '',
    reply_to_id: draft?.reply_to_id ?? null,
    updated_at: draft?.updated_at ?? createdAt,
  });
}

/** No event if the draft's row is deleted: the client drops it with its channel, thread or conversation (DRAFT-10). */
async function timelineDraftParams(read: Sql, accountKey: number, key: number): Promise<string | undefined> {
  const draft = await read.get(timelineDraftOf, accountKey, key);
  if (!draft) return undefined;
  const { chat_id: conversation_id, ...content } = draftRecord(draft);
  return JSON.stringify({ conversation_id, ...content });
}
