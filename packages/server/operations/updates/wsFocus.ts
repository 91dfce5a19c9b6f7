import type { Input } from '@parley/protocol';
import type { LiveStream } from '../../agents/live-streams.ts';
import { type ReadCall, read } from '../../call.ts';
import type { View } from '../../events/hub.ts';
import { eventClass, type TimelineKey, timelineOf } from '../../events/kinds.ts';
import { requireChat } from '../../store/chats.ts';
import { messageByKey, messageJson, type OpenText } from '../../store/messages.ts';
import { requireTimeline } from '../messages/timeline.ts';
import { isVisible } from '../messages/visibility.ts';
import { requireOwnSocket } from './own-socket.ts';

/** A text that goes on while it is made into a snapshot is made anew, but not without end. */
const MAX_ROUNDS = 8;

interface Snapshot {
  of: OpenText;
  /** The Message as JSON; undefined for one that the account does not see. */
  text: string | undefined;
}

export default read('wsFocus', async (call, input) => {
  const session = requireOwnSocket(call, input.socket);
  const { hub } = call.service;
  const asked = (session.focusAsked += 1);
  const focus = input.focus && (await timelineKey(call, input.focus));
  const { view } = session;
  if (!view) return;
  // What was asked later is done already, perhaps.
  const isNewest = (): boolean => focus !== undefined && view.focus !== undefined && asked > session.focusSet;
  const isMoving = (): boolean => isNewest() && view.focus !== focus;
  const ids = new Set(input.snapshots);
  const wanted = () =>
    openReplies(
      call,
      view,
      (stream) => ids.has(stream.info.messageId) || (isMoving() && timelineOf(stream.info) === focus),
    );
  const snapshots = await makeSnapshots(call, view, wanted);
  // From here on nothing else happens: what comes next fits behind what is sent (CAPS-9).
  const texts = wanted().map((stream) => snapshots.get(stream)?.text);
  // Frames that wait were let through by the old focus.
  hub.flushView(view);
  if (isNewest()) {
    view.focus = focus;
    session.focusSet = asked;
  }
  const { last } = view;
  for (const text of texts)
    if (text) session.sendText(`{"method":"events.messageNew","params":${text},"seq":${last},"prev":${last}}`);
});

async function timelineKey(call: ReadCall, focus: NonNullable<Input<'wsFocus'>['focus']>): Promise<TimelineKey> {
  const chat = await requireChat(call, focus.chat_id);
  await requireTimeline(call, chat, focus, { deletedRoot: true });
  const { channel_id: channelId = null, thread_root_id: threadRootId = null } = focus;
  return timelineOf({ chatKey: chat.key, channelId, threadRootId });
}

/** Open replies that a socket may see, at this place of the log. */
function openReplies({ service }: ReadCall, view: View, isMeant: (stream: LiveStream) => boolean): LiveStream[] {
  if ((view.classes & eventClass.draft) === 0) return [];
  return [...service.streams.all()].filter(
    (stream) => !stream.closing && view.presence.chats.has(stream.info.chatKey) && isMeant(stream),
  );
}

/** Replies whole, each as it is at the end: one that goes on meanwhile is made anew. */
async function makeSnapshots(
  call: ReadCall,
  view: View,
  wanted: () => LiveStream[],
): Promise<Map<LiveStream, Snapshot>> {
  const made = new Map<LiveStream, Snapshot>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const stale = wanted().filter((stream) => made.get(stream)?.of !== toldTo(stream, view.classes));
    if (stale.length === 0) break;
    for (const stream of stale) {
      const of = toldTo(stream, view.classes);
      made.set(stream, { of, text: await snapshot(call, stream, of) });
    }
  }
  return made;
}

async function snapshot(call: ReadCall, stream: LiveStream, of: OpenText): Promise<string | undefined> {
  const row = await call.tx.get(messageByKey, stream.info.messageKey);
  if (row?.status !== 'streaming' || !(await isVisible(call, row))) return undefined;
  return (await messageJson(call.tx, row, { get: () => of })).text;
}

/** The text that such a socket's next frame of it goes on from. */
const toldTo = ({ told, draft }: LiveStream, classes: number): OpenText =>
  classes & eventClass.patch ? (draft.told ?? told) : told;
