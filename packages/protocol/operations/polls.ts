import { z } from 'zod';
import { cursor, limit, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Actor, Message, PollVote } from '../resources.ts';

const access = ['not_found', 'forbidden'] as const;
const poll = { message_id: uuid() };
const option = () =>
  z
    .number()
    .int()
    .min(0)
    .max(limits.pollOptions - 1)
    .describe('index of the option, from 0');

export const pollOperations = {
  votePoll: operation({
    summary:
      "Sets the caller's vote in a poll: the indexes of the options, from 0. It replaces the former vote; an empty list takes it back. Humans only.",
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object({
      ...poll,
      options: z.array(option()).max(limits.pollOptions).describe('indexes of the options; none takes the vote back'),
    }),
    result: PollVote,
    errors: [...access, 'conflict'],
  }),
  closePoll: operation({
    summary: 'Ends a poll for good. Allowed for its sender, and for the owner and admins of the group.',
    policy: { scope: 'send', rate: 'writes', limitedSessions: true },
    input: z.object(poll),
    result: Message,
    errors: access,
  }),
  getPollVotes: operation({
    summary:
      "The caller's own votes in polls that it can see. The list has no entry for a poll in which it has not voted.",
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({ message_ids: z.array(uuid()).max(limits.messageIds) }),
    result: z.object({ items: z.array(PollVote) }),
    errors: [],
  }),
  getPollVoters: operation({
    summary: 'The accounts that voted for an option of a poll that is not anonymous.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({
      ...poll,
      option: option(),
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
    }),
    result: z.object({ items: z.array(Actor), next_cursor: z.string().optional() }),
    errors: access,
  }),
} as const;
