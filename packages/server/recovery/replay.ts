// recovery/: replays: what an account has missed. Imports agents and below.
import { limits } from '@parley/protocol';
import { ownerOf } from '../core/byte-budget.ts';
import {
  accountScope,
  chatScope,
  eventKinds,
  isAccountScope,
  isOfMessage,
  type Scope,
  scopesOf,
} from '../core/event-kinds.ts';
import type { RawJson } from '../core/json.ts';
import { Slice, tickSlice } from '../core/slices.ts';
import type { StoredEvent } from '../log/event-log.ts';
import { namesOneOf } from '../log/hub.ts';
import { textsOfPage } from '../rendering/accounts.ts';
import { chatOfMessage, type Light, shownAmong, type ShownRow } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';
import { paramsOf, quickParams } from './event-params.ts';
import { openQueries, openStreams } from './open-snapshots.ts';
import { atOnce, type Bounds, Page } from './page.ts';
import type { ReplayRequest, ReplayRooms } from './request.ts';

export interface Replay {
  frames: RawJson[];
  head: number;
  more: boolean;
  truncated: boolean;
  /** The number up to which a caller has everything that it asked for, with these frames. */
  reached: number;
}

/** Minimum number of frames rendered per read of events, however long the store takes for each. */
const MIN_RENDERED = 64;
/** Maximum and minimum of stored events per read: one more than frames are missing, to see whether more follow. */
const READ_EVENTS = 1_001;
const MIN_READ_EVENTS = 64;
/** Maximum number of times that one answer reads on, because a reply that it shows as open has ended meanwhile. */
const MAX_ROUNDS = 3;

/** The events that an account missed since a number, with today's data (LOG-7). */
export async function replay(rooms: ReplayRooms, request: ReplayRequest): Promise<Replay> {
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

async function fill(page: Page, rooms: ReplayRooms, request: ReplayRequest, bounds: Bounds): Promise<Replay> {
  const { log, hub, streams, replies } = rooms;
  const { accountKey, since, only } = request;
  await log.catchUp();
  const scopesNow = async (): Promise<ReadonlySet<Scope>> => {
    const all = await ownScopes(hub, request);
    return only?.chat ? all.intersection(new Set([only.chat.scope, accountScope(accountKey)])) : all;
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
      if (params === undefined || isOutside(request, item, params) || (await isElsewhere(rooms, request, item, params)))
        continue;
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

/** The scopes of the account that exist for the caller. */
async function ownScopes(hub: ReplayRooms['hub'], { accountKey, within }: ReplayRequest): Promise<ReadonlySet<Scope>> {
  const all = await hub.scopesOf(accountKey);
  return within ? all.intersection(scopesOf(accountKey, within.chats)) : all;
}

/** Whether an event of the account's own scope is about none of the caller's only conversations (ACCESS-9). */
const isOutside = ({ within }: ReplayRequest, { scope }: StoredEvent, params: string): boolean =>
  within !== undefined && isAccountScope(scope) && !namesOneOf(within, params);

/** Whether an event is about another conversation than the only one that is asked for. */
async function isElsewhere(
  { read }: Pick<ReplayRooms, 'read'>,
  { only }: ReplayRequest,
  { scope, kind, ref }: StoredEvent,
  params: string,
): Promise<boolean> {
  if (!only?.chat || scope === only.chat.scope) return false;
  if (kind === 'reactionAdded' || kind === 'reactionRemoved') {
    // They name the message alone.
    const place = ref === null ? undefined : await read.get(chatOfMessage, ref);
    return place === undefined || chatScope(place.chat_key) !== only.chat.scope;
  }
  if (!ofMessages.has(kind)) return true;
  // As the event is declared.
  const { conversation_id } = JSON.parse(params) as { conversation_id: string };
  return conversation_id !== only.chat.id;
}
/** Kinds that are in an account's own scope if their message is private, and name their conversation. */
const ofMessages: ReadonlySet<StoredEvent['kind']> = new Set([
  'messageNew',
  'messageUpdated',
  'messageDeleted',
  'decisionUpdated',
] as const);

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
