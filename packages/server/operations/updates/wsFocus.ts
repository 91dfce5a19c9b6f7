import { setImmediate } from 'node:timers/promises';
import type { Input } from '@parley/protocol';
import type { ReplyView } from '../../replies/reply-view.ts';
import { type ReadCall, read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import type { Subscription } from '../../log/hub.ts';
import { eventClass, type TimelineId, timelineOf } from '../../core/event-kinds.ts';
import { Slice } from '../../core/slices.ts';
import type { SocketSession } from '../../sockets/session.ts';
import { requireChat } from '../../access/chats.ts';
import { messageByKey } from '../../store/messages.ts';
import { messageJson, openFields, type OpenText } from '../../rendering/messages.ts';
import { requireTimeline } from '../../messages/timeline.ts';
import { isVisible } from '../../messages/visibility.ts';
import { requireOwnSocket } from '../../sockets/own-socket.ts';

export default read(
  'wsFocus',
  async (call, input, rooms: FocusRooms) => {
    const { hub, replies, sockets } = rooms;
    const session = requireOwnSocket(sockets, call.caller, input.socket);
    const place = session.focusOrder.begin();
    const focus = input.focus && (await timelineId(call, input.focus));
    const { subscription } = session;
    if (!subscription || (subscription.classes & eventClass.draft) === 0) return;
    if (focus !== undefined && subscription.focus !== undefined && session.focusOrder.apply(place)) {
      if (subscription.focus !== focus) {
        // Sends the waiting frames first, because they were selected by the old focus.
        hub.flushSubscription(subscription);
        subscription.focus = focus;
        subscription.awaited = keysOf([...replies.all()].filter(({ info }) => timelineOf(info) === focus));
      }
    }
    const asked = keysOf((input.snapshots ?? []).flatMap((id) => replies.find(id) ?? []));
    const sending: Sending = { call, rooms, session, subscription, asked, slice: new Slice() };
    while (session.isOpen && nextOf(sending) !== undefined) await session.inLine(() => sendNext(sending));
  },
  { waits: true, worksOn: ({ socket: id }) => ({ kind: 'socket', id }) },
);

type FocusRooms = Needs<'flushed' | 'hub' | 'log' | 'replies' | 'sockets' | 'streams'>;

interface Sending {
  call: ReadCall;
  rooms: FocusRooms;
  session: SocketSession;
  subscription: Subscription;
  /** Replies whose requested snapshots are not sent yet. */
  asked: Set<number>;
  slice: Slice;
}

async function timelineId(call: ReadCall, focus: NonNullable<Input<'wsFocus'>['focus']>): Promise<TimelineId> {
  const chat = await requireChat(call, focus.chat_id);
  await requireTimeline(call, chat, focus, { deletedRoot: true });
  const { channel_id: channelId = null, thread_root_id: threadRootId = null } = focus;
  return timelineOf({ chatKey: chat.key, channelId, threadRootId });
}

const keysOf = (streams: readonly ReplyView[]): Set<number> => new Set(streams.map(({ info }) => info.messageKey));

/** Snapshots in the focused timeline are sent first, whichever call requested them. */
const nextOf = ({ subscription, asked }: Sending): number | undefined =>
  subscription.awaited?.values().next().value ?? asked.values().next().value;

/** Sends the snapshot of one open reply. If the reply changes meanwhile, the next call retries it. */
async function sendNext(sending: Sending): Promise<void> {
  const { call, rooms, session, subscription, asked, slice } = sending;
  await slice.pause();
  const key = nextOf(sending);
  if (key === undefined) return;
  const done = (): boolean => [asked.delete(key), subscription.awaited?.delete(key)].includes(true);
  const stream = rooms.replies.get(key);
  const made = stream && (await snapshot(call, rooms, stream));
  if (!stream || !made) return void done();
  const { promise: isNumbered, resolve, reject } = Promise.withResolvers<boolean>();
  // Synchronous: the text is that of this place of the log, so later deltas continue from it (CAPS-9).
  const sendAt = (seq: number | null): void => {
    const isOutdated = made.isOutdated();
    if ((isOutdated || seq === null) && session.isOpen && !stream.isDropped) return;
    const isWanted = done();
    if (seq === null || stream.isDropped || !isWanted || !subscription.presence.chats.has(stream.info.chatKey)) return;
    rooms.hub.flushSubscription(subscription);
    const text = made.textWith(publishedTo(stream, subscription.classes));
    session.sendSnapshot(key, text, seq, (other) => rooms.replies.get(other) !== undefined);
  };
  rooms.log.takeNumber((seq) => {
    // The log goes on numbering, whatever happens to this snapshot.
    try {
      sendAt(seq);
      resolve(seq !== null);
    } catch (error) {
      reject(error);
    }
  });
  // A closed log answers immediately: until the socket is closed too, each attempt is in a later tick.
  if (!(await isNumbered)) await setImmediate();
}

interface Snapshot {
  /** The Message as JSON with this text. */
  textWith: (open: OpenText) => string;
  /** Whether the message has changed, beside its text, since it was read; to be called exactly once. */
  isOutdated: () => boolean;
}

/** Undefined if the account may not see the message, or the reply has ended. */
async function snapshot(
  call: ReadCall,
  { streams, flushed }: FocusRooms,
  { info }: ReplyView,
): Promise<Snapshot | undefined> {
  const { snapshots } = streams;
  const pending = snapshots.begin(info);
  const isOutdated = (): boolean => snapshots.end(pending);
  try {
    const row = await call.tx.get(messageByKey, info.messageKey);
    if (row?.status !== 'streaming' || !(await isVisible(call, row))) {
      isOutdated();
      return undefined;
    }
    const { text } = await messageJson(call, row);
    await flushed();
    // The rendered Message, whose text is that of the last checkpoint.
    const message = JSON.parse(text) as object;
    const textWith = (open: OpenText): string => JSON.stringify({ ...message, ...openFields(open) });
    return { textWith, isOutdated };
  } catch (error) {
    isOutdated();
    throw error;
  }
}

/** The text from which the next frame to a socket with these classes continues. */
const publishedTo = ({ numbered, draft }: ReplyView, classes: number): OpenText =>
  classes & eventClass.patch ? (draft.numbered ?? numbered.open) : numbered.open;
