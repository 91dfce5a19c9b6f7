import { z } from 'zod';
import {
  askedPassword,
  cursor,
  label,
  limit,
  name,
  newPassword,
  optional,
  password,
  username,
  uuid,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Account } from '../resources.ts';

export const peopleOperations = {
  updateProfile: operation({
    summary:
      "Changes the caller's own account, at least one field of it: an empty `bio` (or null) is none, `avatar_file_id` names a photo that the caller has uploaded, null takes the avatar away.",
    input: z
      .object({
        display_name: optional(name(limits.nameBytes)),
        bio: label(limits.bioBytes, 0).nullish(),
        avatar_file_id: uuid().nullish(),
      })
      .refine((given) => Object.values(given).some((value) => value !== undefined), {
        path: ['display_name'],
        message: 'or another field is needed',
      }),
    result: Account,
    errors: ['not_found', 'forbidden'],
  }),
  changePassword: operation({
    summary: "Gives the caller's account another password and ends all of its sessions but the current one.",
    input: z.object({ old_password: password(), new_password: newPassword() }),
    result: null,
    errors: ['forbidden'],
  }),
  deleteAccount: operation({
    summary:
      'Deletes the caller, its agents, and all that is theirs alone. What it has written to others stays, under the name "Deleted account"; its groups go to their oldest admin, else their oldest member.',
    input: z.object({ password: password() }),
    result: null,
    errors: ['forbidden'],
  }),
  blockUser: operation({
    summary:
      'Lets the caller hear nothing more of an account and, of a human, its agents: no direct chat, alert, addition to a group or push. Nobody is told.',
    input: z.object({ username: username() }),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
  unblockUser: operation({
    summary: 'Takes a block back.',
    input: z.object({ username: username() }),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
  getBlockedUsers: operation({
    summary: 'Whom the caller has blocked, newest first.',
    input: z.object({ limit: limit(limits.listPage, limits.listPageDefault), cursor: cursor() }),
    result: z.object({ items: z.array(Account), next_cursor: z.string().optional() }),
    errors: [],
  }),
  exportMyData: operation({
    summary:
      "Answers an address, good for 10 minutes, under which everything that is the caller's own can be downloaded as one JSON document. It begins at the service's address and needs no token, and ends with the session that asked for it.",
    input: z.object({ password: askedPassword() }),
    result: z.object({ url: z.string() }),
    errors: ['forbidden'],
  }),
} as const;
