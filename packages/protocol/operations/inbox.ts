import { z } from 'zod';
import { withoutCombinations } from '../combinations.ts';
import { cursor, limit, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { InboxItem } from '../resources.ts';

export const inboxOperations = {
  getInbox: operation({
    summary:
      'What the caller is to look at, newest first: messages in groups that mention the caller or reply to it, news in threads in which it wrote, and failed replies of its agents. `unread_count` counts the whole inbox. For people: an agent gets `forbidden`.',
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({ limit: limit(limits.inboxPage, limits.inboxPageDefault), cursor: cursor() }),
    result: z.object({
      items: z.array(InboxItem),
      unread_count: z.int().describe('unread items of the whole inbox'),
      next_cursor: z.string().optional(),
    }),
    errors: ['forbidden'],
  }),
  setInboxDone: operation({
    summary:
      "Removes items from the caller's inbox: the listed ones, or all up to a position. Items that are not in the inbox are ignored.",
    policy: { scope: 'send', rate: 'writes', guests: true },
    input: withoutCombinations(
      z.object({
        message_ids: optional(z.array(uuid()).max(limits.messageIds)).describe(
          'the items to remove, instead of `through_position`',
        ),
        through_position: optional(z.number().int().min(0)).meta({
          description: 'the `position` of the newest item that the caller has seen',
        }),
      }),
      ...(['absent', 'given'] as const).map((both) => ({
        when: { message_ids: both, through_position: both },
        at: 'message_ids' as const,
        message: 'or through_position is required, not both',
      })),
    ),
    result: null,
    errors: ['forbidden'],
  }),
} as const;
