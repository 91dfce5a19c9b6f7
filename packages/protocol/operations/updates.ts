import { z } from 'zod';
import { label, limitIfGiven, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Frame } from '../events.ts';

export const updateOperations = {
  getUpdates: operation({
    summary:
      'The frames after `since`, in seq order, filtered by the caps of the calling socket or of `socket`. With `limit` they come in pages, and `more` is set if another follows. Without it all frames come in one answer, or `truncated` is set if there are too many.',
    input: z.object({
      since: z.number().int().min(0),
      limit: limitIfGiven(limits.updatesPage),
      socket: optional(label(limits.nameBytes)),
    }),
    result: z.object({
      frames: z.array(Frame),
      head: z.int(),
      more: z.literal(true).optional(),
      truncated: z.literal(true).optional(),
    }),
    errors: ['not_found'],
  }),
  wsFocus: operation({
    summary: 'Sets the timeline in focus on a socket (cap `focus`), and requests snapshots of streaming replies.',
    input: z.object({
      socket: label(limits.nameBytes),
      focus: z
        .object({ chat_id: uuid(), channel_id: optional(uuid()), thread_root_id: optional(uuid()) })
        .nullable()
        .optional(),
      snapshots: optional(z.array(uuid()).max(limits.messageIds)),
    }),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
  getServerInfo: operation({
    summary: 'Name, version and feature level of the service.',
    open: true,
    input: z.object({}),
    result: z.object({
      name: z.string(),
      version: z.string(),
      feature_level: z.int(),
      sign_up: z.enum(['open', 'closed']),
    }),
    errors: [],
  }),
} as const;
