import { z } from 'zod';
import { label, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Conversation, Invite, InvitePreview } from '../resources.ts';

const access = ['not_found', 'forbidden'] as const;

export const inviteOperations = {
  createInvite: operation({
    summary:
      'Creates an invite link to a group. Owner or admin only. `expires_in` is in seconds, from 60 to a year; without it the invite is valid until it is revoked. `max_uses` limits how many people can join with it; without it there is no limit.',
    policy: { rate: 'writes' },
    input: z.object({
      chat_id: uuid(),
      expires_in: optional(z.number().int().min(limits.inviteSecondsLeast).max(limits.inviteSecondsMost)).describe(
        'seconds until it stops to be valid; absent: when it is revoked',
      ),
      max_uses: optional(z.number().int().min(1).max(limits.inviteUses)).describe(
        'how many accounts can join with it; absent for no limit',
      ),
    }),
    result: Invite,
    errors: access,
  }),
  getInvite: operation({
    summary:
      'What an invite leads to, before joining. The same for every caller. An invite with which nobody can join is 404.',
    policy: { rate: 'inviteReads', open: true },
    input: z.object({
      token: label(limits.nameBytes).describe('the `token` of the invite, the last part of its `url`'),
    }),
    result: InvitePreview,
    errors: ['not_found'],
  }),
  getInvites: operation({
    summary:
      'The valid invites of a group, newest first. Owner or admin only. `token` and `url` are absent if the key that encrypted them is not available.',
    policy: { rate: 'none' },
    input: z.object({ chat_id: uuid() }),
    result: z.object({ items: z.array(Invite.partial({ token: true, url: true })) }),
    errors: access,
  }),
  revokeInvite: operation({
    summary: 'Revokes an invite. Owner or admin of its group only; everyone else gets 404.',
    policy: { rate: 'writes' },
    input: z.object({ invite_id: uuid().describe('the `id` of the invite') }),
    result: null,
    errors: ['not_found'],
  }),
  joinChat: operation({
    summary:
      "Adds the calling human to the invite's group as a member. For an existing member the answer is the same and no use is counted. An invite that is unknown, expired, revoked or used up is 404.",
    policy: { rate: 'joins' },
    input: z.object({
      token: label(limits.nameBytes).describe('the `token` of the invite, the last part of its `url`'),
    }),
    result: Conversation,
    errors: access,
  }),
} as const;
