import { limits } from '@parley/protocol';
import { idText } from '../ids.ts';
import { RawJson, renderJson } from '../json.ts';
import type { Service } from '../service.ts';
import { channelByKey, ownChatByKey } from '../store/chats.ts';
import { conversationView } from '../store/conversation-view.ts';
import { draftOf } from '../store/drafts.ts';
import { messageJson, type MessageRow, messagesByKeys } from '../store/messages.ts';
import { statement } from '../store/sql.ts';
import type { StoredEvent } from './event-log.ts';
import { accountScope, chatScope, eventClass, eventKinds, type Scope } from './kinds.ts';

export interface Replay {
  frames: RawJson[];
  head: number;
  more: boolean;
  truncated: boolean;
}

interface Request {
  accountKey: number;
  /** What the caps of the socket let through. */
  classes: number;
  since: number;
  limit: number;
  head: number;
}

/** Stored events read at once; most become frames. */
const READ_EVENTS = 1_000;

const hiddenAmong = statement<{ message_key: number }, [account: number]>(
  'SELECT message_key FROM hidden WHERE account_key = $1 AND message_key IN (:list)',
);

/** What an account missed since a number, as it is true today (LOG-7). */
export async function replay(service: Service, request: Request): Promise<Replay> {
  const { log, hub } = service;
  const { accountKey, since, limit } = request;
  const scopes = hub.scopesOf(accountKey);
  const through = log.published;
  const nothing = { frames: [], head: request.head, more: false };
  if (since > service.log.highest || log.lost(scopes, since)) return { ...nothing, truncated: true };

  const page = new Page(since, limit);
  for (let after = since; ; ) {
    const { events, more } = log.read(scopes, after, through, Math.min(READ_EVENTS, limit + 1));
    const last = more ? (events.at(-1)?.seq ?? through) : through;
    const snapshots = [
      ...openStreams(service, scopes, request.classes, after, last),
      ...openQueries(service, accountKey, after, last),
    ];
    const known = await loadMessages(service, accountKey, events, snapshots);
    for (const item of merge(events, snapshots)) {
      const params = await paramsOf(service, request, item, known);
      if (params === undefined) continue;
      if (!page.add(eventKinds[item.kind].method, params, item.seq))
        return { frames: page.frames, head: request.head, more: true, truncated: false };
    }
    if (!more) return { frames: page.frames, head: request.head, more: false, truncated: false };
    after = last;
  }
}

/** Frames in order, each with the number of the one before it, within the limits of a page. */
class Page {
  readonly frames: RawJson[] = [];
  #prev: number;
  #size = 0;
  readonly #limit: number;

  constructor(since: number, limit: number) {
    this.#prev = since;
    this.#limit = limit;
  }

  /** False when the page is full without this frame. */
  add(method: string, params: string, seq: number): boolean {
    this.#size += params.length < 4_096 ? params.length : Buffer.byteLength(params);
    if (this.frames.length === this.#limit || (this.#size > limits.pageBytes && this.frames.length > 0)) return false;
    this.frames.push(new RawJson(`{"method":"${method}","params":${params},"seq":${seq},"prev":${this.#prev}}`));
    this.#prev = seq;
    return true;
  }
}

/** An open reply is shown whole, at the place of its newest event: nothing of it comes before. */
function openStreams(service: Service, scopes: ReadonlySet<Scope>, classes: number, after: number, through: number): StoredEvent[] {
  if ((classes & eventClass.draft) === 0) return [];
  const found: StoredEvent[] = [];
  for (const { info, lastSeq } of service.streams.all()) {
    if (lastSeq <= after || lastSeq > through || !scopes.has(chatScope(info.chatKey))) continue;
    const event = { scope: chatScope(info.chatKey), ref: info.messageKey, params: null, createdAt: 0 };
    found.push({ ...event, seq: lastSeq, kind: 'streamSnapshot' });
  }
  return found;
}

/** Inline queries that still wait for the account, a bot: no table has them (INLINE-7). */
const openQueries = ({ inlineQueries }: Service, accountKey: number, after: number, through: number): StoredEvent[] =>
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

/** The messages that events speak of and that the account may see today, by key. */
async function loadMessages(
  { read }: Service,
  accountKey: number,
  ...events: StoredEvent[][]
): Promise<Map<number, MessageRow>> {
  const keys = new Set<number>();
  for (const { kind, ref } of events.flat()) {
    const { replay } = eventKinds[kind];
    if (ref !== null && replay !== 'chat' && replay !== 'draft') keys.add(ref);
  }
  if (keys.size === 0) return new Map();
  const list = [...keys];
  const hidden = new Set(read.list(hiddenAmong, list, accountKey).map(({ message_key }) => message_key));
  const visible = new Map<number, MessageRow>();
  for (const row of read.list(messagesByKeys, list)) {
    if (row.deleted_at !== null || hidden.has(row.key)) continue;
    if (row.channel_key !== 0 && read.get(channelByKey, row.channel_key)?.deleted_at !== null) continue;
    visible.set(row.key, row);
  }
  return visible;
}

/** Today's params of an event; undefined when there is nothing to show of it any more. */
async function paramsOf(
  service: Service,
  { accountKey, classes }: Request,
  event: StoredEvent,
  messages: ReadonlyMap<number, MessageRow>,
): Promise<string | undefined> {
  const { read, clock, texts } = service;
  const kind = eventKinds[event.kind];
  if ((classes & kind.class) === 0) return undefined;
  const row = event.ref === null ? undefined : messages.get(event.ref);
  if (event.kind === 'streamSnapshot') return row?.status === 'streaming' ? (await messageJson(read, row, texts)).text : undefined;
  switch (kind.replay) {
    case 'message':
      return row && (await messageJson(read, row, texts)).text;
    case 'stream': {
      // Its newest event stands for an open stream; a finished one has its messageComplete.
      const open = row?.status === 'streaming' ? service.streams.get(row.key) : undefined;
      return row && open && open.lastSeq === 0 ? (await messageJson(read, row, texts)).text : undefined;
    }
    case 'message-params':
      return row && (event.params ?? undefined);
    case 'params':
      return event.params ?? undefined;
    case 'chat': {
      const chat = event.ref === null ? undefined : read.get(ownChatByKey, event.ref, accountKey);
      return chat && renderJson(await conversationView(read, chat, accountKey, clock.now(), texts));
    }
    case 'draft':
      return event.ref === null ? undefined : draftParams(service, accountKey, event.ref, event.createdAt);
    case 'never':
      return undefined;
    default:
      return clock.now() - event.createdAt <= kind.replay.withinMs ? (event.params ?? undefined) : undefined;
  }
}

function draftParams({ read }: Service, accountKey: number, chatKey: number, createdAt: number): string | undefined {
  const chat = read.get(ownChatByKey, chatKey, accountKey);
  if (!chat) return undefined;
  const draft = read.get(draftOf, accountKey, chatKey);
  return JSON.stringify({
    conversation_id: idText(chat.id),
    text: draft?.text ?? '',
    reply_to_id: draft?.reply_to_id ?? null,
    updated_at: draft?.updated_at ?? createdAt,
  });
}
