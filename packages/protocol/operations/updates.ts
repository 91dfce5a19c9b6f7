import { z } from 'zod';
import { label, limitIfGiven, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Frame } from '../events.ts';

export const updateOperations = {
  getUpdates: operation({
    summary:
      'The frames after `since`, in seq order, filtered by the caps of the calling socket or of `socket`. With `limit` they come in pages, and `more` is set if another follows. Without it all frames come in one answer, or `truncated` is set if there are too many.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({
      since: z.number().int().min(0).describe('the `seq` of the last frame that the client has handled'),
      limit: limitIfGiven(limits.updatesPage),
      socket: optional(label(limits.nameBytes)),
    }),
    result: z.object({
      frames: z.array(Frame).describe('the frames, as a socket would have received them'),
      head: z.int(),
      more: z.literal(true).optional().describe('another page follows: call again with the `seq` of the last frame'),
      truncated: z.literal(true).optional().describe('some frames are no longer available: load again what is shown'),
    }),
    errors: ['not_found'],
  }),
  wsFocus: operation({
    summary: 'Sets the timeline in focus on a socket (cap `focus`), and requests snapshots of streaming replies.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({
      socket: label(limits.nameBytes),
      focus: z
        .object({ chat_id: uuid(), channel_id: optional(uuid()), thread_root_id: optional(uuid()) })
        .nullable()
        .optional()
        .describe('the timeline in focus; null for none, absent: it stays as it is'),
      snapshots: optional(z.array(uuid()).max(limits.messageIds)).describe('ids of streaming replies to send whole'),
    }),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
} as const;
