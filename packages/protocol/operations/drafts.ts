import { z } from 'zod';
import { label, optional, text, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Draft } from '../resources.ts';

export const draftOperations = {
  saveDraft: operation({
    summary:
      "Saves the caller's input draft of a chat, or of one of its channels and threads; empty text or white space clears it.",
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object({
      chat_id: uuid(),
      channel_id: optional(uuid()),
      thread_root_id: optional(uuid()),
      text: text(limits.humanTextBytes).describe('what has been typed; empty text or white space clears the draft'),
      reply_to_id: optional(uuid()),
      origin: optional(label(limits.nameBytes, 0)).describe(
        'an id of the tab or app that saves it, which `events.draftUpdated` repeats',
      ),
    }),
    result: z.object({ ok: z.literal(true).describe('always true') }),
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  getDrafts: operation({
    summary: "All of the caller's input drafts of chats; with `timelines` those of channels and threads too.",
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({
      timelines: optional(z.boolean()).describe(
        'whether to return the drafts of channels and threads too; false by default',
      ),
    }),
    result: z.object({ items: z.array(Draft) }),
    errors: [],
  }),
} as const;
