import { z } from 'zod';
import { withoutCombinations } from '../combinations.ts';
import {
  askedPassword,
  cursor,
  label,
  laterTime,
  like,
  limit,
  name,
  newPassword,
  oneEmoji,
  optional,
  optionalLine,
  password,
  username,
  uuid,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Account, Presence, Privacy, Status } from '../resources.ts';

export const peopleOperations = {
  updateProfile: operation({
    summary:
      "Updates the caller's own account; at least one field is required. An empty or null `bio` removes it; `avatar_file_id` is a photo that the caller has uploaded, null removes the avatar.",
    policy: { scope: 'manage', rate: 'profiles', guests: true },
    input: withoutCombinations(
      z.object({
        display_name: optional(name(limits.nameBytes)),
        bio: label(limits.bioBytes, 0).nullish(),
        avatar_file_id: uuid().nullish(),
      }),
      {
        when: { display_name: 'absent', bio: 'missing', avatar_file_id: 'missing' },
        at: 'display_name',
        message: 'or another field is required',
      },
    ),
    result: Account,
    errors: ['not_found', 'forbidden'],
  }),
  changePassword: operation({
    summary: "Changes the caller's password and ends all of its sessions except the current one.",
    policy: { scope: null, rate: 'passwordChecks', guests: true },
    input: z.object({ old_password: password().describe('the present password'), new_password: newPassword() }),
    result: null,
    errors: ['forbidden'],
  }),
  deleteAccount: operation({
    summary:
      'Deletes the caller, its agents and all of its private data. Messages it sent to others stay, under the name "Deleted account"; its groups pass to their oldest admin or, without one, their oldest member.',
    policy: { scope: null, rate: 'passwordChecks', guests: true, pending: true },
    input: z.object({ password: password() }),
    result: null,
    errors: ['forbidden', 'conflict'],
  }),
  blockUser: operation({
    summary:
      'Blocks an account and, for a human, its agents: no direct messages, alerts, invitations to groups or pushes from them reach the caller. The blocked account is not notified.',
    policy: { scope: 'manage', rate: 'writes', limitedSessions: true },
    input: z.object({ username: username() }),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
  unblockUser: operation({
    summary: 'Removes a block.',
    policy: { scope: 'manage', rate: 'writes', limitedSessions: true },
    input: z.object({ username: username() }),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
  getBlockedUsers: operation({
    summary: 'The accounts that the caller has blocked, newest first.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({ limit: limit(limits.listPage, limits.listPageDefault), cursor: cursor() }),
    result: z.object({ items: z.array(Account), next_cursor: z.string().optional() }),
    errors: [],
  }),
  getPrivacy: operation({
    summary: 'What the caller, a person, shares with others, and whether it wants previews of links.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({}),
    result: Privacy,
    errors: ['forbidden'],
  }),
  setPrivacy: operation({
    summary:
      'Sets what getPrivacy answers; fields that are not given stay as they are. A person who does not share read receipts or presence does not see those of others.',
    policy: { scope: 'manage', rate: 'writes', limitedSessions: true },
    input: z.object({
      read_receipts: like(Privacy.shape.read_receipts, optional(z.boolean())),
      last_seen: like(Privacy.shape.last_seen, optional(z.boolean())),
      link_previews: like(Privacy.shape.link_previews, optional(z.boolean())),
    }),
    result: Privacy,
    errors: ['forbidden'],
  }),
  getPresence: operation({
    summary:
      'Who of these accounts is online, and their statuses, as far as the caller may know them. Over a socket with `ext`, that socket then receives `events.presence` for them, and for no others. For people: an agent gets `forbidden`.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({ usernames: z.array(username()).max(limits.presences) }),
    result: z.object({ items: z.array(Presence) }),
    errors: ['forbidden'],
  }),
  setStatus: operation({
    summary:
      'Sets what the caller, a person, shows beside its name to those who share a conversation with it, until the given time or until it sets another. Without `emoji` and `text` it shows nothing. Answers the status, `{}` if there is none.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({
      emoji: optional(z.union([z.literal(''), oneEmoji()])),
      text: optional(optionalLine(limits.statusCharacters)).describe('a short text beside the name'),
      until: optional(laterTime()),
    }),
    result: Status,
    errors: ['forbidden'],
  }),
  exportMyData: operation({
    summary:
      "Answers a download link, valid for 10 minutes, to a JSON document with all of the caller's data. The link is relative to the service's address, needs no token, and expires early if the session that requested it ends.",
    policy: { scope: null, rate: 'writes', limitedSessions: true },
    input: z.object({ password: askedPassword() }),
    result: z.object({ url: z.string().describe("relative to the service's address; a secret while it is valid") }),
    errors: ['forbidden'],
  }),
} as const;
