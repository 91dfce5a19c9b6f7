import type { Draft } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import {
  clearDraft as clear,
  clearTimelineDraft,
  type DraftRow,
  saveDraft as save,
  saveTimelineDraft,
  type TimelineDraftRow,
} from '../store/drafts.ts';
import type { Timeline } from './timeline.ts';

/** Where an account's input draft is: in a conversation, or in one of its channels and threads. */
interface Place {
  accountKey: number;
  chatKey: number;
  chatId: string;
  timeline?: Timeline;
  channelId?: string | undefined;
  threadRootId?: string | undefined;
  /** The device that changed the draft, by the name that the device gave itself. */
  origin?: string | undefined;
}

interface Content {
  text: string;
  replyTo: string | null;
}

const isOfChat = ({ timeline }: Place): boolean =>
  timeline === undefined || (timeline.channelKey === 0 && timeline.threadKey === 0);
const placeOf = ({ accountKey, chatKey, timeline }: Place) =>
  [accountKey, chatKey, timeline?.channelKey ?? 0, timeline?.threadKey ?? 0] as const;

export async function saveDraft(call: UnitCall, place: Place, content: Content): Promise<void> {
  const { text, replyTo } = content;
  const { accountKey, chatKey } = place;
  const saved = isOfChat(place)
    ? await call.tx.get(save, accountKey, chatKey, text, replyTo, call.now)
    : await call.tx.get(saveTimelineDraft, ...placeOf(place), text, replyTo, call.now);
  if (saved) announce(call, place, content, saved);
}

/** Clears an input draft, and notifies the account's devices if there was one (DRAFT-2). */
export async function clearDraft(call: UnitCall, place: Place): Promise<void> {
  const cleared = isOfChat(place)
    ? await call.tx.get(clear, place.accountKey, place.chatKey, call.now)
    : await call.tx.get(clearTimelineDraft, ...placeOf(place), call.now);
  if (cleared) announce(call, place, { text: '', replyTo: null }, cleared);
}

/** Only sockets with `ext` receive the drafts of channels and threads (DRAFT-9). */
function announce(call: UnitCall, place: Place, content: Content, row: { key?: number; updated_at: number }): void {
  const { accountKey, chatKey, chatId, channelId, threadRootId, origin } = place;
  call.emit({
    scope: accountScope(accountKey),
    kind: row.key === undefined ? 'draftUpdated' : 'timelineDraftUpdated',
    ref: row.key ?? chatKey,
    params: {
      conversation_id: chatId,
      ...(row.key !== undefined && { channel_id: channelId, thread_root_id: threadRootId }),
      text: content.text,
      reply_to_id: content.replyTo,
      updated_at: row.updated_at,
      origin,
    },
  });
}

/** A draft as its account sees it. */
export const draftRecord = (row: DraftRow | TimelineDraftRow): Draft => ({
  chat_id: idText(row.chat_id),
  ...('channel_id' in row && row.channel_id && { channel_id: idText(row.channel_id) }),
  ...('thread_root_id' in row && row.thread_root_id && { thread_root_id: idText(row.thread_root_id) }),
  text: row.text,
  reply_to_id: row.reply_to_id,
  updated_at: row.updated_at,
});
