import type { Input } from '@parley/protocol';
import type { LiveStream } from '../../agents/live-streams.ts';
import { type ReadCall, read } from '../../call.ts';
import { eventClass, type TimelineKey, timelineOf } from '../../events/kinds.ts';
import type { SocketSession } from '../../sockets/session.ts';
import { isParticipant, requireChat } from '../../store/chats.ts';
import { messageByKey, messageJson } from '../../store/messages.ts';
import { requireTimeline } from '../messages/timeline.ts';
import { requireOwnSocket } from './own-socket.ts';

export default read('wsFocus', async (call, input) => {
  const session = requireOwnSocket(call, input.socket);
  const focus = input.focus && (await timelineKey(call, input.focus));
  const { view } = session;
  if (!view) return;
  const wanted = new Set(input.snapshots);
  if (focus !== undefined && view.focus !== undefined && view.focus !== focus) {
    // Frames that wait were let through by the old focus.
    call.service.hub.flushView(view);
    view.focus = focus;
    for (const stream of call.service.streams.all())
      if (timelineOf(stream.info) === focus) wanted.add(stream.info.messageId);
  }
  for (const id of wanted) await sendSnapshot(call, session, id);
});

async function timelineKey(call: ReadCall, focus: NonNullable<Input<'wsFocus'>['focus']>): Promise<TimelineKey> {
  const chat = await requireChat(call, focus.chat_id);
  await requireTimeline(call, chat, focus, { deletedRoot: true });
  const { channel_id: channelId = null, thread_root_id: threadRootId = null } = focus;
  return timelineOf({ chatKey: chat.key, channelId, threadRootId });
}

/** An open reply whole, for this socket alone: outside the log, it moves nothing (CAPS-9). */
async function sendSnapshot(call: ReadCall, session: SocketSession, messageId: string): Promise<void> {
  const { streams, hub, read: tx } = call.service;
  const stream = streams.find(messageId);
  const { view } = session;
  if (!stream || !view || (view.classes & eventClass.draft) === 0) return;
  if (!(await tx.get(isParticipant, stream.info.chatKey, call.caller.key))) return;
  const row = await tx.get(messageByKey, stream.info.messageKey);
  if (row?.status !== 'streaming') return;
  const { text } = await messageJson(tx, row, { get: () => toldTo(stream, view.classes) });
  if (stream.closing) return;
  hub.flushView(view);
  session.sendText(`{"method":"events.messageNew","params":${text},"seq":${view.last},"prev":${view.last}}`);
}

/** The text that what comes next on such a socket is behind of. */
const toldTo = ({ told, draft }: LiveStream, classes: number) =>
  classes & eventClass.patch ? (draft.patch ?? draft.latest) : told;
