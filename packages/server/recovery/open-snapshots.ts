import { accountScope, chatScope, eventClass, timelineOf } from '../core/event-kinds.ts';
import type { StoredEvent } from '../log/event-log.ts';
import type { OpenText } from '../rendering/messages.ts';
import type { ReplayRequest, ReplayRooms } from './request.ts';

// What a replay shows that is not stored: what is open at this moment.

/** An open reply, as the snapshot that it becomes. */
export interface OpenReply {
  event: StoredEvent;
  open: OpenText;
}

/**
 * The open replies as they are at this moment, by message key. Each becomes one snapshot at the number of its newest
 * event, with its text at that number, so that later deltas continue it (LOG-12). A socket that focuses another
 * timeline gets only its activity (CAPS-8).
 */
export function openStreams(
  { replies }: Pick<ReplayRooms, 'replies'>,
  { classes, focus, alone }: ReplayRequest,
): Map<number, OpenReply> {
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
export const openQueries = (
  { inlineQueries }: Pick<ReplayRooms, 'inlineQueries'>,
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
