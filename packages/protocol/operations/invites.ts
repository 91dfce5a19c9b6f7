import { z } from 'zod';
import { onlyOneOf, withoutCombinations } from '../combinations.ts';
import { label, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Conversation, Invite, InvitePreview } from '../resources.ts';

const access = ['not_found', 'forbidden'] as const;

export const inviteOperations = {
  createInvite: operation({
    summary:
      'Creates an invite link to a group. Owner or admin only. `expires_in` is in seconds, from 60 to a year; without it the invite is valid until it is revoked. `max_uses` limits how many people can join with it; without it there is no limit.',
    policy: { scope: 'manage', rate: 'writes' },
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
    policy: { scope: 'read', rate: 'inviteReads', open: true },
    input: z.object({
      token: label(limits.nameBytes).describe('the `token` of the invite, the last part of its `url`'),
    }),
    result: InvitePreview,
    errors: ['not_found'],
  }),
  getInvites: operation({
    summary:
      'The valid invites of a group, newest first. Owner or admin only. `token` and `url` are absent if the key that encrypted them is not available.',
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({ chat_id: uuid() }),
    result: z.object({ items: z.array(Invite.partial({ token: true, url: true })) }),
    errors: access,
  }),
  revokeInvite: operation({
    summary: 'Revokes an invite. Owner or admin of its group only; everyone else gets 404.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ invite_id: uuid().describe('the `id` of the invite') }),
    result: null,
    errors: ['not_found'],
  }),
  joinChat: operation({
    summary:
      'Adds the calling human as a member to the group of an invite, by its `token`, or to a public group, by its `chat_id`. For an existing member the answer is the same and no use is counted. An invite that is unknown, expired, revoked or used up is 404, and so is a group that is not public. Who was removed from a public group comes back only by an invite or by being added.',
    policy: { scope: 'manage', rate: 'joins', guests: true },
    input: withoutCombinations(
      z.object({
        token: optional(label(limits.nameBytes)).describe(
          'the `token` of the invite, the last part of its `url`, instead of `chat_id`',
        ),
        chat_id: optional(uuid()).describe('a public group, instead of `token`'),
      }),
      { when: { token: 'absent', chat_id: 'absent' }, at: 'token', message: 'or chat_id is required' },
      ...onlyOneOf('token', 'chat_id'),
    ),
    result: Conversation,
    errors: access,
  }),
} as const;
