import { z } from 'zod';
import { label, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Conversation, Invite } from '../resources.ts';

const access = ['not_found', 'forbidden'] as const;

export const inviteOperations = {
  createInvite: operation({
    summary:
      'Makes a link by which people come into a group. Owner or admin. `expires_in` is in seconds, 60 to a year; without it the invite stays until it is revoked. After `max_uses` newcomers it is used up; without it there may be any number.',
    input: z.object({
      chat_id: uuid(),
      expires_in: optional(z.number().int().min(limits.inviteSecondsLeast).max(limits.inviteSecondsMost)),
      max_uses: optional(z.number().int().min(1).max(limits.inviteUses)),
    }),
    result: Invite,
    errors: access,
  }),
  getInvites: operation({
    summary:
      'The invites of a group by which one can still come in, newest first. Owner or admin. `token` and `url` are absent where the key that sealed them is gone.',
    input: z.object({ chat_id: uuid() }),
    result: z.object({ items: z.array(Invite.partial({ token: true, url: true })) }),
    errors: access,
  }),
  revokeInvite: operation({
    summary: 'Ends an invite at once. Owner or admin of its group; to anyone else there is none.',
    input: z.object({ invite_id: uuid() }),
    result: null,
    errors: ['not_found'],
  }),
  joinChat: operation({
    summary:
      'Brings the caller, a human, into the group of an invite, as a member; whoever is in it already is answered the same, and uses nothing up. An invite that is unknown, expired, revoked or used up is not found.',
    input: z.object({ token: label(limits.nameBytes) }),
    result: Conversation,
    errors: access,
  }),
} as const;
